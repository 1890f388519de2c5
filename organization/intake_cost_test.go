package organization_test

import (
	"fmt"
	"strconv"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/organization"
)

// staffed returns an organization with the number of members and a class with shares for all of them.
func staffed(tb testing.TB, members int) *bundle {
	tb.Helper()
	b := founded(tb)
	moment := organization.DecideContext{By: owner, Now: b.now, NewID: b.newID}
	for i := range members {
		add := organization.AddMember{MemberTerms: organization.MemberTerms{FullName: fmt.Sprintf("Holder %d", i), Roles: []string{}}}
		events, err := organization.Decide(b.state, add, moment)
		if err != nil {
			tb.Fatal(err)
		}
		b.state.Apply(events[0], captable.Stamp{Sequence: uint64(i) + 2})
	}
	terms := captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon}
	terms.AuthorizedShares = captable.AuthorizedOf(exact.MustDecimal("1000000"))
	b.do(organization.Table{Command: captable.CreateSecurity{SecurityTerms: terms}})
	return b
}

// sheetOf returns a file whose rows refer to the members in turn.
func sheetOf(number, members int) organization.Intake {
	var in organization.Intake
	for i := range number {
		in.Rows = append(
			in.Rows,
			organization.IntakeRow{Place: strconv.Itoa(i + 2), Command: issueRow(fmt.Sprintf("HOLDER %d", i%members), "common", "1")},
		)
	}
	return in
}

// cost returns the number of allocations for a file with one row per member.
func cost(tb testing.TB, members int) int {
	tb.Helper()
	b, in := staffed(tb, members), sheetOf(members, members)
	return int(testing.AllocsPerRun(1, func() {
		if _, err := organization.Decide(b.state, in, organization.DecideContext{Now: b.now, NewID: b.newID}); err != nil {
			tb.Fatal(err)
		}
	}))
}

// TestCostOfAFileIsLinear detects a search through all members for each row: with four times the rows it would
// cost sixteen times as much.
//
//nolint:paralleltest // counts the allocations of the process
func TestCostOfAFileIsLinear(t *testing.T) {
	if few, many := cost(t, 1000), cost(t, 4000); many > 6*few {
		t.Errorf("%d allocations for 4,000 rows, %d for 1,000", many, few)
	}
}

func TestHoldersAreFoundInEverySpelling(t *testing.T) {
	t.Parallel()
	b := classed(t)
	b.do(rows(organization.AddMember{
		MemberTerms: organization.MemberTerms{FullName: "Straße Kelvin", ExternalID: "Ada Lovelace 2", Roles: []string{}},
	}))
	for holder, want := range map[string]int{
		"STRA\u1e9eE \u212aelvin": 1, "straße kelvin": 1, "Ada Lovelace 2": 1, "ada lovelace 2": 0, "Ada LOVELACE": 1, "Ada": 0,
	} {
		events, err := b.decide(rows(issueRow(holder, "Common", "1")))
		if len(events) != want {
			t.Errorf("%q: %d events, %v", holder, len(events), err)
		}
	}
}

func BenchmarkIntakeOfTenThousandRows(b *testing.B) {
	const members = 10_000
	staff, in := staffed(b, members), sheetOf(members, members)
	for b.Loop() {
		if _, err := organization.Decide(staff.state, in, organization.DecideContext{Now: staff.now, NewID: staff.newID}); err != nil {
			b.Fatal(err)
		}
	}
}

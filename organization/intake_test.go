package organization_test

import (
	"errors"
	"strconv"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// rows returns the commands as rows of a file, starting in line 2.
func rows(commands ...organization.Command) organization.Intake {
	var in organization.Intake
	for i, command := range commands {
		in.Rows = append(in.Rows, organization.IntakeRow{Place: strconv.Itoa(i + 2), Command: command})
	}
	return in
}

func issueRow(holder, security, shares string) organization.IssueRow {
	return organization.IssueRow{Holder: holder, Security: security, Shares: exact.MustDecimal(shares), IssueDate: exact.MustDate(today)}
}

// classed returns an organization with a class of 100 shares.
func classed(tb testing.TB) *bundle {
	tb.Helper()
	b := founded(tb)
	terms := captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, ExternalID: "c"}
	terms.AuthorizedShares = captable.AuthorizedOf(exact.MustDecimal("100"))
	b.do(organization.Table{Command: captable.CreateSecurity{SecurityTerms: terms}})
	return b
}

func TestIntake(t *testing.T) {
	t.Parallel()
	t.Run("each row is decided after the previous ones", func(t *testing.T) {
		t.Parallel()
		b := classed(t)
		adding := organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Bob", ExternalID: "b"}}
		events := b.do(rows(adding, issueRow("bob", "COMMON", "60"), issueRow("b", "c", "40")))
		equal(t, "events", len(events), 3)
		equal(t, "last", events[2].EventType(), "shareholdingIssued")
	})
	t.Run("a file with a wrong row is refused with line and figures", func(t *testing.T) {
		t.Parallel()
		b := classed(t)
		in := rows(issueRow("Ada Lovelace", "Common", "60"), issueRow("Ada Lovelace", "Common", "50"), issueRow("", "none", "0"))
		in.Rows = append(in.Rows, organization.IntakeRow{Place: "9", Refusal: fault.Refuse(fault.Invalid, "Unreadable.")})
		b.refused(in, fault.RowsRefused, "/rows/3/shares insufficientShares", "/rows/4/holder required",
			"/rows/4/security unknownReference", "/rows/4/shares notPositive", "/rows/9 invalidFields")
		_, err := b.decide(in)
		refusal, _ := errors.AsType[*fault.Error](err)
		equal(t, "message", refusal.Fields[0].Message, "40 shares are available on 2026-01-15; 50 were requested.")
	})
	t.Run("parse errors are reported together with faults", func(t *testing.T) {
		t.Parallel()
		b := classed(t)
		in := rows(issueRow("nobody", "Common", "0"))
		in.Rows[0].Refusal = &fault.Error{
			Code: fault.Invalid, Fields: []fault.Field{{Pointer: "/shares", Code: "invalidDecimal", Message: "A decimal is required."}},
		}
		b.refused(in, fault.RowsRefused, "/rows/2/shares invalidDecimal", "/rows/2/holder unknownReference")
	})
	t.Run("an intake stops at the maximum number of refusals", func(t *testing.T) {
		t.Parallel()
		b := classed(t)
		var in organization.Intake
		for line := range 600 {
			in.Rows = append(in.Rows, organization.IntakeRow{Place: strconv.Itoa(line + 2), Refusal: fault.Refuse(fault.Invalid, "No.")})
		}
		_, err := b.decide(in)
		refusal, _ := errors.AsType[*fault.Error](err)
		equal(t, "told", len(refusal.Fields), 500)
	})
	t.Run("a row with an ambiguous name is refused", func(t *testing.T) {
		t.Parallel()
		b := classed(t)
		one := b.add(bob, "Twin")
		b.add(cleo, "Twin")
		b.refused(rows(issueRow("twin", "Common", "1")), fault.RowsRefused, "/rows/2/holder ambiguous")
		b.do(rows(issueRow(one.String(), "Common", "1")))
	})
}

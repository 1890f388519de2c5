package organization_test

import (
	"errors"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// closing plans a round of 25 from the investors for shares of a new class, with 100 shares of the founder before
// it, and returns the command that closes it.
func closing(b *bundle, investors ...captable.RoundInvestor) organization.CloseRound {
	b.Helper()
	terms := captable.RoundTerms{
		Date: exact.MustDate(today), PricePerShare: new(exact.MustDecimal("1")),
		Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Series A"}},
	}
	for _, investor := range investors {
		terms.NewMoney = append(terms.NewMoney, captable.RoundInvestment{Investor: investor, Amount: exact.MustDecimal("25")})
	}
	moment := captable.DecideContext{Now: b.now, Register: b.state, Currency: "USD"}
	planned, err := b.state.Table().PlanRound(terms, moment, b.state.NameOf)
	if err != nil {
		b.Fatal(err)
	}
	return organization.CloseRound{CloseRound: captable.CloseRound{RoundTerms: terms, Confirm: planned.Confirm}}
}

func TestCloseRound(t *testing.T) {
	t.Parallel()
	issued := func(tb testing.TB) *bundle {
		tb.Helper()
		b := classed(tb)
		b.do(rows(issueRow("Ada Lovelace", "Common", "100")))
		return b
	}
	t.Run("a close creates one member for each name of a new investor", func(t *testing.T) {
		t.Parallel()
		b := issued(t)
		fund := captable.RoundInvestor{Name: "Fund"}
		angel := captable.RoundInvestor{Name: "Angela", Kind: "individual"}
		events := b.do(closing(b, fund, angel, fund))
		first := events[0].(organization.MemberAdded).Member
		equal(t, "fund", first.FullName+" "+first.Kind+" "+first.Relationship, "Fund institution investor")
		equal(t, "angel", events[1].(organization.MemberAdded).Member.Kind, "individual")
		equal(t, "events", len(events), 2+6)
		equal(t, "holders", len(b.state.Table().TableOn(exact.MustDate(today), b.state.NameOf).Holders), 3)
	})
	t.Run("a close with a new investor who has the name of a holder is refused", func(t *testing.T) {
		t.Parallel()
		b := issued(t)
		command := closing(b, captable.RoundInvestor{Name: "ada lovelace"})
		b.refused(command, fault.Conflict)
		_, err := b.state.PlanRound(command.RoundTerms, b.now)
		if refusal, ok := errors.AsType[*fault.Error](err); !ok || refusal.Fields[0].Pointer != "/newMoney/0/investor/name" {
			t.Errorf("the plan finds %v", err)
		}
	})
	t.Run("a close that differs from the plan creates no member", func(t *testing.T) {
		t.Parallel()
		b := issued(t)
		command := closing(b, captable.RoundInvestor{Name: "Fund"})
		command.Confirm = "other"
		b.refused(command, fault.Conflict)
	})
}

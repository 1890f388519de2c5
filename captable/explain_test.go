package captable_test

import (
	"math/big"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// explain returns the explanation of the figure as of today. It checks the arithmetic of the
// explanation.
func (b *bundle) explain(figure string) captable.Term {
	b.Helper()
	return b.explainOn(figure, exact.DateOf(b.now))
}

// explainOn is explain for any day.
func (b *bundle) explainOn(figure string, day captable.Date) captable.Term {
	b.Helper()
	term, err := b.state.Explain(figure, day, b.nameOf)
	if err != nil {
		b.Fatalf("explain %s: %v", figure, err)
	}
	b.addsUp(term, day)
	return term
}

func (b *bundle) nameOf(id captable.EntityID) string { return b.holders[id] }

// addsUp checks the value of every term in the tree against the terms below it.
func (b *bundle) addsUp(term captable.Term, day captable.Date) {
	b.Helper()
	if term.Label == "" || (term.Operation == captable.OperationRecorded) != (len(term.Records) > 0) {
		b.Fatalf("the figure %+v says nothing", term)
	}
	for _, part := range term.Terms {
		b.addsUp(part, day)
	}
	switch term.Operation {
	case captable.OperationSum:
		equal(b, term.Label, sumOf(term.Terms), term.Value)
	case captable.OperationDifference:
		left := term.Terms[0].Value.Shares
		for _, other := range term.Terms[1:] {
			left = left.Sub(other.Value.Shares)
		}
		if !term.Value.Unlimited {
			equal(b, term.Label, left.Max(captable.Decimal{}).String(), term.Value.String())
		}
	case captable.OperationPercentage:
		b.isPart(term)
	case captable.OperationLeast:
		smallest := term.Terms[0].Value.Shares
		for _, other := range term.Terms[1:] {
			smallest = smallest.Min(other.Value.Shares)
		}
		equal(b, term.Label, smallest.String(), term.Value.String())
	case captable.OperationProduct:
		product := exact.RoundDown(term.Terms[0].Value.Shares.Mul(term.Terms[1].Value.Shares).Rat(), exact.Places)
		equal(b, term.Label, product.String(), term.Value.String())
	case captable.OperationFraction:
		quotient := new(big.Rat).Mul(term.Terms[0].Value.Shares.Rat(), term.Terms[1].Value.Shares.Rat())
		quotient.Quo(quotient, term.Terms[2].Value.Shares.Rat())
		equal(b, term.Label, exact.RoundDown(quotient, exact.Places).String(), term.Value.String())
	case captable.OperationFigure:
		equal(b, term.Label, b.explainOn(term.Figure, day).Value, term.Value)
	case captable.OperationRecorded:
	}
}

// isPart checks a percentage. Each position in its sum may contribute an error of less than one
// unit in the last place. The tolerance is ten units, because no test has ten positions.
func (b *bundle) isPart(term captable.Term) {
	b.Helper()
	part, whole := term.Terms[0].Value.Shares, term.Terms[1].Value.Shares
	if whole.IsZero() {
		equal(b, term.Label, term.Value.String(), "0")
		return
	}
	off := term.Value.Shares.Mul(whole).Sub(part)
	if unit := number("0.000000001").Mul(whole); off.Cmp(unit.Neg()) < 0 || off.Cmp(unit) > 0 {
		b.Fatalf("%s is %s of %s, not %s", part, term.Value, whole, term.Label)
	}
}

func sumOf(terms []captable.Term) (sum captable.Authorized) {
	for _, term := range terms {
		sum = sum.Add(term.Value)
	}
	return sum
}

func TestAFigureIsExplainedDownToItsRecords(t *testing.T) {
	t.Parallel()
	t.Run("what is available of a security", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		first := b.issue(ada, common, "300", today)
		b.issue(bob, common, "200", today)

		term := b.explain("security/" + common.String() + "/available")

		equal(t, "available", term.Value.String(), "500")
		equal(t, "terms", len(term.Terms), 3)
		outstanding := term.Terms[1]
		equal(t, "the first leaf", outstanding.Terms[0].Records[0].ID, [16]byte(first))
		equal(t, "in words", outstanding.Terms[0].Label, "CS-1, Ada Lovelace")
	})
	t.Run("what part of everything a holder has", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		b.issue(ada, common, "100", today)
		b.issue(bob, common, "200", today)

		term := b.explain("holder/" + ada.String() + "/percentOutstanding")

		equal(t, "percent", term.Value.String(), "0.3333333333")
		equal(t, "part", term.Terms[0].Value.String(), "100")
		equal(t, "whole", term.Terms[1].Value.String(), "300")
	})
	t.Run("what a retraction gave back to the treasury", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.repurchased(class, "100", "2025-01-01")
		drawn := b.issue(bob, class, "60", "2025-02-01")
		b.do(captable.RetractShareholding{ID: drawn, Date: exact.MustDate("2025-03-01"), Reason: "r"})

		term := b.explain("security/" + class.String() + "/treasury")

		back := term.Terms[2]
		equal(t, "given back", back.Value.String(), "60")
		equal(t, "by", back.Records[0].ID, [16]byte(drawn))
	})
	t.Run("a limit that was raised", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("1000")
		b.do(authorize(common, "500", today))

		term := b.explain("security/" + common.String() + "/authorized")

		equal(t, "limit", term.Value.String(), "1500")
		equal(t, "raised by", term.Terms[1].Value.String(), "500")
	})
}

func TestWhatIsNoFigureIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("1000")
	b.issue(ada, common, "1", "2025-01-01")
	for _, figure := range []string{
		"", "security", "security/x/issued", "security/" + common.String(), "security/" + common.String() + "/colour",
		"holder/" + ada.String() + "/", "holder/" + ada.String() + "/age", "total/percentOutstanding", "moon/" + ada.String() + "/shares",
	} {
		_, err := b.state.Explain(figure, exact.MustDate(today), b.nameOf)
		if err == nil {
			t.Errorf("%q was explained", figure)
		}
	}
}

// checkExplained checks the explanations of the figures of classes and holders against the
// table.
func (h *history) checkExplained() {
	table := h.state.TableOn(exact.DateOf(h.now), h.nameOf)
	for _, line := range table.Securities {
		of := "security/" + line.ID.String() + "/"
		equal(h, "explained limit", h.explain(of+"authorized").Value, line.Authorized)
		equal(h, "explained issued", h.explain(of+"issued").Value.Shares, line.Issued)
		equal(h, "explained outstanding", h.explain(of+"outstanding").Value.Shares, line.Outstanding)
		equal(h, "explained treasury", h.explain(of+"treasury").Value.Shares, line.Treasury)
		equal(h, "explained available", h.explain(of+"available").Value, line.Available)
		equal(h, "explained percentage", h.explain(of+"percentOutstanding").Value.Shares, line.PercentOutstanding)
	}
	for _, line := range table.Holders {
		of := "holder/" + line.Entity.String() + "/"
		equal(h, "explained shares", h.explain(of+"shares").Value.Shares, line.Shares)
		equal(h, "explained percentage", h.explain(of+"percentOutstanding").Value.Shares, line.PercentOutstanding)
	}
	equal(h, "explained total", h.explain("total/outstanding").Value.Shares, table.Totals.Outstanding)
}

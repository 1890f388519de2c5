package captable_test

import (
	"math/big"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
)

// explain returns the explanation of the figure as of today. It checks the arithmetic of the
// explanation.
func (b *bundle) explain(figure string) explain.Term {
	b.Helper()
	return b.explainOn(figure, exact.DateOf(b.now))
}

// explainOn is explain for any day.
func (b *bundle) explainOn(figure string, day captable.Date) explain.Term {
	b.Helper()
	term, err := explain.Figure(b.state, figure, day, b.nameOf)
	if err != nil {
		b.Fatalf("explain %s: %v", figure, err)
	}
	b.addsUp(term, day)
	return term
}

func (b *bundle) nameOf(id captable.EntityID) string { return b.holders[id] }

// addsUp checks the value of every term in the tree against the terms below it.
func (b *bundle) addsUp(term explain.Term, day captable.Date) {
	b.Helper()
	if term.Label == "" || (term.Operation == explain.OperationRecorded) != (len(term.Records) > 0) {
		b.Fatalf("the figure %+v says nothing", term)
	}
	for _, part := range term.Terms {
		b.addsUp(part, day)
	}
	switch term.Operation {
	case explain.OperationSum:
		equal(b, term.Label, sumOf(term.Terms), term.Value)
	case explain.OperationDifference:
		left := term.Terms[0].Value.Shares
		for _, other := range term.Terms[1:] {
			left = left.Sub(other.Value.Shares)
		}
		if !term.Value.Unlimited {
			equal(b, term.Label, left.Max(captable.Decimal{}).String(), term.Value.String())
		}
	case explain.OperationPercentage:
		b.isPart(term)
	case explain.OperationLeast:
		smallest := term.Terms[0].Value.Shares
		for _, other := range term.Terms[1:] {
			smallest = smallest.Min(other.Value.Shares)
		}
		equal(b, term.Label, smallest.String(), term.Value.String())
	case explain.OperationProduct:
		product := big.NewRat(1, 1)
		for _, factor := range term.Terms {
			product.Mul(product, factor.Value.Shares.Rat())
		}
		equal(b, term.Label, exact.RoundDown(product, exact.Places).String(), term.Value.String())
	case explain.OperationFraction:
		quotient := new(big.Rat).Mul(term.Terms[0].Value.Shares.Rat(), term.Terms[1].Value.Shares.Rat())
		quotient.Quo(quotient, term.Terms[2].Value.Shares.Rat())
		equal(b, term.Label, exact.RoundDown(quotient, exact.Places).String(), term.Value.String())
	case explain.OperationFigure:
		equal(b, term.Label, b.explainOn(term.Figure, day).Value, term.Value)
	case explain.OperationRecorded:
	}
}

// isPart checks a percentage. Each position in its sum may contribute an error of less than one
// unit in the last place. The tolerance is ten units, because no test has ten positions.
func (b *bundle) isPart(term explain.Term) {
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

func sumOf(terms []explain.Term) (sum captable.Authorized) {
	for _, term := range terms {
		sum = sum.Add(term.Value)
	}
	return sum
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

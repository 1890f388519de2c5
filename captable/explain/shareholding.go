package explain

import (
	"equity/captable"
	"equity/fault"
)

// shareholding explains the shares of a shareholding, the vested and unvested parts, or the
// repurchasable part. A shareholding that is not outstanding on the day has figures of zero.
func (x *explanation) shareholding(id captable.ShareholdingID, which string) (Term, error) {
	h, known := x.state.Shareholding(id)
	if !known {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such shareholding.")
	}
	label := h.Certificate + ", " + x.name(h.Entity) + ", "
	was, issued := h.On(x.day)
	held := issued && was.Status.Outstanding()
	switch which {
	case "shares", "vested", "unvested", "repurchasable":
	default:
		return Term{}, noFigure("The figure of a shareholding must be shares, vested, unvested or repurchasable.")
	}
	if !held {
		return Term{Label: label + which, Operation: OperationSum}, nil
	}
	shares := recorded(label+"shares", was.Shares, Reference{Kind: kindShareholding, ID: h.ID})
	switch which {
	case "shares":
		return shares, nil
	case "vested":
		return x.vestedShares(was, shares, label), nil
	case "unvested":
		return less(label+which, shares, x.vestedShares(was, shares, label)), nil
	}
	right, repurchasable := x.state.RepurchasableOf(was, x.day)
	if !repurchasable {
		return Term{Label: label + which, Operation: OperationSum}, nil
	}
	shares.Label = label + "shares, of which nothing vests any more"
	forfeited := captable.OptionReduced{Deduction: captable.Deduction{Kind: captable.StatusForfeited}}.EventType()
	stopped := Reference{Kind: kindHolding, ID: right.Option, Events: []string{forfeited}}
	if right.Option.IsZero() {
		stopped = Reference{Kind: kindShareholding, ID: h.ID, Events: []string{captable.VestingStopped{}.EventType()}}
	}
	shares.Records = append(shares.Records, stopped)
	ended := label + "repurchasable since the service ended on " + right.Since.String()
	if right.Reason != "" {
		ended += " (" + string(right.Reason) + ")"
	}
	return less(ended, shares, x.vestedShares(was, shares, label)), nil
}

// vestedShares explains the vested shares of a shareholding. Shares without vesting terms
// belong fully to the holder from the first day.
func (x *explanation) vestedShares(h *captable.Shareholding, shares Term, label string) Term {
	vested, vests := x.state.VestedOn(h, x.day)
	if !vests {
		shares.Label = label + "shares, which are not subject to vesting"
		return shares
	}
	own := Reference{Kind: kindShareholding, ID: h.ID}
	grant, first, early := x.state.ExerciseOf(h, x.day)
	if !early {
		by := "vested by its schedule"
		if stopped := h.StoppedBy(x.day); stopped != nil {
			by += " until the service ended on " + stopped.Date.String()
		}
		return recorded(label+by, vested.Vested, own)
	}
	all := smallest(label+"vested", x.vestedOfExercise(grant, first), shares)
	if all.Value.Shares.Equal(vested.Vested) {
		return all
	}
	return recorded(label+"vested, its part of the exercise", vested.Vested, own, Reference{Kind: kindShareholding, ID: first},
		Reference{Kind: kindHolding, ID: grant.ID})
}

// vestedOfExercise explains the vested options of an exercise: the vested options of the grant
// minus the earlier exercises, and at most the exercised quantity.
func (x *explanation) vestedOfExercise(of *captable.Grant, first captable.ShareholdingID) Term {
	grant := x.explained(of)
	vested := Term{
		Label: grant.label + ", vested", Value: captable.AuthorizedOf(grant.figures.Vested), Operation: OperationFigure,
		Figure: "option/" + grant.ID.String() + "/vested",
	}
	terms := []Term{}
	exercised := Term{}
	for _, deduction := range grant.deductions {
		if deduction.Kind != captable.StatusExercised {
			continue
		}
		term := recorded("exercised on "+deduction.Date.String(), deduction.Quantity, grant.takenBy(deduction)...)
		if deduction.Shareholding == first {
			exercised = term
			break
		}
		terms = append(terms, term)
	}
	if len(terms) > 0 {
		vested = less(grant.label+", vested behind earlier exercises", vested, terms...)
	}
	return smallest(grant.label+", vested of the exercise", vested, exercised)
}

// repurchasable explains the shares from the exercises of a grant that the organization may
// buy back.
func (x *explanation) repurchasable(g *explainedGrant) Term {
	sum := Term{Label: g.label + ", repurchasable", Operation: OperationSum}
	for _, right := range x.state.RepurchasableFrom(g.Grant, x.day) {
		h, _ := x.state.Shareholding(right.Shareholding)
		sum.add(Term{
			Label: h.Certificate + ", " + x.name(h.Entity), Value: captable.AuthorizedOf(right.Shares), Operation: OperationFigure,
			Figure: right.Figure,
		})
	}
	return sum
}

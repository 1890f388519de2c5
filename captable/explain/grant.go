package explain

import (
	"strings"

	"equity/captable"
	"equity/captable/vesting"
	"equity/fault"
)

// explainedGrant is a grant with its figures and deductions on the day of the
// explanation.
type explainedGrant struct {
	*captable.Grant
	figures    captable.GrantFigures
	deductions []captable.Deduction
	label      string
}

// option explains a figure of a grant.
func (x *explanation) option(id captable.GrantID, which string) (Term, error) {
	grant, known := x.state.Grant(id)
	if !known {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such grant.")
	}
	g := x.explained(grant)
	taken := map[string][]captable.Status{
		"exercised": {captable.StatusExercised}, "released": {captable.StatusReleased}, "expired": {captable.StatusExpired},
		"cancelled": {captable.StatusCancelled, captable.StatusForfeited, captable.StatusTransferred},
	}
	if kinds, is := taken[which]; is {
		return x.taken(g, which, kinds...), nil
	}
	switch which {
	case "quantity":
		return x.quantity(g), nil
	case "vested":
		return x.vested(g), nil
	case "unvested":
		return less(g.label+", unvested", x.kept(g), x.vested(g)), nil
	case "exercisable":
		return x.offered(g, which, g.IsOption()), nil
	case "releasable":
		return x.offered(g, which, !g.IsOption()), nil
	case "outstanding":
		return x.left(g), nil
	case "repurchasable":
		return x.repurchasable(g), nil
	default:
		return Term{}, noFigure("The figure of an option must be quantity, vested, unvested, exercisable, releasable, exercised, released, cancelled, " +
			"expired, outstanding or repurchasable.")
	}
}

// grantLabel describes a grant in words.
func (x *explanation) grantLabel(g *captable.Grant) string {
	return x.name(g.Entity) + ", " + grantName(g.Type) + " of " + g.IssueDate.String()
}

// grantName returns the name of a type of grants in a sentence.
func grantName(t captable.GrantType) string {
	if t == captable.GrantInternational {
		return "international option"
	}
	return strings.ToUpper(string(t)) // the others are abbreviations
}

// explained returns the grant with the inputs of the figures of [Grant.On].
func (x *explanation) explained(grant *captable.Grant) *explainedGrant {
	g := &explainedGrant{Grant: grant, figures: grant.On(x.day), label: x.grantLabel(grant)}
	if !g.figures.Quantity.IsZero() { // zero before the grant, and for an undone one
		g.deductions = grant.TakingsOn(x.day)
	}
	return g
}

// quantity explains the granted quantity and its changes by splits.
func (x *explanation) quantity(g *explainedGrant) Term {
	sum := Term{Label: g.label + ", granted", Operation: OperationSum}
	if g.figures.Quantity.IsZero() {
		return sum
	}
	before := g.Quantity
	if len(g.Before) > 0 {
		before = g.Before[0].Quantity
	}
	sum.add(recorded("granted on "+g.IssueDate.String(), before, Reference{
		Kind: kindHolding, ID: g.ID, Events: []string{captable.OptionGranted{}.EventType(), captable.OptionCorrected{}.EventType()},
	}))
	for i, past := range g.Before {
		after := g.Quantity
		if i+1 < len(g.Before) {
			after = g.Before[i+1].Quantity
		}
		if change := after.Sub(past.Quantity); past.Until <= x.day && !change.IsZero() {
			sum.add(recorded("split on "+past.Until.String(), change, x.splitOn(g.Security, past.Until)...))
		}
	}
	return sum
}

// taken explains the deductions of the given kinds, in shares of the day.
func (x *explanation) taken(g *explainedGrant, label string, kinds ...captable.Status) Term {
	sum := Term{Label: g.label + ", " + label, Operation: OperationSum}
	for _, deduction := range g.deductions {
		for _, kind := range kinds {
			if deduction.Kind == kind && !deduction.Quantity.IsZero() {
				sum.add(recorded(string(kind)+" on "+deduction.Date.String(), deduction.Quantity, g.takenBy(deduction)...))
			}
		}
	}
	return sum
}

// takenBy returns references to the grant and to the shareholding that results from a
// deduction. An unrecorded lapse follows from the terms of the grant and the termination of
// the holder.
func (g *explainedGrant) takenBy(deduction captable.Deduction) []Reference {
	event := captable.OptionReduced{Deduction: deduction}.EventType()
	if deduction.Kind == captable.StatusExercised || deduction.Kind == captable.StatusReleased {
		event = captable.OptionExercised{Deduction: deduction}.EventType()
	}
	events := []string{event}
	if deduction.Kind == captable.StatusExpired {
		events = append(events, captable.OptionGranted{}.EventType(), captable.OptionCorrected{}.EventType(),
			captable.OptionReduced{Deduction: captable.Deduction{Kind: captable.StatusForfeited}}.EventType())
	}
	from := []Reference{{Kind: kindHolding, ID: g.ID, Events: events}}
	if !deduction.Shareholding.IsZero() {
		from = append(from, Reference{Kind: kindShareholding, ID: deduction.Shareholding, Events: []string{event}})
	}
	return from
}

// left explains the outstanding quantity: the granted quantity minus all deductions.
func (x *explanation) left(g *explainedGrant) Term {
	return less(
		g.label+", outstanding", x.quantity(g), x.taken(g, "exercised", captable.StatusExercised),
		x.taken(g, "released", captable.StatusReleased),
		x.taken(g, "cancelled", captable.StatusCancelled, captable.StatusForfeited, captable.StatusTransferred),
		x.taken(g, "expired", captable.StatusExpired),
	)
}

// lost explains the losses of a grant: the deductions other than exercises and releases. It
// counts their vested part if vested is true, and otherwise their unvested part.
func (x *explanation) lost(g *explainedGrant, label string, vested bool) Term {
	sum := Term{Label: g.label + ", " + label, Operation: OperationSum}
	for _, deduction := range g.deductions {
		part := deduction.Unvested
		if vested {
			part = deduction.Quantity.Sub(deduction.Unvested)
		}
		if exercise := deduction.Kind == captable.StatusExercised || deduction.Kind == captable.StatusReleased; !exercise && !part.IsZero() {
			sum.add(recorded(string(deduction.Kind)+" on "+deduction.Date.String(), part, g.takenBy(deduction)...))
		}
	}
	return sum
}

// kept explains the quantity that has vested or can still vest.
func (x *explanation) kept(g *explainedGrant) Term {
	return less(g.label+", not lost before it vested", x.quantity(g), x.lost(g, "lost before it vested", false))
}

// vested explains the vested quantity: the sum of the instalments until the day or the
// termination. It is at most the quantity that was not lost before it vested. If the grant is
// settled, all of that quantity has vested.
func (x *explanation) vested(g *explainedGrant) Term {
	sum := Term{Label: g.label + ", vested by schedule", Operation: OperationSum}
	if g.figures.Quantity.IsZero() {
		return sum
	}
	vests, _ := g.VestingAs(x.day)
	if vests.Settled {
		all := x.kept(g)
		all.Label = g.label + ", vested"
		return all
	}
	from := Reference{Kind: kindHolding, ID: g.ID, Events: []string{
		captable.OptionGranted{}.EventType(), captable.OptionCorrected{}.EventType(), captable.OptionVestingChanged{}.EventType(),
		captable.OptionReduced{Deduction: captable.Deduction{Kind: captable.StatusForfeited}}.EventType(),
	}}
	if vests.Fixed {
		sum.add(recorded("vested until "+g.Termination.Date.String()+", restated by splits", vests.Least, from))
		return smallest(g.label+", vested", sum, x.kept(g))
	}
	for _, instalment := range vestedInstalments(g.Grant, x.day) {
		sum.add(recorded("vested on "+instalment.Date.String(), instalment.Quantity, from))
	}
	if more := vests.Least.Sub(sum.Value.Shares); more.Sign() > 0 { // a split does not reduce the vested shares by rounding
		sum.add(recorded("vested before a split", more, from))
	}
	if sum.Value.Shares.Equal(g.figures.Vested) {
		sum.Label = g.label + ", vested"
		return sum
	}
	return smallest(g.label+", vested", sum, x.kept(g))
}

// vestedInstalments returns the instalments that have vested at the end of the day.
func vestedInstalments(g *captable.Grant, day captable.Date) vesting.Schedule {
	schedule, last := g.Schedule(day), g.VestsUntil(day)
	return until(schedule, func(i vesting.Instalment) bool { return i.Date <= last })
}

// offered explains the quantity that the holder can exercise or that can be released. It is
// the vested quantity, or with early exercise also the unvested one, minus the deductions. It
// is at most the outstanding quantity.
func (x *explanation) offered(g *explainedGrant, label string, offers bool) Term {
	if !offers {
		return Term{Label: g.label + ", " + label, Operation: OperationSum}
	}
	reach := x.vested(g)
	if g.EarlyExercise && !g.TerminatedBy(x.day) {
		reach = x.kept(g)
	}
	free := less(
		g.label+", not taken yet", reach, x.taken(g, "exercised", captable.StatusExercised),
		x.taken(g, "released", captable.StatusReleased),
		x.lost(g, "lost after it vested", true),
	)
	return smallest(g.label+", "+label, free, x.left(g))
}

package captable

import "equity/captable/vesting"

// explainedGrant is a grant that is explained: as it was counted on the day, with its
// figures and what had been taken out of it by then.
type explainedGrant struct {
	*Grant
	amounts *GrantAmounts
	figures GrantFigures
	takings []Taking
	label   string
}

// option explains a figure of a grant: what was granted, what of it has vested, what was
// taken out of it, and what is left.
func (x *explanation) option(id GrantID, which string) (Term, error) {
	grant, err := x.state.grant(id)
	if err != nil {
		return Term{}, err
	}
	g := x.explained(grant)
	taken := map[string][]Status{
		"exercised": {StatusExercised}, "released": {StatusReleased}, "cancelled": {StatusCancelled, StatusForfeited, StatusTransferred}, "expired": {StatusExpired},
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
		return Term{}, noFigure("An option's figures are quantity, vested, unvested, exercisable, releasable, exercised, released, cancelled, " +
			"expired, outstanding and repurchasable.")
	}
}

// grantLabel names a grant in words.
func (x *explanation) grantLabel(g *Grant) string {
	return x.name(g.Entity) + ", " + string(g.Type) + " of " + g.IssueDate.String()
}

// explained gives the grant with what [Grant.On] computes its figures from.
func (x *explanation) explained(grant *Grant) *explainedGrant {
	day := x.day
	g := &explainedGrant{Grant: grant, amounts: grant.amountsOn(day), figures: grant.On(day), label: x.grantLabel(grant)}
	if g.figures.Quantity.IsZero() { // not made yet, or undone
		g.amounts = &GrantAmounts{}
		return g
	}
	g.takings = until(g.amounts.Takings, func(t Taking) bool { return t.Date <= day })
	if lapse, lapsed := grant.lapse(day); lapsed {
		g.takings = append(g.takings, lapse)
	}
	return g
}

// quantity is what was granted, and by how much splits moved it.
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
		Kind: kindHolding, ID: g.ID, Events: []string{OptionGranted{}.EventType(), OptionCorrected{}.EventType()},
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

// taken lists what of the kinds was taken out of the grant, in the shares of the day.
func (x *explanation) taken(g *explainedGrant, label string, kinds ...Status) Term {
	sum := Term{Label: g.label + ", " + label, Operation: OperationSum}
	for _, taking := range g.takings {
		for _, kind := range kinds {
			if taking.Kind == kind && !taking.Quantity.IsZero() {
				sum.add(recorded(string(kind)+" on "+taking.Date.String(), taking.Quantity, g.takenBy(taking)...))
			}
		}
	}
	return sum
}

// takenBy names the grant and the shares that a taking gave. What has only lapsed is
// known from the grant and the end of the holder's service.
func (g *explainedGrant) takenBy(taking Taking) []Reference {
	event := OptionTaken{Taking: taking}.EventType()
	if taking.Kind == StatusExercised || taking.Kind == StatusReleased {
		event = OptionExercised{Taking: taking}.EventType()
	}
	events := []string{event}
	if taking.Kind == StatusExpired {
		events = append(events, OptionGranted{}.EventType(), OptionCorrected{}.EventType(), OptionTaken{Taking: Taking{Kind: StatusForfeited}}.EventType())
	}
	from := []Reference{{Kind: kindHolding, ID: g.ID, Events: events}}
	if !taking.Shareholding.IsZero() {
		from = append(from, Reference{Kind: kindShareholding, ID: taking.Shareholding, Events: []string{event}})
	}
	return from
}

// left is what was granted less everything that was taken out.
func (x *explanation) left(g *explainedGrant) Term {
	return less(
		g.label+", outstanding", x.quantity(g), x.taken(g, "exercised", StatusExercised), x.taken(g, "released", StatusReleased),
		x.taken(g, "cancelled", StatusCancelled, StatusForfeited, StatusTransferred), x.taken(g, "expired", StatusExpired),
	)
}

// lost lists what was taken before it had vested, or, where vested is asked for, after.
// Exercises are no loss.
func (x *explanation) lost(g *explainedGrant, label string, vested bool) Term {
	sum := Term{Label: g.label + ", " + label, Operation: OperationSum}
	for _, taking := range g.takings {
		part := taking.Unvested
		if vested {
			part = taking.Quantity.Sub(taking.Unvested)
		}
		if exercise := taking.Kind == StatusExercised || taking.Kind == StatusReleased; !exercise && !part.IsZero() {
			sum.add(recorded(string(taking.Kind)+" on "+taking.Date.String(), part, g.takenBy(taking)...))
		}
	}
	return sum
}

// kept is what of the grant has vested or may vest still.
func (x *explanation) kept(g *explainedGrant) Term {
	return less(g.label+", not lost before it vested", x.quantity(g), x.lost(g, "lost before it vested", false))
}

// vested lists the instalments until the day, or until the holder left. No more vests
// than was not lost before; of what a holder left with, all of it has.
func (x *explanation) vested(g *explainedGrant) Term {
	sum := Term{Label: g.label + ", vested by schedule", Operation: OperationSum}
	if g.figures.Quantity.IsZero() {
		return sum
	}
	if g.settled(x.day) {
		all := x.kept(g)
		all.Label = g.label + ", vested"
		return all
	}
	from := Reference{Kind: kindHolding, ID: g.ID, Events: []string{
		OptionGranted{}.EventType(), OptionCorrected{}.EventType(), OptionVestingChanged{}.EventType(),
		OptionTaken{Taking: Taking{Kind: StatusForfeited}}.EventType(),
	}}
	vests, _ := g.vestingAs(x.day)
	if vests.fixed {
		sum.add(recorded("vested until "+g.Termination.Date.String()+", restated by splits", vests.least, from))
		return smallest(g.label+", vested", sum, x.kept(g))
	}
	for _, instalment := range g.vestedBy(x.day) {
		sum.add(recorded("vested on "+instalment.Date.String(), instalment.Quantity, from))
	}
	if more := vests.least.Sub(sum.Value.Shares); more.Sign() > 0 { // a split rounds no vested share away
		sum.add(recorded("vested before a split", more, from))
	}
	if sum.Value.Shares.Equal(g.figures.Vested) {
		sum.Label = g.label + ", vested"
		return sum
	}
	return smallest(g.label+", vested", sum, x.kept(g))
}

// vestedBy are the instalments that count at the end of the day.
func (g *Grant) vestedBy(day Date) vesting.Schedule {
	schedule, last := g.Schedule(day), g.vestsUntil(day)
	return until(schedule, func(i vesting.Instalment) bool { return i.Date <= last })
}

// offered is what the holder may take: what has vested, or with early exercise all that
// was not lost, less what was taken of it, and no more than is outstanding.
func (x *explanation) offered(g *explainedGrant, label string, offers bool) Term {
	if !offers {
		return Term{Label: g.label + ", " + label, Operation: OperationSum}
	}
	reach := x.vested(g)
	if g.EarlyExercise && !g.terminated(x.day) {
		reach = x.kept(g)
	}
	free := less(
		g.label+", not taken yet", reach, x.taken(g, "exercised", StatusExercised), x.taken(g, "released", StatusReleased),
		x.lost(g, "lost after it vested", true),
	)
	return smallest(g.label+", "+label, free, x.left(g))
}

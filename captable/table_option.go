package captable

// addOptions counts what holders may still get shares for: options, units and rights to
// appreciation that were outstanding at the end of the day.
func (s *State) addOptions(r *register, day Date) {
	for grant := range s.Grants() {
		left := grant.leftOn(day)
		if left.IsZero() {
			continue
		}
		p := r.position(grant.Entity, grant.Security)
		p.Options = p.Options.Add(left)
	}
}

// leftOn is what of the grant was outstanding at the end of the day, as [Grant.On] has
// it, without looking at what had vested.
func (g *Grant) leftOn(day Date) Decimal {
	if day < g.IssueDate || g.undoneOn(day) {
		return Decimal{}
	}
	amounts := g.amountsOn(day)
	left := amounts.Quantity
	for _, taking := range amounts.Takings {
		if taking.Date <= day {
			left = left.Sub(taking.Quantity)
		}
	}
	if lapse, lapsed := g.lapse(day); lapsed {
		left = left.Sub(lapse.Quantity)
	}
	return left
}

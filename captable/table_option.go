package captable

// addOptions adds the outstanding quantities of the grants at the end of the day: options, units
// and stock appreciation rights.
func (r *grantRegister) addOptions(lines *register, day Date) {
	for grant := range r.records.All() {
		left := grant.LeftOn(day)
		if left.IsZero() {
			continue
		}
		p := lines.position(grant.Entity, grant.Security)
		p.Options = p.Options.Add(left)
	}
}

// LeftOn returns the outstanding quantity of the grant at the end of the day. It equals that of
// [Grant.On], but needs no vesting.
func (g *Grant) LeftOn(day Date) Decimal {
	left := g.recordedOn(day)
	if left.IsZero() {
		return left
	}
	if lapse, lapsed := g.lapse(day); lapsed {
		left = left.Sub(lapse.Quantity)
	}
	return left
}

// recordedOn returns the outstanding quantity at the end of the day, without deducting lapses
// that are not recorded.
func (g *Grant) recordedOn(day Date) Decimal {
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
	return left
}

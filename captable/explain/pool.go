package explain

import (
	"slices"

	"equity/captable"
	"equity/fault"
)

// explainedPool is a pool with its figures of the day, its reference and a label.
type explainedPool struct {
	*captable.Pool
	ref   captable.PoolRef
	label string
}

// poolFigure is a figure of a pool with changes recorded by day.
type poolFigure struct {
	label string
	of    func(captable.PoolFigures) captable.Decimal
	// byGrant and byAward return the days on which a grant or an award changed the figure.
	// They are nil for a figure that only the plan changes.
	byGrant func(*captable.Grant) []captable.Date
	byAward func(*captable.Shareholding) []captable.Date
}

// poolFigures returns the figures that are sums of recorded changes, by name.
func poolFigures() map[string]poolFigure {
	made := func(g *captable.Grant) []captable.Date {
		return append([]captable.Date{g.IssueDate}, g.Retractions()...)
	}
	awarded := func(h *captable.Shareholding) []captable.Date {
		return append(awardedOn(h), endedOn(h, captable.StatusRetracted)...)
	}
	exercised := func(h *captable.Shareholding) []captable.Date {
		return append(awardedOn(h), endedOn(h, captable.StatusRetracted, captable.StatusCancelled, captable.StatusRepurchased)...)
	}
	lost := func(g *captable.Grant) []captable.Date {
		return takenOn(g, captable.StatusCancelled, captable.StatusForfeited, captable.StatusExpired, captable.StatusTransferred)
	}
	givenUp := func(h *captable.Shareholding) []captable.Date {
		return endedOn(h, captable.StatusCancelled, captable.StatusRepurchased)
	}
	return map[string]poolFigure{
		"reserve": {"reserve", func(f captable.PoolFigures) captable.Decimal { return f.Reserve }, nil, nil},
		"granted": {"granted", func(f captable.PoolFigures) captable.Decimal { return f.Granted }, made, awarded},
		"exercised": {"exercised", func(f captable.PoolFigures) captable.Decimal { return f.Exercised }, func(g *captable.Grant) []captable.Date {
			return takenOn(g, captable.StatusExercised, captable.StatusReleased)
		}, exercised},
		"cancelled": {"cancelled", func(f captable.PoolFigures) captable.Decimal { return f.Cancelled }, lost, givenUp},
		"returned":  {"returned", func(f captable.PoolFigures) captable.Decimal { return f.Returned }, lost, givenUp},
		"retired":   {"used otherwise", captable.PoolFigures.Retired, lost, givenUp},
	}
}

// pool explains a figure of a pool. The reserve is the sum of the available and the used
// shares. The used shares are outstanding, exercised or retired.
func (x *explanation) pool(id captable.PoolID, which string) (Term, error) {
	p := x.findPool(id)
	if p == nil {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such pool.")
	}
	if figure, kept := poolFigures()[which]; kept {
		return x.moves(p, figure), nil
	}
	switch which {
	case "outstanding":
		return x.granted(p), nil
	case "used":
		return x.used(p), nil
	case "available":
		return x.available(p), nil
	case "reserved":
		return plus(p.label+", reserved of its class", x.available(p), x.granted(p)), nil
	case "fullyDiluted":
		return x.dilutedPool(p), nil
	case "percentFullyDiluted":
		return x.partOfAll(p.label, x.poolLine(id).PercentFullyDiluted, x.dilutedPool(p)), nil
	default:
		return Term{}, noFigure("The figure of a pool must be reserve, granted, outstanding, exercised, cancelled, returned, retired, used, available, reserved, " +
			"fullyDiluted or percentFullyDiluted.")
	}
}

// dilutedPool explains the available shares of a pool, as converted.
func (x *explanation) dilutedPool(p *explainedPool) Term {
	security, _ := x.state.Security(p.Security)
	return x.converted(x.available(p), security)
}

// poolLine returns the line of the pool in the table of the day, or an empty line.
func (x *explanation) poolLine(id captable.PoolID) (line captable.TablePool) {
	for _, pool := range x.table().Pools {
		if pool.Pool == id {
			return pool
		}
	}
	return line
}

// findPool returns the pool, or nil.
func (x *explanation) findPool(id captable.PoolID) *explainedPool {
	for plan := range x.state.Plans() {
		pools := x.state.PlanOn(plan, x.day).Pools
		if n := slices.IndexFunc(pools, func(pool captable.Pool) bool { return pool.ID == id }); n >= 0 {
			return &explainedPool{&pools[n], captable.PoolRef{Plan: plan.ID, Pool: id}, plan.Name + ", " + pools[n].Name}
		}
	}
	return nil
}

func (x *explanation) available(p *explainedPool) Term {
	return less(p.label+", available", x.moves(p, poolFigures()["reserve"]), x.used(p))
}

// used explains the part of the reserve that is not available for grants.
func (x *explanation) used(p *explainedPool) Term {
	kept := poolFigures()
	return plus(p.label+", used", x.granted(p), x.moves(p, kept["exercised"]), x.moves(p, kept["retired"]))
}

// granted explains the outstanding grants of the pool.
func (x *explanation) granted(p *explainedPool) Term {
	sum := Term{Label: p.label + ", outstanding", Operation: OperationSum}
	for grant := range x.state.Grants() {
		if grant.Ref() == p.ref {
			x.holdOption(&sum, grant)
		}
	}
	return sum
}

// moves explains the changes of a figure by day, including unrecorded lapses.
func (x *explanation) moves(p *explainedPool, figure poolFigure) Term {
	sum := Term{Label: p.label + ", " + figure.label, Operation: OperationSum}
	movers := x.movers(p, figure)
	for day, moved := range x.state.PoolMoves(p.ID, x.day) {
		if change := figure.of(moved); !change.IsZero() {
			sum.add(recorded(figure.label+dayLabel(day), change, slices.Concat(movers[day], x.movedBy(p, figure, day))...))
		}
	}
	for _, event := range x.state.Lapses(x.day) {
		lapse, _ := event.(captable.OptionReduced)
		grant, ok := x.state.Grant(lapse.ID)
		if !ok || grant.Ref() != p.ref {
			continue
		}
		if change := figure.of(lapse.PoolChange()); !change.IsZero() {
			sum.add(
				recorded(x.grantLabel(grant)+", lapsed"+dayLabel(lapse.Deduction.Date), change, Reference{Kind: kindHolding, ID: grant.ID}),
			)
		}
	}
	return sum
}

// dayLabel returns the suffix of a label that names the day.
func dayLabel(day captable.Date) string {
	if day.IsZero() {
		return " from the beginning"
	}
	return " on " + day.String()
}

// movers returns the grants and the awards that changed the figure, by day.
func (x *explanation) movers(p *explainedPool, figure poolFigure) map[captable.Date][]Reference {
	movers := map[captable.Date][]Reference{}
	if figure.byGrant == nil {
		return movers
	}
	note := func(days []captable.Date, of Reference) {
		for _, day := range slices.Compact(days) {
			movers[day] = append(movers[day], of)
		}
	}
	for grant := range x.state.Grants() {
		if grant.Ref() == p.ref && (!grant.Undone() || !grant.RetractedOn.IsZero()) {
			note(figure.byGrant(grant), Reference{Kind: kindHolding, ID: grant.ID})
		}
	}
	for held := range x.state.Shareholdings() {
		if captable.PoolRef(held.Award) == p.ref && held.Status != captable.StatusVoided {
			note(figure.byAward(held), Reference{Kind: kindShareholding, ID: held.ID})
		}
	}
	return movers
}

// movedBy returns references to the plan, if only the plan changes the figure, and to the classes
// of the pool that were split on the day.
func (x *explanation) movedBy(p *explainedPool, figure poolFigure, day captable.Date) (moved []Reference) {
	if figure.byGrant == nil {
		moved = append(moved, Reference{
			Kind: kindPlan, ID: p.ref.Plan,
			Events: []string{captable.PlanCreated{}.EventType(), captable.PlanChanged{}.EventType(), captable.PoolAdjusted{}.EventType()},
		})
	}
	if _, pool, ok := x.state.Pool(p.ref); ok {
		for _, class := range pool.Classes() {
			moved = append(moved, x.splitOn(class, day)...)
		}
	}
	return moved
}

// takenOn returns the days of the deductions of the given kinds.
func takenOn(g *captable.Grant, kinds ...captable.Status) (days []captable.Date) {
	for _, deduction := range g.Deductions {
		if slices.Contains(kinds, deduction.Kind) {
			days = append(days, deduction.Date)
		}
	}
	return days
}

// awardedOn returns the day of the award, or nil for shares with an origin.
func awardedOn(h *captable.Shareholding) []captable.Date {
	if h.Origin != nil {
		return nil
	}
	return []captable.Date{h.IssueDate}
}

// endedOn returns the day on which the shares ended with one of the given statuses, or nil.
func endedOn(h *captable.Shareholding, kinds ...captable.Status) []captable.Date {
	if h.End == nil || !slices.Contains(kinds, h.Status) {
		return nil
	}
	return []captable.Date{h.End.Date}
}

// splitOn returns references to the class, if it was split on the day.
func (x *explanation) splitOn(id captable.SecurityID, day captable.Date) (split []Reference) {
	security, ok := x.state.Security(id)
	if !ok {
		return nil
	}
	for _, past := range security.Splits {
		if past.Date == day {
			split = append(split, Reference{Kind: kindSecurity, ID: id, Events: []string{captable.SecuritySplit{}.EventType()}})
		}
	}
	return split
}

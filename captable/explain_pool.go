package captable

import (
	"math"
	"slices"
)

// explainedPool is a pool that is explained, with its plan and its figures of the day.
type explainedPool struct {
	*Pool
	ref   PoolRef
	label string
}

// poolFigure is a figure that a pool keeps by the day.
type poolFigure struct {
	label string
	of    func(PoolFigures) Decimal
	// byGrant and byAward give the days on which a grant, or shares awarded, moved the
	// figure; nil where only the plan does.
	byGrant func(*Grant) []Date
	byAward func(*Shareholding) []Date
}

// poolFigures are those that are not made of others.
func poolFigures() map[string]poolFigure {
	made := func(g *Grant) []Date { return append([]Date{g.IssueDate}, g.retractions()...) }
	awarded := func(h *Shareholding) []Date { return append(h.awardedOn(), h.endedOn(StatusRetracted)...) }
	exercised := func(h *Shareholding) []Date {
		return append(h.awardedOn(), h.endedOn(StatusRetracted, StatusCancelled, StatusRepurchased)...)
	}
	lost := func(g *Grant) []Date {
		return g.tookOn(StatusCancelled, StatusForfeited, StatusExpired, StatusTransferred)
	}
	givenUp := func(h *Shareholding) []Date { return h.endedOn(StatusCancelled, StatusRepurchased) }
	return map[string]poolFigure{
		"reserve": {"reserve", func(f PoolFigures) Decimal { return f.Reserve }, nil, nil},
		"granted": {"granted", func(f PoolFigures) Decimal { return f.Granted }, made, awarded},
		"exercised": {"exercised", func(f PoolFigures) Decimal { return f.Exercised }, func(g *Grant) []Date {
			return g.tookOn(StatusExercised, StatusReleased)
		}, exercised},
		"cancelled": {"cancelled", func(f PoolFigures) Decimal { return f.Cancelled }, lost, givenUp},
		"returned":  {"returned", func(f PoolFigures) Decimal { return f.Returned }, lost, givenUp},
		"retired":   {"used otherwise", PoolFigures.Retired, lost, givenUp},
	}
}

// pool explains a figure of a pool: its reserve is what is available and what is used, and
// that is outstanding, exercised, or used otherwise.
func (x *explanation) pool(id PoolID, which string) (Term, error) {
	p := x.findPool(id)
	if p == nil {
		return Term{}, Refuse(CodeNotFound, "There is no such pool.")
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
		return Term{}, noFigure("A pool's figures are reserve, granted, outstanding, exercised, cancelled, returned, retired, used, available, reserved, " +
			"fullyDiluted and percentFullyDiluted.")
	}
}

// dilutedPool is what may still be granted, as what that converts into.
func (x *explanation) dilutedPool(p *explainedPool) Term {
	security, _ := x.state.Security(p.Security)
	return x.converted(x.available(p), security)
}

// poolLine is the pool's line of the day's table; none of a pool that had nothing yet.
func (x *explanation) poolLine(id PoolID) (line TablePool) {
	for _, pool := range x.table().Pools {
		if pool.Pool == id {
			return pool
		}
	}
	return line
}

// findPool gives the pool, or nil.
func (x *explanation) findPool(id PoolID) *explainedPool {
	for plan := range x.state.Plans() {
		if pool, ok := x.state.PlanOn(plan, x.day).pool(id); ok {
			return &explainedPool{pool, PoolRef{plan.ID, id}, plan.Name + ", " + pool.Name}
		}
	}
	return nil
}

func (x *explanation) available(p *explainedPool) Term {
	return less(p.label+", available", x.moves(p, poolFigures()["reserve"]), x.used(p))
}

// used is what of the reserve cannot be granted again, or not yet.
func (x *explanation) used(p *explainedPool) Term {
	kept := poolFigures()
	return plus(p.label+", used", x.granted(p), x.moves(p, kept["exercised"]), x.moves(p, kept["retired"]))
}

// granted lists the grants that are outstanding on the day.
func (x *explanation) granted(p *explainedPool) Term {
	sum := Term{Label: p.label + ", outstanding", Operation: OperationSum}
	for grant := range x.state.Grants() {
		if grant.Ref() == p.ref {
			x.holdOption(&sum, grant)
		}
	}
	return sum
}

// moves lists day by day how a figure of the pool changed, and what has lapsed by the day
// without being recorded.
func (x *explanation) moves(p *explainedPool, figure poolFigure) Term {
	sum := Term{Label: p.label + ", " + figure.label, Operation: OperationSum}
	movers := x.movers(p, figure)
	x.state.poolMoves.Ascend(poolMove{pool: p.ID, date: math.MinInt32}, func(move poolMove) bool {
		if move.pool != p.ID || move.date > x.day {
			return false
		}
		if change := figure.of(move.change); !change.IsZero() {
			sum.add(recorded(figure.label+dayLabel(move.date), change, append(movers[move.date], x.movedBy(p, figure, move.date)...)...))
		}
		return true
	})
	for _, event := range x.state.lapses(x.day) {
		lapse, _ := event.(OptionTaken)
		grant, ok := x.state.Grant(lapse.ID)
		if !ok || grant.Ref() != p.ref {
			continue
		}
		if change := figure.of(lapse.poolChange()); !change.IsZero() {
			sum.add(recorded(x.grantLabel(grant)+", lapsed"+dayLabel(lapse.Taking.Date), change, Reference{Kind: kindHolding, ID: grant.ID}))
		}
	}
	return sum
}

// dayLabel says on which day something happened.
func dayLabel(day Date) string {
	if day.IsZero() {
		return " from the beginning"
	}
	return " on " + day.String()
}

// movers are the grants and the shares that moved the figure, by the day.
func (x *explanation) movers(p *explainedPool, figure poolFigure) map[Date][]Reference {
	movers := map[Date][]Reference{}
	if figure.byGrant == nil {
		return movers
	}
	note := func(days []Date, of Reference) {
		for _, day := range slices.Compact(days) {
			movers[day] = append(movers[day], of)
		}
	}
	for grant := range x.state.Grants() {
		if grant.Ref() == p.ref && (!grant.undone() || !grant.RetractedOn.IsZero()) {
			note(figure.byGrant(grant), Reference{Kind: kindHolding, ID: grant.ID})
		}
	}
	for held := range x.state.Shareholdings() {
		if PoolRef(held.Award) == p.ref && held.Status != StatusVoided {
			note(figure.byAward(held), Reference{Kind: kindShareholding, ID: held.ID})
		}
	}
	return movers
}

// movedBy are the plan, where only that moves the figure, and the class where that was
// split on the day.
func (x *explanation) movedBy(p *explainedPool, figure poolFigure, day Date) (moved []Reference) {
	if figure.byGrant == nil {
		moved = append(moved, Reference{
			Kind: kindPlan, ID: p.ref.Plan, Events: []string{PlanCreated{}.EventType(), PlanChanged{}.EventType(), PoolAdjusted{}.EventType()},
		})
	}
	return append(moved, x.splitOn(p.Security, day)...)
}

// tookOn gives the days on which something of one of the kinds was taken out of the grant.
func (g *Grant) tookOn(kinds ...Status) (days []Date) {
	for _, taking := range g.Takings {
		if slices.Contains(kinds, taking.Kind) {
			days = append(days, taking.Date)
		}
	}
	return days
}

// awardedOn gives the day on which the shares came out of their pool; none for what was
// left of others.
func (h *Shareholding) awardedOn() []Date {
	if h.Origin != nil {
		return nil
	}
	return []Date{h.IssueDate}
}

// endedOn gives the day on which the shares ended in one of the ways.
func (h *Shareholding) endedOn(kinds ...Status) []Date {
	if h.End == nil || !slices.Contains(kinds, h.Status) {
		return nil
	}
	return []Date{h.End.Date}
}

// splitOn names the class where it was split on the day.
func (x *explanation) splitOn(id SecurityID, day Date) (split []Reference) {
	security, ok := x.state.Security(id)
	if !ok {
		return nil
	}
	for _, past := range security.Splits {
		if past.Date == day {
			split = append(split, Reference{Kind: kindSecurity, ID: id, Events: []string{SecuritySplit{}.EventType()}})
		}
	}
	return split
}

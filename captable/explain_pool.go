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
	// by tells whether the grant moved the figure on the day; nil where only the plan does.
	by func(*Grant, Date) bool
}

// poolFigures are those that are not made of others.
func poolFigures() map[string]poolFigure {
	made := func(g *Grant, day Date) bool { return g.IssueDate == day }
	lost := func(g *Grant, day Date) bool {
		return g.tookOn(day, StatusCancelled, StatusForfeited, StatusExpired)
	}
	return map[string]poolFigure{
		"reserve": {"reserve", func(f PoolFigures) Decimal { return f.Reserve }, nil},
		"granted": {"granted", func(f PoolFigures) Decimal { return f.Granted }, made},
		"exercised": {"exercised", func(f PoolFigures) Decimal { return f.Exercised }, func(g *Grant, day Date) bool {
			return g.tookOn(day, StatusExercised, StatusReleased)
		}},
		"cancelled": {"cancelled", func(f PoolFigures) Decimal { return f.Cancelled }, lost},
		"returned":  {"returned", func(f PoolFigures) Decimal { return f.Returned }, lost},
		"retired":   {"used otherwise", PoolFigures.Retired, lost},
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
	x.state.poolMoves.Ascend(poolMove{pool: p.ID, date: math.MinInt32}, func(move poolMove) bool {
		if move.pool != p.ID || move.date > x.day {
			return false
		}
		if change := figure.of(move.change); !change.IsZero() {
			sum.add(recorded(figure.label+dayLabel(move.date), change, x.movedBy(p, figure, move.date)...))
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

// movedBy are the records that moved the figure on the day: its plan, or grants, and the
// class where that was split.
func (x *explanation) movedBy(p *explainedPool, figure poolFigure, day Date) (moved []Reference) {
	if figure.by == nil {
		moved = append(moved, Reference{
			Kind: kindPlan, ID: p.ref.Plan, Events: []string{PlanCreated{}.EventType(), PlanChanged{}.EventType(), PoolAdjusted{}.EventType()},
		})
	} else {
		for grant := range x.state.Grants() {
			if grant.Ref() == p.ref && !grant.undone() && figure.by(grant, day) {
				moved = append(moved, Reference{Kind: kindHolding, ID: grant.ID})
			}
		}
	}
	return append(moved, x.splitOn(p.Security, day)...)
}

// tookOn reports whether something of one of the kinds was taken out of the grant on the day.
func (g *Grant) tookOn(day Date, kinds ...Status) bool {
	of := func(taking Taking) bool { return taking.Date == day && slices.Contains(kinds, taking.Kind) }
	return slices.ContainsFunc(g.Takings, of)
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

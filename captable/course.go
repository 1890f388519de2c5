package captable

import (
	"cmp"
	"math/big"
	"slices"
)

// PositionStep is the change of a position between two consecutive days of a list.
type PositionStep struct {
	Entity   EntityID
	Security SecurityID
	// Day is the index of the day at the end of which the change is in effect.
	Day int
	// Shares is the change of the outstanding shares, Converted that of the shares as converted.
	Shares, Converted Decimal
	// Rights is the change of the options and warrants as converted. It includes the rounding of the whole position, so that
	// Converted and Rights sum to the change of the fully diluted quantity.
	Rights Decimal
}

// Course describes the fully diluted ownership at the ends of several days.
type Course struct {
	// Steps contains the changes of all positions, by position and then by day.
	Steps []PositionStep
	// Pools are the available shares of the pools by day, as converted.
	Pools []Decimal
}

// CourseOf returns the ownership on the given days, which are in ascending order. The figures of each day equal those of
// [State.TableOn]. It reads each record once, and calculates only at changes.
func (s *State) CourseOf(days []Date) Course {
	b := courseBuilder{state: s, days: days, places: map[positionKey]int{}, lapsed: map[PoolRef][]PoolFigures{}}
	for _, day := range days {
		b.ratios = append(b.ratios, s.classes.dilution(day))
	}
	for h := range s.Shareholdings() {
		b.follow(h.Entity, h.Security, false, h.SharesOn)
	}
	for grant := range s.Grants() {
		b.followGrant(grant)
	}
	for i := range s.Instruments() {
		if !i.Security.IsZero() {
			b.follow(i.Entity, i.Security, true, i.LeftOn)
		}
	}
	course := Course{Pools: b.pools()}
	for i := range b.positions {
		course.Steps = b.positions[i].steps(&b, course.Steps)
	}
	return course
}

type positionKey struct {
	entity   EntityID
	security SecurityID
}

// quantityStep is the change of the shares or rights of a position.
type quantityStep struct {
	day            int
	shares, rights Decimal
}

type positionCourse struct {
	positionKey
	changes []quantityStep
}

type courseBuilder struct {
	state     *State
	days      []Date
	ratios    []map[SecurityID]*big.Rat // by day
	places    map[positionKey]int
	positions []positionCourse
	// lapsed are the changes of pools by unrecorded lapses, by day.
	lapsed map[PoolRef][]PoolFigures
}

// follow adds the changes of a record's quantity to its position.
func (b *courseBuilder) follow(entity EntityID, security SecurityID, right bool, on func(Date) Decimal) {
	last, at := Decimal{}, -1
	for i, day := range b.days {
		quantity := on(day)
		if quantity == last { // equal numbers are equal values
			continue
		}
		if at < 0 {
			at = b.place(positionKey{entity, security})
		}
		step := quantityStep{day: i, shares: quantity.Sub(last)}
		if right {
			step.shares, step.rights = Decimal{}, step.shares
		}
		b.positions[at].changes = append(b.positions[at].changes, step)
		last = quantity
	}
}

func (b *courseBuilder) place(key positionKey) int {
	at, known := b.places[key]
	if !known {
		at = len(b.positions)
		b.places[key], b.positions = at, append(b.positions, positionCourse{positionKey: key})
	}
	return at
}

// followGrant adds the changes of a grant, and those of its pool by an unrecorded lapse. A lapse depends on the last day of
// exercise only, so that its vesting is computed once.
func (b *courseBuilder) followGrant(grant *Grant) {
	var known Date
	var lost Decimal
	lapsedOn := func(day Date) Decimal {
		last := grant.lastDay(day)
		if last.IsZero() || day <= last {
			return Decimal{}
		}
		if last != known {
			lapse, _ := grant.lapse(day)
			known, lost = last, lapse.Quantity
		}
		return lost
	}
	b.follow(grant.Entity, grant.Security, true, func(day Date) Decimal {
		if left := grant.recordedOn(day); !left.IsZero() {
			return left.Sub(lapsedOn(day))
		}
		return Decimal{}
	})
	if !grant.Status.Outstanding() {
		return
	}
	returns, last := b.state.plans.returns(grant, ""), Decimal{}
	for i, day := range b.days {
		if lost := lapsedOn(day); !lost.Equal(last) {
			change := OptionReduced{Deduction: Deduction{Quantity: lost.Sub(last)}, Returns: returns}.PoolChange()
			if b.lapsed[grant.Ref()] == nil {
				b.lapsed[grant.Ref()] = make([]PoolFigures, len(b.days))
			}
			b.lapsed[grant.Ref()][i] = b.lapsed[grant.Ref()][i].Add(change)
			last = lost
		}
	}
}

// pools returns the available shares of all pools by day, as converted.
func (b *courseBuilder) pools() []Decimal {
	sums := make([]Decimal, len(b.days))
	for plan := range b.state.Plans() {
		for i := range plan.Pools {
			b.addPool(sums, PoolRef{plan.ID, plan.Pools[i].ID}, plan.Pools[i].Security)
		}
	}
	return sums
}

func (b *courseBuilder) addPool(sums []Decimal, ref PoolRef, security SecurityID) {
	changes := slices.Clone(b.lapsed[ref])
	if changes == nil {
		changes = make([]PoolFigures, len(b.days))
	}
	at := 0
	for day, change := range b.state.PoolMoves(ref.Pool, b.days[len(b.days)-1]) {
		for b.days[at] < day {
			at++
		}
		changes[at] = changes[at].Add(change)
	}
	figures := PoolFigures{}
	for i, change := range changes {
		figures = figures.Add(change)
		sums[i] = sums[i].Add(diluted(figures.Available(), security, b.ratios[i]))
	}
}

// steps appends the changes of the position. Its diluted quantity is computed where the quantity or the ratio changes.
func (p *positionCourse) steps(b *courseBuilder, steps []PositionStep) []PositionStep {
	slices.SortStableFunc(p.changes, func(a, b quantityStep) int { return cmp.Compare(a.day, b.day) })
	var was, is struct{ shares, rights, converted, diluted Decimal }
	next, ratio := 0, (*big.Rat)(nil)
	for day := p.changes[0].day; day < len(b.days); day++ {
		changed := next < len(p.changes) && p.changes[next].day == day
		for next < len(p.changes) && p.changes[next].day == day {
			is.shares, is.rights = is.shares.Add(p.changes[next].shares), is.rights.Add(p.changes[next].rights)
			next++
		}
		if now := b.ratios[day][p.security]; !sameRatio(now, ratio) {
			ratio, changed = now, true
		}
		if !changed {
			continue
		}
		is.converted = diluted(is.shares, p.security, b.ratios[day])
		is.diluted = is.converted
		if !is.rights.IsZero() {
			is.diluted = diluted(is.shares.Add(is.rights), p.security, b.ratios[day])
		}
		steps = append(steps, PositionStep{
			Entity: p.entity, Security: p.security, Day: day, Shares: is.shares.Sub(was.shares),
			Converted: is.converted.Sub(was.converted), Rights: is.diluted.Sub(is.converted).Sub(was.diluted.Sub(was.converted)),
		})
		was = is
	}
	return steps
}

func sameRatio(a, b *big.Rat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(b) == 0
}

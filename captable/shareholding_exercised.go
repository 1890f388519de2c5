package captable

import (
	"math/big"
	"slices"
	"sort"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// exerciseVesting computes the vesting of shares from the early exercise of an option by the
// facts known on a day. The shares and the option have one common vesting: vested options are
// assigned to the exercises in order, and then to the unexercised rest. See ruling 33.
type exerciseVesting struct {
	state *State
	known Date
	day   Date
	lots  map[GrantID]*exercisedShares
}

// portion is a shareholding as a part of the shares of one exercise.
type portion struct {
	grant  *Grant
	origin ShareholdingID
	vested *big.Rat
	size   *big.Rat
	// from is the number of exercised shares before a conversion into another class, counted
	// in shares of the day of the exercise.
	from *big.Rat
}

func newExerciseVesting(s *State, known Date) *exerciseVesting {
	return &exerciseVesting{state: s, known: known, day: known, lots: map[GrantID]*exercisedShares{}}
}

// onDay returns a computation by the same known facts for the vesting of another day.
func (v *exerciseVesting) onDay(day Date) *exerciseVesting {
	return &exerciseVesting{state: v.state, known: v.known, day: day, lots: map[GrantID]*exercisedShares{}}
}

// of returns the portion of the shareholding. It returns false if the shares do not result
// from an early exercise.
func (v *exerciseVesting) of(h *Shareholding) (portion, bool) {
	if h.Origin == nil {
		return portion{}, false
	}
	if first, grant := exercisedAs(v.state, h); grant != nil {
		if _, early := grant.exerciseOf(first.ID); !early {
			return portion{}, false
		}
		lot := v.lot(grant)
		size := lot.size(h, lot.epoch)
		return portion{
			grant: grant, origin: first.ID, vested: lot.vested(h, lot.epoch).Rat(), size: size.Rat(), from: lot.first(first, h),
		}, true
	}
	if len(h.Origin.From) == 1 {
		return v.partOf(h)
	}
	return v.together(h)
}

// ExerciseOf returns the grant and the issued shareholding of the early exercise from which the
// shares result, by the facts known on the day. It returns false for shares without such an
// exercise.
func (s *State) ExerciseOf(h *Shareholding, known Date) (*Grant, ShareholdingID, bool) {
	part, early := newExerciseVesting(s, known).of(h)
	return part.grant, part.origin, early
}

// exercisedAs returns the shareholding issued by an exercise, and its grant, for shares that
// result from this exercise and are still of the same class. It returns nil for other shares.
func exercisedAs(s *State, h *Shareholding) (*Shareholding, *Grant) {
	for first := h; first.Origin != nil; {
		if first.Origin.Kind == StatusExercised && !first.Origin.Option.IsZero() {
			grant, _ := s.Grant(first.Origin.Option)
			return first, grant
		}
		if len(first.Origin.From) != 1 {
			break
		}
		from, known := s.Shareholding(first.Origin.From[0])
		if !known || from.Security != h.Security {
			break
		}
		first = from
	}
	return nil, nil
}

func (v *exerciseVesting) lot(grant *Grant) *exercisedShares {
	lot, known := v.lots[grant.ID]
	if !known {
		lot = newExercisedShares(v.state, grant, v.known, v.day)
		v.lots[grant.ID] = lot
	}
	return lot
}

// partOf returns the portion of shares that result from one other shareholding through a
// conversion or after one. The vested shares of the whole are divided like those of a schedule; see
// [divisionOfShares].
func (v *exerciseVesting) partOf(h *Shareholding) (portion, bool) {
	from, known := v.state.Shareholding(h.Origin.From[0])
	if !known {
		return portion{}, false
	}
	later := v.state.shares.laterSplits(h)
	if from.Security == h.Security {
		from = from.beforeSplits(later)
	}
	part, ok := v.of(from)
	if !ok {
		return portion{}, false
	}
	if from.Security == h.Security {
		part.from = quotient(new(big.Rat).Mul(part.from, h.original().Rat()), from.endedShares().Rat())
	}
	if h.Origin.Kind == StatusCancelled || h.Origin.Kind == StatusRepurchased {
		part.vested = smaller(part.vested, h.Shares.Rat())
	} else {
		whole, vested := exact.RoundDown(part.size, exact.Places), exact.RoundDown(part.vested, v.state.SharePlaces(from.Security))
		part.vested = v.state.shares.divisionAmong(from.Results, h.ID, later).of(vested, whole, v.state.SharePlaces(h.Security)).Rat()
	}
	part.size = h.Shares.Rat()
	return part, true
}

// together returns the portion of consolidated shares. Shares that do not result from an early
// exercise count as vested, unless they vest by a schedule.
func (v *exerciseVesting) together(h *Shareholding) (all portion, ok bool) {
	vested, size := new(big.Rat), new(big.Rat)
	for _, id := range h.Origin.From {
		from, known := v.state.Shareholding(id)
		if !known {
			continue
		}
		shares := from.endedShares().Rat()
		size.Add(size, shares)
		if one, early := v.of(from); early {
			shares = quotient(new(big.Rat).Mul(shares, one.vested), one.size)
			if !ok {
				all.grant, all.origin, ok = one.grant, one.origin, true
			}
		} else if other, vests := vestedBySchedule(v.state, from, v.day); vests {
			shares = other.Vested.Rat()
		}
		vested.Add(vested, shares)
	}
	all.from, all.size = h.original().Rat(), h.Shares.Rat()
	all.vested = quotient(vested.Mul(vested, all.size), size)
	return all, ok
}

// vestedOn returns the vested shares of the shareholding and the next instalment.
func (v *exerciseVesting) vestedOn(h *Shareholding) (Vested, bool) {
	on := func(v *exerciseVesting) (Decimal, bool) {
		part, ok := v.of(h)
		if !ok {
			return Decimal{}, false
		}
		return exact.RoundDown(part.vested, v.state.SharePlaces(h.Security)).Min(h.Shares), true
	}
	now, ok := on(v)
	if !ok {
		return Vested{}, false
	}
	vested := Vested{Vested: now, Unvested: h.Shares.Sub(now)}
	if vested.Unvested.IsZero() {
		return vested, true
	}
	days := v.days()
	next := sort.Search(len(days), func(i int) bool {
		later, _ := on(v.onDay(days[i]))
		return later.Cmp(now) > 0
	})
	if next < len(days) {
		cumulative, _ := on(v.onDay(days[next]))
		vested.Next = &vesting.Instalment{Date: days[next], Quantity: cumulative.Sub(now), Cumulative: cumulative}
	}
	return vested, true
}

// days returns the later days on which one of the grants vests.
func (v *exerciseVesting) days() (days []Date) {
	for _, lot := range v.lots {
		for _, instalment := range lot.vests.schedule {
			if instalment.Date > v.day && instalment.Date <= lot.vests.last {
				days = append(days, instalment.Date)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// quotient divides two numbers. It returns 0 if the divisor is 0.
func quotient(number, by *big.Rat) *big.Rat {
	if by.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Quo(number, by)
}

func smaller(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// exercisedShares divides the vested options of a grant among the shares of its exercises, as
// long as the shares are of the class of the grant.
//
// A transfer or a reissue divides the vested shares in proportion, rounded to whole shares:
// results first, and the rest for the balance. A repurchase or a cancellation takes the shares
// that vest last. Vested shares stay vested through a split: only the shares that vest
// afterwards are divided in the new shares. The parts therefore always sum to the whole, and
// none of them ever decreases.
//
// An epoch is the time between two splits. Epoch 0 is before the first split of the grant.
type exercisedShares struct {
	state  *State
	grant  *Grant
	vests  GrantVesting
	known  Date
	day    Date
	epoch  int
	places int
	// heirs are the vested shares of the results of a shareholding, by epoch.
	heirs map[heirsKey]map[ShareholdingID]Decimal
}

type heirsKey struct {
	of    ShareholdingID
	epoch int
}

func newExercisedShares(s *State, grant *Grant, known, day Date) *exercisedShares {
	vests, _ := grant.VestingAs(known)
	lot := &exercisedShares{
		state: s, grant: grant, vests: vests, known: known, day: day, places: s.SharePlaces(grant.Security),
		heirs: map[heirsKey]map[ShareholdingID]Decimal{},
	}
	for lot.epoch < len(grant.Before) && grant.Before[lot.epoch].Until <= known {
		lot.epoch++
	}
	return lot
}

// from returns the shareholding from which one results. It returns false for shares that
// result from the exercise itself.
func (l *exercisedShares) from(h *Shareholding) (*Shareholding, bool) {
	if len(h.Origin.From) != 1 {
		return nil, false
	}
	return l.state.Shareholding(h.Origin.From[0])
}

// begun returns the epoch in which the shareholding was issued. Every later split restates the
// shareholding, even after its end.
func (l *exercisedShares) begun(h *Shareholding) int {
	if _, known := l.from(h); !known {
		exercise, _ := l.grant.exerciseOf(h.ID)
		return exercise.at
	}
	return len(l.grant.Before) - len(h.Before)
}

// size returns the quantity of the shareholding in shares of the epoch, even after its end.
func (l *exercisedShares) size(h *Shareholding, epoch int) Decimal {
	size := h.original()
	for i := l.begun(h); i < epoch; i++ {
		size = l.grant.Before[i].Ratio.apply(size, l.places)
	}
	return size
}

// first returns the quantity of the shareholding in shares of the day of the exercise.
func (l *exercisedShares) first(origin, h *Shareholding) *big.Rat {
	size := h.original().Rat()
	for i := l.begun(origin); i < l.begun(h); i++ {
		ratio := l.grant.Before[i].Ratio
		size = quotient(new(big.Rat).Mul(size, ratio.Denominator.Rat()), ratio.Numerator.Rat())
	}
	return size
}

// vested returns the vested shares of the shareholding on the day, or at the end of an earlier
// epoch.
func (l *exercisedShares) vested(h *Shareholding, epoch int) Decimal {
	if from, known := l.from(h); known {
		return l.heirsOf(from, epoch)[h.ID]
	}
	before, quantity := l.grant.exercisedBefore(h.ID, epoch)
	options := l.options(epoch).Sub(before).Max(Decimal{}).Min(quantity)
	size := l.size(h, epoch)
	vested := exact.RoundDown(quotient(new(big.Rat).Mul(options.Rat(), size.Rat()), quantity.Rat()), l.places)
	if last := epoch - 1; last >= l.begun(h) {
		vested = vested.Max(l.grant.Before[last].Ratio.apply(l.vested(h, last), l.places))
	}
	return vested.Min(size)
}

// options returns the vested options of the grant at the end of the epoch, or on the day for
// the last epoch.
func (l *exercisedShares) options(epoch int) Decimal {
	if epoch == l.epoch {
		return l.vests.on(l.day)
	}
	return l.grant.vestedAtSplit(epoch, l.known)
}

// heirsOf divides the vested shares of a shareholding among its results.
func (l *exercisedShares) heirsOf(from *Shareholding, epoch int) map[ShareholdingID]Decimal {
	key := heirsKey{from.ID, epoch}
	if known, ok := l.heirs[key]; ok {
		return known
	}
	extra, rest := l.vested(from, epoch), Decimal{}
	vested, room := map[ShareholdingID]Decimal{}, map[ShareholdingID]Decimal{}
	gaveBack := from.Status == StatusCancelled || from.Status == StatusRepurchased
	var before map[ShareholdingID]Decimal
	for _, id := range from.Results {
		h, known := l.state.Shareholding(id)
		if !known {
			continue
		}
		last := epoch - 1
		if last >= l.begun(h) && before == nil {
			before = l.heirsOf(from, last)
		}
		if before != nil {
			vested[id] = l.grant.Before[last].Ratio.apply(before[id], l.places)
		}
		room[id] = l.size(h, epoch).Sub(vested[id])
		extra, rest = extra.Sub(vested[id]), rest.Add(room[id])
	}
	if gaveBack {
		rest = rest.Min(extra) // the remaining shares vest first
	}
	for _, id := range from.Results {
		if rest.Sign() <= 0 || extra.Sign() <= 0 {
			break
		}
		part := new(big.Rat).Mul(extra.Rat(), room[id].Rat())
		took := exact.RoundDown(part.Quo(part, rest.Rat()), l.places).Min(room[id]).Min(extra)
		vested[id] = vested[id].Add(took)
		extra, rest = extra.Sub(took), rest.Sub(room[id])
	}
	l.heirs[key] = vested
	return vested
}

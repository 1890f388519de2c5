package captable

import (
	"math/big"

	"equity/captable/exact"
)

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
		state: s, grant: grant, vests: vests, known: known, day: day, places: s.SharePlaces(grant.Security), heirs: map[heirsKey]map[ShareholdingID]Decimal{},
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

package captable

import (
	"math/big"

	"equity/captable/exact"
)

// exercisedShares divides the vested options of a grant among the shares of its exercises,
// as long as they are of the class of the grant.
//
// A transfer or a reissue divides the vesting in proportion, in whole shares: results first,
// and the rest for the balance. A repurchase or a cancellation takes the shares that vest
// last. Vested shares stay vested through a split: only those that vest since are divided
// in the new shares. So the parts always sum to the whole, and none of them ever decreases.
//
// An epoch is the time between two splits. Epoch 0 is before the first split of the grant.
type exercisedShares struct {
	state  *State
	grant  *Grant
	vests  grantVesting
	known  Date
	day    Date
	epoch  int
	places int
	// heirs are the vested shares of what came of a shareholding, by epoch.
	heirs map[heirsKey]map[ShareholdingID]Decimal
}

type heirsKey struct {
	of    ShareholdingID
	epoch int
}

func (s *State) exercisedShares(grant *Grant, known, day Date) *exercisedShares {
	vests, _ := grant.vestingAs(known)
	lot := &exercisedShares{
		state: s, grant: grant, vests: vests, known: known, day: day, places: s.placesOf(grant.Security), heirs: map[heirsKey]map[ShareholdingID]Decimal{},
	}
	for lot.epoch < len(grant.Before) && grant.Before[lot.epoch].Until <= known {
		lot.epoch++
	}
	return lot
}

// from returns the shareholding that one came of; false for the shares of the exercise.
func (l *exercisedShares) from(h *Shareholding) (*Shareholding, bool) {
	if len(h.Origin.From) != 1 {
		return nil, false
	}
	return l.state.Shareholding(h.Origin.From[0])
}

// begun returns the epoch in which the shareholding came to be.
func (l *exercisedShares) begun(h *Shareholding) int {
	from, known := l.from(h)
	if !known {
		exercise, _ := l.grant.exerciseOf(h.ID)
		return exercise.at
	}
	ended := l.begun(from) + len(from.Before)
	if from.Status == StatusReissued && !l.reissued(from).Equal(from.Shares) { // it carries out a split itself
		ended++
	}
	return ended
}

func (l *exercisedShares) reissued(from *Shareholding) (sum Decimal) {
	for _, id := range from.Results {
		if h, known := l.state.Shareholding(id); known {
			sum = sum.Add(h.original())
		}
	}
	return sum
}

// size returns the shares of the holding in the shares of the epoch, also behind its end.
func (l *exercisedShares) size(h *Shareholding, epoch int) Decimal {
	size := h.original()
	for i := l.begun(h); i < epoch; i++ {
		size = l.grant.Before[i].Ratio.apply(size, l.places)
	}
	return size
}

// first returns the shares of the holding in the shares of the day of the exercise.
func (l *exercisedShares) first(origin, h *Shareholding) *big.Rat {
	size := h.original().Rat()
	for i := l.begun(origin); i < l.begun(h); i++ {
		ratio := l.grant.Before[i].Ratio
		size = quotient(new(big.Rat).Mul(size, ratio.Denominator.Rat()), ratio.Numerator.Rat())
	}
	return size
}

// vested returns the vested shares of the holding, at the end of an epoch or on the day.
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

// options returns the vested options of the grant.
func (l *exercisedShares) options(epoch int) Decimal {
	if epoch == l.epoch {
		return l.vests.on(l.day)
	}
	return l.grant.vestedAtSplit(epoch, l.known)
}

// heirsOf divides the vested shares of a holding among those that came of it.
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

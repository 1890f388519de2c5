package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// inheritance is the end of shareholdings and the shareholdings that replace them, for the facts
// that follow from the origin of shares: what the company received, and the price of the
// liquidation preference. See rulings 138 and 140.
type inheritance struct {
	kind  Status
	from  []*Shareholding // at their end
	date  Date
	ended Decimal         // the shares of from that ended
	heirs []*Shareholding // the results, then the balance
}

// inheritance returns the inheritance of the new shareholdings.
func (e ShareholdingEnded) inheritance(s *State, made []*Shareholding) inheritance {
	return inheritance{e.Kind, atEnd(s.shares.known(e.From)), e.Date, e.Shares, made}
}

// inheritanceFrom returns the inheritance of the shares that resulted from an ended shareholding.
// It reports false if no shares did.
func (s *State) inheritanceFrom(id ShareholdingID) (inheritance, bool) {
	h, known := s.Shareholding(id)
	if !known || len(h.Results) == 0 {
		return inheritance{}, false
	}
	heirs := s.shares.known(h.Results)
	if len(heirs) == 0 || heirs[0].Origin == nil {
		return inheritance{}, false
	}
	origin := heirs[0].Origin
	return inheritance{origin.Kind, atEnd(s.shares.known(origin.From)), h.End.Date, h.EndedShares, heirs}, true
}

// atEnd returns the ended shareholdings without splits that were recorded after their end.
func atEnd(ended []*Shareholding) []*Shareholding {
	for n, h := range ended {
		if splits := h.EndedSplits; splits < uint64(len(h.Before)) {
			was := *h
			was.Shares, was.FromTreasury, was.Before = h.Before[splits].Shares, h.Before[splits].FromTreasury, h.Before[:splits:splits]
			ended[n] = &was
		}
	}
	return ended
}

// known returns the shareholdings that exist.
func (r *shareRegister) known(ids []ShareholdingID) []*Shareholding {
	all := make([]*Shareholding, 0, len(ids))
	for _, id := range ids {
		if h, known := r.records.Get(id); known {
			all = append(all, h)
		}
	}
	return all
}

// total returns the quantity of the ended shareholdings and of their balance.
func (i inheritance) total() Decimal {
	total := Decimal{}
	for _, h := range i.from {
		total = total.Add(h.countedOn(i.date).Shares)
	}
	return total
}

// results returns the heirs without the balance.
func (i inheritance) results() []*Shareholding {
	if n := len(i.heirs); n > 0 && i.ended.Cmp(i.total()) < 0 {
		return i.heirs[:n-1]
	}
	return i.heirs
}

// received divides what the company received for the ended shareholdings among the heirs, in
// proportion to their shares. The last one takes what rounding leaves.
func (i inheritance) received() []Decimal {
	left, total, results := Decimal{}, i.total(), i.results()
	if total.IsZero() {
		return nil
	}
	for _, h := range i.from {
		left = left.Add(h.Received())
	}
	replaced := new(big.Rat)
	for _, h := range results {
		replaced.Add(replaced, h.original().Rat())
	}
	ended := exact.RoundHalfUp(new(big.Rat).Mul(left.Rat(), new(big.Rat).Quo(i.ended.Rat(), total.Rat())), exact.Places)
	rest := left.Sub(ended)
	left = ended
	amounts := make([]Decimal, 0, len(i.heirs))
	for n, h := range i.heirs {
		amount := rest
		switch last := len(results) - 1; {
		case n < last:
			part := new(big.Rat).Quo(h.original().Rat(), replaced)
			amount = exact.RoundHalfUp(part.Mul(part, ended.Rat()), exact.Places)
			left = left.Sub(amount)
		case n == last:
			amount = left
		}
		amounts = append(amounts, amount)
	}
	return amounts
}

// preferencePrice returns the price paid for heirs of the class. It is nil if they have the issue
// price of the class, and for another class.
func (i inheritance) preferencePrice(s *State, class SecurityID) *PaidPrice {
	var from []*Shareholding
	different := false
	for _, h := range i.from {
		if h.Security == class {
			from = append(from, h)
			different = different || !h.PreferencePriceOn(i.date).equal(from[0].PreferencePriceOn(i.date))
		}
	}
	switch {
	case different:
		return averagePrice(s, from, i.date)
	case len(from) == 0 || from[0].PreferencePrice == nil:
		return nil
	}
	paid := *from[0].PreferencePrice
	paid.Splits = slices.Clone(paid.Splits)
	for _, count := range from[0].Before {
		if count.Until <= i.date {
			paid.Splits = append(paid.Splits, count.Ratio)
		}
	}
	if split, restates := i.restatedBy(s, class); restates {
		paid.Splits = append(paid.Splits, split)
	}
	return &paid
}

// restatedBy returns the ratio of the split of the day if the results are the ended shares after
// that split. Packages state such results separately.
func (i inheritance) restatedBy(s *State, class SecurityID) (Ratio, bool) {
	results := Decimal{}
	for _, h := range i.results() {
		results = results.Add(h.original())
	}
	security, known := s.Security(class)
	if i.kind != StatusReissued || results.Equal(i.ended) || !known {
		return Ratio{}, false
	}
	for _, split := range slices.Backward(security.Splits) {
		if split.Date == i.date {
			return split.Ratio, true
		}
	}
	return Ratio{}, false
}

// followOrigin applies the change of an ended shareholding to the shares that resulted from it,
// and to those that resulted from these.
func (s *State) followOrigin(id ShareholdingID, stamp Stamp) {
	for changed := []ShareholdingID{id}; len(changed) > 0; changed = changed[1:] {
		inherited, found := s.inheritanceFrom(changed[0])
		if !found {
			continue
		}
		received := inherited.received()
		for n, h := range inherited.heirs {
			next := *h
			next.PreferencePrice = inherited.preferencePrice(s, h.Security)
			if n < len(received) {
				next.receive(received[n])
			}
			if next.sameOrigin(h) {
				continue
			}
			s.shares.change(h.ID, stamp, func(h *Shareholding) {
				h.PreferencePrice, h.OriginalConsideration = next.PreferencePrice, next.OriginalConsideration
			})
			changed = append(changed, h.ID)
		}
	}
}

// sameOrigin reports whether the facts are equal that the shares have from their origin.
func (h *Shareholding) sameOrigin(other *Shareholding) bool {
	return h.Received().Equal(other.Received()) && h.PreferencePriceOn(lastDay).equal(other.PreferencePriceOn(lastDay))
}

package captable

import (
	"math/big"

	"equity/captable/exact"
)

// Received returns the amount that the company received for the shares, in its currency. It is the
// cost of the holder unless the holder bought the shares from another holder.
func (h *Shareholding) Received() Decimal {
	if h.OriginalConsideration != nil {
		return *h.OriginalConsideration
	}
	return h.Invested()
}

// issuedForMoney reports whether the company issued the shares: they do not result from other
// shares, and the issue was not retracted or voided by the day.
func (h *Shareholding) issuedForMoney(day Date) bool {
	switch {
	case h.Status == StatusVoided || h.IssueDate > day:
		return false
	case h.Status == StatusRetracted && h.End.Date <= day:
		return false
	default:
		return h.Origin == nil || len(h.Origin.From) == 0
	}
}

// carryConsideration divides what the company received for the ended shareholdings among the new
// ones, in proportion to their shares. The last one takes what rounding leaves. See ruling 138.
func (e ShareholdingEnded) carryConsideration(s *State, made []*Shareholding) {
	left, shares := Decimal{}, new(big.Rat)
	for _, id := range e.From {
		if h, known := s.Shareholding(id); known {
			left = left.Add(h.Received())
			shares.Add(shares, h.countedOn(e.Date).Shares.Rat())
		}
	}
	if shares.Sign() == 0 {
		return
	}
	results := new(big.Rat)
	for _, issue := range e.Results {
		results.Add(results, issue.Shares.Rat())
	}
	ended := exact.RoundHalfUp(new(big.Rat).Mul(left.Rat(), new(big.Rat).Quo(e.Shares.Rat(), shares)), exact.Places)
	rest := left.Sub(ended)
	left = ended
	for i, h := range made {
		received := rest
		switch last := len(e.Results) - 1; {
		case i < last:
			part := new(big.Rat).Quo(e.Results[i].Shares.Rat(), results)
			received = exact.RoundHalfUp(part.Mul(part, ended.Rat()), exact.Places)
			left = left.Sub(received)
		case i == last:
			received = left
		}
		if !received.Equal(h.Invested()) {
			h.OriginalConsideration = &received
		}
	}
}

// keepConsideration keeps what the company received for shares whose holder bought them, if the
// cost of the holder changes.
func (s *State) keepConsideration(old, next *Shareholding) {
	bought := next.Origin != nil && next.Origin.Kind == StatusTransferred && !s.shares.stayed(next)
	if cost := old.Invested(); bought && next.OriginalConsideration == nil && !cost.Equal(next.Invested()) {
		next.OriginalConsideration = &cost
	}
}

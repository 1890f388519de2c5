package captable

// Received returns the amount that the company received for the shares, in its currency. It is the
// cost of the holder, except for shares that came from others whose cost was another one.
func (h *Shareholding) Received() Decimal {
	if h.OriginalConsideration != nil {
		return *h.OriginalConsideration
	}
	return h.Invested()
}

// receive sets what the company received for shares that came from others.
func (h *Shareholding) receive(amount Decimal) {
	h.OriginalConsideration = nil
	if !amount.Equal(h.Invested()) {
		h.OriginalConsideration = &amount
	}
}

// keepReceived keeps what the company received for shares that came from others, after a
// correction of the cost of the holder.
func (h *Shareholding) keepReceived(old *Shareholding) {
	if h.cameFromShares() {
		h.receive(old.Received())
	}
}

// cameFromShares reports whether the shares result from other shareholdings.
func (h *Shareholding) cameFromShares() bool { return h.Origin != nil && len(h.Origin.From) > 0 }

// issuedForMoney reports whether the company issued the shares: they do not result from other
// shares, and the issue was not retracted or voided by the day.
func (h *Shareholding) issuedForMoney(day Date) bool {
	switch {
	case h.Status == StatusVoided || h.IssueDate > day:
		return false
	case h.Status == StatusRetracted && h.End.Date <= day:
		return false
	default:
		return !h.cameFromShares()
	}
}

package captable

import (
	"cmp"
	"slices"
)

// TreasuryMove is a change of the treasury shares.
type TreasuryMove struct {
	Date   Date    `json:"date"`
	Change Decimal `json:"change"`
}

// keep changes the treasury shares from a date on. The moves are in ascending order of dates, one
// per date. A move of zero is removed.
func (s *Security) keep(change Decimal, on Date) {
	if change.IsZero() {
		return
	}
	s.Issued, s.Treasury = s.Issued.Add(change), s.Treasury.Add(change)
	s.used = s.used.Add(on, change)
	moves := slices.Clone(s.TreasuryMoves)
	at, found := slices.BinarySearchFunc(moves, on, func(m TreasuryMove, day Date) int { return cmp.Compare(m.Date, day) })
	if !found {
		s.TreasuryMoves = slices.Insert(moves, at, TreasuryMove{Date: on, Change: change})
		return
	}
	if moves[at].Change = moves[at].Change.Add(change); moves[at].Change.IsZero() {
		moves = slices.Delete(moves, at, at+1)
	}
	s.TreasuryMoves = moves
}

// enter adds the shares of a holding. Shares from the treasury are deducted from it.
func (s *Security) enter(h *Shareholding) {
	s.Issued = s.Issued.Add(h.Shares)
	for _, count := range h.counts() {
		s.used = s.used.Add(count.date, count.change)
	}
	for _, draw := range h.TreasuryDraws() {
		s.keep(draw.Change.Neg(), draw.Date)
	}
}

// leave removes the shares of a holding, as if they had never been issued.
func (s *Security) leave(h *Shareholding) {
	s.Issued = s.Issued.Sub(h.Shares)
	for _, count := range h.counts() {
		s.used = s.used.Add(count.date, count.change.Neg())
	}
	for _, draw := range h.TreasuryDraws() {
		s.keep(draw.Change, draw.Date)
	}
}

// TreasuryDraws returns the shares that the holding took from the treasury: the quantity at issue
// and its change by each split.
func (h *Shareholding) TreasuryDraws() []TreasuryMove {
	if h.FromTreasury.IsZero() && len(h.Before) == 0 {
		return nil
	}
	var draws []TreasuryMove
	from, taken := h.IssueDate, Decimal{}
	for _, count := range h.Before {
		draws = append(draws, TreasuryMove{Date: from, Change: count.FromTreasury.Sub(taken)})
		from, taken = count.Until, count.FromTreasury
	}
	return append(draws, TreasuryMove{Date: from, Change: h.FromTreasury.Sub(taken)})
}

// fromTreasury returns the part of the shares that must come from the treasury because new shares
// are not available on the date.
func (s *Security) fromTreasury(shares Decimal, date Date) Decimal {
	if s.Treasury.IsZero() {
		return Decimal{}
	}
	room := s.room(date)
	if room.Unlimited {
		return Decimal{}
	}
	return shares.Sub(room.Shares).Max(Decimal{}).Min(s.treasuryFrom(date))
}

// treasuryFrom returns the minimum of the treasury shares from the day on.
func (s *Security) treasuryFrom(day Date) Decimal {
	held := s.treasuryOn(day)
	least := held
	for _, move := range s.TreasuryMoves {
		if move.Date > day {
			held = held.Add(move.Change)
			least = least.Min(held)
		}
	}
	return least
}

func (s *Security) treasuryOn(day Date) Decimal {
	treasury := Decimal{}
	for _, move := range s.TreasuryMoves {
		if move.Date <= day {
			treasury = treasury.Add(move.Change)
		}
	}
	return treasury
}

package captable

import (
	"cmp"
	"slices"
)

// TreasuryMove is a change of the shares that the company itself holds.
type TreasuryMove struct {
	Date   Date    `json:"date"`
	Change Decimal `json:"change"`
}

// keep changes what the treasury holds from a date on. The moves stay ordered, one
// a day, and those that were undone altogether are left out.
func (s *Security) keep(change Decimal, on Date) {
	if change.IsZero() {
		return
	}
	s.Issued, s.Treasury = s.Issued.Add(change), s.Treasury.Add(change)
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

// enter counts the shares of a holding; those that the treasury gave leave it.
func (s *Security) enter(h *Shareholding) {
	s.Issued = s.Issued.Add(h.Shares)
	for _, draw := range h.draws() {
		s.keep(draw.Change.Neg(), draw.Date)
	}
}

// leave takes the shares of a holding out, as if they had never been issued.
func (s *Security) leave(h *Shareholding) {
	s.Issued = s.Issued.Sub(h.Shares)
	for _, draw := range h.draws() {
		s.keep(draw.Change, draw.Date)
	}
}

// draws lists what the shares took from the treasury: at issue, and then what each
// split made of that.
func (h *Shareholding) draws() []TreasuryMove {
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

// fromTreasury is how many of so many shares must come from the treasury because
// new ones are used up.
func (s *Security) fromTreasury(shares Decimal) Decimal {
	if s.AuthorizedShares.Unlimited || s.Treasury.IsZero() {
		return Decimal{}
	}
	fresh := s.AuthorizedShares.Shares.Sub(s.Issued).Sub(s.Reserved).Max(Decimal{})
	return shares.Sub(fresh).Max(Decimal{}).Min(s.Treasury)
}

// availableOn is what may be issued with this date: treasury shares only as far as
// they were there on the day and on every day since.
func (s *Security) availableOn(day Date) Authorized {
	if len(s.TreasuryMoves) == 0 {
		return s.Available()
	}
	held := s.treasuryOn(day)
	least := held
	for _, move := range s.TreasuryMoves {
		if move.Date > day {
			held = held.Add(move.Change)
			least = least.Min(held)
		}
	}
	return s.Available().less(s.Treasury.Sub(least))
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

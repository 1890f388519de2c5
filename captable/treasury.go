package captable

import (
	"cmp"
	"iter"
	"math/big"
	"slices"

	"equity/captable/exact"
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

// keepFrom changes the treasury shares from a date on. Recorded splits with a later date multiply the
// changed treasury and round it down.
func (s *Security) keepFrom(change Decimal, on Date) {
	s.keep(change, on)
	for _, split := range s.splitsAfter(on) {
		had, has := s.treasuryOn(split.Date-1), s.treasuryOn(split.Date).Sub(change)
		next := split.Ratio.apply(change, s.Places())
		if split.Ratio.apply(had.Sub(change), s.Places()).Equal(has) { // nothing else happened on the day
			next = split.Ratio.apply(had, s.Places()).Sub(has)
		}
		s.keep(next.Sub(change), split.Date)
		change = next
	}
}

// enter adds the shares of a holding. Shares from the treasury are deducted from it.
func (s *Security) enter(h *Shareholding) {
	s.Issued = s.Issued.Add(h.Shares)
	h.eachCount(func(count dated) { s.used = s.used.Add(count.date, count.change) })
	for _, draw := range h.TreasuryDraws() {
		s.keep(draw.Change.Neg(), draw.Date)
	}
}

// leave removes the shares of a holding, as if they had never been issued.
func (s *Security) leave(h *Shareholding) {
	s.Issued = s.Issued.Sub(h.Shares)
	h.eachCount(func(count dated) { s.used = s.used.Add(count.date, count.change.Neg()) })
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
	if s.Treasury.IsZero() || len(s.splitsAfter(date)) > 0 { // shares that were split since are new ones
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

// Repurchasable is the unvested part of a shareholding after the service of the grant's
// holder ended: the organization may buy these shares back.
type Repurchasable struct {
	Shareholding ShareholdingID `json:"shareholding"`
	// Entity is the present holder of the shares.
	Entity   EntityID   `json:"entity"`
	Security SecurityID `json:"security"`
	// Option is the grant whose exercise created the shares; zero for shares that vest under
	// their own terms.
	Option GrantID `json:"option,omitzero"`
	Shares Decimal `json:"shares"`
	// PricePerShare is the price paid per share at the exercise or issue, restated by later
	// splits and conversions. It is zero for a stock appreciation right.
	PricePerShare *Price `json:"pricePerShare,omitempty"`
	// Amount is the price of all repurchasable shares.
	Amount *Price `json:"amount,omitempty"`
	// Since is the day of the termination, and Reason is its reason.
	Since  Date              `json:"since"`
	Reason TerminationReason `json:"reason,omitempty"`
	// Figure is the name of the share count for package explain.
	Figure string `json:"explain"`
}

// RepurchasableOf returns the repurchasable part of a shareholding as of the day. It reports
// false if there is no such part.
func (s *State) RepurchasableOf(h *Shareholding, day Date) (Repurchasable, bool) {
	if !h.Status.Outstanding() {
		return Repurchasable{}, false
	}
	v := newExerciseVesting(s, day)
	part, early := v.of(h)
	if !early {
		return repurchasableAward(s, h, day)
	}
	if !part.grant.TerminatedBy(day) {
		return Repurchasable{}, false
	}
	unvested := h.Shares.Sub(exact.RoundDown(part.vested, s.SharePlaces(h.Security)).Min(h.Shares))
	if unvested.IsZero() {
		return Repurchasable{}, false
	}
	right := Repurchasable{
		Shareholding: h.ID, Entity: h.Entity, Security: h.Security, Option: part.grant.ID, Shares: unvested,
		Since: part.grant.Termination.Date, Reason: part.grant.Termination.Reason, Figure: figureOfShares(h.ID, "repurchasable"),
	}
	right.pay(paidFor(s, h, part, day))
	return right, true
}

// pay sets the price and the amount from the exact price; none of them if it is nil.
func (r *Repurchasable) pay(price *big.Rat, currency string) {
	if price != nil {
		r.PricePerShare, r.Amount = shownPrice(price, currency), shownPrice(new(big.Rat).Mul(price, r.Shares.Rat()), currency)
	}
}

// repurchasableAward returns the repurchasable part of shares that vest by a schedule or by
// listed instalments. The price is the price at the issue, restated by splits.
func repurchasableAward(s *State, h *Shareholding, day Date) (Repurchasable, bool) {
	stopped := h.StoppedBy(day)
	if stopped == nil {
		return Repurchasable{}, false
	}
	vested, vests := vestedBySchedule(s, h, day)
	if !vests || vested.Unvested.IsZero() {
		return Repurchasable{}, false
	}
	right := Repurchasable{
		Shareholding: h.ID, Entity: h.Entity, Security: h.Security, Shares: vested.Unvested, Since: stopped.Date,
		Figure: figureOfShares(h.ID, "repurchasable"),
	}
	if stopped.Reason.known() {
		right.Reason = stopped.Reason
	}
	right.pay(h.paidPerShare())
	return right, true
}

// paidPerShare returns the exact price paid per present share and its currency: the stated price,
// else the consideration divided by the shares; nil if neither is known. A stated price of rounded
// digits is replaced by the consideration from which it was derived.
func (h *Shareholding) paidPerShare() (*big.Rat, string) {
	price := h.PricePerShare
	var paid *big.Rat
	if h.Consideration != nil && !h.Shares.IsZero() {
		paid = quotient(h.Consideration.Total().Rat(), h.Shares.Rat())
	}
	if price == nil {
		return paid, ""
	}
	stated := quotient(price.Amount.Rat(), h.SplitFactor())
	if price.Currency == "" && paid != nil {
		off := new(big.Rat).Sub(paid, stated)
		if off.Abs(off).Cmp(exact.MustDecimal("0.0000000001").Rat()) <= 0 { // the stated price is rounded
			return paid, ""
		}
	}
	return stated, price.Currency
}

// paidFor returns the exact price paid per share and its currency, in shares of the day: the stated
// price of the exercised shares, else the exercise price. Shares of another class have the price of
// the shares that were converted into them.
func paidFor(s *State, h *Shareholding, part portion, day Date) (*big.Rat, string) {
	exercise, _ := part.grant.exerciseOf(part.origin)
	then := *part.grant
	if exercise.at < len(then.Before) {
		then.GrantAmounts, then.Before = then.Before[exercise.at].GrantAmounts, then.Before[:exercise.at]
	}
	on := func(a *GrantAmounts) *Price { return a.priceOn(exercise.as.Date) }
	paid := on(&then.GrantAmounts)
	amount := exactPrice(paid, then.pastPrices(on))
	if first, known := s.Shareholding(part.origin); known && first.PricePerShare != nil && !first.PricePerShare.equal(paid) {
		paid, amount = first.PricePerShare, first.PricePerShare.Amount.Rat()
	}
	switch {
	case paid == nil:
		return nil, ""
	case part.grant.Type == GrantSAR:
		return new(big.Rat), paid.Currency
	case h.Security != part.grant.Security:
		return quotient(amount.Mul(amount, part.from), part.size), paid.Currency
	}
	for _, past := range part.grant.Before[exercise.at:] {
		if past.Until <= day {
			amount = past.Ratio.perShare(amount)
		}
	}
	return amount, paid.Currency
}

// Repurchasable iterates over the repurchasable shares of the day, in the order of the
// shareholdings after the given id.
func (s *State) Repurchasable(after ShareholdingID, day Date) iter.Seq[Repurchasable] {
	return func(yield func(Repurchasable) bool) {
		for h := range s.ShareholdingsAfter(after) {
			was, issued := h.On(day)
			if !issued {
				continue
			}
			if right, ok := s.RepurchasableOf(was, day); ok && !yield(right) {
				return
			}
		}
	}
}

// RepurchasableFrom returns the repurchasable shares of the day that result from the grant.
func (s *State) RepurchasableFrom(grant *Grant, day Date) (rights []Repurchasable) {
	if !grant.TerminatedBy(day) {
		return nil
	}
	seen := map[ShareholdingID]bool{}
	var visit func(id ShareholdingID)
	visit = func(id ShareholdingID) {
		h, known := s.Shareholding(id)
		if !known || seen[id] {
			return
		}
		seen[id] = true
		was, issued := h.On(day)
		if !issued {
			return
		}
		if right, ok := s.RepurchasableOf(was, day); ok && right.Option == grant.ID {
			rights = append(rights, right)
		}
		for _, result := range was.Results {
			visit(result)
		}
	}
	for _, deduction := range grant.amountsOn(day).Deductions {
		if deduction.Kind == StatusExercised && deduction.Date <= day {
			visit(deduction.Shareholding)
		}
	}
	return rights
}

// figureOfShares returns the name of a figure of a shareholding for package explain.
func figureOfShares(id ShareholdingID, which string) string {
	return "shareholding/" + id.String() + "/" + which
}

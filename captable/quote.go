package captable

import (
	"math/big"

	"equity/captable/exact"
)

// Quote is the value of a share of a security on a day.
type Quote struct {
	Price Price
	// Valuation is the source of the price; zero for the security's own price.
	Valuation ValuationID
	// exact is the price before rounding.
	exact *big.Rat
}

// QuoteOn returns the price of the latest valuation in effect by the end of the day, per share of
// that day. Without a valuation, it returns the security's own price of the day. It reports false
// if there is neither. Expired valuations count, because they are more recent than the issue
// price.
func (s *State) QuoteOn(security *Security, day Date) (Quote, bool) {
	valuation, quote := valued(s, security.ID, day, true)
	if quote == nil {
		quote = security.ExactPriceOn(day)
	}
	if quote == nil {
		return Quote{}, false
	}
	made := Quote{Price: *quote.price(), exact: quote.Amount}
	if valuation != nil {
		made.Valuation = valuation.ID
	}
	return made, true
}

// Held is the position of a holder in one security at the end of a day.
type Held struct {
	Security *Security
	Shares   Decimal
	// Invested is the amount paid for the shares, in the organization's currency.
	Invested Decimal
	// Quote is the value of one share; nil if it is unknown.
	Quote *Quote
}

// Value returns the value of all shares, in the quote's currency.
func (h *Held) Value() Price {
	return *shownPrice(new(big.Rat).Mul(h.Quote.exact, h.Shares.Rat()), h.Quote.Price.Currency)
}

// HeldOn returns the positions of the holder at the end of the day, in the order of the
// securities' creation.
func (s *State) HeldOn(entity EntityID, day Date) []Held {
	bySecurity := map[SecurityID]*Held{}
	for h := range s.ShareholdingsOf(entity) {
		if shares := h.SharesOn(day); !shares.IsZero() {
			held := bySecurity[h.Security]
			if held == nil {
				held = &Held{}
				bySecurity[h.Security] = held
			}
			held.Shares, held.Invested = held.Shares.Add(shares), held.Invested.Add(h.Invested())
		}
	}
	var all []Held
	for security := range s.Securities() {
		held := bySecurity[security.ID]
		if held == nil {
			continue
		}
		held.Security = security
		if quote, ok := s.QuoteOn(security, day); ok {
			held.Quote = &quote
		}
		all = append(all, *held)
	}
	return all
}

// Growth returns the gain relative to the invested amount, as a fraction with 10 decimal places:
// 0.5 is a gain of one half, -1 a total loss. It reports false if the invested amount is not
// positive.
func Growth(value, invested Decimal) (Decimal, bool) {
	if invested.Sign() <= 0 {
		return Decimal{}, false
	}
	return exact.RoundHalfUp(new(big.Rat).Quo(value.Sub(invested).Rat(), invested.Rat()), exact.Places), true
}

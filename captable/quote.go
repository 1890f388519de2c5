package captable

import (
	"math/big"

	"equity/captable/exact"
)

// Quote is what a share of a security is worth on a day.
type Quote struct {
	Price Price
	// Valuation is where the price comes from; zero for the security's own price.
	Valuation ValuationID
	// exact is the price before it was rounded.
	exact *big.Rat
}

// QuoteOn returns the price of the valuation that took effect last by the end of the day, in
// shares of that day, or else the security's own price of the day. It reports false if there is
// neither. An expired valuation still says more than the price that the shares were sold at
// before it.
func (s *State) QuoteOn(security *Security, day Date) (Quote, bool) {
	valuation, quote := s.valued(security.ID, day, true)
	if quote == nil {
		quote = security.priceOn(day)
	}
	if quote == nil {
		return Quote{}, false
	}
	made := Quote{Price: *quote.price(), exact: quote.amount}
	if valuation != nil {
		made.Valuation = valuation.ID
	}
	return made, true
}

// Held is what a holder has of one security at the end of a day.
type Held struct {
	Security *Security
	Shares   Decimal
	// Invested is what was given for them, in the organization's currency.
	Invested Decimal
	// Quote is what one of them is worth; nil where nothing says so.
	Quote *Quote
}

// Value is what all of the shares are worth, in the quote's currency.
func (h *Held) Value() Price {
	return *shownPrice(new(big.Rat).Mul(h.Quote.exact, h.Shares.Rat()), h.Quote.Price.Currency)
}

// HeldOn lists what the holder has at the end of the day, by security in the order of
// their creation.
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

// Growth is by how much a value is more than what was given for it, as a fraction at 10
// places: 0.5 is half as much again, -1 is nothing left. It gives false where nothing was
// given.
func Growth(value, invested Decimal) (Decimal, bool) {
	if invested.Sign() <= 0 {
		return Decimal{}, false
	}
	return exact.RoundHalfUp(new(big.Rat).Quo(value.Sub(invested).Rat(), invested.Rat()), exact.Places), true
}

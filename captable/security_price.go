package captable

import (
	"math/big"
	"slices"
)

// PastPrice holds the issue price and the par value until a date, per share before the splits
// from that date on.
type PastPrice struct {
	Until    Date   `json:"until"`
	Price    *Price `json:"price,omitempty"`
	ParValue *Price `json:"parValue,omitempty"`
	// Ratio is the ratio of the split that ended them; absent for any other change.
	Ratio Ratio `json:"ratio,omitzero"`
}

// keepPrices stores the prices until a date, before they change.
func (s *Security) keepPrices(until Date, ratio Ratio) {
	if n := len(s.PastPrices); n > 0 { // a split may have the date of tomorrow in UTC
		until = max(until, s.PastPrices[n-1].Until)
	}
	s.PastPrices = append(slices.Clip(s.PastPrices), PastPrice{Until: until, Price: s.Price, ParValue: s.ParValue, Ratio: ratio})
}

// restatePrices stores the prices until the date if the terms change them.
func (s *Security) restatePrices(terms SecurityTerms, from Date) {
	if !terms.Price.equal(s.Price) || !terms.ParValue.equal(s.ParValue) {
		s.keepPrices(from, Ratio{})
	}
}

// splitPrices divides the prices by the ratio of a split. With laterDays it divides the prices in
// force on the date and on each later day, otherwise those after the latest change only.
func (s *Security) splitPrices(ratio Ratio, on Date, laterDays bool) {
	if n := len(s.PastPrices); n > 0 && !laterDays {
		on = max(on, s.PastPrices[n-1].Until)
	}
	now := PastPrice{Price: s.Price, ParValue: s.ParValue}
	s.PastPrices, now = splitHistory(s.PastPrices, now, ratio, on)
	s.Price, s.ParValue = now.Price, now.ParValue
}

func (p PastPrice) until() Date { return p.Until }

func (p PastPrice) endedBy(ratio Ratio, on Date) PastPrice {
	p.Until, p.Ratio = on, ratio
	return p
}

func (p PastPrice) dividedBy(ratio Ratio, past []PastPrice) PastPrice {
	earlier := &Security{PastPrices: past}
	p.Price, p.ParValue = ratio.restatedPrice(p.Price, earlier.issuePrices()), ratio.restatedPrice(p.ParValue, earlier.parValues())
	return p
}

func (s *Security) issuePrices() []pastPrice {
	return pastOf(s.PastPrices, func(past PastPrice) pastPrice { return pastPrice{past.Price, past.Ratio} })
}

func (s *Security) parValues() []pastPrice {
	return pastOf(s.PastPrices, func(past PastPrice) pastPrice { return pastPrice{past.ParValue, past.Ratio} })
}

// priced returns the security with the prices at the end of the day and the earlier ones.
func (s *Security) priced(day Date) *Security {
	was := *s
	for i, past := range s.PastPrices {
		if day < past.Until {
			was.Price, was.ParValue, was.PastPrices = past.Price, past.ParValue, s.PastPrices[:i:i]
			break
		}
	}
	return &was
}

// priceOn returns the issue price at the end of the day before rounding; nil without one.
func (s *Security) priceOn(day Date) *exactQuote {
	was := s.priced(day)
	if was.Price == nil {
		return nil
	}
	return &exactQuote{amount: exactPrice(was.Price, was.issuePrices()), currency: was.Price.Currency}
}

// exactQuote is a price before rounding. An empty currency means the organization's own.
type exactQuote struct {
	amount   *big.Rat
	currency string
}

// price returns the rounded price for output.
func (q *exactQuote) price() *Price {
	if q == nil {
		return nil
	}
	return shownPrice(q.amount, q.currency)
}

// equal reports whether the prices are equal or both absent.
func (p *Price) equal(other *Price) bool {
	return p == other || p != nil && other != nil && p.Currency == other.Currency && p.Amount.Equal(other.Amount)
}

package captable

import (
	"math/big"
	"slices"

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

// Right is a grant, a warrant or a convertible of a holder at the end of a day.
type Right struct {
	// Kind is option for a grant, else the kind of the instrument.
	Kind InstrumentKind
	// ID is the id of the grant or of the instrument.
	ID [16]byte
	// Security is the class of the resulting shares; nil for a convertible, and if it is unknown.
	Security *Security
	// Shares is the outstanding quantity. Reach is the part that can be exercised or released on
	// the day. Both are zero for a convertible.
	Shares, Reach Decimal
	// Cost is the exercise price per share, with its currency; nil for units and convertibles.
	Cost *Price
	// cost is the price before rounding.
	cost *big.Rat
	// Quote is the value of a share, with its currency; nil if it is unknown.
	Quote *Quote
	// Principal is the unpaid principal of a convertible. Owed adds the interest.
	Principal, Owed *Money
}

// kindOption is the kind of grants among the holdings.
const kindOption InstrumentKind = "option"

// Value returns the value of the right. A convertible is worth its balance. Any other right is
// worth the excess of the share value over the cost, for the shares within Reach. Prices are
// exact; only the result is rounded, half up. Value reports false if the value of a share is
// unknown, or if price and cost are in different currencies.
func (r *Right) Value() (Price, bool) {
	switch {
	case r.Owed != nil:
		return Price{Amount: r.Owed.Amount, Currency: r.Owed.Currency}, true
	case r.Quote == nil || r.Cost != nil && r.Cost.Currency != r.Quote.Price.Currency:
		return Price{}, false
	}
	gain := new(big.Rat).Set(r.Quote.exact)
	if r.cost != nil {
		gain.Sub(gain, r.cost)
	}
	if gain.Sign() < 0 {
		gain.SetInt64(0)
	}
	return *shownPrice(gain.Mul(gain, r.Reach.Rat()), r.Quote.Price.Currency), true
}

// RightsOn returns the rights of the holder at the end of the day: grants first, then
// convertibles and warrants, each in the order of entry. The currency own is set for prices
// without a currency.
func (s *State) RightsOn(entity EntityID, day Date, own string) []Right {
	var rights []Right
	for now := range s.GrantsOf(entity) {
		grant, made := now.AsOf(day)
		figures := now.On(day)
		if !made || figures.Outstanding.IsZero() {
			continue
		}
		right := Right{
			Kind: kindOption, ID: grant.ID, Shares: figures.Outstanding, Reach: figures.Exercisable.Add(figures.Releasable),
			Cost: spelled(grant.ExercisePrice, own), cost: grant.ExactPrice(),
		}
		setQuote(s, &right, grant.Security, day, own)
		rights = append(rights, right)
	}
	for now := range s.InstrumentsOf(entity) {
		i, issued := now.On(day)
		switch {
		case !issued || !i.Status.Outstanding():
		case i.IsConvertible():
			rights = append(rights, i.owedRight(day))
		default:
			right := Right{Kind: i.Kind, ID: i.ID, Shares: i.Left, Reach: i.Left, Cost: spelled(i.ExercisePrice, own), cost: i.ExactPrice()}
			setQuote(s, &right, i.Security, day, own)
			rights = append(rights, right)
		}
	}
	return rights
}

// setQuote sets the security of the right and the value of a share.
func setQuote(s *State, right *Right, id SecurityID, day Date, own string) {
	security, known := s.Security(id)
	if !known {
		return
	}
	right.Security = security
	if quote, ok := s.QuoteOn(security, day); ok {
		quote.Price = *spelled(&quote.Price, own)
		right.Quote = &quote
	}
}

// spelled returns the price with the own currency if it has none.
func spelled(price *Price, own string) *Price {
	if price == nil || price.Currency != "" {
		return price
	}
	return &Price{Amount: price.Amount, Currency: own}
}

func (i *Instrument) owedRight(day Date) Right {
	balance, interest := i.Balance(day)
	currency := i.Principal.Currency
	return Right{
		Kind: i.Kind, ID: i.ID, Principal: &Money{Amount: balance.Sub(interest), Currency: currency},
		Owed: &Money{Amount: balance, Currency: currency},
	}
}

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

// ExactPriceOn returns the issue price at the end of the day before rounding; nil without one.
func (s *Security) ExactPriceOn(day Date) *ExactPrice {
	was := s.priced(day)
	if was.Price == nil {
		return nil
	}
	return &ExactPrice{Amount: exactPrice(was.Price, was.issuePrices()), Currency: was.Price.Currency}
}

// ExactPrice is a price before rounding. An empty currency means the organization's own.
type ExactPrice struct {
	Amount   *big.Rat
	Currency string
}

// price returns the rounded price for output.
func (q *ExactPrice) price() *Price {
	if q == nil {
		return nil
	}
	return shownPrice(q.Amount, q.Currency)
}

// equal reports whether the prices are equal or both absent.
func (p *Price) equal(other *Price) bool {
	return p == other || p != nil && other != nil && p.Currency == other.Currency && p.Amount.Equal(other.Amount)
}

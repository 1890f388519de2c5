package captable

import "math/big"

// Right is what a holder has besides shares at the end of a day: a grant, a warrant or a
// convertible.
type Right struct {
	// Kind is option for a grant, else that of the instrument.
	Kind InstrumentKind
	// ID is the holding's.
	ID [16]byte
	// Security is what it gives; nil of a convertible, and where that is not known yet.
	Security *Security
	// Shares is what it may give in the end, and Reach what of it may be taken on the day;
	// none of a convertible.
	Shares, Reach Decimal
	// Cost is what a share costs; nil for units and convertibles. It has a currency.
	Cost *Price
	// cost is the cost before it was rounded.
	cost *big.Rat
	// Quote is what a share is worth, in a currency; nil where nothing says so.
	Quote *Quote
	// Principal is what of a convertible was not repaid, and Owed that with its interest.
	Principal, Owed *Money
}

// kindOption is what grants are called among the holdings.
const kindOption InstrumentKind = "option"

// Value returns what the right is worth: a convertible what is owed, anything else what a share
// is worth above its cost, for every share that may be taken. Prices are exact, the sum is
// rounded half up. It reports false if the worth of a share is not known, or if price and cost
// are in two currencies.
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

// RightsOn lists what the holder has besides shares at the end of the day: grants before
// convertibles and warrants, each in the order of their entry. Prices without a currency
// are in the organization's own.
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
			Cost: spelled(grant.ExercisePrice, own), cost: grant.exactPrice(),
		}
		s.quote(&right, grant.Security, day, own)
		rights = append(rights, right)
	}
	for now := range s.InstrumentsOf(entity) {
		i, issued := now.On(day)
		switch {
		case !issued || !i.Status.Outstanding():
		case i.convertible():
			rights = append(rights, i.owedRight(day))
		default:
			right := Right{Kind: i.Kind, ID: i.ID, Shares: i.Left, Reach: i.Left, Cost: spelled(i.ExercisePrice, own), cost: i.exactPrice()}
			s.quote(&right, i.Security, day, own)
			rights = append(rights, right)
		}
	}
	return rights
}

// quote says what the right gives, and what a share of that is worth.
func (s *State) quote(right *Right, id SecurityID, day Date, own string) {
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

// spelled gives a price its currency, the own one where it has none.
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
		Kind: i.Kind, ID: i.ID, Principal: &Money{Amount: balance.Sub(interest), Currency: currency}, Owed: &Money{Amount: balance, Currency: currency},
	}
}

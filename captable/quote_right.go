package captable

import "math/big"

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
		Kind: i.Kind, ID: i.ID, Principal: &Money{Amount: balance.Sub(interest), Currency: currency}, Owed: &Money{Amount: balance, Currency: currency},
	}
}

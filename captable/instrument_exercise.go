package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
	"equity/fault"
)

// ExerciseWarrant buys shares through a warrant.
type ExerciseWarrant struct {
	ID       InstrumentID `json:"-"`
	Quantity Decimal      `json:"quantity"`
	Date     Date         `json:"date"`
	// Payment defaults to cash.
	Payment Payment `json:"payment,omitempty"`
	// Security is the class of the shares. It is required if the warrant has none.
	Security SecurityID `json:"security,omitzero"`
	// MarketValue is the value of one share for a net exercise. The default is the valuation in
	// force.
	MarketValue *Price `json:"marketValue,omitempty"`
}

// Exercise is one exercise of a warrant.
type Exercise struct {
	Date     Date    `json:"date"`
	Quantity Decimal `json:"quantity"`
	Payment  Payment `json:"payment"`
	// MarketValue is the value of one share in a net exercise.
	MarketValue  *Price         `json:"marketValue,omitempty"`
	Shareholding ShareholdingID `json:"shareholding"`
	// Cash is the payment for a fraction of a share.
	Cash Decimal `json:"cash,omitzero"`
}

// WarrantExercised records the exercise of a warrant.
type WarrantExercised struct {
	ID InstrumentID `json:"id"`
	Exercise
	// Left is the number of shares that remain after the exercise.
	Left   Decimal `json:"left,omitzero"`
	Result Issue   `json:"result"`
	Source *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (WarrantExercised) EventType() string { return "holdingExercised" }

// Creates returns the shareholding.
func (e WarrantExercised) Creates() []Created { return []Created{{e.Result.ID, kindShareholding}} }

// Records returns the warrant, then the shareholding.
func (e WarrantExercised) Records(s *State) []any {
	return append(records(s.Instrument(e.ID)), records(s.Shareholding(e.Result.ID))...)
}

// decide checks an exercise:
//
//  1. The instrument is an outstanding warrant that has not expired on the day.
//  2. The quantity is at most the remaining quantity, and valid for the class.
//  3. In a net exercise, the market value is above the exercise price.
func (c ExerciseWarrant) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if i.IsConvertible() {
		return nil, fault.Refuse(
			fault.Conflict, "Only a warrant can be exercised: convert the holding instead.",
		).With("kind", string(i.Kind))
	}
	if c.Payment == "" {
		c.Payment = PayCash
	}
	if i.ExpiredOn(c.Date) {
		return nil, i.expired()
	}
	into, err := c.check(s, i, m)
	if err != nil {
		return nil, err
	}
	if c.Quantity.Cmp(i.Left) > 0 {
		return nil, insufficient(
			"The warrant gives "+i.Left.String()+" shares; "+c.Quantity.String()+" were requested.", AuthorizedOf(i.Left), c.Quantity,
		)
	}
	exercise := Exercise{Date: c.Date, Quantity: c.Quantity, Payment: c.Payment}
	shares := c.Quantity
	if c.Payment == PayNet {
		var worth *big.Rat
		if exercise.MarketValue, worth, err = c.marketValue(s, i, into, m); err != nil {
			return nil, err
		}
		if shares, exercise.Cash, err = c.net(i.ExactPrice(), worth, into); err != nil {
			return nil, err
		}
	}
	result, err := enterFromInstrument(s, i, into, shares, c.Quantity, c.paid(i, shares), c.Date, m)
	if err != nil {
		return nil, err
	}
	exercise.Shareholding = result.ID
	return []Event{WarrantExercised{ID: c.ID, Exercise: exercise, Left: i.Left.Sub(c.Quantity), Result: result}}, nil
}

// check collects field faults and returns the class of the shares.
func (c ExerciseWarrant) check(s *State, i *Instrument, m DecideContext) (*Security, error) {
	var faults fault.Fields
	i.checkChange(s, &faults, c.Date, m)
	id := i.Security
	if id.IsZero() {
		id = c.Security
	}
	into, known := s.Security(id)
	switch {
	case !known && id.IsZero():
		faults.Add("/security", "required", "The security is required: the warrant names none.")
	case !known:
		faults.Add("/security", "unknownReference", "There is no such security.")
	case !c.Security.IsZero() && c.Security != id:
		faults.Add("/security", "otherSecurity", "The security must be that of the warrant.")
	}
	checkShares(&faults, "/quantity", c.Quantity, into)
	if !slices.Contains([]Payment{PayCash, PayNet}, c.Payment) {
		faults.Add("/payment", "enum", "The payment must be cash or net.")
	}
	checkPrice(&faults, "/marketValue", c.MarketValue)
	if c.MarketValue != nil && c.Payment == PayCash {
		faults.Add("/marketValue", "notOfThisKind", "Remove the market value: only a net exercise uses it.")
	}
	return into, faults.Err()
}

// marketValue returns the rounded and the exact value of one share on the day, in the currency of
// the warrant.
func (c ExerciseWarrant) marketValue(s *State, i *Instrument, into *Security, m DecideContext) (*Price, *big.Rat, error) {
	var exactly *big.Rat
	price := c.MarketValue
	if price == nil {
		quote := marketValue(s, into.ID, c.Date)
		if quote == nil {
			return nil, nil, fault.Refuse(
				fault.Conflict, "The market value is required: no valuation of the security is in force on the day.",
			)
		}
		price, exactly = quote.price(), quote.Amount
	} else {
		exactly = price.Amount.Rat()
	}
	price = price.in(m.Currency)
	if price.Currency != i.ExercisePrice.Currency {
		return nil, nil, fault.Refuse(
			fault.Conflict, "The market value must be in the currency of the exercise price, "+i.ExercisePrice.Currency+".",
		)
	}
	if exactly.Cmp(i.ExactPrice()) <= 0 {
		return nil, nil, fault.Refuse(fault.Conflict, "A net exercise requires a market value above the exercise price.").
			With("marketValue", price.Amount.String()).With("exercisePrice", i.ExercisePrice.Amount.String())
	}
	return price, exactly, nil
}

// net returns the shares that remain after a part of them pays the exercise price of all, and the
// cash for a fraction of a share. Both prices are exact.
func (c ExerciseWarrant) net(price, market *big.Rat, into *Security) (shares, cash Decimal, err error) {
	gain := new(big.Rat).Sub(market, price)
	gain.Mul(gain, c.Quantity.Rat())
	shares, cash = into.rounded(new(big.Rat).Quo(gain, market), market)
	if shares.IsZero() {
		return shares, cash, fault.Refuse(fault.Conflict, "The net exercise would give less than one share: exercise more shares.")
	}
	return shares, cash, nil
}

// rounded returns the shares rounded down to the places of the class, and the value of the rest at
// the price in whole cents. A class with fractional shares pays no cash.
func (s *Security) rounded(shares, price *big.Rat) (held, cash Decimal) {
	held = exact.RoundDown(shares, s.Places())
	rest := new(big.Rat).Sub(shares, held.Rat())
	if s.FractionalShares {
		return held, Decimal{}
	}
	return held, exact.RoundHalfUp(rest.Mul(rest, price), cents)
}

// paid returns the price details of the resulting shareholding. A net exercise has none.
func (c ExerciseWarrant) paid(i *Instrument, shares Decimal) ShareholdingDetails {
	details := ShareholdingDetails{BoardApprovalDate: i.BoardApprovalDate, Block: i.Block}
	if c.Payment == PayNet {
		return details
	}
	details.PricePerShare = i.ExercisePrice
	if i.ExercisePrice.Currency == "" {
		details.Consideration = &Consideration{Cash: i.cost(shares)}
	}
	return details
}

// enterFromInstrument checks and numbers the shares that result from an instrument. The released
// part of its reserve is available for them.
func enterFromInstrument(
	s *State, i *Instrument, into *Security, shares, released Decimal, details ShareholdingDetails, date Date, m DecideContext,
) (Issue, error) {
	freed := room{}
	if !i.reserved().IsZero() {
		freed = room{into.ID, released}
	}
	details.Legends = into.Legends
	result := Result{Holder: HolderRef{Entity: i.Entity}, Security: into.ID, Shares: shares, ShareholdingDetails: details}
	return enterResult(s, result, date, m, "/quantity", &freed)
}

func (e WarrantExercised) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		i.count(e.Date)
		i.Left = i.Left.Sub(e.Quantity).Max(Decimal{}) // an estimated quantity may have been too low
		i.Exercises = append(slices.Clip(i.Exercises), e.Exercise)
		if i.Left.IsZero() {
			i.end(StatusExercised, e.Date, "", stamp)
		}
	})
	holdFromInstrument(s, e.ID, Shareholding{Issue: e.Result, Origin: &Origin{Kind: StatusExercised}}, stamp)
}

// holdFromInstrument stores a shareholding that resulted from an instrument.
func holdFromInstrument(s *State, id InstrumentID, result Shareholding, stamp Stamp) {
	if _, known := s.Instrument(id); known {
		result.Status, result.Origin.Holding, result.Meta = StatusActive, id, NewMeta(stamp)
		s.restateShares(&result, stamp)
		s.hold(&result)
	}
}

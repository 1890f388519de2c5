package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// ExerciseWarrant asks to buy shares that a warrant gives.
type ExerciseWarrant struct {
	ID       InstrumentID `json:"-"`
	Quantity Decimal      `json:"quantity"`
	Date     Date         `json:"date"`
	// Payment is cash where there is none.
	Payment Payment `json:"payment,omitempty"`
	// Security is what is bought where the warrant names none.
	Security SecurityID `json:"security,omitzero"`
	// MarketValue is what a share is worth, for a net exercise; the valuation in force
	// where there is none.
	MarketValue *Price `json:"marketValue,omitempty"`
}

// Exercise is one time that shares of a warrant were bought.
type Exercise struct {
	Date     Date    `json:"date"`
	Quantity Decimal `json:"quantity"`
	Payment  Payment `json:"payment"`
	// MarketValue is what a share was worth in a net exercise.
	MarketValue  *Price         `json:"marketValue,omitempty"`
	Shareholding ShareholdingID `json:"shareholding"`
	// Cash was paid out for a part of a share.
	Cash Decimal `json:"cash,omitzero"`
}

// WarrantExercised records that shares of a warrant were bought.
type WarrantExercised struct {
	ID InstrumentID `json:"id"`
	Exercise
	// Left is what the warrant gives after it.
	Left   Decimal `json:"left,omitzero"`
	Result Issue   `json:"result"`
	Source *Source `json:"source,omitempty"`
}

// decide checks an exercise:
//
//  1. it is of an outstanding warrant, that has not expired on the day;
//  2. no more is bought than is left, and no part of a whole share;
//  3. a net exercise is worth something: the market price is above that of the warrant.
func (c ExerciseWarrant) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	if i.convertible() {
		return nil, Refuse(CodeConflict, "Only a warrant is exercised; others convert.").With("kind", string(i.Kind))
	}
	if c.Payment == "" {
		c.Payment = PayCash
	}
	into, err := c.check(s, i, m)
	if err != nil {
		return nil, err
	}
	if i.ExpiredOn(c.Date) {
		return nil, Refuse(CodeConflict, "The warrant has expired.").With("expirationDate", i.ExpirationDate.String())
	}
	if c.Quantity.Cmp(i.Left) > 0 {
		return nil, insufficient("The warrant gives fewer shares.", AuthorizedOf(i.Left), c.Quantity)
	}
	exercise := Exercise{Date: c.Date, Quantity: c.Quantity, Payment: c.Payment}
	shares := c.Quantity
	if c.Payment == PayNet {
		var worth *big.Rat
		if exercise.MarketValue, worth, err = c.marketValue(s, i, into, m); err != nil {
			return nil, err
		}
		if shares, exercise.Cash, err = c.net(i.exactPrice(), worth, into); err != nil {
			return nil, err
		}
	}
	result, err := s.enterFrom(i, into, shares, c.Quantity, c.paid(i, shares), c.Date, m)
	if err != nil {
		return nil, err
	}
	exercise.Shareholding = result.ID
	return []Event{WarrantExercised{ID: c.ID, Exercise: exercise, Left: i.Left.Sub(c.Quantity), Result: result}}, nil
}

// check notes the wrong fields and gives what is bought.
func (c ExerciseWarrant) check(s *State, i *Instrument, m Moment) (*Security, error) {
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	id := i.Security
	if id.IsZero() {
		id = c.Security
	}
	into, known := s.Security(id)
	switch {
	case !known && id.IsZero():
		faults.Add("/security", "required", "The warrant names no security: say which shares are bought.")
	case !known:
		faults.Add("/security", "unknownReference", "There is no such security.")
	case !c.Security.IsZero() && c.Security != id:
		faults.Add("/security", "otherSecurity", "The warrant gives shares of another security.")
	}
	checkShares(&faults, "/quantity", c.Quantity, into)
	if !slices.Contains([]Payment{PayCash, PayNet}, c.Payment) {
		faults.Add("/payment", "enum", "The payment is cash or net.")
	}
	checkPrice(&faults, "/marketValue", c.MarketValue)
	if c.MarketValue != nil && c.Payment == PayCash {
		faults.Add("/marketValue", "notOfThisKind", "Only a net exercise needs one.")
	}
	return into, faults.Err()
}

// marketValue returns the worth of a share on the day in the currency of the warrant, rounded and
// exact.
func (c ExerciseWarrant) marketValue(s *State, i *Instrument, into *Security, m Moment) (*Price, *big.Rat, error) {
	var exactly *big.Rat
	price := c.MarketValue
	if price == nil {
		quote := s.marketValue(into.ID, c.Date)
		if quote == nil {
			return nil, nil, Refuse(CodeConflict, "No valuation of the security is in force on the day: state a market price.")
		}
		price, exactly = quote.price(), quote.amount
	} else {
		exactly = price.Amount.Rat()
	}
	price = price.in(m.Currency)
	if price.Currency != i.ExercisePrice.Currency {
		return nil, nil, Refuse(CodeConflict, "The market price is in another currency than that of the warrant.")
	}
	if exactly.Cmp(i.exactPrice()) <= 0 {
		return nil, nil, Refuse(CodeConflict, "A share is worth no more than it costs: a net exercise would give nothing.").
			With("marketValue", price.Amount.String()).With("exercisePrice", i.ExercisePrice.Amount.String())
	}
	return price, exactly, nil
}

// net returns the shares that remain when the price of all is paid with a part of them, and
// the cash for a part of a share. Both prices are exact.
func (c ExerciseWarrant) net(price, market *big.Rat, into *Security) (shares, cash Decimal, err error) {
	gain := new(big.Rat).Sub(market, price)
	gain.Mul(gain, c.Quantity.Rat())
	shares, cash = into.rounded(new(big.Rat).Quo(gain, market), market)
	if shares.IsZero() {
		return shares, cash, Refuse(CodeConflict, "The exercise would give less than one share.")
	}
	return shares, cash, nil
}

// rounded gives so many shares down to what may be held, and in whole cents what the rest
// is worth at the price.
func (s *Security) rounded(shares, price *big.Rat) (held, cash Decimal) {
	held = exact.RoundDown(shares, s.Places())
	rest := new(big.Rat).Sub(shares, held.Rat())
	if s.FractionalShares {
		return held, Decimal{}
	}
	return held, exact.RoundHalfUp(rest.Mul(rest, price), cents)
}

// paid is what the shareholding says of its price: what was paid in money, or nothing.
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

// enterFrom checks and numbers the shares that an instrument gives to its holder. What
// was reserved for so many of them makes room.
func (s *State) enterFrom(i *Instrument, into *Security, shares, released Decimal, details ShareholdingDetails, date Date, m Moment) (Issue, error) {
	freed := room{}
	if !i.reserved().IsZero() {
		freed = room{into.ID, released}
	}
	details.Legends = into.Legends
	result := Result{Holder: HolderRef{Entity: i.Entity}, Security: into.ID, Shares: shares, ShareholdingDetails: details}
	return s.enter(result, date, m, "/quantity", &freed)
}

func (e WarrantExercised) apply(s *State, stamp Stamp) {
	s.changeInstrument(e.ID, stamp, func(i *Instrument) {
		i.count(e.Date)
		i.Left = i.Left.Sub(e.Quantity).Max(Decimal{}) // an estimate may have been too low
		i.Exercises = append(slices.Clip(i.Exercises), e.Exercise)
		if i.Left.IsZero() {
			i.end(StatusExercised, e.Date, "", stamp)
		}
	})
	s.holdFrom(e.ID, StatusExercised, e.Result, stamp)
}

// holdFrom enters shares that an instrument gave.
func (s *State) holdFrom(id InstrumentID, kind Status, issue Issue, stamp Stamp) {
	if _, known := s.Instrument(id); known {
		s.hold(&Shareholding{Issue: issue, Status: StatusActive, Origin: &Origin{Kind: kind, Holding: id}, Meta: NewMeta(stamp)})
	}
}

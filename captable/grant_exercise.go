package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/fault"
)

// Payment is the method of payment of an exercise price.
type Payment string

// The payment methods of the contract. In a net exercise, withheld shares pay the price.
const (
	PayCash Payment = "cash"
	PayNet  Payment = "net"
)

// The commands that turn a grant into shares.
type (
	// ExerciseGrant buys shares at the exercise price. An appreciation right is always exercised
	// net: only the appreciation becomes shares.
	ExerciseGrant struct { //nolint:recvcheck // check fills in defaults
		ID       GrantID `json:"-"`
		Quantity Decimal `json:"quantity"`
		Date     Date    `json:"date"`
		// Payment defaults to cash, or to net for an appreciation right.
		Payment Payment `json:"payment,omitempty"`
		// MarketValue is the value of one share on the day of a net exercise. The default is the
		// valuation in force.
		MarketValue *Price `json:"marketValue,omitempty"`
		// Request is the exercise request that this command accepts.
		Request RequestID `json:"request,omitzero"`
		// worth is the unrounded market value.
		worth *big.Rat
	}
	// ReleaseGrant converts vested units into shares.
	ReleaseGrant struct {
		ID GrantID `json:"-"`
		// Quantity is the number of units. The default is all vested units that are not released.
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		// Withheld is the number of shares withheld for taxes.
		Withheld Decimal `json:"withheld,omitzero"`
	}
)

// OptionExercised records the conversion of a part of a grant into shares. The kind of the deduction
// determines the event type: optionExercised or optionReleased.
type OptionExercised struct {
	ID        GrantID   `json:"id"`
	Deduction Deduction `json:"taking"`
	// Result is the issued shareholding.
	Result Issue `json:"result"`
	// Payment is the payment method of an exercise.
	Payment     Payment `json:"payment,omitempty"`
	MarketValue *Price  `json:"marketValue,omitempty"`
	// Withheld is the number of shares withheld for the price or for taxes.
	Withheld Decimal `json:"withheld,omitzero"`
	// CashFraction is the fraction of a share that was paid in cash.
	CashFraction Decimal   `json:"cashFraction,omitzero"`
	Request      RequestID `json:"request,omitzero"`
	Source       *Source   `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (e OptionExercised) EventType() string {
	if e.Deduction.Kind == StatusReleased {
		return "optionReleased"
	}
	return "optionExercised"
}

// Creates returns the shareholding.
func (e OptionExercised) Creates() []Created { return []Created{{e.Result.ID, kindShareholding}} }

// Records returns the grant, then the shareholding.
func (e OptionExercised) Records(s *State) []any {
	return append(records(s.Grant(e.ID)), records(s.Shareholding(e.Result.ID))...)
}

// decide checks an exercise. The quantity must be exercisable on the day. Unvested options
// continue to vest as shares.
func (c ExerciseGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	if !grant.IsOption() {
		return nil, fault.Refuse(fault.Conflict, "Units cannot be exercised: release them instead.").With("type", string(grant.Type))
	}
	if c.Payment == "" {
		c.Payment = PayCash
		if grant.Type == GrantSAR {
			c.Payment = PayNet
		}
	}
	c.MarketValue = c.MarketValue.in(m.Currency)
	c.check(s, m, &faults, grant)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	figures := grant.On(c.Date)
	if figures.Exercisable.Cmp(c.Quantity) < 0 {
		return nil, figures.notExercisable(c.Quantity)
	}
	if err := answersRequest(grant, c); err != nil {
		return nil, err
	}
	event := OptionExercised{ID: grant.ID, Payment: c.Payment, MarketValue: c.MarketValue, Request: c.Request}
	event.Deduction = Deduction{
		Kind: StatusExercised, Date: c.Date, Quantity: c.Quantity,
		Unvested: figures.Exercised.Add(c.Quantity).Sub(figures.Vested).Max(Decimal{}).Min(c.Quantity),
	}
	shares := c.Quantity
	if c.Payment == PayNet {
		if shares, event.CashFraction, err = netShares(s, grant, &c); err != nil {
			return nil, err
		}
		event.MarketValue, event.Withheld = c.MarketValue, c.Quantity.Sub(shares)
	}
	event.Result, err = exerciseResult(s, m, grant, shares, &event.Deduction)
	if c.Payment == PayCash {
		event.Result.PricePerShare, event.Result.Consideration = grant.ExercisePrice, grant.paidFor(shares)
	}
	return []Event{event}, err
}

// check adds faults of the command's own fields and fills in the market value.
func (c *ExerciseGrant) check(s *State, m DecideContext, faults *fault.Fields, grant *Grant) {
	security, _ := s.Security(grant.Security)
	checkShares(faults, "/quantity", c.Quantity, security)
	checkTaking(s, faults, m, grant, c.Date)
	checkPrice(faults, "/marketValue", c.MarketValue)
	switch {
	case c.Payment != PayCash && c.Payment != PayNet:
		faults.Add("/payment", "enum", "The payment must be cash or net.")
	case c.Payment == PayCash && grant.Type == GrantSAR:
		faults.Add("/payment", "notOfType", "The payment of a stock appreciation right must be net.")
	case c.Payment == PayNet && c.MarketValue == nil:
		quote := marketValue(s, grant.Security, c.Date)
		if c.MarketValue = quote.price().in(m.Currency); quote == nil {
			faults.Add("/marketValue", "required", "The market value is required: no valuation of the security is in force on the day.")
			break
		}
		c.worth = quote.Amount
	}
	if c.MarketValue != nil && c.worth == nil {
		c.worth = c.MarketValue.Amount.Rat()
	}
	if value := c.MarketValue; value != nil && c.Payment == PayNet && grant.ExercisePrice != nil && value.Currency != grant.ExercisePrice.Currency {
		faults.Add(
			"/marketValue", "otherCurrency",
			"The market value must be in the currency of the exercise price, "+grant.ExercisePrice.Currency+".",
		)
	}
}

// notExercisable returns a refusal with the figures of the grant.
func (f *GrantFigures) notExercisable(wanted Decimal) *fault.Error {
	message := "At most " + f.Exercisable.String() + " shares can be exercised on that day; " + wanted.String() + " were requested."
	if f.LastDay != 0 && f.Outstanding.IsZero() && f.Expired.Sign() > 0 {
		message = "The grant could be exercised until " + f.LastDay.String() + "."
	}
	return fault.Refuse(fault.InsufficientShares, message).With("exercisable", f.Exercisable.String()).With("requested", wanted.String()).
		With("vested", f.Vested.String()).With("exercised", f.Exercised.String()).With("outstanding", f.Outstanding.String())
}

// netShares returns the shares that remain after shares for the price are withheld at the market
// value, and the fraction of a share that is paid in cash. Both prices are exact.
func netShares(s *State, grant *Grant, c *ExerciseGrant) (shares, fraction Decimal, err error) {
	price := grant.ExactPrice()
	refusal := func(message string) error {
		return fault.Refuse(fault.Conflict, message).With("marketValue", c.MarketValue.Amount.String()).With(
			"exercisePrice", grant.ExercisePrice.Amount.String(),
		)
	}
	if c.worth.Cmp(price) <= 0 {
		return shares, fraction, refusal("A net exercise requires a market value above the exercise price.")
	}
	left := new(big.Rat).Sub(c.worth, price)
	left.Quo(left, c.worth).Mul(left, c.Quantity.Rat())
	security, _ := s.Security(grant.Security)
	shares = exact.RoundDown(left, security.Places())
	if shares.IsZero() {
		return shares, fraction, refusal("The net exercise would give less than one share: exercise more shares.")
	}
	return shares, exact.RoundDown(left.Sub(left, shares.Rat()), exact.Places), nil
}

// decide checks a release. The quantity must be vested and not released.
func (c ReleaseGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.IsOption() {
		return nil, fault.Refuse(fault.Conflict, "Options cannot be released: exercise them instead.").With("type", string(grant.Type))
	}
	var faults fault.Fields
	security, _ := s.Security(grant.Security)
	checkTaking(s, &faults, m, grant, c.Date)
	if c.Quantity != nil {
		checkShares(&faults, "/quantity", *c.Quantity, security)
	}
	if c.Withheld.Sign() < 0 || !security.Whole(c.Withheld) {
		faults.Add(
			"/withheld", "notWhole",
			"The withheld shares must not be negative, and must be whole unless the security has fractional shares.",
		)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	figures := grant.On(c.Date)
	quantity := figures.Releasable
	if c.Quantity != nil {
		quantity = *c.Quantity
	}
	refusal := ""
	switch {
	case figures.Releasable.Cmp(quantity) < 0 || quantity.IsZero():
		refusal = "At most " + figures.Releasable.String() + " shares can be released on that day."
	case c.Withheld.Cmp(quantity) >= 0:
		refusal = "The withheld shares must be fewer than the " + quantity.String() + " shares of the release."
	}
	if refusal != "" {
		return nil, fault.Refuse(fault.InsufficientShares, refusal).With("releasable", figures.Releasable.String()).
			With("requested", quantity.String()).With("withheld", c.Withheld.String()).With("vested", figures.Vested.String())
	}
	event := OptionExercised{
		ID: grant.ID, Withheld: c.Withheld, Deduction: Deduction{Kind: StatusReleased, Date: c.Date, Quantity: quantity},
	}
	event.Result, err = exerciseResult(s, m, grant, quantity.Sub(c.Withheld), &event.Deduction)
	return []Event{event}, err
}

// exerciseResult returns the numbered issue of the shares from a deduction. It needs no check of the
// authorized shares, because the pool has reserved at least as many.
func exerciseResult(s *State, m DecideContext, grant *Grant, shares Decimal, deduction *Deduction) (Issue, error) {
	security, _ := s.Security(grant.Security)
	holder, known := m.Register.Holder(HolderRef{Entity: grant.Entity})
	if !known {
		return Issue{}, fault.Refuse(
			fault.Conflict, "The holder is no longer in the register of this organization.",
		).With("entity", grant.Entity.String())
	}
	issue := Issue{
		ID: m.NewID(), Entity: grant.Entity, Security: grant.Security, Shares: shares, IssueDate: deduction.Date,
		SerialNumber:        security.Serials + 1,
		ShareholdingDetails: ShareholdingDetails{ShareholderName: holder.Name, Legends: security.Legends, Block: grant.Block},
	}
	if deduction.Unvested.Sign() > 0 {
		issue.VestingSchedule, issue.VestingStart = grant.VestingSchedule, grant.VestingStart
	}
	deduction.Shareholding = issue.ID
	return issue, s.shares.number(&issue, security)
}

// apply issues the shares and deducts the quantity from the grant and its pool. The same event
// settles the request, so that a request is executed only once.
func (e OptionExercised) apply(s *State, stamp Stamp) {
	grant, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		g.take(e.Deduction, stamp)
		g.settle(e.Request, RequestAccepted, "", e.Deduction.Date, stamp)
	})
	s.poolExercised(grant.Ref(), grant.Security, e.Deduction.Quantity, e.Deduction.Date, stamp)
	s.classes.reserveFor(grant, e.Deduction.Quantity.Neg(), stamp)
	s.hold(&Shareholding{
		Issue: e.Result, Status: StatusActive, Origin: &Origin{Kind: e.Deduction.Kind, Option: e.ID}, Meta: NewMeta(stamp),
	})
}

// marketValue returns the value of one share of the class by the valuation in force on the day, in
// shares of that day. It returns nil if no valuation is in force.
func marketValue(s *State, id SecurityID, day Date) *ExactPrice {
	_, quote := valued(s, id, day, false)
	return quote
}

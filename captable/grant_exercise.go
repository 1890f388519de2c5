package captable

import (
	"math/big"

	"equity/captable/exact"
)

// Payment is how the price of an exercise is paid.
type Payment string

// The payments of the contract. What is paid net is paid with shares that are withheld.
const (
	PayCash Payment = "cash"
	PayNet  Payment = "net"
)

// The wishes that make shares of a grant.
type (
	// ExerciseGrant buys shares for the exercise price. Of a right to appreciation, only
	// the appreciation becomes shares: it is paid net.
	ExerciseGrant struct { //nolint:recvcheck // check fills in what the wish leaves open
		ID       GrantID `json:"-"`
		Quantity Decimal `json:"quantity"`
		Date     Date    `json:"date"`
		// Payment is cash where there is none.
		Payment Payment `json:"payment,omitempty"`
		// MarketValue is what a share is worth on the day, for what is paid net; none: what
		// the valuations of the day say.
		MarketValue *Price `json:"marketValue,omitempty"`
		// Request is the request of the holder that is granted with it.
		Request RequestID `json:"request,omitzero"`
	}
	// ReleaseGrant gives the shares of vested units.
	ReleaseGrant struct {
		ID GrantID `json:"-"`
		// Quantity is of the units; none: all that have vested and were not released.
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		// Withheld is how many of the shares are kept back for taxes.
		Withheld Decimal `json:"withheld,omitzero"`
	}
)

// OptionExercised records that a part of a grant became shares. Its kind names the
// event: optionExercised, optionReleased.
type OptionExercised struct {
	ID     GrantID `json:"id"`
	Taking Taking  `json:"taking"`
	// Result is what the holder got.
	Result Issue `json:"result"`
	// Payment is how an exercise was paid.
	Payment     Payment `json:"payment,omitempty"`
	MarketValue *Price  `json:"marketValue,omitempty"`
	// Withheld is how many shares were kept back, for the price or for taxes.
	Withheld Decimal `json:"withheld,omitzero"`
	// CashFraction is the part of a share that was paid out instead.
	CashFraction Decimal   `json:"cashFraction,omitzero"`
	Request      RequestID `json:"request,omitzero"`
	Source       *Source   `json:"source,omitempty"`
}

// decide checks an exercise: no more than may be exercised on the day. What has not
// vested goes on vesting as shares.
func (c ExerciseGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.outstandingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	if !grant.IsOption() {
		return nil, Refuse(CodeConflict, "Units are released, not exercised.").With("type", string(grant.Type))
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
	if err := s.answers(grant, c); err != nil {
		return nil, err
	}
	event := OptionExercised{ID: grant.ID, Payment: c.Payment, MarketValue: c.MarketValue, Request: c.Request}
	event.Taking = Taking{
		Kind: StatusExercised, Date: c.Date, Quantity: c.Quantity, Unvested: figures.Exercised.Add(c.Quantity).Sub(figures.Vested).Max(Decimal{}).Min(c.Quantity),
	}
	shares := c.Quantity
	if c.Payment == PayNet {
		if shares, event.CashFraction, err = s.netShares(grant, &c); err != nil {
			return nil, err
		}
		event.MarketValue, event.Withheld = c.MarketValue, c.Quantity.Sub(shares)
	}
	event.Result, err = s.result(m, grant, shares, &event.Taking)
	if c.Payment == PayCash {
		event.Result.PricePerShare = grant.ExercisePrice
	}
	return []Event{event}, err
}

// check lists what is wrong with the wish itself.
func (c *ExerciseGrant) check(s *State, m Moment, faults *Faults, grant *Grant) {
	security, _ := s.Security(grant.Security)
	checkShares(faults, "/quantity", c.Quantity, security)
	s.checkTaking(faults, m, grant, c.Date)
	checkPrice(faults, "/marketValue", c.MarketValue)
	switch {
	case c.Payment != PayCash && c.Payment != PayNet:
		faults.Add("/payment", "enum", "The payment is cash or net.")
	case c.Payment == PayCash && grant.Type == GrantSAR:
		faults.Add("/payment", "notOfType", "A right to appreciation is not paid for.")
	case c.Payment == PayNet && c.MarketValue == nil:
		if c.MarketValue = s.marketValue(grant.Security, c.Date).in(m.Currency); c.MarketValue == nil {
			faults.Add("/marketValue", "required", "No valuation says what a share was worth on the day.")
		}
	}
	if value := c.MarketValue; value != nil && c.Payment == PayNet && grant.ExercisePrice != nil && value.Currency != grant.ExercisePrice.Currency {
		faults.Add("/marketValue", "otherCurrency", "The value is in another currency than the exercise price.")
	}
}

// notExercisable refuses an exercise, with the figures.
func (f *GrantFigures) notExercisable(wanted Decimal) *Error {
	message := "So much cannot be exercised on that day."
	if f.LastDay != 0 && f.Outstanding.IsZero() && f.Expired.Sign() > 0 {
		message = "The grant could be exercised until " + f.LastDay.String() + "."
	}
	return Refuse(CodeInsufficientShares, message).With("exercisable", f.Exercisable.String()).With("requested", wanted.String()).
		With("vested", f.Vested.String()).With("exercised", f.Exercised.String()).With("outstanding", f.Outstanding.String())
}

// netShares gives the shares that are left of an exercise when its price was withheld at
// the market value, and the fraction of a share that is paid out.
func (s *State) netShares(grant *Grant, c *ExerciseGrant) (shares, fraction Decimal, err error) {
	worth, price := c.MarketValue.Amount, grant.ExercisePrice.Amount
	if worth.Cmp(price) <= 0 {
		return shares, fraction, Refuse(CodeConflict, "A share is worth no more than it costs: nothing would be left of a net exercise.").
			With("marketValue", worth.String()).With("exercisePrice", price.String())
	}
	left := new(big.Rat).Mul(c.Quantity.Rat(), new(big.Rat).Quo(worth.Sub(price).Rat(), worth.Rat()))
	security, _ := s.Security(grant.Security)
	shares = exact.RoundDown(left, security.Places())
	if shares.IsZero() {
		return shares, fraction, Refuse(CodeConflict, "Less than one share would be left of the net exercise.").
			With("marketValue", worth.String()).With("exercisePrice", price.String())
	}
	return shares, exact.RoundDown(left.Sub(left, shares.Rat()), exact.Places), nil
}

// decide checks a release: no more than has vested and was not released.
func (c ReleaseGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.outstandingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.IsOption() {
		return nil, Refuse(CodeConflict, "Options are exercised, not released.").With("type", string(grant.Type))
	}
	var faults Faults
	security, _ := s.Security(grant.Security)
	s.checkTaking(&faults, m, grant, c.Date)
	if c.Quantity != nil {
		checkShares(&faults, "/quantity", *c.Quantity, security)
	}
	if c.Withheld.Sign() < 0 || !security.Whole(c.Withheld) {
		faults.Add("/withheld", "notWhole", "What is withheld is a quantity of shares.")
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
		refusal = "So much cannot be released on that day."
	case c.Withheld.Cmp(quantity) >= 0:
		refusal = "Less is kept back than is released: something of it becomes shares."
	}
	if refusal != "" {
		return nil, Refuse(CodeInsufficientShares, refusal).With("releasable", figures.Releasable.String()).
			With("requested", quantity.String()).With("withheld", c.Withheld.String()).With("vested", figures.Vested.String())
	}
	event := OptionExercised{ID: grant.ID, Withheld: c.Withheld, Taking: Taking{Kind: StatusReleased, Date: c.Date, Quantity: quantity}}
	event.Result, err = s.result(m, grant, quantity.Sub(c.Withheld), &event.Taking)
	return []Event{event}, err
}

// result numbers the shares that come of a taking. There is room for them: the pool
// had reserved as many or more.
func (s *State) result(m Moment, grant *Grant, shares Decimal, taking *Taking) (Issue, error) {
	security, _ := s.Security(grant.Security)
	holder, known := m.Register.Holder(HolderRef{Entity: grant.Entity})
	if !known {
		return Issue{}, Refuse(CodeConflict, "The holder is not in the register of this organization any more.").With("entity", grant.Entity.String())
	}
	freed := *security
	freed.Reserved = security.Reserved.Sub(taking.Quantity)
	issue := Issue{
		ID: m.NewID(), Entity: grant.Entity, Security: grant.Security, Shares: shares, IssueDate: taking.Date,
		SerialNumber: security.Serials + 1, FromTreasury: freed.fromTreasury(shares),
		ShareholdingDetails: ShareholdingDetails{ShareholderName: holder.Name, Legends: security.Legends, Block: grant.Block},
	}
	if taking.Unvested.Sign() > 0 {
		issue.VestingSchedule, issue.VestingStart = grant.VestingSchedule, grant.VestingStart
	}
	taking.Shareholding = issue.ID
	return issue, s.number(&issue, security)
}

// apply issues what was bought, and takes it out of the grant and of its pool. A request
// for it is settled by the same event: one is never carried out twice.
func (e OptionExercised) apply(s *State, stamp Stamp) {
	grant, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		g.take(e.Taking, stamp)
		g.settle(e.Request, RequestAccepted, "", stamp)
	})
	s.poolExercised(grant.Ref(), e.Taking.Quantity, e.Taking.Date, stamp)
	s.reserveOutside(grant, e.Taking.Quantity.Neg(), stamp)
	s.hold(&Shareholding{
		Issue: e.Result, Status: StatusActive, Origin: &Origin{Kind: e.Taking.Kind, Option: e.ID}, Meta: NewMeta(stamp),
	})
}

// marketValue is what the valuations say that a share of the class was worth on a day:
// the latest that was in force; nil where none was.
func (s *State) marketValue(id SecurityID, day Date) *Price {
	var latest *Valuation
	for v := range s.Valuations() {
		inForce := v.EffectiveDate <= day && (v.ExpiresOn.IsZero() || day < v.ExpiresOn)
		if v.Security == id && v.PricePerShare != nil && inForce && (latest == nil || v.EffectiveDate >= latest.EffectiveDate) {
			latest = v
		}
	}
	if latest == nil {
		return nil
	}
	price := Price(*latest.PricePerShare)
	return &price
}

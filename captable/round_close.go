package captable

import (
	"math/big"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// CloseRound is the command to close a planned round. Either all steps of the plan are recorded,
// with exactly the planned shares, or none.
type CloseRound struct {
	RoundTerms
	// Confirm is the digest of the expected outcome. The command is refused if the terms or the
	// cap table have changed the digest.
	Confirm string `json:"confirm"`
	// Block is the name and kind of the funding round. The name defaults to that of the class.
	Block RoundBlock `json:"block,omitzero"`
	// Newcomers maps the names of new investors to their entities.
	Newcomers map[string]EntityID `json:"-"`
}

// RoundBlock is the name and kind of a funding round.
type RoundBlock struct {
	Name string `json:"name,omitempty"`
	Kind string `json:"kind,omitempty"`
}

// closing applies a round to a copy of the cap table. Each step is decided on the result of the
// previous steps.
type closing struct {
	CloseRound
	outcome RoundOutcome
	scratch *State
	moment  DecideContext
	events  []Event
	class   SecurityID
	series  map[InstrumentID]SecurityID // the shadow series of convertibles
	block   BlockID
}

// decide plans the round again. If the outcome is the confirmed one, it performs these steps:
//
//  1. create the class and the shadow series, or authorize the missing shares;
//  2. create the funding round;
//  3. convert the convertibles;
//  4. issue the shares for the new money;
//  5. increase the pool;
//  6. record the price as a valuation of the class and of the series.
//
// See ruling 20.
func (c CloseRound) decide(s *State, m DecideContext) ([]Event, error) {
	if err := c.taken(s); err != nil {
		return nil, err
	}
	outcome, err := s.PlanRound(c.RoundTerms, m, m.nameOf)
	if err != nil {
		return nil, err
	}
	if outcome.Confirm != c.Confirm {
		return nil, fault.Refuse(
			fault.Conflict, "This is not the round that was planned: its terms or the cap table have changed. Plan it again.",
		).
			With("pricePerShare", outcome.PricePerShare.String())
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	closes := &closing{CloseRound: c, outcome: outcome, scratch: s.Copy(), moment: m}
	for _, step := range []func() error{
		closes.makeClass, closes.makeSeries, closes.authorize, closes.makeBlock, closes.convertAll, closes.sellAll, closes.growPool,
		closes.value,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return closes.events, nil
}

// taken refuses a round whose new class or plan has been created since it was planned.
func (c CloseRound) taken(s *State) error {
	if class := s.classes.securityNamed(c.Security.Name); class != nil && c.Security.ID.IsZero() {
		return fault.Refuse(fault.Conflict, "A security of this name was created after the plan of the round. Plan the round again.").
			With("security", class.ID.String())
	}
	if c.Pool == nil || c.Pool.NewPlan == nil {
		return nil
	}
	if plan := s.plans.named(c.Pool.NewPlan.Name); plan != nil {
		return fault.Refuse(fault.Conflict, "An equity plan of this name was created after the plan of the round. Plan the round again.").
			With("plan", plan.ID.String())
	}
	return nil
}

// nameOf returns the present name of a holder.
func (m DecideContext) nameOf(id EntityID) string {
	holder, _ := m.Register.Holder(HolderRef{Entity: id})
	return holder.Name
}

// do decides a command and applies its events.
func (c *closing) do(command Command) error {
	events, err := command.decide(c.scratch, c.moment)
	c.happen(events...)
	return err
}

func (c *closing) happen(events ...Event) {
	for _, event := range events {
		event.apply(c.scratch, Stamp{})
		c.events = append(c.events, event)
	}
}

// issues returns the number of shares that the round issues by class: the class of the round, the
// shadow series and the classes that the terms of convertibles fix.
func (c *closing) issues() map[SecurityID]Decimal {
	needed := map[SecurityID]Decimal{}
	for _, conversion := range c.outcome.Conversions {
		into := c.into(conversion.Holding)
		needed[into] = needed[into].Add(conversion.Shares)
	}
	for _, purchase := range c.outcome.NewMoney {
		needed[c.class] = needed[c.class].Add(purchase.Shares)
	}
	return needed
}

// into returns the class into which a convertible converts: the class that its terms fix, its shadow
// series, or the class of the round.
func (c *closing) into(id InstrumentID) SecurityID {
	if i, known := c.scratch.Instrument(id); known && i.FixedConversion != nil {
		return i.FixedConversion.Security
	}
	if series, ok := c.series[id]; ok {
		return series
	}
	return c.class
}

// makeClass creates the class of the round if it is new.
func (c *closing) makeClass() (err error) {
	if c.class = c.Security.ID; !c.class.IsZero() {
		return nil
	}
	own := c.issues()[c.class]
	for _, series := range c.outcome.ShadowSeries {
		own = own.Sub(series.Shares)
	}
	c.class, err = c.create(c.Security.fresh(own, c.outcome.PricePerShare, c.moment))
	return err
}

// create creates a class and returns its id.
func (c *closing) create(terms SecurityTerms) (SecurityID, error) {
	if err := c.do(CreateSecurity{SecurityTerms: terms, EffectiveDate: c.effective(terms), OfDay: c.Date}); err != nil {
		return SecurityID{}, err
	}
	return c.scratch.classes.securityNamed(terms.Name).ID, nil
}

// classes returns the classes that the round prices: its class, then the shadow series.
func (c *closing) classes() []SecurityID {
	all := []SecurityID{c.class}
	for _, series := range c.outcome.ShadowSeries {
		all = append(all, c.series[series.Holdings[0]])
	}
	return all
}

// authorize authorizes the missing shares of all classes that the round issues.
func (c *closing) authorize() error {
	needed := c.issues()
	for security := range c.scratch.Securities() {
		if err := c.makeRoom(security, needed[security.ID]); err != nil {
			return err
		}
	}
	return nil
}

// effective returns the first day on which shares of the new class are authorized: the date of
// the round, or the board's approval if that is earlier.
func (c *closing) effective(terms SecurityTerms) Date {
	if terms.BoardApprovalDate.IsZero() {
		return c.Date
	}
	return min(c.Date, terms.BoardApprovalDate)
}

// makeRoom authorizes the missing shares of a class. Splits after the round multiply them with the
// shares that the round issues.
func (c *closing) makeRoom(security *Security, shares Decimal) error {
	available := security.room(c.Date)
	if len(security.splitsAfter(c.Date)) > 0 {
		available = security.authorizedOn(c.Date).Minus(security.used.On(c.Date))
	}
	if available.Covers(shares) {
		return nil
	}
	return c.do(AuthorizeShares{ID: security.ID, Quantity: shares.Sub(available.Shares), EffectiveDate: c.Date})
}

// makeBlock creates the funding round with the raised amount. Its name defaults to that of the
// class.
func (c *closing) makeBlock() error {
	class, _ := c.scratch.Security(c.class)
	terms := BlockTerms{
		Name: c.Block.Name, Kind: c.Block.Kind, CloseDate: c.Date, Securities: c.classes(),
		PreMoney: &Money{c.outcome.PreMoney, c.outcome.Currency}, Raised: &Money{c.outcome.Raised, c.outcome.Currency},
	}
	if terms.Name == "" {
		terms.Name = class.Name
	}
	if err := c.do(CreateBlock{BlockTerms: terms}); err != nil {
		return err
	}
	c.block = c.scratch.blocks.named(terms.Name).ID
	return nil
}

// convertAll converts the convertibles as planned.
func (c *closing) convertAll() error {
	for _, planned := range c.outcome.Conversions {
		i, err := c.scratch.instruments.outstanding(planned.Holding)
		if err != nil {
			return err
		}
		var faults fault.Fields
		i.checkChange(c.scratch, &faults, c.Date, c.moment)
		if err := faults.Err(); err != nil {
			return err
		}
		if planned.Shares.IsZero() {
			return fault.Refuse(
				fault.Conflict, "The holding must convert into at least one share.",
			).With("holding", planned.Holding.String())
		}
		_, due := i.ConvertingAmount(c.Date)
		made := InstrumentConversion{
			Basis: planned.Basis, Elects: planned.Elects, PricePerShare: planned.Price, Amount: planned.Amount, Interest: planned.Interest,
			InterestDue: figure(due), Cash: planned.Cash,
		}
		into, _ := c.scratch.Security(c.into(planned.Holding))
		details := made.paid(i, c.moment)
		details.Block = c.block.String()
		result, err := enterFromInstrument(c.scratch, i, into, planned.Shares, Decimal{}, details, c.Date, c.moment)
		if err != nil {
			return err
		}
		made.Shareholding = result.ID
		c.happen(InstrumentConverted{ID: i.ID, Date: c.Date, InstrumentConversion: made, Result: result})
	}
	return nil
}

// sellAll issues the shares that the new money buys. The consideration excludes the unspent
// amounts, which are too small for a share.
func (c *closing) sellAll() error {
	class, _ := c.scratch.Security(c.class)
	price := &Price{Amount: c.outcome.PricePerShare}
	for n, bought := range c.outcome.NewMoney {
		if bought.Shares.IsZero() {
			return fault.Refuse(fault.Conflict, "The investment must buy at least one share.").With("newMoney", strconv.Itoa(n))
		}
		buyer := bought.Entity
		if buyer.IsZero() {
			buyer = c.Newcomers[bought.Name]
		}
		err := c.do(IssueShareholding{
			HolderRef: HolderRef{Entity: buyer}, Security: c.class, Shares: bought.Shares, IssueDate: c.Date,
			ShareholdingDetails: ShareholdingDetails{
				PricePerShare: price, Consideration: &Consideration{Cash: bought.Amount.Sub(bought.Unspent)},
				Block: c.block.String(), Legends: class.Legends,
			},
			PreferencePrice: price,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shares converts a number of common shares to shares of the class, rounded down.
func (c *closing) shares(class *Security, common Decimal) Decimal {
	conversion := class.ConversionOn(c.Date)
	if conversion == nil {
		return common
	}
	places := c.scratch.SharePlaces(class.ID)
	return exact.RoundDown(new(big.Rat).Quo(common.Rat(), conversion.Each()), places)
}

// value records the price of the round as a valuation of its class and of the shadow series, whose
// shares convert into as many common shares.
func (c *closing) value() error {
	for _, class := range c.classes() {
		err := c.do(PutValuation{ValuationTerms: ValuationTerms{
			Security: class, Type: "funding", EffectiveDate: c.Date,
			PricePerShare: &Money{c.outcome.PricePerShare, c.outcome.Currency},
			CompanyValue:  &Money{c.outcome.PostMoney, c.outcome.Currency},
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// places validates the class and returns the number of decimal places of its shares. A share of
// the class must convert into one common share, because the price of a round is per common share.
func (r *RoundSecurity) places(s *State, faults *fault.Fields, m DecideContext, day Date) int {
	security, known := s.Security(r.ID)
	if known {
		r.Conversion, r.FractionalShares = security.ConversionOn(day), security.FractionalShares
	}
	switch {
	case r.ID.IsZero() == (strings.TrimSpace(r.Name) == ""):
		faults.Add("/security", "required", "Either the id of the class or the name of a new one is required, not both.")
	case !r.ID.IsZero() && !known:
		faults.Add("/security/id", "unknownReference", "There is no such security.")
	case r.ID.IsZero() && s.classes.securityNamed(r.Name) != nil:
		faults.Add("/security/name", "taken", "Another security has this name. Choose another name, or state the id of the security.")
	case r.ID.IsZero():
		terms := r.fresh(Decimal{}, Decimal{}, m)
		for _, problem := range terms.faults(s, SecurityID{}) {
			faults.Add("/security"+problem.Pointer, problem.Code, problem.Message)
		}
	}
	if r.Conversion != nil && r.Conversion.Each().Cmp(exact.NewDecimal(1).Rat()) != 0 {
		faults.Add("/security", "ratioNotOne", "The conversion ratio of the class must be 1; it is "+r.Conversion.text()+".")
	}
	return r.Places()
}

// fresh returns the terms of a new class. The defaults are preferred shares, the price of the
// round and the number of issued shares.
func (r *RoundSecurity) fresh(shares, price Decimal, m DecideContext) SecurityTerms {
	terms := r.SecurityTerms
	if terms.ShareType == "" {
		terms.ShareType = SharePreferred
	}
	if terms.AuthorizedShares == (Authorized{}) {
		terms.AuthorizedShares = AuthorizedOf(shares)
	}
	if terms.Price == nil {
		terms.Price = &Price{Amount: price}
	}
	return terms.in(m.Currency)
}

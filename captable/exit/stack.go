package exit

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/waterfall"
	"equity/fault"
)

// fill adds all claims to the stack. See ruling 19.
func (e *sale) fill(name func(captable.EntityID) string) error {
	if err := e.addClasses(); err != nil {
		return err
	}
	rights, err := e.convertibles()
	if err != nil {
		return err
	}
	for _, right := range rights { // a fixed number of common shares is paid like a class
		right.name = name(right.Entity)
		if security := e.fixedClass(right); security != nil && !security.HasPreference() {
			e.addFixed(right, security)
		}
	}
	if err := e.addGrants(name); err != nil {
		return err
	}
	if err := e.addWarrants(name); err != nil {
		return err
	}
	for _, right := range rights {
		e.addConvertible(right)
	}
	return nil
}

// claimAt returns the id of the class or the holding to which the pointer of a fault refers.
func (e *sale) claimAt(pointer string) string {
	of, rest, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	digits, _, _ := strings.Cut(rest, "/")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return ""
	}
	switch of {
	case "options":
		n += len(e.stack.Classes)
	case "convertibles":
		n += len(e.stack.Classes) + len(e.stack.Options)
	}
	return e.lines[n].ID
}

// inOwn refuses a price in a currency other than that of the sale.
func (e *sale) inOwn(price *captable.Price, what, id string) error {
	if price == nil || price.Currency == "" || price.Currency == e.own {
		return nil
	}
	return fault.Refuse(
		fault.Conflict, "All amounts of a sale must be in one currency: the sale is in "+e.own+", "+what+" in "+price.Currency+".",
	).With("of", id)
}

// addClasses adds every class with its holders. A preferred class without a price of its own
// is added once for each issue price of its shares.
func (e *sale) addClasses() error {
	held := map[captable.SecurityID]map[string]map[captable.EntityID]captable.Decimal{} // by class and exact price
	for h := range e.state.Shareholdings() {
		shares := h.SharesOn(e.terms.Date)
		if shares.IsZero() {
			continue
		}
		price, err := e.paidFor(h, shares)
		if err != nil {
			return err
		}
		byPrice := held[h.Security]
		if byPrice == nil {
			byPrice = map[string]map[captable.EntityID]captable.Decimal{}
			held[h.Security] = byPrice
		}
		if byPrice[price.String()] == nil {
			byPrice[price.String()] = map[captable.EntityID]captable.Decimal{}
		}
		byPrice[price.String()][h.Entity] = byPrice[price.String()][h.Entity].Add(shares)
	}
	for security := range e.state.Securities() {
		var prices []*big.Rat
		for text := range held[security.ID] {
			price, _ := new(big.Rat).SetString(text) // formatted from an exact price
			prices = append(prices, price)
		}
		slices.SortFunc(prices, (*big.Rat).Cmp)
		for _, price := range prices {
			e.addClass(security, price, held[security.ID][price.String()])
		}
	}
	return nil
}

// paidFor returns the exact price per share that determines the preference: the preference price
// of the shareholding, else the price of the class, else the price paid for the shareholding. It
// returns 0 for common shares.
func (e *sale) paidFor(h *captable.Shareholding, shares captable.Decimal) (*big.Rat, error) {
	security, _ := e.state.Security(h.Security)
	quote, paid := security.ExactPriceOn(e.terms.Date), h.PreferencePriceOn(e.terms.Date)
	switch {
	case !security.HasPreference():
		return new(big.Rat), nil
	case paid != nil:
		return paid.Amount, e.inOwn(&captable.Price{Currency: paid.Currency}, "the shareholding was bought", h.ID.String())
	case quote != nil:
		return quote.Amount, e.inOwn(security.Price, "the price of "+security.Name+" is", security.ID.String())
	case h.OriginalConsideration == nil && h.Consideration == nil && h.PricePerShare != nil && h.PricePerShare.Currency != "":
		return new(big.Rat).Quo(h.PricePerShare.Amount.Rat(), h.SplitFactor()), e.inOwn(
			h.PricePerShare, "the shareholding was bought", h.ID.String(),
		)
	default:
		return new(big.Rat).Quo(h.Received().Rat(), shares.Rat()), nil
	}
}

// classOf returns the class of shares with the price, without holdings. Its id depends on both. The
// default preference is one times the price.
func (e *sale) classOf(security *captable.Security, price *big.Rat) waterfall.Class {
	class := waterfall.Class{
		ID: security.ID.String() + " " + price.RatString(), Seniority: valueOf(security.Seniority), Price: rounded(price),
		ExactPrice:    price,
		Participation: waterfall.Participation(security.Participation), CapMultiple: valueOf(security.ParticipationCapMultiple),
		ExactRatio: e.ratio(security),
	}
	if security.HasPreference() {
		class.Multiple = exact.NewDecimal(1)
		if multiple := security.LiquidationPreferenceMultiple; multiple != nil {
			class.Multiple = *multiple
		}
	}
	return class
}

// addClass adds a class to the stack. Holders are sorted by quantity to make the result
// deterministic.
func (e *sale) addClass(security *captable.Security, price *big.Rat, held map[captable.EntityID]captable.Decimal) {
	class := e.classOf(security, price)
	id := strconv.Itoa(len(e.lines))
	e.classes[class.ID], class.ID = id, id
	line := Claim{Kind: KindShares, ID: security.ID.String(), Name: security.Name}
	for entity, shares := range held {
		class.Holdings = append(class.Holdings, waterfall.Holding{Holder: entity.String(), Shares: shares})
		line.Shares = line.Shares.Add(shares)
	}
	slices.SortFunc(class.Holdings, func(a, b waterfall.Holding) int {
		return cmp.Or(b.Shares.Cmp(a.Shares), cmp.Compare(a.Holder, b.Holder))
	})
	line.Preference = exact.RoundHalfUp(new(big.Rat).Mul(new(big.Rat).Mul(price, class.Multiple.Rat()), line.Shares.Rat()), exact.Places)
	line.Terms = line.ofClass(class, rounded(class.ExactRatio))
	e.stack.Classes, e.lines = append(e.stack.Classes, class), append(e.lines, line)
}

// ratio returns the exact number of common shares per share. It follows the conversions to the
// end of the chain. Without a conversion, common and participating shares have the ratio 1.
// Other preferred shares have the ratio 0, because they have only their preference.
func (e *sale) ratio(security *captable.Security) *big.Rat {
	chain := e.state.ConversionChain(security.ID, e.terms.Date)
	at := security
	if n := len(chain); n > 0 {
		at, _ = e.state.Security(chain[n-1].Security)
	}
	participates := security.Participation == string(waterfall.Full) || security.Participation == string(waterfall.Capped)
	if at.HasPreference() && !participates {
		return new(big.Rat)
	}
	return captable.Chained(chain)
}

// addGrants adds the outstanding grants. Their vested part is exercisable, or all of it with
// acceleration.
func (e *sale) addGrants(name func(captable.EntityID) string) error {
	for grant := range e.state.Grants() {
		figures := grant.On(e.terms.Date)
		if figures.Outstanding.IsZero() {
			continue
		}
		if err := e.inOwn(grant.ExercisePrice, "the option is", grant.ID.String()); err != nil {
			return err
		}
		quantity := figures.Exercisable.Add(figures.Releasable)
		if e.terms.Acceleration {
			quantity = figures.Outstanding
		}
		if err := e.addOption(Claim{
			Kind: Kind(grant.Type), ID: grant.ID.String(), Entity: grant.Entity, Name: name(grant.Entity), Shares: quantity,
		}, grant.ExactPrice(), grant.Security, figures.Outstanding); err != nil {
			return err
		}
	}
	return nil
}

// addWarrants adds the outstanding warrants over a known class.
func (e *sale) addWarrants(name func(captable.EntityID) string) error {
	for i := range e.state.Instruments() {
		left := i.LeftOn(e.terms.Date)
		if left.IsZero() || i.Security.IsZero() {
			continue
		}
		if err := e.inOwn(i.ExercisePrice, "the warrant is", i.ID.String()); err != nil {
			return err
		}
		if err := e.addOption(Claim{
			Kind: Kind(i.Kind), ID: i.ID.String(), Entity: i.Entity, Name: name(i.Entity), Shares: left,
		}, i.ExactPrice(), i.Security, left); err != nil {
			return err
		}
	}
	return nil
}

// addOption adds a right to buy shares of the class at an exact strike price. A nil strike
// price means zero. Shares of a class without a price of its own have the preference of the strike
// price, because that is paid for them.
func (e *sale) addOption(line Claim, strike *big.Rat, of captable.SecurityID, granted captable.Decimal) error {
	security, _ := e.state.Security(of)
	if strike == nil {
		strike = new(big.Rat)
	}
	line.Strike = new(rounded(strike))
	option := waterfall.Option{
		ID: strconv.Itoa(len(e.lines)), Holder: line.Entity.String(), Strike: *line.Strike, ExactStrike: strike, Quantity: line.Shares,
		Granted: granted,
	}
	line.Terms = line.ofOption(granted, security)
	if security.HasPreference() {
		price, err := e.quoteOr(strike, security)
		if err != nil {
			return err
		}
		option.Of = new(e.classOf(security, price))
		if held, known := e.classes[option.Of.ID]; known {
			option.Of.ID = held
		}
		line.Terms += line.ofPreference(*option.Of)
	} else if ratio := e.ratio(security); ratio.Sign() > 0 {
		option.ExactRatio = ratio
	}
	e.stack.Options, e.lines = append(e.stack.Options, option), append(e.lines, line)
	return nil
}

// quoteOr returns the original price of the class on the day of the sale, or the given price if it has none.
func (e *sale) quoteOr(price *big.Rat, security *captable.Security) (*big.Rat, error) {
	quote := security.ExactPriceOn(e.terms.Date)
	if quote == nil {
		return price, nil
	}
	return quote.Amount, e.inOwn(security.Price, "the price of "+security.Name+" is", security.ID.String())
}

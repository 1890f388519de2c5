package captable

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// fill puts everything into the stack that is paid at a sale.
func (e *exit) fill(name func(EntityID) string) error {
	if err := e.addClasses(); err != nil {
		return err
	}
	rights, err := e.convertibles()
	if err != nil {
		return err
	}
	for _, right := range rights { // shares that are fixed share as a class does
		right.name = name(right.Entity)
		if fixed := right.FixedConversion; fixed != nil && fixed.Fraction == nil {
			e.addFixed(right)
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

// claimAt gives the id of what a fault of the stack is about.
func (e *exit) claimAt(pointer string) string {
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

// inOwn refuses what is priced in another currency than the sale.
func (e *exit) inOwn(price *Price, what, id string) (Decimal, error) {
	if price == nil {
		return Decimal{}, nil
	}
	if price.Currency != "" && price.Currency != e.own {
		return Decimal{}, Refuse(CodeConflict, "The sale is in "+e.own+", "+what+" in "+price.Currency+".").With("of", id)
	}
	return price.Amount, nil
}

// addClasses enters every class with its holders: once, or once for each price that its
// shares were issued at where the class itself has none.
func (e *exit) addClasses() error {
	held := map[SecurityID]map[string]map[EntityID]Decimal{}
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
			byPrice = map[string]map[EntityID]Decimal{}
			held[h.Security] = byPrice
		}
		if byPrice[price.String()] == nil {
			byPrice[price.String()] = map[EntityID]Decimal{}
		}
		byPrice[price.String()][h.Entity] = byPrice[price.String()][h.Entity].Add(shares)
	}
	for security := range e.state.Securities() {
		var prices []Decimal
		for text := range held[security.ID] {
			price, _ := exact.ParseDecimal(text) // it was written by one
			prices = append(prices, price)
		}
		slices.SortFunc(prices, Decimal.Cmp)
		for _, price := range prices {
			e.addClass(security, price, held[security.ID][price.String()])
		}
	}
	return nil
}

// hasPreference reports whether the class is paid before common.
func (s *Security) hasPreference() bool {
	return s.ShareType == SharePreferred || s.LiquidationPreferenceMultiple != nil && !s.LiquidationPreferenceMultiple.IsZero()
}

// paidFor is the price that a preference counts by: that of the class, or else what was
// paid for a share of the holding; nothing for common.
func (e *exit) paidFor(h *Shareholding, shares Decimal) (Decimal, error) {
	security, _ := e.state.Security(h.Security)
	switch {
	case !security.hasPreference():
		return Decimal{}, nil
	case security.Price != nil:
		return e.inOwn(security.Price, "the price of "+security.Name+" is", security.ID.String())
	case h.Consideration == nil && h.PricePerShare != nil && h.PricePerShare.Currency != "":
		return e.inOwn(h.PricePerShare, "the shareholding was bought", h.ID.String())
	default:
		return exact.RoundHalfUp(new(big.Rat).Quo(h.Invested().Rat(), shares.Rat()), exact.Places), nil
	}
}

// addClass enters a class that shares in a sale. A preference is one time the price unless
// the class says otherwise. Holders stand by what they hold, for two runs to give one
// answer.
func (e *exit) addClass(security *Security, price Decimal, held map[EntityID]Decimal) {
	class := waterfall.Class{
		ID: strconv.Itoa(len(e.lines)), Seniority: valueOf(security.Seniority), Price: price, Ratio: e.ratio(security),
		Participation: waterfall.Participation(security.Participation), CapMultiple: value(security.ParticipationCapMultiple),
	}
	if security.hasPreference() {
		class.Multiple = exact.NewDecimal(1)
		if multiple := security.LiquidationPreferenceMultiple; multiple != nil {
			class.Multiple = *multiple
		}
	}
	line := ExitClaim{Kind: ExitShares, ID: security.ID.String(), Name: security.Name}
	for entity, shares := range held {
		class.Holdings = append(class.Holdings, waterfall.Holding{Holder: entity.String(), Shares: shares})
		line.Shares = line.Shares.Add(shares)
	}
	slices.SortFunc(class.Holdings, func(a, b waterfall.Holding) int {
		return cmp.Or(b.Shares.Cmp(a.Shares), cmp.Compare(a.Holder, b.Holder))
	})
	line.Preference = exact.RoundHalfUp(new(big.Rat).Mul(new(big.Rat).Mul(price.Rat(), class.Multiple.Rat()), line.Shares.Rat()), exact.Places)
	line.Terms = line.ofClass(class)
	e.stack.Classes, e.lines = append(e.stack.Classes, class), append(e.lines, line)
}

// ratio is how many common shares a share shares as: what it converts into, and so on to
// the end. Without a conversion common is itself, and so is what participates; other
// preferred shares have their preference only.
func (e *exit) ratio(security *Security) Decimal {
	ratio := exact.NewDecimal(1)
	seen := map[SecurityID]bool{}
	at := security
	for !seen[at.ID] {
		seen[at.ID] = true
		conversion := at.conversionOn(e.terms.Date)
		if conversion == nil {
			break
		}
		ratio = ratio.Mul(conversion.Ratio)
		at, _ = e.state.Security(conversion.Security)
	}
	participates := security.Participation == string(waterfall.Full) || security.Participation == string(waterfall.Capped)
	if at.hasPreference() && !participates {
		return Decimal{}
	}
	return ratio
}

// addGrants enters options, units and rights: what of them has vested is exercised.
func (e *exit) addGrants(name func(EntityID) string) error {
	for grant := range e.state.Grants() {
		figures := grant.On(e.terms.Date)
		if figures.Outstanding.IsZero() {
			continue
		}
		strike, err := e.inOwn(grant.priceOn(e.terms.Date), "the option is", grant.ID.String())
		if err != nil {
			return err
		}
		quantity := figures.Exercisable.Add(figures.Releasable)
		if e.terms.Acceleration {
			quantity = figures.Outstanding
		}
		e.addOption(ExitClaim{
			Kind: ExitKind(grant.Type), ID: grant.ID.String(), Entity: grant.Entity, Name: name(grant.Entity), Shares: quantity, Strike: &strike,
		}, grant.Security, figures.Outstanding)
	}
	return nil
}

// addWarrants enters the warrants that may still be exercised.
func (e *exit) addWarrants(name func(EntityID) string) error {
	for i := range e.state.Instruments() {
		left := i.LeftOn(e.terms.Date)
		if left.IsZero() || i.Security.IsZero() {
			continue
		}
		strike, err := e.inOwn(i.ExercisePrice, "the warrant is", i.ID.String())
		if err != nil {
			return err
		}
		e.addOption(ExitClaim{
			Kind: ExitKind(i.Kind), ID: i.ID.String(), Entity: i.Entity, Name: name(i.Entity), Shares: left, Strike: &strike,
		}, i.Security, left)
	}
	return nil
}

func (e *exit) addOption(line ExitClaim, of SecurityID, granted Decimal) {
	security, _ := e.state.Security(of)
	option := waterfall.Option{
		ID: strconv.Itoa(len(e.lines)), Holder: line.Entity.String(), Strike: *line.Strike, Quantity: line.Shares, Granted: granted, Ratio: e.ratio(security),
	}
	line.Terms = line.ofOption(granted, security)
	e.stack.Options, e.lines = append(e.stack.Options, option), append(e.lines, line)
}

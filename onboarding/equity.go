package onboarding

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/messages"
)

// planned are the shares of a stake.
type planned struct {
	messages.StakeFacts
	item   string // the id of its item
	class  string // the name of the security
	shares string
	source string
}

// defaultShares is the number of authorized shares of a company that states none.
const defaultShares = "10000000"

// The options of the question about founders without stakes.
const (
	equalShares = "Equal shares"
	noShares    = "No shares yet"
)

// distribute computes the shares of the stakes and of the pool.
func (p *planner) distribute() {
	stakes := slices.Clone(p.facts.Stakes)
	source := fromPrompt
	if len(stakes) == 0 {
		stakes, source = p.split(), fromAnswer
	}
	pool := p.facts.Pool
	portions := pool != nil && pool.Portion != nil || slices.ContainsFunc(
		stakes, func(s messages.StakeFacts) bool { return s.Portion != nil },
	)
	if portions {
		p.total = p.facts.Shares
		if p.total == "" {
			p.total = p.declared(p.common()).Authorized
		}
		if p.total == "" {
			standard := defaultShares
			p.total = p.ask("total", messages.PlanQuestion{
				Text: "How many shares are there in total, with the option pool?", Kind: kindNumber, Default: &standard,
			})
		}
	}
	cut := apportionment{total: rational(p.total), end: new(big.Rat)}
	for _, stake := range stakes {
		one := planned{stake, "", cmp.Or(p.className(stake.Class), p.common()), stake.Shares, source}
		if stake.Portion != nil {
			one.shares = cut.next(*stake.Portion)
		}
		if one.shares != "" {
			one.item = p.id(kindShareholding, strconv.Itoa(len(p.holdings))+" "+one.Holder)
			p.holdings = append(p.holdings, one)
		}
	}
	p.holdings = slices.DeleteFunc(p.holdings, func(one planned) bool { return p.removed(one.item) })
	if pool != nil {
		if p.reserved = pool.Shares; pool.Portion != nil {
			p.reserved = cut.next(*pool.Portion)
		}
		if p.removed(p.id(kindPlan, "")) {
			p.reserved = ""
		}
	}
}

// apportionment divides a total into whole shares. The shares of portions that sum to 1 sum to the total.
type apportionment struct {
	total, end *big.Rat
}

// next returns the shares of the next portion; empty if the portion or the total is no number.
func (a *apportionment) next(portion messages.Portion) string {
	part, of := rational(portion.Part), rational(portion.Of)
	if a.total == nil || part == nil || of == nil || of.Sign() <= 0 {
		return ""
	}
	begin := exact.RoundDown(new(big.Rat).Mul(a.end, a.total), 0)
	a.end = new(big.Rat).Add(a.end, part.Quo(part, of))
	return exact.RoundDown(new(big.Rat).Mul(a.end, a.total), 0).Sub(begin).String()
}

// rational returns the number, or nil for other text.
func rational(text string) *big.Rat {
	number, err := exact.ParseDecimal(text)
	if err != nil {
		return nil
	}
	return number.Rat()
}

// split returns the stakes of founders without stated shares, after a question.
func (p *planner) split() []messages.StakeFacts {
	var founders []messages.PersonFacts
	for _, one := range p.facts.People {
		if !one.Institution && one.Relationship == "founder" {
			founders = append(founders, one)
		}
	}
	if len(founders) == 0 {
		return nil
	}
	answer := p.ask("split", messages.PlanQuestion{
		Text: "How are the shares divided among the founders?", Kind: kindChoice, Options: []string{equalShares, noShares}, Required: true,
	})
	if answer != equalShares {
		return nil
	}
	// The founders divide the rest beside the pool.
	part, of := big.NewRat(1, int64(len(founders))), p.facts.Pool
	if of != nil && of.Portion != nil {
		if share, whole := rational(of.Portion.Part), rational(of.Portion.Of); share != nil && whole != nil && whole.Sign() > 0 {
			rest := new(big.Rat).Sub(big.NewRat(1, 1), share.Quo(share, whole))
			part.Mul(part, rest)
		}
	}
	stakes := make([]messages.StakeFacts, len(founders))
	for i, one := range founders {
		stakes[i] = messages.StakeFacts{Holder: one.Name, Portion: &messages.Portion{Part: part.Num().String(), Of: part.Denom().String()}}
	}
	return stakes
}

// common returns the name of the common stock: the declared one, or else that of the stakes.
func (p *planner) common() string {
	for _, class := range p.facts.Classes {
		if class.Kind == "common" {
			return class.Name
		}
	}
	for _, one := range p.facts.Stakes {
		if one.Class != "" && kindOfClass(one.Class) == "common" {
			return one.Class
		}
	}
	if p.facts.Type == "llc" {
		return "Membership Units"
	}
	return "Common Stock"
}

// declared returns the facts about a class; empty without any. "Common" is the class "Common Stock" if no class has exactly that name.
func (p *planner) declared(name string) messages.ClassFacts {
	for _, same := range []func(a, b string) bool{strings.EqualFold, sameClass} {
		for _, class := range p.facts.Classes {
			if same(class.Name, name) {
				return class
			}
		}
	}
	return messages.ClassFacts{}
}

// sameClass reports whether two names differ only in their case and in last words such as "Stock" or "Preferred Stock".
func sameClass(a, b string) bool {
	short := func(name string) string {
		words := strings.Fields(strings.ToLower(name))
		for len(words) > 1 && slices.Contains([]string{"stock", "shares", "units", "preferred"}, words[len(words)-1]) {
			words = words[:len(words)-1]
		}
		return strings.Join(words, " ")
	}
	return short(a) == short(b)
}

// className returns the declared name of the class.
func (p *planner) className(name string) string { return cmp.Or(p.declared(name).Name, name) }

// kindOfClass returns the kind of a class that is known by its name only.
func kindOfClass(name string) string {
	if lower := strings.ToLower(name); strings.Contains(lower, "preferred") || strings.Contains(lower, "series") {
		return "preferred"
	}
	return "common"
}

// classes adds the securities: the declared ones, and those of the stakes and of the pool.
func (p *planner) classes() {
	all := slices.Clone(p.facts.Classes)
	need := func(name string) {
		if slices.ContainsFunc(all, func(c messages.ClassFacts) bool { return strings.EqualFold(c.Name, name) }) {
			return
		}
		all = append(all, messages.ClassFacts{Name: name, Kind: kindOfClass(name)})
	}
	need(p.common())
	for _, one := range p.holdings {
		need(one.class)
	}
	for _, class := range all {
		p.class(class)
	}
}

func (p *planner) class(class messages.ClassFacts) {
	used := p.used(class.Name)
	item := messages.PlanItem{ID: p.id(kindSecurity, class.Name), Kind: kindSecurity, Operation: createSecurity}
	if p.removed(item.ID) {
		return
	}
	authorized := class.Authorized
	switch {
	case authorized == "":
		item.Source, item.Confidence = fromDefault, low
		if authorized = used.String(); class.Kind == "common" {
			authorized = exact.MustDecimal(cmp.Or(p.total, defaultShares)).Max(used).String()
		}
		item.Warnings = []messages.PlanWarning{{Code: "assumedShares", Message: "The number of authorized shares is assumed."}}
	case exact.MustDecimal(authorized).Cmp(used) < 0:
		needed := used.String()
		authorized = p.ask("authorized "+class.Name, messages.PlanQuestion{
			Text: inGroups(authorized) + " shares of " + class.Name + " are authorized, but " + inGroups(needed) + " are planned. How many are authorized?",
			Kind: kindNumber, Required: true, Default: &needed,
		})
		item.Source = p.source("authorized " + class.Name)
	}
	kind := class.Kind
	if p.facts.Type == "llc" && kind == "common" {
		kind = "unit"
	}
	p.add(item, map[string]any{
		"name": class.Name, "shareType": kind, "authorizedShares": authorized, "parValue": class.ParValue, "price": class.Price,
	})
}

// used returns the number of planned shares of a class, with the pool.
func (p *planner) used(class string) exact.Decimal {
	sum := exact.NewDecimal(0)
	add := func(text string) {
		if number, err := exact.ParseDecimal(text); err == nil {
			sum = sum.Add(number)
		}
	}
	for _, one := range p.holdings {
		if strings.EqualFold(one.class, class) {
			add(one.shares)
		}
	}
	if strings.EqualFold(p.common(), class) {
		add(p.reserved)
	}
	return sum
}

// schedule adds the vesting schedule of the founders' shares.
func (p *planner) schedule() {
	vesting := p.facts.Vesting
	if vesting == nil || vesting.Months <= 0 {
		return
	}
	months := func(n int) map[string]any { return map[string]any{"n": n, "unit": "months"} }
	continuous := map[string]any{"length": months(vesting.Months), "frequency": months(1)}
	name := strconv.Itoa(vesting.Months) + " months"
	if vesting.CliffMonths > 0 {
		continuous["cliff"] = map[string]any{"after": months(vesting.CliffMonths)}
		name += ", cliff after " + strconv.Itoa(vesting.CliffMonths)
	}
	p.add(messages.PlanItem{ID: p.id(kindSchedule, ""), Kind: kindSchedule, Operation: createSchedule}, map[string]any{
		"organization": p.organizationID(), "name": name, "allocation": "CUMULATIVE_ROUND_DOWN", "continuous": continuous,
	})
}

// plan adds the option plan with its pool.
func (p *planner) plan() {
	if p.facts.Pool == nil || p.reserved == "" {
		return
	}
	name := cmp.Or(p.facts.Pool.Plan, p.of.AnalyzedOn[:4]+" Equity Incentive Plan")
	p.add(messages.PlanItem{
		ID: p.id(kindPlan, ""), Kind: kindPlan, Operation: createPlan,
	}, map[string]any{"name": name, "pools": []any{map[string]any{
		"name": "Options", "security": p.id(kindSecurity, p.common()), "totalShares": p.reserved,
	}}})
}

// issueDate returns the date of an issue: the stated one, else that of the formation, else the day of the analysis.
func (p *planner) issueDate(stated string) string {
	formed := p.facts.FormedOn
	if formed > p.of.AnalyzedOn {
		formed = "" // an issue cannot be in the future
	}
	return cmp.Or(stated, formed, p.of.AnalyzedOn)
}

func (p *planner) shareholdings() {
	founders := map[string]bool{}
	for _, one := range p.facts.People {
		founders[one.Name] = !one.Institution && (one.Relationship == "founder" || one.Self)
	}
	for _, one := range p.holdings {
		item := messages.PlanItem{ID: one.item, Kind: kindShareholding, Operation: issueShareholding, Source: one.source}
		if one.Date == "" {
			item.Warnings = []messages.PlanWarning{{Code: "assumedDate", Message: "The issue date is assumed."}}
			item.Confidence = low
		}
		fields := map[string]any{
			"entity": p.entity(one.Holder), "security": p.id(kindSecurity, one.class), "shares": one.shares,
			"issueDate": p.issueDate(one.Date), "pricePerShare": cmp.Or(one.Price, p.declared(one.class).Price),
		}
		if founders[one.Holder] {
			fields["issuanceType"] = "founders"
			if p.facts.Vesting != nil && p.facts.Vesting.Months > 0 && one.class == p.common() {
				fields["vestingSchedule"] = p.id(kindSchedule, "")
			}
		}
		p.add(item, fields)
	}
}

func (p *planner) convertibles() {
	for i, one := range p.facts.Convertibles {
		key := strconv.Itoa(i) + " " + one.Holder
		item := messages.PlanItem{ID: p.id(kindConvertible, key), Kind: kindConvertible, Operation: createHolding, Confidence: high}
		if p.removed(item.ID) {
			continue
		}
		amount := one.Amount
		if amount == "" {
			amount = p.ask("amount "+key, messages.PlanQuestion{
				Text: "What is the amount of the " + instrumentOf(one.Kind) + " of " + p.named(p.entity(one.Holder), one.Holder) + "?",
				Kind: kindMoney, Required: true,
			})
			item.Source = fromAnswer
		}
		if one.Date == "" {
			item.Warnings = append(item.Warnings, messages.PlanWarning{Code: "assumedDate", Message: "The issue date is assumed."})
			item.Confidence = low
		}
		if one.Cap == "" && one.Discount == "" {
			item.Warnings = append(
				item.Warnings, messages.PlanWarning{Code: "noTerms", Message: "It has neither a valuation cap nor a discount."},
			)
			item.Confidence = low
		}
		date := p.issueDate(one.Date)
		fields := map[string]any{
			"organization": p.organizationID(), "kind": one.Kind, "entity": p.entity(one.Holder), "issueDate": date,
			"principal":    map[string]any{"amount": amount, "currency": cmp.Or(one.Currency, p.currency())},
			"valuationCap": one.Cap, "discount": one.Discount, "maturityDate": one.Maturity,
		}
		if one.PreMoney {
			fields["capBasis"] = "pre"
		}
		if one.Interest != "" {
			fields["interest"] = map[string]any{"rates": []any{map[string]any{"from": date, "rate": one.Interest}}}
		}
		p.add(item, fields)
	}
}

package captable_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/exit"
	"equity/captable/explain"
	"equity/captable/vesting"
)

// scaled is a company with quantities in multiples of shares and prices per share in multiples
// of prices. With suitable factors, the same steps produce a company before a split
// and an equivalent company that was entered in shares after the split.
type scaled struct {
	*bundle
	shares, prices  int64
	common, class   captable.SecurityID
	ref             captable.PoolRef
	refusedPrograms []bool
	// accepted counts the accepted deeds by kind, if it is not nil.
	accepted map[string]int
}

// deed is one step of a history, in abstract units.
type deed struct {
	kind, pick int
	units      int64
	day        captable.Date
}

func (c *scaled) quantity(units int64) captable.Decimal { return exact.NewDecimal(units * c.shares) }

func (c *scaled) amount(units int64) captable.Decimal {
	return exact.RoundDown(big.NewRat(units*c.prices, 100), exact.Places)
}

func (c *scaled) price(units int64) *captable.Price { return &captable.Price{Amount: c.amount(units)} }

func newScaled(tb testing.TB, shares, prices int64) *scaled {
	tb.Helper()
	c := &scaled{bundle: setup(tb), shares: shares, prices: prices}
	c.now = exact.MustDate("2021-01-01").Time().Add(9 * time.Hour)
	c.common = c.security(c.commonTerms(3))
	terms := preferred("Preferred")
	terms.Price, terms.AuthorizedShares = price("6"), limit("100000")
	terms.Conversion = &captable.Conversion{
		Security: c.common, Fraction: captable.Ratio{Numerator: exact.NewDecimal(shares), Denominator: number("21")},
	}
	c.class = c.security(terms)
	c.ref = c.plan(c.planTerms(captable.PlanTerms{}, 200))
	return c
}

func (c *scaled) commonTerms(units int64) captable.SecurityTerms {
	return captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, Price: c.price(units), ParValue: c.price(1),
		AuthorizedShares: captable.AuthorizedOf(c.quantity(1_000_000)),
	}
}

func (c *scaled) planTerms(terms captable.PlanTerms, strike int64) captable.PlanTerms {
	if terms.Name == "" {
		terms = planned(c.common, c.quantity(100_000).String())
		terms.ApprovedEquities = []captable.ApprovedEquity{
			{Type: captable.GrantISO, Quantity: new(c.quantity(90_000))},
			{Type: captable.GrantSAR},
			{Type: captable.GrantRSU},
			{Type: captable.GrantNSO},
		}
	}
	terms.Pools[0].StrikePrice = c.price(strike)
	return terms
}

// split splits the common shares. Later steps are in shares after the split.
func (c *scaled) split(shares, prices int64, on captable.Date) {
	c.Helper()
	c.now = on.Time().Add(9 * time.Hour)
	c.do(captable.SplitSecurity{ID: c.common, Numerator: exact.NewDecimal(shares), Denominator: exact.NewDecimal(prices), Date: on})
	c.shares, c.prices = shares, prices
}

// perform carries out a step and records whether it was refused.
func (c *scaled) perform(d deed) {
	c.Helper()
	c.now = d.day.Time().Add(9 * time.Hour)
	command := c.command(d)
	if command == nil {
		return
	}
	events, err := c.decide(command)
	c.refusedPrograms = append(c.refusedPrograms, err != nil)
	c.apply(events)
	if err == nil && c.accepted != nil {
		c.accepted[strconv.Itoa(d.kind)]++
	}
}

func (c *scaled) command(d deed) captable.Command {
	holder := captable.HolderRef{Entity: []captable.EntityID{ada, bob, cleo}[d.pick%3]}
	shares := c.quantity(d.units * 48)
	switch d.kind {
	case 0, 1:
		of := []captable.SecurityID{c.common, c.class}[d.kind]
		command := captable.IssueShareholding{HolderRef: holder, Security: of, Shares: shares, IssueDate: d.day}
		command.PricePerShare = c.price(d.units)
		if of == c.class { // this class is not split
			command.Shares, command.PricePerShare = exact.NewDecimal(d.units*21), price("6")
		}
		return command
	case 2, 3:
		command := captable.GrantOption{HolderRef: holder, Quantity: shares, ExercisePrice: c.price(d.units)}
		command.Plan, command.Pool, command.IssueDate = c.ref.Plan, c.ref.Pool, d.day
		command.Type = []captable.GrantType{captable.GrantISO, captable.GrantNSO, captable.GrantSAR, captable.GrantRSU}[d.pick%4]
		command.EarlyExercise = command.Type != captable.GrantRSU && d.kind == 3
		command.Vesting = &vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
			Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		}}
		if command.Type == captable.GrantRSU {
			command.ExercisePrice = nil
		}
		if d.units%2 == 0 {
			command.MarketValue = c.price(d.units + 2)
		}
		return command
	case 4:
		return captable.PutValuation{ValuationTerms: captable.ValuationTerms{
			Security: c.common, Type: "409A", EffectiveDate: d.day, PricePerShare: dollars(c.amount(d.units * 5).String()),
		}}
	case 5:
		command := captable.IssueInstrument{HolderRef: holder}
		command.Kind, command.IssueDate, command.Security, command.Quantity = captable.KindWarrant, d.day, c.common, shares
		command.ExercisePrice = c.price(d.units)
		return command
	case 6:
		command := safe(holder.Entity, c.amount(d.units).Mul(shares).String(), d.day.String())
		command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: c.common, Price: new(c.amount(d.units))}
		if d.pick%2 == 0 {
			command.FixedConversion = &captable.FixedConversion{Security: c.common, Shares: new(shares)}
		}
		return command
	default:
		return c.later(d)
	}
}

// later returns the command of a step about existing records.
func (c *scaled) later(d deed) captable.Command {
	switch d.kind {
	case 7:
		held := slices.Collect(c.state.Shareholdings())
		if len(held) == 0 {
			return nil
		}
		h := held[d.pick%len(held)]
		shares := c.quantity(d.units)
		if h.Security == c.class {
			return captable.ConvertShareholding{ID: h.ID, Security: c.common, Date: d.day}
		}
		if vested, vests := c.state.VestedOn(h, d.day); vests && !vested.Unvested.IsZero() {
			shares = h.Shares // a part would round the vested shares, which stay vested through the split
		}
		return captable.TransferShareholding{Shareholding: h.ID, To: captable.HolderRef{Entity: cleo}, Shares: shares, Date: d.day, Kind: "sale"}
	case 8, 9:
		return c.deduction(d)
	case 10:
		terms := c.commonTerms(d.units)
		return captable.ReplaceSecurity{ID: c.common, SecurityTerms: terms}
	case 11:
		instruments := slices.Collect(c.state.Instruments())
		if len(instruments) == 0 {
			return nil
		}
		i := instruments[d.pick%len(instruments)]
		if i.Kind == captable.KindWarrant {
			return captable.ExerciseWarrant{ID: i.ID, Quantity: c.quantity(d.units), Date: d.day, Payment: captable.PayCash}
		}
		return captable.ConvertInstrument{ID: i.ID, Security: c.common, Date: d.day}
	default:
		return nil
	}
}

// taking returns a command that takes a quantity out of a grant, or requests to do so.
func (c *scaled) deduction(d deed) captable.Command {
	grants := slices.Collect(c.state.Grants())
	if len(grants) == 0 {
		return nil
	}
	g := grants[d.pick%len(grants)]
	switch {
	case g.Type == captable.GrantRSU:
		return captable.ReleaseGrant{ID: g.ID, Quantity: new(c.quantity(d.units)), Date: d.day}
	case d.kind == 8:
		return captable.RequestExercise{ID: g.ID, Quantity: c.quantity(d.units), Date: d.day}
	case g.Type == captable.GrantSAR:
		return captable.CancelGrant{ID: g.ID, Quantity: new(c.quantity(d.units)), Date: d.day, Reason: "r"}
	default:
		return captable.ExerciseGrant{ID: g.ID, Quantity: c.quantity(d.units), Date: d.day}
	}
}

// net performs net exercises at the valuation in force. Their results are rounded, so only
// companies in shares after the split may be compared.
func (c *scaled) net(on captable.Date) (results []string) {
	c.now = on.Time().Add(9 * time.Hour)
	note := func(command captable.Command) {
		events, err := c.decide(command)
		result := "refused"
		if err == nil {
			c.apply(events)
			result = text(c, events)
		}
		results = append(results, result)
	}
	for g := range c.state.Copy().Grants() {
		if g.IsOption() {
			note(captable.ExerciseGrant{ID: g.ID, Quantity: c.quantity(1), Date: on, Payment: captable.PayNet})
		}
	}
	for i := range c.state.Copy().Instruments() {
		if i.Kind == captable.KindWarrant {
			note(captable.ExerciseWarrant{ID: i.ID, Quantity: c.quantity(1), Date: on, Payment: captable.PayNet})
		}
	}
	return results
}

// reads returns all reads as of the day, by name.
func (c *scaled) reads(day captable.Date) map[string]string {
	s, read := c.state, map[string]string{}
	table := c.on(day.String())
	note := func(name string, value any) { read[name] = plain(c, value) }
	note("table", table)
	lines := map[captable.SecurityID]captable.TableSecurity{}
	for _, line := range table.Securities {
		lines[line.ID] = line
	}
	for security := range s.Securities() {
		quote, _ := s.QuoteOn(security, day)
		note("security "+security.Name, []any{security.On(lines[security.ID], day), quote, s.PriceOn(security.ID, day)})
	}
	for h := range s.Shareholdings() {
		if was, issued := h.On(day); issued {
			vested, _ := s.VestedOn(was, day)
			note("shareholding "+h.ID.String(), []any{was.Shown(), vested, h.SharesOn(day), h.Invested()})
		}
	}
	for plan := range s.Plans() {
		was := s.PlanOn(plan, day)
		note("plan", []any{was, s.PlanSums(was, day)})
	}
	for g := range s.Grants() {
		if was, made := g.AsOf(day); made {
			note("grant "+g.ID.String(), []any{was, g.On(day), s.ISOSplit(g, day, "USD"), g.Schedule(day)})
		}
	}
	for i := range s.Instruments() {
		if was, issued := i.On(day); issued {
			note("holding "+i.ID.String(), []any{was, i.LeftOn(day)})
		}
	}
	for v := range s.Valuations() {
		if v.EffectiveDate <= day {
			note("valuation "+v.ID.String(), s.ValuationOn(v, day))
		}
	}
	for _, entity := range []captable.EntityID{ada, bob, cleo} {
		for _, held := range s.HeldOn(entity, day) {
			note("held "+entity.String()+held.Security.Name, []any{held.Shares, held.Invested, held.Quote, held.Value()})
		}
		for n, right := range s.RightsOn(entity, day, "USD") {
			value, known := right.Value()
			note("right "+entity.String()+strconv.Itoa(n), []any{right.Shares, right.Reach, right.Cost, right.Quote, value, known})
		}
	}
	c.explained(day, table, read)
	return read
}

// explained adds the explained values of figures to the reads.
func (c *scaled) explained(day captable.Date, table captable.Table, read map[string]string) {
	figures := []string{"total/authorized", "total/issued", "total/outstanding", "total/fullyDiluted", "total/options", "total/warrants"}
	for _, line := range table.Securities {
		for _, which := range []string{"available", "reserved", "fullyDiluted", "percentFullyDiluted"} {
			figures = append(figures, "security/"+line.ID.String()+"/"+which)
		}
	}
	for g := range c.state.Grants() {
		for _, which := range []string{"quantity", "vested", "exercisable", "outstanding", "exercised"} {
			figures = append(figures, "option/"+g.ID.String()+"/"+which)
		}
	}
	for _, figure := range figures {
		term, err := explain.Figure(c.state, figure, day, c.nameOf)
		if err != nil {
			c.Fatal(err)
		}
		read["explanation of "+figure] = term.Value.String()
	}
}

// scenarios returns the outcomes of a round and of a sale on a day after all steps.
func (c *scaled) scenarios(day captable.Date) string {
	m := c.moment()
	m.Now = day.Time().Add(9 * time.Hour)
	round := captable.RoundTerms{
		Date: day, PricePerShare: new(c.amount(700)), Convention: conversion.SafesInsidePreMoney,
		Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Next"}},
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{Name: "New"}, Amount: number("100000")}},
	}
	planned, err := c.state.PlanRound(round, m, c.nameOf)
	planned.Explanation, planned.Confirm = nil, "" // the explanation is prose
	sold, refused := exit.Plan(c.state, exit.Terms{Date: day, Values: []captable.Decimal{number("50000"), number("9000000")}}, m, c.nameOf)
	return plain(c, []any{planned, err, sold, refused})
}

// plain writes a value without versions and without the history of splits, which only one of
// the companies has.
func plain(tb testing.TB, value any) string {
	tb.Helper()
	packed, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	var read any
	if err := json.Unmarshal(packed, &read); err != nil {
		tb.Fatal(err)
	}
	packed, err = json.Marshal(stripped(read))
	if err != nil {
		tb.Fatal(err)
	}
	return string(packed)
}

func stripped(value any) any {
	switch of := value.(type) {
	case []any:
		for i := range of {
			of[i] = stripped(of[i])
		}
	case map[string]any:
		for _, history := range []string{
			"version", "updatedAt", "before", "splits", "authorizations", "treasuryMoves", "pastPrices", "pastConversions",
			"pastStrikes", "pastApprovals", "results", "serials", "grants", "requests",
		} {
			if requests, listed := of[history].([]any); listed && history == "requests" && len(requests) > 0 {
				of["requested"] = requests[0].(map[string]any)["quantity"]
			}
			delete(of, history)
		}
		for name := range of {
			of[name] = stripped(of[name])
		}
	}
	return value
}

// same checks that the reads of two companies are equal.
func (b *bundle) same(what string, got, want map[string]string) {
	b.Helper()
	for name, text := range want {
		equal(b, what+", "+name, got[name], text)
	}
}

// kindsOfDeeds is the number of kinds of deeds.
const kindsOfDeeds = 12

// drawDeeds draws steps with ascending days, beginning at first.
func drawDeeds(draw *rapid.T, name string, first captable.Date, most int) []deed {
	deeds := make([]deed, rapid.IntRange(1, most).Draw(draw, name))
	for i := range deeds {
		first += captable.Date(rapid.IntRange(0, 40).Draw(draw, "days"))
		deeds[i] = deed{
			kind: rapid.IntRange(0, kindsOfDeeds-1).Draw(draw, "kind"), pick: rapid.IntRange(0, 11).Draw(draw, "pick"),
			units: int64(rapid.IntRange(1, 9).Draw(draw, "units")), day: first,
		}
	}
	return deeds
}

func checkSplitInvariance(t *testing.T, counts map[string]int) func(*rapid.T) {
	t.Helper()
	return func(draw *rapid.T) {
		ratio := rapid.SampledFrom([][2]int64{{10, 1}, {3, 2}, {7, 3}, {1, 3}, {2, 5}}).Draw(draw, "ratio")
		before := drawDeeds(draw, "before", exact.MustDate("2021-01-02"), 12)
		on := before[len(before)-1].day + 1
		after := drawDeeds(draw, "after", on+1, 6)
		last := after[len(after)-1].day + 1

		split, unsplit, restated := newScaled(drawing{t, draw}, ratio[1], ratio[0]), newScaled(drawing{t, draw}, ratio[1], ratio[0]), newScaled(drawing{t, draw}, ratio[0], ratio[1])
		split.accepted = counts
		for _, d := range before {
			split.perform(d)
			unsplit.perform(d)
			restated.perform(d)
		}
		split.split(ratio[0], ratio[1], on)
		unsplit.now, restated.now = split.now, split.now
		split.same("on the day of the split", split.reads(on), restated.reads(on))
		for _, day := range []captable.Date{on - 1, before[0].day} {
			split.same("before the split, on "+day.String(), split.reads(day), unsplit.reads(day))
		}
		for _, d := range after {
			split.perform(d)
			restated.perform(d)
		}
		equal(split, "refusals", text(split, split.refusedPrograms), text(split, restated.refusedPrograms))
		equal(split, "net", text(split, split.net(last)), text(split, restated.net(last)))
		for _, day := range []captable.Date{on, on + 1, after[0].day, last, last + 400} {
			split.same("on "+day.String(), split.reads(day), restated.reads(day))
		}
		equal(split, "scenarios", split.scenarios(last+1), restated.scenarios(last+1))
		equal(split, "audit", len(split.state.Audit()), 0)
	}
}

// A company with a split has the same reads as a company that was entered in shares after the
// split. As of a day before the split, it has the same reads as a company without the split.
// TORTURE_SECONDS extends the search.
func TestSplitsAreInvariant(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	var kinds []string
	for kind := range kindsOfDeeds {
		kinds = append(kinds, strconv.Itoa(kind))
	}
	untilReached(t, counts, kinds, checkSplitInvariance(t, counts))
}

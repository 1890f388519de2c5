package captable_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
)

// dateOf returns the effective date of an event. It returns zero for an event that affects
// every day, such as a change of clerical fields or the removal of an erroneous entry.
func dateOf(event captable.Event) captable.Date {
	switch e := event.(type) {
	case captable.SecurityCreated:
		return e.EffectiveDate
	case captable.SecurityChanged:
		return e.EffectiveDate
	case captable.SharesAuthorized:
		return e.EffectiveDate
	case captable.SecuritySplit:
		return e.Date
	case captable.ShareholdingIssued:
		return e.IssueDate
	case captable.ShareholdingAccepted:
		return e.Date
	case captable.ShareholdingEnded:
		return e.Date
	case captable.PoolAdjusted:
		return e.EffectiveDate
	default:
		return dateOfRight(event)
	}
}

// dateOfRight is dateOf for events of grants, convertibles and warrants.
func dateOfRight(event captable.Event) captable.Date {
	switch e := event.(type) {
	case captable.OptionGranted:
		return e.IssueDate
	case captable.OptionAccepted:
		return e.Date
	case captable.OptionRepriced:
		return e.Date
	case captable.OptionRetracted:
		return e.Date
	case captable.OptionExercised:
		return e.Deduction.Date
	case captable.OptionReduced:
		return e.Deduction.Date
	case captable.OptionVestingChanged:
		if e.Happening != nil {
			return e.Happening.Date
		}
		return e.Acceleration.Date
	case captable.ExerciseRequested:
		return e.Request.Date
	case captable.InstrumentIssued:
		return e.IssueDate
	case captable.InstrumentAccepted:
		return e.Date
	case captable.InstrumentRepaid:
		return e.Date
	case captable.InstrumentConverted:
		return e.Date
	case captable.WarrantExercised:
		return e.Date
	case captable.InstrumentEnded:
		return e.Date
	default:
		return 0
	}
}

// cutAfter replays the events with an effective date up to the day. It omits the reserves of a
// plan that begin later.
func cutAfter(tb testing.TB, rows []recorded, day captable.Date) *captable.State {
	tb.Helper()
	cut, full := captable.NewState(), captable.NewState()
	for _, row := range rows {
		event, err := captable.Decoders()[row.kind](row.payload)
		if err != nil {
			tb.Fatal(err)
		}
		on := dateOf(event)
		if _, declined := event.(captable.ExerciseDeclined); declined {
			on = exact.DateOf(row.stamp.At.Time())
		}
		if on <= day {
			for _, event := range restatedFor(cut, full, event, day) {
				cut.Apply(event, row.stamp)
			}
		}
		whole, _ := captable.Decoders()[row.kind](row.payload)
		full.Apply(whole, row.stamp)
	}
	return cut
}

// restatedFor returns the event as the cut history would record it. The full history is that before
// the event.
func restatedFor(cut, full *captable.State, event captable.Event, day captable.Date) []captable.Event {
	switch e := event.(type) {
	case captable.PlanCreated:
		e.Reserves = reservesUntil(e.Reserves, day)
		return []captable.Event{e}
	case captable.PlanChanged:
		e.Reserves = reservesUntil(e.Reserves, day)
		return []captable.Event{e}
	case captable.SecurityChanged:
		e.Terms.AuthorizedShares = stated(e.Terms.AuthorizedShares, e.ID, full, cut)
		return []captable.Event{e}
	case captable.SharesAuthorized:
		if e.OfDay { // the limit of its day
			return []captable.Event{e}
		}
		if events := addedBeforeUnlimited(cut, full, e); len(events) > 0 {
			return events
		}
		e.Authorized = stated(e.Authorized, e.ID, full, cut)
		return []captable.Event{e}
	case captable.SecuritySplit:
		e.Authorized = stated(e.Authorized, e.ID, full, cut)
		return []captable.Event{e}
	case captable.InstrumentAmended:
		was, _ := full.Instrument(e.ID)
		if is, issued := cut.Instrument(e.ID); issued && splitsOf(was) > splitsOf(is) {
			e.Terms.ExercisePrice, e.Terms.FixedConversion = is.ExercisePrice, is.FixedConversion
		}
		return []captable.Event{e}
	default:
		return []captable.Event{event}
	}
}

// splitsOf returns the number of splits that restated the instrument. An amended price counts from
// the last of them on, because it is per share after the split.
func splitsOf(i *captable.Instrument) (splits int) {
	for _, past := range i.Before {
		if !past.Ratio.Numerator.IsZero() {
			splits++
		}
	}
	return splits
}

// addedBeforeUnlimited returns one event for each limit from the date of the event on, if the last
// limit of the cut history is unlimited. A single event states the last limit only, so that it
// cannot add shares to the earlier limits.
func addedBeforeUnlimited(cut, full *captable.State, e captable.SharesAuthorized) (events []captable.Event) {
	was, _ := full.Security(e.ID)
	is, _ := cut.Security(e.ID)
	if was == nil || is == nil || !is.AuthorizedShares.Unlimited || was.AuthorizedShares.Unlimited || e.Authorized.Unlimited {
		return nil
	}
	state := func(limit captable.Authorized, from captable.Date) {
		if !limit.Unlimited {
			limit = captable.AuthorizedOf(limit.Shares.Add(e.Authorized.Shares).Sub(was.AuthorizedShares.Shares))
		}
		events = append(events, captable.SharesAuthorized{ID: e.ID, Authorized: limit, EffectiveDate: from})
	}
	var inForce captable.Authorized
	for _, past := range is.Authorizations {
		if past.EffectiveDate <= e.EffectiveDate {
			inForce = past.Authorized
		}
	}
	state(inForce, e.EffectiveDate)
	for _, past := range is.Authorizations {
		if past.EffectiveDate > e.EffectiveDate {
			state(past.Authorized, past.EffectiveDate)
		}
	}
	return events
}

// stated returns the authorized limit that an event would state in the cut history. An event
// states the new limit, not the change. The limit before the event may include changes with a
// later effective date, which the cut history lacks.
func stated(limit captable.Authorized, id captable.SecurityID, full, cut *captable.State) captable.Authorized {
	was, _ := full.Security(id)
	is, _ := cut.Security(id)
	if was != nil && is != nil && limit == was.AuthorizedShares {
		return is.AuthorizedShares
	}
	if was != nil && is != nil && is.AuthorizedShares.Unlimited && !limit.Unlimited && !was.AuthorizedShares.Unlimited {
		return is.AuthorizedShares
	}
	if was == nil || is == nil || limit.Unlimited || was.AuthorizedShares.Unlimited || is.AuthorizedShares.Unlimited {
		return limit
	}
	return captable.AuthorizedOf(is.AuthorizedShares.Shares.Add(limit.Shares.Sub(was.AuthorizedShares.Shares)))
}

func reservesUntil(all []captable.PoolReserve, day captable.Date) (until []captable.PoolReserve) {
	for _, reserve := range all {
		if reserve.From <= day {
			until = append(until, reserve)
		}
	}
	return until
}

// readOn writes all reads of the state as of the day. It omits the metadata of records, and the
// prices and the certificate counters of classes.
func readOn(tb testing.TB, s *captable.State, day captable.Date) string {
	tb.Helper()
	var all strings.Builder
	line := func(about string, records ...any) {
		all.WriteString(about)
		for _, record := range records {
			all.WriteString(" " + text(tb, record))
		}
		all.WriteString("\n")
	}
	table := s.TableOn(day, func(captable.EntityID) string { return "" })
	line("table", table)
	for _, row := range table.Securities {
		if security, ok := s.Security(row.ID); ok {
			was := *security.On(row, day)
			was.Meta, was.Price, was.ParValue, was.Serials = captable.Meta{}, nil, nil, 0
			was.Authorizations = slices.CompactFunc(slices.Clone(was.Authorizations), func(a, b captable.Authorization) bool {
				return a.Authorized == b.Authorized // an authorization without effect in the cut history
			})
			line("class", was)
		}
	}
	for held := range s.Shareholdings() {
		if was, issued := held.On(day); issued {
			vested, _ := s.VestedOn(was, day)
			was.Meta = captable.Meta{}
			line("shares", was, held.SharesOn(day), vested)
		}
	}
	for grant := range s.Grants() {
		if was, made := grant.AsOf(day); made {
			was.Meta = captable.Meta{}
			line("grant", was, grant.On(day))
		}
	}
	for i := range s.Instruments() {
		if was, issued := i.On(day); issued {
			balance, interest := i.Balance(day)
			was.Meta = captable.Meta{}
			line("instrument", was, i.LeftOn(day), balance, interest)
		}
	}
	readPlans(s, day, line)
	line("round", plannedOn(s, day))
	for _, figure := range figuresOn(table) {
		explained, err := explain.Figure(s, figure, day, func(captable.EntityID) string { return "" })
		if err != nil {
			tb.Fatalf("%s: %v", figure, err)
		}
		line(figure, explained.Value)
	}
	return all.String()
}

// plannedOn returns the outcome of a round over the cap table of the day, or its refusal.
func plannedOn(s *captable.State, day captable.Date) any {
	terms := captable.RoundTerms{
		Date: day, PreMoney: figure("10000000"),
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{Name: "Investor"}, Amount: number("2000000")}},
		Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Round of a past day", ShareType: captable.SharePreferred}},
	}
	outcome, err := s.PlanRound(terms, captable.DecideContext{Currency: "USD", Now: day.Time()}, func(captable.EntityID) string { return "" })
	if err != nil {
		return err.Error()
	}
	return outcome
}

func readPlans(s *captable.State, day captable.Date, line func(string, ...any)) {
	for plan := range s.Plans() {
		for _, pool := range s.PlanOn(plan, day).Pools {
			line("pool", pool.ID, pool.TotalShares, pool.PoolFigures)
		}
		sums := s.PlanSums(plan, day)
		line("plan", sums, s.GrantsOn(plan, day))
	}
}

// figuresOn returns the names of figures in the table that can be explained.
func figuresOn(table captable.Table) []string {
	figures := []string{"total/issued", "total/outstanding", "total/fullyDiluted"}
	for _, row := range table.Securities {
		for _, which := range []string{
			"authorized", "issued", "outstanding", "treasury", "reserved", "available", "fullyDiluted", "percentOutstanding",
		} {
			figures = append(figures, "security/"+row.ID.String()+"/"+which)
		}
	}
	for _, holder := range table.Holders {
		figures = append(figures, "holder/"+holder.Entity.String()+"/shares")
	}
	for _, pool := range table.Pools {
		for _, which := range []string{"reserve", "granted", "outstanding", "available"} {
			figures = append(figures, "pool/"+pool.Pool.String()+"/"+which)
		}
	}
	return figures
}

// dated reports whether the effect of the command begins on a day. Corrections of records and
// changes of plans affect every day.
func dated(command captable.Command) bool {
	switch command.(type) {
	case captable.CorrectShareholding, captable.CorrectGrant, captable.CorrectInstrument,
		captable.ReplacePlan, captable.DeletePlan:
		return false
	default:
		return true
	}
}

// long reports whether TORTURE_SECONDS requests longer histories.
func long(tb testing.TB) bool {
	tb.Helper()
	seconds := os.Getenv("TORTURE_SECONDS")
	if _, err := strconv.Atoi(seconds); err != nil && seconds != "" {
		tb.Fatalf("TORTURE_SECONDS: %v", err)
	}
	return seconds != ""
}

func TestReadsOfAPastDay(t *testing.T) {
	t.Parallel()
	t.Run("reads of a past day equal those of a company whose history ends on that day", func(t *testing.T) {
		t.Parallel()
		kinds := map[string]int{}
		untilReached(t, kinds, datedKinds(), func(draw *rapid.T) {
			c := newCompany(t, draw)
			least, most := 20, 50
			if long(t) {
				most = 80
			}
			for range rapid.IntRange(least, most).Draw(draw, "commands") {
				c.now = exact.MustDate("2022-01-01").Time().AddDate(0, 0, len(c.recorded)*9)
				if command := c.command(); dated(command) {
					c.try(command)
				}
			}
			for kind, n := range c.kinds {
				kinds[kind] += n
			}
			days := append(c.days(0), exact.DateOf(c.now))
			for range 4 {
				day := rapid.SampledFrom(days).Draw(draw, "read")
				equal(c, "as of "+day.String(), readOn(c, c.state, day), readOn(c, cutAfter(c, c.recorded, day), day))
			}
		})
	})
}

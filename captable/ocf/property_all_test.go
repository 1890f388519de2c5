package ocf_test

import (
	"flag"
	"maps"
	"math/big"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// records returns actions on several classes, legends, plans and pools.
func (l *life) records() map[string]func(*rapid.T) {
	fresh := func() string { return "n" + strconv.FormatUint(l.ids, 10) }
	pool := func(t *rapid.T) captable.PoolRef {
		var refs []captable.PoolRef
		for plan := range l.state.Plans() {
			for i := range plan.Pools {
				refs = append(refs, captable.PoolRef{Plan: plan.ID, Pool: plan.Pools[i].ID})
			}
		}
		return rapid.SampledFrom(refs).Draw(t, "pool")
	}
	return map[string]func(*rapid.T){
		"legend": func(t *rapid.T) {
			l.try(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: fresh(), Text: "text"}})
		},
		"class": func(t *rapid.T) {
			terms := captable.SecurityTerms{
				Name: fresh(), Prefix: fresh(), ShareType: captable.SharePreferred, AuthorizedShares: captable.AuthorizedOf(l.some(900)),
				Price: &captable.Price{Amount: l.some(9)}, ParValue: &captable.Price{Amount: number("0.001")}, DividendRate: new(number("0.08")),
			}
			if rapid.Bool().Draw(t, "converts") {
				terms.Conversion = &captable.Conversion{Security: l.common, Ratio: l.some(3)}
			}
			l.try(captable.CreateSecurity{SecurityTerms: terms})
		},
		"plan": func(t *rapid.T) {
			approved := l.day()
			if rapid.Bool().Draw(t, "of all days") {
				approved = 0
			}
			l.try(captable.CreatePlan{PlanTerms: captable.PlanTerms{
				PlanDetails: captable.PlanDetails{Name: fresh(), BoardApprovalDate: approved, CancellationBehavior: rapid.SampledFrom(
					[]captable.CancellationBehavior{captable.ReturnToPool, captable.Retire},
				).Draw(t, "behavior")},
				Pools: []captable.PoolTerms{
					{Name: "A", Security: l.common, TotalShares: l.some(50), StrikePrice: &captable.Price{Amount: number("0.7")}},
					{Name: "B", Security: l.common, TotalShares: l.some(50)},
				},
			}})
		},
		"issue on the day of a split": func(*rapid.T) {
			l.try(captable.IssueShareholding{HolderRef: l.anybody(), Security: l.class(), Shares: l.some(30), IssueDate: l.day()})
		},
		"issue on a past day": func(t *rapid.T) {
			l.try(captable.IssueShareholding{HolderRef: l.anybody(), Security: l.class(), Shares: l.some(30), IssueDate: l.ago(t)})
		},
		"accept on a past day": func(t *rapid.T) { l.try(captable.AcceptShareholding{ID: l.one(), Date: l.ago(t)}) },
		"transfer on a past day": func(t *rapid.T) {
			l.try(captable.TransferShareholding{Shareholding: l.one(), To: l.anybody(), Shares: l.some(50), Date: l.ago(t), Kind: "gift"})
		},
		"cancel on a past day": func(t *rapid.T) {
			l.try(captable.CancelShareholding{ID: l.one(), Shares: new(l.some(50)), Date: l.ago(t), Reason: "gone"})
		},
		"grant on a past day": func(t *rapid.T) {
			command := l.option(t)
			command.Vestings, command.IssueDate = nil, l.ago(t)
			l.try(command)
		},
		"grant outside a plan": func(t *rapid.T) {
			command := l.option(t)
			command.Plan, command.Pool, command.Class = captable.PlanID{}, captable.PoolID{}, l.class()
			l.try(command)
		},
		"exercise on a past day": func(t *rapid.T) {
			l.try(captable.ExerciseGrant{ID: l.given(), Quantity: l.some(20), Date: l.ago(t)})
		},
		"issue shares that vest": func(t *rapid.T) {
			command := captable.IssueShareholding{HolderRef: l.anybody(), Security: l.class(), Shares: l.some(90), IssueDate: l.day()}
			command.Vestings = []vesting.Vesting{
				{Date: l.day() + 5, Quantity: number("1")}, {Date: l.day() + 30, Quantity: command.Shares.Sub(number("1"))},
			}
			l.try(command)
		},
		"a holder leaves": func(t *rapid.T) {
			l.try(captable.TerminateHolder{
				Entity: l.anybody().Entity, Termination: captable.Termination{Date: l.ago(t), Reason: captable.VoluntaryOther},
			})
		},
		"close a round": func(t *rapid.T) { l.close(t, fresh()) },
		"adjust a pool": func(t *rapid.T) {
			l.try(captable.AdjustPool{PoolRef: pool(t), TotalShares: l.some(500), EffectiveDate: l.day()})
		},
		"adjust a pool on a past day": func(t *rapid.T) {
			// A size is a number of shares after the splits so far.
			l.try(captable.AdjustPool{PoolRef: pool(t), TotalShares: l.some(500), EffectiveDate: max(l.split, l.ago(t))})
		},
		"grant out of any pool": func(t *rapid.T) {
			command, ref := l.option(t), pool(t)
			command.Plan, command.Pool = ref.Plan, ref.Pool
			l.try(command)
		},
		"schedule": func(*rapid.T) {
			month := vesting.Period{N: 1, Unit: vesting.Months}
			l.try(captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{Name: fresh(), Scheme: vesting.Scheme{
				Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{Length: month.Times(24), Frequency: month},
			}}})
		},
		"valuation": func(t *rapid.T) {
			kind := rapid.SampledFrom([]string{"409A", "board"}).Draw(t, "type")
			l.try(captable.PutValuation{ValuationTerms: captable.ValuationTerms{
				Security: l.class(), Type: kind, EffectiveDate: l.day(),
				PricePerShare: &captable.Money{Amount: l.some(20), Currency: "USD"}, Provider: "P",
			}})
		},
		"block": func(t *rapid.T) {
			name := fresh()
			created := l.try(captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: name, CloseDate: l.day()}})
			if created && rapid.Bool().Draw(t, "used") {
				l.try(captable.IssueShareholding{
					HolderRef: l.anybody(), Security: l.class(), Shares: l.some(30), IssueDate: l.day(),
					ShareholdingDetails: captable.ShareholdingDetails{
						Block: name, Consideration: &captable.Consideration{Cash: l.some(99), IP: l.some(9)},
					},
				})
			}
		},
		"buy back": func(t *rapid.T) {
			l.try(captable.RepurchaseShareholding{
				ID: l.one(), Shares: l.some(100), Date: l.day(), Price: &captable.Price{Amount: number("1")}, ToTreasury: true,
			})
		},
		"authorize later": func(t *rapid.T) {
			l.try(captable.AuthorizeShares{
				ID: l.class(), Quantity: l.some(100), EffectiveDate: l.day() - captable.Date(rapid.IntRange(0, 20).Draw(t, "ago")),
			})
		},
		"split by any ratio": func(t *rapid.T) {
			of := func(name string) captable.Decimal { return exact.NewDecimal(rapid.Int64Range(1, 12).Draw(t, name)) }
			done := l.try(captable.SplitSecurity{
				ID: l.class(), Numerator: of("numerator"), Denominator: of("denominator"), Date: l.day(), KeepAuthorized: rapid.Bool().Draw(t, "keep"),
			})
			if done {
				l.split = l.day()
			}
		},
		"repay": func(t *rapid.T) {
			l.try(captable.RepayInstrument{
				ID: l.convertible(), Amount: captable.Price{Amount: l.some(200)}, Date: l.day(), InterestFirst: rapid.Bool().Draw(t, "interest first"),
			})
		},
		"a milestone in part": func(t *rapid.T) {
			l.try(captable.HappenGrant{ID: l.given(), Happening: vesting.Happening{
				Condition: "milestone", Date: l.day(), Realized: vesting.Fraction{Numerator: rapid.Int64Range(1, 3).Draw(t, "part"), Denominator: 3},
			}})
		},
		"grant for a milestone": func(t *rapid.T) {
			command := l.option(t)
			command.Vestings = nil
			command.Vesting = &vesting.Scheme{Allocation: vesting.CumulativeRounding, Terms: &vesting.Terms{Allocation: vesting.CumulativeRounding, Conditions: []vesting.Condition{
				{ID: "start", When: vesting.When{Kind: vesting.AtStart}, Next: []string{"milestone"}},
				{
					ID: "milestone", When: vesting.When{Kind: vesting.OnEvent},
					Vests: vesting.Portion{Fraction: vesting.Fraction{Numerator: 1, Denominator: 1}}, Next: []string{},
				},
			}}}
			l.try(command)
		},
	}
}

// ago draws a date within the last 30 days, including today.
func (l *life) ago(t *rapid.T) captable.Date {
	return l.day() - captable.Date(rapid.IntRange(0, 30).Draw(t, "days ago"))
}

// close closes a small round, if it can be solved.
func (l *life) close(t *rapid.T, name string) {
	price, amount := l.some(20), l.some(200)
	terms := captable.RoundTerms{
		Date: l.day(), PricePerShare: &price,
		Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: name, LiquidationPreferenceMultiple: new(number("1"))}},
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{HolderRef: holder(l.cleo)}, Amount: amount}},
	}
	if rapid.Bool().Draw(t, "one class") {
		terms.ShadowSeries = captable.SeriesNone
	}
	var into []captable.SecurityID // a round closes into classes whose shares convert into one
	for class := range l.state.Securities() {
		if class.ShareType == captable.SharePreferred && class.Conversion != nil && class.Conversion.Each().Cmp(big.NewRat(1, 1)) == 0 {
			into = append(into, class.ID)
		}
	}
	if len(into) > 0 && rapid.Bool().Draw(t, "into a class") {
		terms.Security = captable.RoundSecurity{ID: rapid.SampledFrom(into).Draw(t, "class of the round")}
	}
	planned, err := l.state.PlanRound(terms, l.moment(), func(id captable.EntityID) string { return l.holders[id] })
	if err == nil {
		l.try(captable.CloseRound{RoundTerms: terms, Confirm: planned.Confirm})
	}
}

// histories runs the check with rapid's default count, or repeatedly for TORTURE_SECONDS
// seconds.
func histories(t *testing.T, check func(*rapid.T)) {
	t.Helper()
	seconds := 0
	if text := os.Getenv("TORTURE_SECONDS"); text != "" {
		var err error
		if seconds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("TORTURE_SECONDS: %v", err)
		}
	}
	for end := time.Now().Add(time.Duration(seconds) * time.Second); ; {
		rapid.Check(t, check)
		if t.Failed() || !time.Now().Before(end) {
			return
		}
	}
}

// ownPrice counts shares whose preference is not that of their class.
const ownPrice = "shares with a price of their own"

// missing returns the kinds of events that no history contained, beside those that only an import makes.
func missing(reached map[string]int) (kinds []string) {
	imported := []string{captable.PackageImported{}.EventType(), captable.ObjectCarried{}.EventType()}
	for kind := range captable.Decoders() {
		if reached[kind] == 0 && !slices.Contains(imported, kind) {
			kinds = append(kinds, kind)
		}
	}
	if reached[ownPrice] == 0 {
		kinds = append(kinds, ownPrice)
	}
	return kinds
}

func TestExportOfEveryHistoryIsAFixedPoint(t *testing.T) {
	t.Parallel()
	reached := map[string]int{}
	const historiesOfCheck, mostRounds = 3, 7
	check := func(rt *rapid.T) {
		for range historiesOfCheck {
			isFixedPoint(t, rt, reached)
		}
	}
	histories(t, check)
	fixed := flag.Lookup("rapid.seed").Value.String() != "0" // further rounds would repeat the same histories
	for rounds := 1; len(missing(reached)) > 0 && rounds < mostRounds && !fixed && !t.Failed(); rounds++ {
		rapid.Check(t, check)
	}
	t.Log(reached)
	if kinds := missing(reached); len(kinds) > 0 {
		t.Errorf("%v were never reached", kinds)
	}
}

// isFixedPoint checks the package of a random history, and counts its events.
func isFixedPoint(t *testing.T, rt *rapid.T, reached map[string]int) {
	t.Helper()
	l := begin(t, rt)
	l.reached = reached
	l.happen(rt)
	for h := range l.state.Shareholdings() {
		if h.PreferencePrice != nil {
			reached[ownPrice]++
		}
	}
	l.try(captable.ExpireGrants{})
	files := l.export(l.day().String())
	valid(l.world, files)
	again := setup(t)
	again.now = l.now
	if findings := again.take(files); findings.Refused() {
		rt.Fatalf("our own export is refused: %v", findings.Refusals())
	}
	if faults := again.state.Audit(); len(faults) > 0 {
		rt.Fatalf("after the import: %v", faults)
	}
	second := again.export(l.day().String())
	names := slices.Sorted(maps.Keys(files))
	if other := slices.Sorted(maps.Keys(second)); !slices.Equal(names, other) {
		rt.Fatalf("the files are %v, and were %v", other, names)
	}
	slices.Reverse(names) // the manifest has hashes of the others
	for _, name := range names {
		if string(second[name].Data) != string(files[name].Data) {
			rt.Fatalf("%s is not stable:\n%s\nwas\n%s", name, second[name].Data, files[name].Data)
		}
	}
	for _, ago := range looked() {
		if got, want := again.table(l.day()-ago), l.table(l.day()-ago); got != want {
			rt.Fatalf("the table of %s:\n%s\nwas\n%s", l.day()-ago, got, want)
		}
	}
}

// happen records a random history. It begins with one record of each kind, so that most actions find one.
func (l *life) happen(rt *rapid.T) {
	actions := l.actions()
	maps.Copy(actions, l.rights())
	maps.Copy(actions, l.options())
	maps.Copy(actions, l.records())
	maps.Copy(actions, l.changes())
	for _, first := range []string{"issue", "issue", "issue", "promise", "promise", "promise", "promise", "grant", "grant", "grant", "issue shares that vest"} {
		actions[first](rt)
	}
	rt.Repeat(actions)
	rt.Repeat(actions)
}

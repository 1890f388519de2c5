package ocf_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// granted returns an option grant to Ada, with further fields.
func granted(security, date, quantity string, more ...string) string {
	fields := append([]string{
		`"id":"grant-` + security + `","object_type":"TX_EQUITY_COMPENSATION_ISSUANCE","date":"` + date + `","security_id":"` + security + `","custom_id":"` + security +
			`","stakeholder_id":"ada","stock_class_id":"common","quantity":"` + quantity +
			`","expiration_date":null,"termination_exercise_windows":[{"reason":"VOLUNTARY_OTHER","period":3,"period_type":"MONTHS"}],"security_law_exemptions":[]`,
	}, more...)
	if !strings.Contains(strings.Join(more, ""), "compensation_type") {
		fields = append(fields, `"compensation_type":"OPTION_NSO","exercise_price":{"amount":"0.10","currency":"USD"}`)
	}
	if !strings.Contains(strings.Join(more, ""), "stock_plan_id") {
		fields = append(fields, `"stock_plan_id":"plan"`)
	}
	return object(strings.Join(fields, ","), nil)
}

// planned returns a small company with a plan of 100 common shares.
func planned(transactions ...string) *parcel {
	p := sound()
	p.plans = []string{planOf("plan", "100", `,"default_cancellation_behavior":"RETIRE"`)}
	p.vesting = []string{vestingOf("terms", "Monthly", `{"id":"start","quantity":"0","trigger":{"type":"VESTING_START_DATE"},"next_condition_ids":["months","sale"]},
		{"id":"sale","portion":{"numerator":"1","denominator":"1"},"trigger":{"type":"VESTING_EVENT"},"next_condition_ids":[]},
		{"id":"months","portion":{"numerator":"1","denominator":"10"},"trigger":{"type":"VESTING_SCHEDULE_RELATIVE","relative_to_condition_id":"start",
		"period":{"type":"MONTHS","length":1,"occurrences":10,"day_of_month":"VESTING_START_DAY_OR_LAST_DAY_OF_MONTH"}},"next_condition_ids":[]}`)}
	p.transactions = append(p.transactions, transactions...)
	return p
}

// grants returns the type, status and figures of each grant on a day, by external id.
func (w *world) grants(day string) map[string]string {
	all := map[string]string{}
	for g := range w.state.Grants() {
		figures := g.On(exact.MustDate(day))
		all[g.ExternalID] = strings.Join([]string{
			string(g.Type), string(g.Status), figures.Quantity.String(), figures.Vested.String(), figures.Exercised.Add(figures.Released).String(),
			figures.Cancelled.String(), figures.Outstanding.String(),
		}, " ")
	}
	return all
}

func TestGrantsComeInAndGoOut(t *testing.T) {
	t.Parallel()
	const start = `"vesting_condition_id":"start"`
	for claim, c := range map[string]struct {
		transactions []string
		want, pool   string // of the grant "o" and the plan's pool: granted, exercised, cancelled, returned
	}{
		"one that vests by terms": {
			[]string{granted("o", "2024-02-01", "50", `"vesting_terms_id":"terms"`), tx("VESTING_START", "o", "2024-01-15", start), tx("EQUITY_COMPENSATION_ACCEPTANCE", "o", "2024-02-02")},
			"nso accepted 50 25 0 0 50", "50 0 0 0",
		},
		"one that lists what vests": {
			[]string{granted("o", "2024-02-01", "50", `"vesting_terms_id":"terms","vestings":[{"date":"2024-03-01","amount":"20"},{"date":"2030-01-01","amount":"30"}]`)},
			"nso active 50 20 0 0 50", "50 0 0 0",
		},
		"one by its older name": {
			[]string{strings.ReplaceAll(granted("o", "2024-02-01", "50", `"compensation_type":"OPTION","option_grant_type":"ISO","exercise_price":{"amount":"1","currency":"USD"}`), "EQUITY_COMPENSATION", "PLAN_SECURITY")},
			"iso active 50 50 0 0 50", "50 0 0 0",
		},
		"a right to appreciation": {
			[]string{granted("o", "2024-02-01", "5", `"compensation_type":"SSAR","base_price":{"amount":"2","currency":"USD"}`)}, "sar active 5 5 0 0 5", "5 0 0 0",
		},
		"one that was retracted": {
			[]string{granted("o", "2024-02-01", "50"), tx("EQUITY_COMPENSATION_RETRACTION", "o", "2024-02-03", `"reason_text":"typo"`)}, "nso retracted 0 0 0 0 0", "0 0 0 0",
		},
		"one exercised before it vested": {
			[]string{
				granted("o", "2024-02-01", "50", `"vesting_terms_id":"terms"`), tx("VESTING_START", "o", "2024-02-01", start),
				tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-02-15", `"quantity":"30","resulting_security_ids":["s"]`), issue("s", "2024-02-15", "ada", "common", "28", `"stock_plan_id":"plan"`),
			}, "nso active 50 20 30 0 20", "50 30 0 0",
		},
		"one that was cancelled when it had lapsed": {
			[]string{
				strings.Replace(granted("o", "2024-02-01", "50"), `"expiration_date":null`, `"expiration_date":"2024-04-01"`, 1),
				tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-05-01", `"quantity":"50","reason_text":"Expired"`),
			}, "nso expired 50 50 0 0 0", "50 0 50 0",
		},
		"one that costs less since": {
			[]string{granted("o", "2024-02-01", "50"), tx("EQUITY_COMPENSATION_REPRICING", "o", "2024-03-01", `"new_exercise_price":{"amount":"0.05","currency":"USD"}`)},
			"nso active 50 50 0 0 50", "50 0 0 0",
		},
		"units that were released": {
			[]string{
				granted("o", "2024-02-01", "50", `"compensation_type":"RSU"`),
				tx("EQUITY_COMPENSATION_RELEASE", "o", "2024-03-01", `"settlement_date":"2024-03-02","release_price":{"amount":"1","currency":"USD"},"quantity":"50","resulting_security_ids":["s"]`),
				issue("s", "2024-03-01", "ada", "common", "50"),
			}, "rsu released 50 50 50 0 0", "50 50 0 0",
		},
		"shares awarded besides, of which a part comes back and the rest is gone": {
			[]string{
				granted("o", "2024-02-01", "50"), issue("r", "2024-02-01", "ada", "common", "40", `"stock_plan_id":"plan","issuance_type":"RSA"`),
				tx("STOCK_REPURCHASE", "r", "2024-03-01", `"quantity":"10","price":{"amount":"0.01","currency":"USD"},"balance_security_id":"r2"`),
				issue("r2", "2024-03-01", "ada", "common", "30", `"stock_plan_id":"plan","issuance_type":"RSA"`),
				tx("STOCK_PLAN_RETURN_TO_POOL", "r", "2024-03-01", `"stock_plan_id":"plan","quantity":"10","reason_text":"r"`),
				tx("STOCK_CANCELLATION", "r2", "2024-04-01", `"quantity":"30","reason_text":"r"`),
			}, "nso active 50 50 0 0 50", "90 0 40 10",
		},
		"one cancelled in part, twice": {
			[]string{
				granted("o", "2024-02-01", "50"), tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-03-01", `"quantity":"10","reason_text":"r","balance_security_id":"o2"`),
				granted("o2", "2024-03-01", "40"), tx("EQUITY_COMPENSATION_CANCELLATION", "o2", "2024-04-01", `"quantity":"5","reason_text":"r","balance_security_id":"o3"`),
				granted("o3", "2024-04-01", "35"), tx("STOCK_PLAN_RETURN_TO_POOL", "o2", "2024-04-01", `"stock_plan_id":"plan","quantity":"5","reason_text":"r"`),
			}, "nso active 50 50 0 15 35", "50 0 15 5",
		},
		"one that an event and an acceleration vested": {
			[]string{
				granted("o", "2024-02-01", "50", `"vesting_terms_id":"terms"`), tx("VESTING_START", "o", "2024-02-01", start),
				tx("VESTING_ACCELERATION", "o", "2024-02-10", `"quantity":"7","reason_text":"r"`),
			}, "nso active 50 27 0 0 50", "50 0 0 0",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := planned(c.transactions...)
			w := setup(t)
			w.taken(p.files())
			equal(t, "grant", w.grants("2024-06-30")["o"], c.want)
			for plan := range w.state.Plans() {
				f := plan.Pools[0]
				equal(t, "pool", f.Granted.String()+" "+f.Exercised.String()+" "+f.Cancelled.String()+" "+f.Returned.String(), c.pool)
			}
			if faults := w.state.Audit(); len(faults) > 0 {
				t.Error(faults)
			}
			same(t, w.export("2026-01-01"), p.files())
		})
	}
}

func TestGrantOfNoKnownClassIsCarried(t *testing.T) {
	t.Parallel()
	p := planned(
		strings.Replace(granted("o", "2024-02-01", "50", `"stock_plan_id":""`), `"stock_class_id":"common"`, `"stock_class_id":""`, 1),
		tx("EQUITY_COMPENSATION_ACCEPTANCE", "o", "2024-02-02"),
	)
	p.classes = append(p.classes, class("other", "COMMON", "10", "1"))
	w := setup(t)
	findings := w.take(p.files())
	equalLists(t, "refusals", refusals(findings), nil)
	equal(t, "told", strings.Contains(strings.Join(warnings(findings), "\n"), "TX_EQUITY_COMPENSATION_ISSUANCE/grant-o carried"), true)
	equal(t, "grants", len(w.grants("2026-01-01")), 0)
	same(t, w.export("2026-01-01"), p.files())
}

func TestGrantsThatAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ transactions, want []string }{
		"results that are not the quantity": {[]string{
			granted("o", "2024-02-01", "50"), tx("EQUITY_COMPENSATION_TRANSFER", "o", "2024-03-01", `"quantity":"50","resulting_security_ids":["p"]`), granted("p", "2024-03-01", "49"),
		}, []string{"TX_EQUITY_COMPENSATION_TRANSFER/equity_compensation_transfer-o/resulting_security_ids wrongSum"}},
		"a balance that is not the rest": {[]string{
			granted("o", "2024-02-01", "50"), tx("EQUITY_COMPENSATION_TRANSFER", "o", "2024-03-01", `"quantity":"30","resulting_security_ids":["p"],"balance_security_id":"q"`),
			granted("p", "2024-03-01", "30"), granted("q", "2024-03-01", "21"),
		}, []string{"TX_EQUITY_COMPENSATION_TRANSFER/equity_compensation_transfer-o wrongSum"}},
		"outside a plan, past the class": {[]string{granted("o", "2024-02-01", "301", `"stock_plan_id":""`)}, []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/quantity insufficientShares"}},
		"past the pool": {
			[]string{granted("o", "2024-02-01", "101")}, []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/quantity insufficientShares"},
		},
		"without a price": {[]string{granted("o", "2024-02-01", "1", `"compensation_type":"OPTION_ISO"`)}, []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/exercise_price required"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equalLists(t, "refusals", refusals(setup(t).take(planned(c.transactions...).files())), c.want)
		})
	}
}

func TestExportOfGrants(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	b := company(t)
	plan := b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan"},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: b.common, TotalShares: number("1000")}},
	}})[0].(captable.PlanCreated)
	month := vesting.Period{N: 1, Unit: vesting.Months}
	command := captable.GrantOption{
		HolderRef: captable.HolderRef{Entity: b.ada}, Quantity: number("48"), ExercisePrice: &captable.Price{Amount: number("0.5")},
		GrantTerms: captable.GrantTerms{
			Plan: plan.ID, Pool: plan.Terms.Pools[0].ID, Type: captable.GrantISO, IssueDate: exact.MustDate("2024-01-31"),
			ExpirationDate:     exact.MustDate("2034-01-30"),
			TerminationWindows: []captable.TerminationWindow{{Reason: captable.InvoluntaryDeath, Period: vesting.Period{N: 1, Unit: vesting.Years}}},
		},
		Vesting: &vesting.Scheme{Allocation: vesting.CumulativeRounding, Continuous: &vesting.Continuous{Length: month.Times(48), Frequency: month}},
	}
	grant := b.do(command)[0].(captable.OptionGranted).ID
	b.do(captable.AcceptGrant{ID: grant, Date: exact.MustDate("2024-02-10")})
	exercised := b.do(captable.ExerciseGrant{ID: grant, Quantity: number("10"), Date: exact.MustDate("2025-01-31")})[0].(captable.OptionExercised)
	b.do(captable.TerminateGrant{ID: grant, Termination: captable.Termination{Date: exact.MustDate("2025-06-30"), Reason: captable.VoluntaryOther}})

	objects := b.exported(today)
	equal(t, "the grant", fields(
		objects[grant.String()+"-issued"], "compensation_type", "quantity", "expiration_date", "vesting_terms_id",
		"termination_exercise_windows",
	),
		`["OPTION_ISO","48","2034-01-30","`+grant.String()+`-vesting",[{"period":12,"period_type":"MONTHS","reason":"INVOLUNTARY_DEATH"}]]`)
	equal(t, "the exercise", fields(
		objects[exercised.Result.ID.String()+"-exercised"], "object_type", "security_id", "quantity", "resulting_security_ids",
	),
		`["TX_EQUITY_COMPENSATION_EXERCISE","`+grant.String()+`","10",["`+exercised.Result.ID.String()+`"]]`)
	left := grant.String() + "-2"
	equal(t, "the forfeiture", fields(objects[grant.String()+"-forfeited"], "object_type", "quantity", "balance_security_id"),
		`["TX_EQUITY_COMPENSATION_CANCELLATION","31","`+left+`"]`)
	equal(t, "remainder", fields(objects[left+"-issued"], "quantity", "vestings"), `["7",[{"amount":"7","date":"2025-06-30"}]]`)
	valid(t, b.export(today))

	again := setup(t)
	again.taken(b.export(today))
	equal(t, "the same figures after an import", again.grants("2025-12-31")[grant.String()], "iso accepted 48 17 10 31 7")
	if faults := again.state.Audit(); len(faults) > 0 {
		t.Error(faults)
	}
}

// optioned creates a company with a grant of 48 vested options at 0.50 to Ada.
func optioned(tb testing.TB) (*born, captable.OptionGranted) {
	tb.Helper()
	b := company(tb)
	plan := b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan"},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: b.common, TotalShares: number("1000")}},
	}})[0].(captable.PlanCreated)
	command := captable.GrantOption{HolderRef: holder(b.ada), Quantity: number("48"), ExercisePrice: &captable.Price{Amount: number("0.5")}}
	command.Plan, command.Pool, command.Type, command.IssueDate = plan.ID, plan.Terms.Pools[0].ID, captable.GrantNSO, exact.MustDate("2024-01-31")
	return b, b.do(command)[0].(captable.OptionGranted)
}

func TestExportOfGrantsThatChanged(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	t.Run("the balance of a cancellation after a split has the quantity and price of its day", func(t *testing.T) {
		t.Parallel()
		b, granted := optioned(t)
		id := granted.ID
		b.do(captable.SplitSecurity{ID: b.common, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-01-31")})
		b.do(captable.CancelGrant{ID: id, Quantity: new(number("50")), Date: exact.MustDate("2025-02-01"), Reason: "agreed"})
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("10"), Date: exact.MustDate("2025-03-01")})
		left := b.exported(today)[id.String()+"-2-issued"]
		equal(t, "remainder", fields(left, "quantity", "exercise_price"), `["46",{"amount":"0.25","currency":"USD"}]`)
		again := setup(t)
		again.taken(b.export(today))
		equal(t, "after an import", again.grants("2025-12-31")[id.String()], "nso active 96 96 10 50 36")
	})
	t.Run("two repricings of one day are exported as two transactions", func(t *testing.T) {
		t.Parallel()
		b, granted := optioned(t)
		for _, price := range []string{"0.4", "0.3"} {
			b.do(captable.RepriceGrants{Plan: granted.Plan, ExercisePrice: captable.Price{Amount: number(price)}, Date: exact.MustDate("2025-01-31")})
		}
		again := setup(t)
		again.taken(b.export(today))
		for grant := range again.state.Grants() {
			equal(t, "price", grant.ExercisePrice.Amount.String(), "0.3")
			equal(t, "repricings", len(grant.Repricings), 2)
		}
	})
}

func TestGrantIsAcceptedAfterAnExerciseWithAnEarlierDay(t *testing.T) {
	t.Parallel()
	p := planned(
		granted("o", "2024-02-01", "5", `"early_exercisable":true`),
		tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-03-01", `"quantity":"5","resulting_security_ids":["r"]`), issue("r", "2024-03-01", "ada", "common", "5"),
		tx("EQUITY_COMPENSATION_ACCEPTANCE", "o", "2024-03-02"),
	)
	for grant := range returned(t, p).state.Grants() {
		equal(t, "accepted", grant.AcceptedOn.String(), "2024-03-02")
	}
}

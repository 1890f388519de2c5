package main

import (
	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// demoGrant is one grant of the history.
type demoGrant struct {
	holder   string
	pool     captable.PoolRef
	kind     captable.GrantType
	quantity int64
	date     string
	price    string
	schedule string
	// waits omits the holder's acceptance.
	waits, early bool
}

// schedules creates the vesting schedules of the plans.
func (d *demoCompany) schedules() (four, quarterly, milestone string) {
	month := func(n int) vesting.Period { return vesting.Period{N: n, Unit: vesting.Months} }
	schedule := func(name string, scheme vesting.Scheme) string {
		made := inTable(d, name, captable.CreateVestingSchedule{
			VestingScheduleTerms: captable.VestingScheduleTerms{Name: name, Scheme: scheme},
		})
		if made == nil {
			return ""
		}
		return made.ID.String()
	}
	four = schedule("4 years monthly, 1 year cliff", vesting.Scheme{
		Allocation: vesting.CumulativeRounding,
		Continuous: &vesting.Continuous{Length: month(48), Frequency: month(1), Cliff: &vesting.Cliff{After: month(12)}},
	})
	quarterly = schedule("2 years quarterly", vesting.Scheme{
		Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{Length: month(24), Frequency: month(3)},
	})
	milestone = schedule("Product launch", vesting.Scheme{
		Allocation: vesting.CumulativeRounding,
		Discrete: []vesting.Tranche{
			{Date: exact.MustDate("2023-06-30"), Fraction: exact.MustDecimal("0.5")},
			{Milestone: "launch", Fraction: exact.MustDecimal("0.5")},
		},
	})
	return four, quarterly, milestone
}

// plan creates a plan with one pool of common stock.
func (d *demoCompany) plan(
	name, approved, strike string, shares int64, behavior captable.CancellationBehavior, schedules ...string,
) captable.PoolRef {
	made := inTable(d, name, captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{
			Name: name, BoardApprovalDate: exact.MustDate(approved), StockholderApprovalDate: exact.MustDate(approved),
			EffectiveDate: exact.MustDate(approved), TermYears: 10, CancellationBehavior: behavior, VestingSchedules: schedules,
		},
		Pools: []captable.PoolTerms{{
			Name: "Common", Security: d.common, TotalShares: exact.NewDecimal(shares),
			StrikePrice: &captable.Price{Amount: exact.MustDecimal(strike)},
		}},
	}})
	if made == nil {
		return captable.PoolRef{}
	}
	return captable.PoolRef{Plan: made.ID, Pool: made.Pools[0].ID}
}

// grant creates a grant and accepts it unless it waits.
func (d *demoCompany) grant(g demoGrant) captable.GrantID {
	day := exact.MustDate(g.date)
	command := captable.GrantOption{
		HolderRef: captable.HolderRef{Entity: d.holders[g.holder]}, Quantity: exact.NewDecimal(g.quantity),
		GrantTerms: captable.GrantTerms{
			Plan: g.pool.Plan, Pool: g.pool.Pool, Type: g.kind, IssueDate: day, VestingSchedule: g.schedule, EarlyExercise: g.early,
		},
		GrantDetails: captable.GrantDetails{BoardApprovalDate: day},
	}
	if g.kind != captable.GrantRSU {
		command.ExercisePrice = &captable.Price{Amount: exact.MustDecimal(g.price)}
		command.ExpirationDate = day.AddMonths(120) - 1
		command.TerminationWindows = []captable.TerminationWindow{
			{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 3, Unit: vesting.Months}},
			{Reason: captable.InvoluntaryDeath, Period: vesting.Period{N: 12, Unit: vesting.Months}},
			{Reason: captable.InvoluntaryWithCause, Period: vesting.Period{N: 0, Unit: vesting.Days}},
		}
	}
	made := inTable(d, g.holder+"'s options", command)
	if made == nil {
		return captable.GrantID{}
	}
	if !g.waits {
		d.table(g.holder+" accepts", captable.AcceptGrant{ID: made.ID, Date: day + 7})
	}
	return made.ID
}

// valuations creates the appraisals for the exercise prices.
func (d *demoCompany) valuations() {
	for _, v := range []struct{ day, until, price string }{
		{"2020-07-31", "2021-07-31", "0.21"},
		{"2022-05-31", "2023-05-31", "0.74"},
		{"2024-06-30", "2025-06-30", "0.98"},
		{"2025-07-15", "2026-07-15", "1.12"},
	} {
		d.table("valuation", captable.PutValuation{ValuationTerms: captable.ValuationTerms{
			Security: d.common, Type: "409A", EffectiveDate: exact.MustDate(v.day), ExpiresOn: exact.MustDate(v.until),
			Provider:      "Alder & Quince Appraisers",
			PricePerShare: &captable.Money{Amount: exact.MustDecimal(v.price), Currency: "USD"},
		}})
	}
}

// plans creates three plans with grants in every state.
func (d *demoCompany) plans() {
	four, quarterly, milestone := d.schedules()
	d.valuations()
	first := d.plan("2020 Stock Plan", "2020-07-31", "0.21", 900_000, captable.ReturnToPool, four)
	second := d.plan("2022 Equity Incentive Plan", "2022-05-31", "0.74", 1_200_000, captable.ReturnToPool, four, milestone)
	third := d.plan("2024 Advisors and International Plan", "2024-06-30", "0.98", 300_000, captable.Retire, quarterly)

	d.exercises(first, four)
	d.departures(first, four)
	d.units(second, milestone)
	team := demoTeam()[8:15]
	for i, name := range team {
		price := "0.74"
		if i == len(team)-1 { // below the value of the day, so that the options count as NSOs
			price = "0.70"
		}
		d.grant(demoGrant{
			holder: name, pool: second, kind: captable.GrantISO, quantity: 24_000 + int64(i)*6_000, date: "2022-07-01", price: price,
			schedule: four,
		})
	}
	for i, name := range demoTeam()[15:19] {
		d.grant(demoGrant{
			holder: name, pool: third, kind: captable.GrantInternational, quantity: 10_000 + int64(i)*2_500, date: "2024-08-01",
			price: "0.98", schedule: quarterly,
		})
	}
	appreciation := demoGrant{
		holder: "Kenji Watanabe", pool: third, kind: captable.GrantSAR, quantity: 8_000, date: "2024-09-02", price: "0.98",
		schedule: quarterly,
	}
	d.grant(appreciation)
	// The latest grant is not accepted yet. The previous one was entered twice.
	late := demoGrant{
		holder: "Isla MacLeod", pool: second, kind: captable.GrantISO, quantity: 40_000, date: "2025-09-15", price: "1.12", schedule: four,
		waits: true,
	}
	d.grant(late)
	d.table("entered twice", captable.VoidGrant{ID: d.grant(late), Reason: "Entered twice."})
}

// exercises creates exercises of options: partial, complete, early and net, and a pending
// request.
func (d *demoCompany) exercises(pool captable.PoolRef, four string) {
	day := exact.MustDate
	option := demoGrant{pool: pool, kind: captable.GrantISO, quantity: 48_000, date: "2020-09-15", price: "0.21", schedule: four}
	exercise := func(holder string, shares int64, date string, payment captable.Payment) {
		option.holder = holder
		d.table(holder+" exercises", captable.ExerciseGrant{
			ID: d.grant(option), Quantity: exact.NewDecimal(shares), Date: day(date), Payment: payment,
		})
	}
	exercise("Priya Raman", 20_000, "2023-04-03", captable.PayCash)
	exercise("Quentin Dubois", 48_000, "2024-10-01", captable.PayCash)
	exercise("Rosa Jiménez", 12_000, "2024-11-15", captable.PayNet)
	option.early, option.kind = true, captable.GrantNSO
	exercise("Søren Møller", 30_000, "2021-02-01", captable.PayCash)
	option.early, option.holder = false, "Ursula Kowalska"
	d.table("a request", captable.RequestExercise{
		ID: d.grant(option), Quantity: exact.NewDecimal(5_000), Date: day("2025-12-01"), Message: "Before the end of the year, please.",
	})
}

// departures creates terminations: options forfeited and lapsed after a departure, and cancelled options.
func (d *demoCompany) departures(pool captable.PoolRef, four string) {
	day := exact.MustDate
	option := demoGrant{pool: pool, kind: captable.GrantISO, quantity: 36_000, date: "2021-02-01", price: "0.21", schedule: four}
	option.holder = "Tariq Haddad" // did not exercise in time
	d.table("leaves", captable.TerminateGrant{
		ID: d.grant(option), Termination: captable.Termination{Date: day("2023-05-31"), Reason: captable.VoluntaryOther},
	})
	option.holder = "Xin Zhao" // exercised in time
	left := d.grant(option)
	d.table(
		"leaves",
		captable.TerminateGrant{ID: left, Termination: captable.Termination{Date: day("2024-02-29"), Reason: captable.VoluntaryOther}},
	)
	d.table("exercises in the window", captable.ExerciseGrant{ID: left, Quantity: exact.NewDecimal(27_000), Date: day("2024-05-20")})
	option.holder = "Viktor Lindgren"
	part := exact.NewDecimal(6_000)
	d.table("cancelled", captable.CancelGrant{ID: d.grant(option), Quantity: &part, Date: day("2023-12-15"), Reason: "Went part time."})
	option.holder = "Wanjiru Kamau"
	d.table("accelerated", captable.AccelerateGrant{ID: d.grant(option), Date: day("2024-06-03"), Reason: "Retention agreement."})
}

// units creates restricted stock units that vest by date and milestone, and their release.
func (d *demoCompany) units(pool captable.PoolRef, milestone string) {
	day := exact.MustDate
	for _, holder := range []string{"Yusuf Demir", "Zofia Nowak"} {
		units := d.grant(
			demoGrant{holder: holder, pool: pool, kind: captable.GrantRSU, quantity: 20_000, date: "2022-09-01", schedule: milestone},
		)
		d.table("launch", captable.HappenGrant{ID: units, Happening: vesting.Happening{Condition: "launch", Date: day("2024-03-12")}})
		if holder == "Zofia Nowak" {
			d.table("released", captable.ReleaseGrant{ID: units, Date: day("2024-03-29"), Withheld: exact.NewDecimal(7_400)})
		}
	}
}

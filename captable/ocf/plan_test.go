package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// planOf returns a STOCK_PLAN on the common class.
func planOf(id, reserved, more string) string {
	return `{"id":"` + id + `","object_type":"STOCK_PLAN","plan_name":"` + id + ` Plan","initial_shares_reserved":"` + reserved + `","stock_class_ids":["common"]` + more + `}`
}

func poolOf(plan, date, reserved string) string {
	return object(`"id":"`+plan+date+reserved+`","object_type":"TX_STOCK_PLAN_POOL_ADJUSTMENT","date":"`+date+`","stock_plan_id":"`+plan+`","shares_reserved":"`+reserved+`"`, nil)
}

// pools returns the reserve and cancellation behaviour of each plan, by name.
func (w *world) pools() map[string]string {
	reserved := map[string]string{}
	for plan := range w.state.Plans() {
		reserved[plan.Name] = plan.Pools[0].Reserve.String() + " " + string(plan.CancellationBehavior)
	}
	return reserved
}

func TestPlansComeInAndGoOut(t *testing.T) {
	t.Parallel()
	p := sound()
	p.plans = []string{
		planOf("one", "+100.00", `,"board_approval_date":"2024-02-01","default_cancellation_behavior":"RETIRE","comments":["c"]`),
		planOf("two", "50", `,"default_cancellation_behavior":"DEFINED_PER_PLAN_SECURITY"`), planOf("three", "1", ""),
	}
	p.transactions = append(p.transactions, poolOf("one", "2024-03-01", "150"), poolOf("one", "2024-03-01", "120"), poolOf("two", "2024-01-02", "60"))
	w := setup(t)

	w.taken(p.files())

	for name, want := range map[string]string{"one Plan": "120 retire", "two Plan": "60 retire", "three Plan": "1 returnToPool"} {
		equal(t, name, w.pools()[name], want)
	}
	for security := range w.state.Securities() {
		if security.Name == "COMMON" {
			equal(t, "reserved", security.Reserved.String(), "181")
		}
	}
	same(t, w.export("2026-01-01"), p.files())
}

func TestPlansThatAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		plans, transactions, want []string
	}{
		"more than is authorized": {[]string{planOf("one", "1000000", "")}, nil, []string{"STOCK_PLAN/one/pools insufficientShares"}},
		"of no class": {
			[]string{`{"id":"one","object_type":"STOCK_PLAN","plan_name":"One","initial_shares_reserved":"1"}`},
			[]string{poolOf("one", "2024-03-01", "2")},
			[]string{"STOCK_PLAN/one/stock_class_ids required"},
		},
		"in parts of shares": {[]string{planOf("one", "0.5", "")}, nil, []string{"STOCK_PLAN/one/shares_reserved notWhole"}},
		"a pool of no plan": {
			nil,
			[]string{poolOf("x", "2024-03-01", "2")},
			[]string{"TX_STOCK_PLAN_POOL_ADJUSTMENT/x2024-03-012/stock_plan_id danglingReference"},
		},
		"a pool below nothing": {
			[]string{planOf("one", "1", "")},
			[]string{poolOf("one", "2024-03-01", "-2")},
			[]string{"TX_STOCK_PLAN_POOL_ADJUSTMENT/one2024-03-01-2/shares_reserved negative"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.plans = c.plans
			p.transactions = append(p.transactions, c.transactions...)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), c.want)
		})
	}
}

func TestPlansOfOneNameAreMarked(t *testing.T) {
	t.Parallel()
	p := sound()
	p.plans = []string{planOf("one", "1", ""), `{"id":"other","object_type":"STOCK_PLAN","plan_name":"ONE plan","initial_shares_reserved":"2","stock_class_ids":["common"]}`}
	w := setup(t)
	equalLists(t, "warnings", warnings(w.take(p.files())), []string{"STOCK_PLAN/other/plan_name planNameRepeated"})
	equal(t, "marked", w.pools()["ONE plan (other)"], "2 returnToPool")
	same(t, w.export("2026-01-01"), p.files())
}

func TestExportOfPlans(t *testing.T) {
	t.Parallel()
	b := company(t)
	terms := captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "2024 Plan", BoardApprovalDate: exact.MustDate("2024-02-01"), CancellationBehavior: captable.Retire},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: b.common, TotalShares: number("10")}},
	}
	created := b.do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated)
	terms.Pools = created.Terms.Pools
	terms.Pools[0].TotalShares, terms.Pools[0].BoardApprovalDate = number("30"), exact.MustDate("2024-05-01")
	terms.Pools = append(
		terms.Pools,
		captable.PoolTerms{Name: "More", Security: b.common, TotalShares: number("5"), BoardApprovalDate: exact.MustDate("2024-06-01")},
	)
	changed := b.do(captable.ReplacePlan{ID: created.ID, PlanTerms: terms})[0].(captable.PlanChanged)
	plan := created.ID.String()

	objects := b.exported("2026-03-01")

	equal(t, "the plan", fields(
		objects[plan], "object_type", "plan_name", "initial_shares_reserved", "default_cancellation_behavior", "stock_class_ids",
	),
		`["STOCK_PLAN","2024 Plan (Main)","10","RETIRE",["`+b.common.String()+`"]]`)
	equal(t, "its new size", fields(objects[plan+"-reserved-1"], "object_type", "stock_plan_id", "shares_reserved", "date"),
		`["TX_STOCK_PLAN_POOL_ADJUSTMENT","`+plan+`","30","2024-05-01"]`)
	more := changed.Terms.Pools[1].ID.String()
	equal(t, "its other pool is a plan", fields(objects[more], "plan_name", "initial_shares_reserved", "board_approval_date"), `["2024 Plan (More)","5","2024-06-01"]`)

	again := setup(t)
	again.taken(b.export("2026-03-01"))
	equal(t, "reserved after an import", again.pools()["2024 Plan (Main)"], "30 retire")

	b.do(captable.DeletePlan{ID: created.ID})
	equal(t, "a deleted plan", b.exported("2026-03-01")[plan] == nil, true)
}

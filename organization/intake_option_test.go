package organization_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

func grantRow(holder, plan, quantity string) organization.GrantRow {
	return organization.GrantRow{
		Holder: holder, Plan: plan, Type: "NSO", Quantity: exact.MustDecimal(quantity), IssueDate: exact.MustDate(today),
	}
}

// planned returns an organization with a plan and a pool of 60 shares at one dollar each.
func planned(tb testing.TB, more ...captable.PoolTerms) *bundle {
	tb.Helper()
	b := classed(tb)
	var common captable.SecurityID
	for security := range b.state.Table().Securities() {
		common = security.ID
	}
	strike := captable.Price{Amount: exact.MustDecimal("1")}
	pools := append([]captable.PoolTerms{{Name: "Main", TotalShares: exact.MustDecimal("60"), StrikePrice: &strike}}, more...)
	for i := range pools {
		pools[i].Security = common
	}
	b.table(captable.CreatePlan{PlanTerms: captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: "Stock Plan", ExternalID: "p"}, Pools: pools}})
	return b
}

func TestIntakeOfGrants(t *testing.T) {
	t.Parallel()
	t.Run("a row of grants finds its plan and the only pool", func(t *testing.T) {
		t.Parallel()
		b := planned(t)
		early := grantRow("Ada Lovelace", "p", "20")
		early.EarlyExercise, early.Pool = "Yes", "main"
		events := b.do(rows(grantRow("ada lovelace", "STOCK plan", "40"), early))
		equal(t, "events", len(events), 2)
		table, _ := events[1].(organization.TableEvent)
		granted, _ := table.Event.(captable.OptionGranted)
		equal(t, "early", granted.EarlyExercise, true)
		equal(t, "type", granted.Type, captable.GrantNSO)
		equal(t, "price of the pool", granted.ExercisePrice.Amount.String(), "1")
	})
	t.Run("a file with a wrong row is refused with all wrong cells", func(t *testing.T) {
		t.Parallel()
		b := planned(t)
		wrong := grantRow("Nobody", "None", "0")
		wrong.EarlyExercise, wrong.Type = "perhaps", "warrant"
		lost := grantRow("Ada Lovelace", "p", "1")
		lost.Pool = "Side"
		b.refused(rows(grantRow("Ada Lovelace", "p", "40"), wrong, lost, grantRow("Ada Lovelace", "p", "21")), fault.RowsRefused,
			"/rows/3/holder unknownReference", "/rows/3/plan unknownReference", "/rows/3/earlyExercise enum", "/rows/3/type enum",
			"/rows/3/quantity notPositive", "/rows/4/pool unknownReference",
			"/rows/5/quantity insufficientShares")
	})
	t.Run("a row of grants requires a pool if the plan has several", func(t *testing.T) {
		t.Parallel()
		b := planned(t, captable.PoolTerms{Name: "Side", TotalShares: exact.MustDecimal("10")})
		b.refused(rows(grantRow("Ada Lovelace", "p", "1")), fault.RowsRefused, "/rows/2/pool required")
	})
}

package equity

import (
	"equity/captable"
	"equity/http/api"
)

// Show returns the JSON form of a record of the cap table, as the operation that reads it; false for other records.
func Show(c *api.Call, record any) (shown any, known bool) {
	switch r := record.(type) {
	case *captable.Security:
		return showSecurity(c, r), true
	case *captable.Shareholding:
		return holdersOf(c).show(r), true
	case *captable.Grant:
		return holdersOf(c).option(r, c.AsOf()), true
	case *captable.Instrument:
		return holdersOf(c).instrument(r, c.AsOf()), true
	case *captable.Valuation:
		return showValuation(c, r), true
	case *captable.Legend:
		return legendRecord{r, c.Organization}, true
	case *captable.CapitalChange:
		return showCapitalChange(c, r), true
	case *captable.Block:
		return blocksOf(c, c.View.State.Table()).show(c, r), true
	case *captable.Plan:
		return showPlan(c, planAsked(c, r)), true
	case *captable.VestingSchedule:
		return showVestingSchedule(c, r), true
	case captable.Configuration:
		return c.ReadableFiles().ShownConfiguration(r), true
	}
	return nil, false
}

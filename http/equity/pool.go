package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// poolReport is the JSON form of the pool report.
type poolReport struct {
	AsOf     captable.Date `json:"asOf"`
	Sequence uint64        `json:"sequence"`
	Plans    []planLine    `json:"plans"`
	// Totals are the sums over all plans and securities.
	Totals poolTotals `json:"totals"`
}

// planLine is a plan with the sums over its pools.
type planLine struct {
	Plan  captable.PlanID `json:"plan"`
	Name  string          `json:"name"`
	Pools []poolLine      `json:"pools"`
	poolTotals
}

// poolLine is a pool.
type poolLine struct {
	Pool         captable.PoolID     `json:"pool"`
	Name         string              `json:"name"`
	Security     captable.SecurityID `json:"security"`
	SecurityName string              `json:"securityName"`
	StrikePrice  *captable.Price     `json:"strikePrice,omitempty"`
	poolTotals
}

// poolTotals are figures with their reserve.
type poolTotals struct {
	Reserve captable.Decimal `json:"reserve"`
	poolFigures
}

func totalsOf(f captable.PoolFigures) poolTotals { return poolTotals{f.Reserve, figuresOf(f)} }

// planLineOf returns the report of a plan on the day and the sum of its figures.
func planLineOf(c *api.Call, plan *captable.Plan) (planLine, captable.PoolFigures) {
	table, sum := c.View.State.Table(), captable.PoolFigures{}
	line := planLine{Plan: plan.ID, Name: plan.Name, Pools: []poolLine{}}
	for _, pool := range plan.Pools {
		of := poolLine{
			Pool: pool.ID, Name: pool.Name, Security: pool.Security, StrikePrice: pool.StrikePrice, poolTotals: totalsOf(pool.PoolFigures),
		}
		if security, ok := table.Security(pool.Security); ok {
			of.SecurityName = security.Name
		}
		line.Pools, sum = append(line.Pools, of), sum.Add(pool.PoolFigures)
	}
	line.poolTotals = totalsOf(sum)
	return line, sum
}

// getPools returns the report. It has no plans for callers who may not see them.
func (s plans) getPools(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		report, sum := poolReport{AsOf: through(c), Sequence: c.View.Sequence, Plans: []planLine{}}, captable.PoolFigures{}
		if seesPlans(c) {
			for plan := range c.View.State.Table().Plans() {
				line, of := planLineOf(c, planAsked(c, plan))
				report.Plans, sum = append(report.Plans, line), sum.Add(of)
			}
		}
		report.Totals = totalsOf(sum)
		return report, nil
	})
}

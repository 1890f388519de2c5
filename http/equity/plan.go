package equity

import (
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of incentive plans.
func (s plans) operations() map[string]api.Handler {
	plans := api.Noun[captable.Plan]{
		Kernel: s.Kernel, Parameter: "plan",
		Key:      func(plan *captable.Plan) (captable.PlanID, uint64) { return plan.ID, plan.Version },
		All:      plansOf,
		One:      planWith,
		Show:     showPlan,
		Location: func(_ *api.Call, plan *captable.Plan) string { return "/plan/" + plan.ID.String() },
	}
	return map[string]api.Handler{
		"createPlan":  plans.Create(api.InBody[captable.CreatePlan]),
		"listPlans":   plans.List,
		"getPlan":     plans.Get,
		"replacePlan": plans.Replace(api.InBodyFor("plan", func(command *captable.ReplacePlan, id captable.PlanID) { command.ID = id })),
		"deletePlan": plans.Remove(func(_ *api.Call, id captable.PlanID) organization.Command {
			return organization.Table{Command: captable.DeletePlan{ID: id}}
		}),
		"repricePlan":            s.repricePlan,
		"getPlanDashboard":       s.getPlanDashboard,
		"getPools":               s.getPools,
		"listIncentiveDocuments": s.listIncentiveDocuments,
	}
}

// planRecord is the JSON form of a plan with the figures of its pools.
type planRecord struct {
	*captable.Plan
	Organization organization.ID `json:"organization"`
	ExpiresOn    captable.Date   `json:"expiresOn,omitzero"`
	Pools        []poolRecord    `json:"pools"`
}

type poolRecord struct {
	captable.PoolTerms
	poolFigures
}

// poolFigures is the JSON form of a pool's figures.
type poolFigures struct {
	Granted     captable.Decimal `json:"granted"`
	Outstanding captable.Decimal `json:"outstanding"`
	Exercised   captable.Decimal `json:"exercised"`
	Cancelled   captable.Decimal `json:"cancelled"`
	Returned    captable.Decimal `json:"returned"`
	Available   captable.Decimal `json:"available"`
}

func figuresOf(f captable.PoolFigures) poolFigures {
	return poolFigures{f.Granted, f.Outstanding(), f.Exercised, f.Cancelled, f.Returned, f.Available()}
}

func showPlan(c *api.Call, plan *captable.Plan) any {
	if shown := *plan; len(shown.Documents) > 0 {
		shown.Documents = c.ReadableFiles().ShownPlanDocuments(plan.Documents)
		plan = &shown
	}
	record := planRecord{Plan: plan, Organization: c.Organization, ExpiresOn: plan.ExpiresOn(), Pools: []poolRecord{}}
	for i := range plan.Pools {
		pool := &plan.Pools[i]
		record.Pools = append(record.Pools, poolRecord{pool.PoolTerms, figuresOf(pool.PoolFigures)})
	}
	return record
}

// seesPlans reports whether the caller may see the plans. For other callers the organization has no
// plans.
func seesPlans(c *api.Call) bool {
	return c.Can(organization.ViewIncentivePlan) || c.Can(organization.ViewCapTable)
}

// plan returns the plan of the path as of the requested day.
func plan(c *api.Call) (*captable.Plan, error) {
	plan, ok := planWith(c, api.PathID[captable.Plan](c, "plan"))
	if !ok {
		return nil, api.NotFound()
	}
	return plan, nil
}

// planWith returns the plan with the id as of the requested day if the caller may see it.
func planWith(c *api.Call, id captable.PlanID) (*captable.Plan, bool) {
	plan, ok := c.View.State.Table().Plan(id)
	if !ok || !seesPlans(c) {
		return nil, false
	}
	return planAsked(c, plan), true
}

// plans lists the plans as of the requested day. The list is empty for callers who may not see plans.
func plansOf(c *api.Call) iter.Seq[*captable.Plan] {
	return api.Shaped(c.View.State.Table().Plans(), func(plan *captable.Plan) (*captable.Plan, bool) {
		return planAsked(c, plan), seesPlans(c)
	})
}

// planAsked returns the plan as of the requested day, else as of today, which includes expirations
// that are not recorded yet.
func planAsked(c *api.Call, plan *captable.Plan) *captable.Plan {
	return c.View.State.Table().PlanOn(plan, through(c))
}

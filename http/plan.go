package http

import (
	"context"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// planHandlers maps operation ids to the handlers of incentive plans.
func (s *Server) planHandlers() map[string]Handler {
	return map[string]Handler{
		"createPlan":             s.createPlan,
		"listPlans":              s.listPlans,
		"getPlan":                s.getPlan,
		"replacePlan":            s.replacePlan,
		"deletePlan":             s.deletePlan,
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

func (c *Call) showPlan(plan *captable.Plan) any {
	record := planRecord{Plan: plan, Organization: c.Organization, ExpiresOn: plan.ExpiresOn(), Pools: []poolRecord{}}
	for i := range plan.Pools {
		pool := &plan.Pools[i]
		record.Pools = append(record.Pools, poolRecord{pool.PoolTerms, figuresOf(pool.PoolFigures)})
	}
	return record
}

// seesPlans reports whether the caller may see the plans. For other callers the organization has no
// plans.
func (c *Call) seesPlans() bool {
	return c.Can(organization.ViewIncentivePlan) || c.Can(organization.ViewCapTable)
}

// plan returns the plan of the path as of the requested day.
func (c *Call) plan() (*captable.Plan, error) {
	plan, ok := c.View.State.Table().Plan(pathID[captable.Plan](c, "plan"))
	if !ok || !c.seesPlans() {
		return nil, errNotFound()
	}
	return c.planAsked(plan), nil
}

// planAsked returns the plan as of the requested day, else as of today, which includes expirations
// that are not recorded yet.
func (c *Call) planAsked(plan *captable.Plan) *captable.Plan {
	return c.View.State.Table().PlanOn(plan, c.through())
}

// shownPlan returns the affected plan.
func (c *Call) shownPlan(reply messages.Reply) (shown, error) {
	plan, err := touched[*captable.Plan](reply)
	if err != nil {
		return shown{}, err
	}
	return shown{record: c.showPlan(plan), version: plan.Version}, nil
}

func (s *Server) createPlan(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CreatePlan](c)
	if err != nil {
		return Answer{}, err
	}
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		plan, err := touched[*captable.Plan](reply)
		if err != nil {
			return shown{}, err
		}
		return shown{c.showPlan(plan), plan.Version, "/plan/" + plan.ID.String()}, nil
	})
}

func (s *Server) replacePlan(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ReplacePlan](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Plan](c, "plan")
	return s.alter(ctx, c, command, command.ID, c.shownPlan)
}

func (s *Server) deletePlan(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Plan](c, "plan")
	return s.remove(ctx, c, captable.DeletePlan{ID: id}, id)
}

// listPlans lists the plans as of the requested day. The list is empty for callers who may not see
// plans.
func (s *Server) listPlans(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(plan *captable.Plan) [16]byte { return plan.ID }
		found := paged(c, id, shaped(c.View.State.Table().Plans(), func(plan *captable.Plan) (*captable.Plan, bool) {
			return c.planAsked(plan), c.seesPlans()
		}))
		return shownPage(found, c.showPlan), nil
	})
}

func (s *Server) getPlan(_ context.Context, c *Call) (Answer, error) {
	plan, err := c.plan()
	if err != nil {
		return Answer{}, err
	}
	tag := c.recordTag(plan.Version)
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	return answered(c.showPlan(plan), tag), nil
}

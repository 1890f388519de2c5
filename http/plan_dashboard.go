package http

import (
	"context"

	"equity/captable"
	"equity/captable/vesting"
)

// planDashboard is a plan at a glance.
type planDashboard struct {
	AsOf     captable.Date `json:"asOf"`
	Sequence uint64        `json:"sequence"`
	planLine
	// Status is whether something may be granted on the day: pending, active or expired.
	Status        string        `json:"status"`
	EffectiveDate captable.Date `json:"effectiveDate,omitzero"`
	ExpiresOn     captable.Date `json:"expiresOn,omitzero"`
	// Grants counts what was ever granted, whatever became of it.
	Grants    int                     `json:"grants"`
	Documents []captable.PlanDocument `json:"documents"`
	// Breakdown has a line for each type that was granted or is approved.
	Breakdown   []captable.GrantSums    `json:"breakdown"`
	Statuses    map[captable.Status]int `json:"statuses"`
	Holders     int                     `json:"holders"`
	Requests    int                     `json:"requests"`
	NextVesting *vesting.Vesting        `json:"nextVesting,omitempty"`
}

// getPlanDashboard answers the figures of one plan, and whether it still grants.
func (s *Server) getPlanDashboard(_ context.Context, c *Call) (Answer, error) {
	plan, err := c.plan()
	if err != nil {
		return Answer{}, err
	}
	return s.render(c, contentJSON, func() ([]byte, error) {
		made := planDashboard{
			AsOf: c.through(), Sequence: c.View.Sequence, Status: plan.StatusOn(c.through()),
			EffectiveDate: plan.EffectiveDate, ExpiresOn: plan.ExpiresOn(), Documents: append([]captable.PlanDocument{}, plan.Documents...),
		}
		made.planLine, _ = c.planLine(plan)
		for i := range plan.Pools {
			made.Grants += plan.Pools[i].Grants
		}
		sums := c.View.State.Table().PlanSums(plan, made.AsOf)
		made.Breakdown, made.Statuses, made.Holders = sums.ByType, sums.ByStatus, sums.Holders
		made.Requests, made.NextVesting = sums.Requests, sums.NextVesting
		return renderJSON(made)
	})
}

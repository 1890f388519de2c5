package http

import (
	"context"

	"equity/captable"
	"equity/captable/vesting"
)

// planDashboard is a summary of a plan.
type planDashboard struct {
	AsOf     captable.Date `json:"asOf"`
	Sequence uint64        `json:"sequence"`
	planLine
	// Status is pending, active or expired on the day. Only an active plan can grant.
	Status        string        `json:"status"`
	EffectiveDate captable.Date `json:"effectiveDate,omitzero"`
	ExpiresOn     captable.Date `json:"expiresOn,omitzero"`
	// Grants is the number of all grants, including ended ones.
	Grants    int                     `json:"grants"`
	Documents []captable.PlanDocument `json:"documents"`
	// Breakdown has an entry for each type that was granted or is approved.
	Breakdown   []captable.GrantSums    `json:"breakdown"`
	Statuses    map[captable.Status]int `json:"statuses"`
	Holders     int                     `json:"holders"`
	Requests    int                     `json:"requests"`
	NextVesting *vesting.Vesting        `json:"nextVesting,omitempty"`
}

// getPlanDashboard returns the figures and the status of a plan.
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
		made.Grants = c.View.State.Table().GrantsOn(plan, made.AsOf)
		sums := c.View.State.Table().PlanSums(plan, made.AsOf)
		made.Breakdown, made.Statuses, made.Holders = sums.ByType, sums.ByStatus, sums.Holders
		made.Requests, made.NextVesting = sums.Requests, sums.NextVesting
		return renderJSON(made)
	})
}

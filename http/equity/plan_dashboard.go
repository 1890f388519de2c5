package equity

import (
	"context"

	"equity/captable"
	"equity/captable/vesting"
	"equity/http/api"
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
func (s plans) getPlanDashboard(_ context.Context, c *api.Call) (api.Answer, error) {
	plan, err := plan(c)
	if err != nil {
		return api.Answer{}, err
	}
	return s.Render(c, api.ContentJSON, func() ([]byte, error) {
		result := planDashboard{
			AsOf: through(c), Sequence: c.View.Sequence, Status: plan.StatusOn(through(c)),
			EffectiveDate: plan.EffectiveDate, ExpiresOn: plan.ExpiresOn(),
			Documents: append([]captable.PlanDocument{}, c.ReadableFiles().ShownPlanDocuments(plan.Documents)...),
		}
		result.planLine, _ = planLineOf(c, plan)
		result.Grants = c.View.State.Table().GrantsOn(plan, result.AsOf)
		sums := c.View.State.Table().PlanSums(plan, result.AsOf)
		result.Breakdown, result.Statuses, result.Holders = sums.ByType, sums.ByStatus, sums.Holders
		result.Requests, result.NextVesting = sums.Requests, sums.NextVesting
		return api.RenderJSON(result)
	})
}

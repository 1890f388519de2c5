package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// incentiveDocument is a document of a plan.
type incentiveDocument struct {
	captable.PlanDocument
	Plan         captable.PlanID `json:"plan"`
	PlanName     string          `json:"planName"`
	Organization organization.ID `json:"organization"`
	// OrganizationName is the name of the plan's organization.
	OrganizationName string `json:"organizationName"`
	// again is the number of equal documents before it in the plan.
	again int
}

// listIncentiveDocuments lists the plan documents of all the caller's organizations, in order of the creation of organizations, plans
// and files.
func (s plans) listIncentiveDocuments(ctx context.Context, c *api.Call) (api.Answer, error) {
	var found []incentiveDocument
	err := s.EachHome(ctx, c, func(home *api.Call) {
		if seesPlans(home) {
			found = append(found, planDocuments(home)...)
		}
	})
	if err != nil {
		return api.Answer{}, err
	}
	page, err := api.PageByKey(c, found, func(_ int, d incentiveDocument) string {
		return string(d.Organization[:]) + string(d.Plan[:]) + d.File + " " + d.Kind + " " + api.PlaceKey(d.again, d)
	})
	return api.Answer{Record: page, Private: true}, err
}

// planDocuments lists the documents of the organization's plans.
func planDocuments(c *api.Call) (all []incentiveDocument) {
	for plan := range c.View.State.Table().Plans() {
		times := map[captable.PlanDocument]int{}
		for _, document := range c.ReadableFiles().ShownPlanDocuments(plan.Documents) {
			all = append(all, incentiveDocument{document, plan.ID, plan.Name, c.Organization, c.View.State.Profile().Name, times[document]})
			times[document]++
		}
	}
	return all
}

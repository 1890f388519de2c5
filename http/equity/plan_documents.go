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
}

// listIncentiveDocuments lists the plan documents of all the caller's organizations, in order of their
// creation.
func (s plans) listIncentiveDocuments(ctx context.Context, c *api.Call) (api.Answer, error) {
	found := api.Page[incentiveDocument]{Data: []incentiveDocument{}}
	err := s.EachHome(ctx, c, func(home *api.Call) {
		if seesPlans(home) {
			found.Data = append(found.Data, planDocuments(home)...)
		}
	})
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: found, Private: true}, nil
}

// planDocuments lists the documents of the organization's plans.
func planDocuments(c *api.Call) (all []incentiveDocument) {
	for plan := range c.View.State.Table().Plans() {
		for _, document := range c.ReadableFiles().ShownPlanDocuments(plan.Documents) {
			all = append(all, incentiveDocument{document, plan.ID, plan.Name, c.Organization, c.View.State.Profile().Name})
		}
	}
	return all
}

package http

import (
	"context"

	"equity/captable"
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
func (s *Server) listIncentiveDocuments(ctx context.Context, c *Call) (Answer, error) {
	homes, err := s.homes(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	found := page[incentiveDocument]{Data: []incentiveDocument{}}
	for _, home := range homes {
		if home.seesPlans() {
			found.Data = append(found.Data, home.planDocuments()...)
		}
	}
	return Answer{Record: found, Private: true}, nil
}

// planDocuments lists the documents of the organization's plans.
func (c *Call) planDocuments() (all []incentiveDocument) {
	for plan := range c.View.State.Table().Plans() {
		for _, document := range plan.Documents {
			all = append(all, incentiveDocument{document, plan.ID, plan.Name, c.Organization, c.View.State.Profile().Name})
		}
	}
	return all
}

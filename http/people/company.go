package people

import (
	"context"
	"strings"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/people/credit"
	"equity/people/referral"
)

// companyRequest is the request body of referCompany.
type companyRequest struct {
	Name         string `json:"name"`
	Website      string `json:"website"`
	ContactEmail string `json:"contactEmail"`
	Note         string `json:"note"`
}

// companyRecord is the JSON form of a company.
type companyRecord struct {
	ID           messages.CompanyID `json:"id"`
	Name         string             `json:"name"`
	Website      string             `json:"website"`
	ContactEmail string             `json:"contactEmail"`
	Note         string             `json:"note,omitempty"`
	Card         credit.CardID      `json:"card"`
	CreatedAt    captable.Instant   `json:"createdAt"`
}

// Each referred company earns a card, so the number of companies per user is limited.
const (
	companiesPerDay = 20
	companyWindow   = 24 * time.Hour
)

// readCompany decodes the body and derives the site that identifies the company.
func readCompany(c *api.Call) (input companyRequest, site string, err error) {
	if input, err = api.Decode[companyRequest](c); err != nil {
		return input, "", err
	}
	site, ok := referral.Site(input.Website)
	if !ok {
		err = api.WrongField("/website", "invalidWebsite", "Enter the address of the company's website, for example https://example.com.")
	}
	return input, site, err
}

// referCompany stores a company that the caller refers, and a card for it. A repeated idempotency key
// returns the first answer and creates no second card.
func (s referrals) referCompany(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, site, err := readCompany(c)
	if err != nil {
		return api.Answer{}, err
	}
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "company user "+c.By(), companiesPerDay, companyWindow); err != nil {
		return api.Answer{}, err
	}
	card, err := credit.DrawCard(s.Random, s.NewID(), credit.CardOrganizationInfo)
	if err != nil {
		return api.Answer{}, err
	}
	card.Entity = account.Entity
	company, replayed, err := s.Referrals.AddCompany(ctx, c.Once(), messages.Company{
		ID: captable.ID[messages.Company](s.NewID()), Entity: account.Entity, Name: strings.TrimSpace(input.Name),
		Website:      strings.TrimSpace(input.Website),
		ContactEmail: strings.TrimSpace(input.ContactEmail), Note: input.Note, Site: site, Card: card, At: c.At,
	})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "refer company", err))
	}
	record := companyRecord{
		company.ID, company.Name, company.Website, company.ContactEmail, company.Note, company.Card.ID, captable.InstantOf(company.At),
	}
	answer := api.Created(record, "/card", "")
	answer.Replayed = replayed
	return answer, nil
}

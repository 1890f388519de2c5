package http

import (
	"context"
	"strings"
	"time"

	"equity/captable"
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
func readCompany(c *Call) (wish companyRequest, site string, err error) {
	if wish, err = decode[companyRequest](c); err != nil {
		return wish, "", err
	}
	site, ok := referral.Site(wish.Website)
	if !ok {
		err = wrongField("/website", "invalidWebsite", "Enter the address of the company's website, for example https://example.com.")
	}
	return wish, site, err
}

// referCompany stores a company that the caller refers, and a card for it. A repeated idempotency key
// returns the first answer and creates no second card.
func (s *Server) referCompany(ctx context.Context, c *Call) (Answer, error) {
	wish, site, err := readCompany(c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.patience(ctx, "company user "+c.By(), companiesPerDay, companyWindow); err != nil {
		return Answer{}, err
	}
	card, err := s.drawCard(credit.CardOrganizationInfo)
	if err != nil {
		return Answer{}, err
	}
	card.Entity = account.Entity
	made, replayed, err := s.beside.Referrals.AddCompany(ctx, c.once(), messages.Company{
		ID: fresh[messages.Company](s), Entity: account.Entity, Name: strings.TrimSpace(wish.Name), Website: strings.TrimSpace(wish.Website),
		ContactEmail: strings.TrimSpace(wish.ContactEmail), Note: wish.Note, Site: site, Card: card, At: c.At,
	})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "refer company", err))
	}
	record := companyRecord{made.ID, made.Name, made.Website, made.ContactEmail, made.Note, made.Card.ID, captable.InstantOf(made.At)}
	answer := created(record, "/card", "")
	answer.Replayed = replayed
	return answer, nil
}

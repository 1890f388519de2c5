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

// companyWish is the body of telling about a company.
type companyWish struct {
	Name         string `json:"name"`
	Website      string `json:"website"`
	ContactEmail string `json:"contactEmail"`
	Note         string `json:"note"`
}

// companyRecord is a company as it is answered.
type companyRecord struct {
	ID           messages.CompanyID `json:"id"`
	Name         string             `json:"name"`
	Website      string             `json:"website"`
	ContactEmail string             `json:"contactEmail"`
	Note         string             `json:"note,omitempty"`
	Card         credit.CardID      `json:"card"`
	CreatedAt    captable.Instant   `json:"createdAt"`
}

// How many companies somebody may tell about, as each earns a card.
const (
	companiesPerDay = 20
	companyWindow   = 24 * time.Hour
)

// readCompany reads what the body tells, and the site that the company is known by.
func readCompany(c *Call) (wish companyWish, site string, err error) {
	if wish, err = decode[companyWish](c); err != nil {
		return wish, "", err
	}
	site, ok := referral.Site(wish.Website)
	if !ok {
		err = wrongField("/website", "invalidWebsite", "Write the address of the company's website, such as https://example.com.")
	}
	return wish, site, err
}

// referCompany keeps a company that the caller knows of, and a card for it. A repeat with the same
// key gives the first answer, and no second card.
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

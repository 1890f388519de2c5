package http

import (
	"context"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

// Referrals stores referrals and their rewards. Expected failures are a captable.Error with code
// resourceNotFound, conflict or recentInvitation.
type Referrals interface {
	// Code returns the code of an entity. It stores the code returned by draw if the entity has none.
	Code(ctx context.Context, entity captable.EntityID, now time.Time, draw func() (referral.Code, error)) (referral.Code, error)
	Referred(ctx context.Context, entity captable.EntityID, limit int) (newest []messages.Referral, referred, joined int, err error)
	AddCompany(ctx context.Context, once messages.Once, wish messages.Company) (made messages.Company, replayed bool, err error)
	Cards(ctx context.Context, entity captable.EntityID) ([]credit.Card, error)
	// Reveal credits the card's value with the booking, at most once.
	Reveal(ctx context.Context, entity captable.EntityID, id credit.CardID, booking credit.Booking) (credit.Card, error)
	Invite(ctx context.Context, once messages.Once, wish messages.Invitation, mail messages.Mail, cooldown time.Duration) (
		made messages.Invitation, replayed bool, err error)
	Invitations(ctx context.Context, user organization.UserID, limit int) ([]messages.Invitation, error)
}

func (s *Server) referralHandlers() map[string]Handler {
	return map[string]Handler{
		"getReferral":          s.getReferral,
		"getReferralSummary":   s.getReferralSummary,
		"referCompany":         s.referCompany,
		"listCards":            s.listCards,
		"revealReward":         s.revealReward,
		"listInvitations":      s.listInvitations,
		"sendInvitation":       s.sendInvitation,
		"listExternalContacts": s.listExternalContacts,
		"getWaitlistStats":     s.getWaitlistStats,
	}
}

// mostListed is the maximum length of the lists without pages.
const mostListed = 200

// referralRecord is the JSON form of an entity's referral code.
type referralRecord struct {
	Code     referral.Code `json:"code"`
	Link     string        `json:"link"`
	Referred int           `json:"referred"`
	Joined   int           `json:"joined"`
	Credit   credit.Amount `json:"credit"`
	Rewards  []cardRecord  `json:"rewards"`
}

// getReferral returns the referral code of an entity and its referrals. The first request creates the
// code.
func (s *Server) getReferral(ctx context.Context, c *Call) (Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	record := referralRecord{}
	if record.Code, err = s.referralCode(ctx, c, entity); err != nil {
		return Answer{}, err
	}
	record.Link = s.invitationLink(record.Code)
	if _, record.Referred, record.Joined, err = s.beside.Referrals.Referred(ctx, entity, 0); err != nil {
		return Answer{}, unavailable(doing(ctx, "count referrals", err))
	}
	sums, err := s.beside.Credit.Sums(ctx, entity)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "add up credit", err))
	}
	cards, err := s.beside.Referrals.Cards(ctx, entity)
	record.Credit, record.Rewards = sums.Balance(), listed(cards, showCard).Data
	return Answer{Record: record, Private: true}, unavailable(doing(ctx, "list cards", err))
}

func (s *Server) referralCode(ctx context.Context, c *Call, entity captable.EntityID) (referral.Code, error) {
	code, err := s.beside.Referrals.Code(ctx, entity, c.At, func() (referral.Code, error) { return referral.DrawCode(s.random) })
	return code, unavailable(doing(ctx, "find referral code", err))
}

// invitationLink returns the URL of the registration form with the code.
func (s *Server) invitationLink(code referral.Code) string {
	return s.pageLink(registerPath, "code", string(code))
}

// referralSummary is the JSON form of an entity's referral results.
type referralSummary struct {
	Balance        credit.Amount    `json:"balance"`
	Earned         credit.Amount    `json:"earned"`
	TransferredIn  credit.Amount    `json:"transferredIn"`
	TransferredOut credit.Amount    `json:"transferredOut"`
	Referrals      []referredRecord `json:"referrals"`
}

// referredRecord is the first name of a referred user. Other data is private.
type referredRecord struct {
	FirstName  string           `json:"firstName"`
	ReferredAt captable.Instant `json:"referredAt"`
	Joined     bool             `json:"joined"`
}

// getReferralSummary returns the credit of an entity and its latest referrals.
func (s *Server) getReferralSummary(ctx context.Context, c *Call) (Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	sums, err := s.beside.Credit.Sums(ctx, entity)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "add up credit", err))
	}
	newest, _, _, err := s.beside.Referrals.Referred(ctx, entity, mostListed)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list referrals", err))
	}
	show := func(r messages.Referral) referredRecord {
		return referredRecord{r.FirstName, captable.InstantOf(r.At), r.Joined}
	}
	return Answer{Private: true, Record: referralSummary{
		sums.Balance(), sums.Earned, sums.In, sums.Out, listed(newest, show).Data,
	}}, nil
}

// referredBy returns the referral of a registration; nil without a code. It draws the cards here; they
// are credited after the newcomer confirms their address.
func (s *Server) referredBy(text string) (*messages.Referred, error) {
	code, ok := referral.ParseCode(text)
	if !ok { // by the contract, the code is empty
		return nil, nil //nolint:nilnil // nil means no referral
	}
	newcomer, err := s.drawCard(credit.CardSignup)
	if err != nil {
		return nil, err
	}
	referrer, err := s.drawCard(credit.CardReferral)
	return &messages.Referred{Code: code, ForNewcomer: newcomer, ForReferrer: referrer}, err
}

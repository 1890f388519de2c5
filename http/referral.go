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

// Referrals keeps who brought whom along, and what that earned. Refusals are a captable.Error with code resourceNotFound, conflict
// or recentInvitation.
type Referrals interface {
	// Code gives the code of an entity, which is drawn when it has none.
	Code(ctx context.Context, entity captable.EntityID, now time.Time, draw func() (referral.Code, error)) (referral.Code, error)
	Referred(ctx context.Context, entity captable.EntityID, limit int) (newest []messages.Referral, referred, joined int, err error)
	AddCompany(ctx context.Context, once messages.Once, wish messages.Company) (made messages.Company, replayed bool, err error)
	Cards(ctx context.Context, entity captable.EntityID) ([]credit.Card, error)
	// Reveal credits the card's value by the booking, once.
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

// mostListed is how many records the lists have that have no pages.
const mostListed = 200

// referralRecord is what an entity has of its code.
type referralRecord struct {
	Code     referral.Code `json:"code"`
	Link     string        `json:"link"`
	Referred int           `json:"referred"`
	Joined   int           `json:"joined"`
	Credit   credit.Amount `json:"credit"`
	Rewards  []cardRecord  `json:"rewards"`
}

// getReferral gives the code of an entity, made at the first question, and what came of it.
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

// invitationLink leads to the form for registering, with the code filled in.
func (s *Server) invitationLink(code referral.Code) string {
	return s.pageLink(registerPath, "code", string(code))
}

// referralSummary is what came of an entity's referrals.
type referralSummary struct {
	Balance        credit.Amount    `json:"balance"`
	Earned         credit.Amount    `json:"earned"`
	TransferredIn  credit.Amount    `json:"transferredIn"`
	TransferredOut credit.Amount    `json:"transferredOut"`
	Referrals      []referredRecord `json:"referrals"`
}

// referredRecord is somebody who came by the code: their first name, no more.
type referredRecord struct {
	FirstName  string           `json:"firstName"`
	ReferredAt captable.Instant `json:"referredAt"`
	Joined     bool             `json:"joined"`
}

// getReferralSummary adds up the credit of an entity and names the newest of those who came, by
// their first names.
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

// referredBy is what comes with a registration by somebody's code; nil without a code. The cards are drawn here, and earned when
// the newcomer's address is confirmed.
func (s *Server) referredBy(text string) (*messages.Referred, error) {
	code, ok := referral.ParseCode(text)
	if !ok { // by the contract, there is none
		return nil, nil //nolint:nilnil // nobody referred them
	}
	newcomer, err := s.drawCard(credit.CardSignup)
	if err != nil {
		return nil, err
	}
	referrer, err := s.drawCard(credit.CardReferral)
	return &messages.Referred{Code: code, ForNewcomer: newcomer, ForReferrer: referrer}, err
}

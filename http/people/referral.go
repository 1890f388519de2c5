package people

import (
	"context"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
	"equity/people/referral"
)

// Referrals stores referrals and their rewards. Expected failures are a fault.Error with code
// resourceNotFound, conflict or recentInvitation.
type Referrals interface {
	// Code returns the code of an entity. It stores the code returned by draw if the entity has none.
	Code(ctx context.Context, entity captable.EntityID, now time.Time, draw func() (referral.Code, error)) (referral.Code, error)
	Referred(ctx context.Context, entity captable.EntityID, limit int) (newest []messages.Referral, referred, joined int, err error)
	AddCompany(ctx context.Context, once messages.Once, company messages.Company) (stored messages.Company, replayed bool, err error)
	Cards(ctx context.Context, entity captable.EntityID) ([]credit.Card, error)
	// Reveal credits the card's value with the booking, at most once.
	Reveal(ctx context.Context, entity captable.EntityID, id credit.CardID, booking credit.Booking) (credit.Card, error)
	Invite(ctx context.Context, once messages.Once, input messages.Invitation, mail messages.Mail, cooldown time.Duration) (
		stored messages.Invitation, replayed bool, err error)
	// Invitations returns a page of the invitations of a user, most recently sent first. Their keys have the time when they were last sent.
	Invitations(ctx context.Context, user organization.UserID, page messages.PageQuery) ([]messages.Invitation, error)
}

func (s referrals) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"getReferral":          s.getReferral,
		"getReferralSummary":   s.getReferralSummary,
		"referCompany":         s.referCompany,
		"listInvitations":      s.listInvitations,
		"sendInvitation":       s.sendInvitation,
		"listExternalContacts": s.listExternalContacts,
		"getWaitlistStats":     s.getWaitlistStats,
	}
}

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
func (s referrals) getReferral(ctx context.Context, c *api.Call) (api.Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	record := referralRecord{}
	if record.Code, err = s.referralCode(ctx, c, entity); err != nil {
		return api.Answer{}, err
	}
	record.Link = s.invitationLink(record.Code)
	if _, record.Referred, record.Joined, err = s.Referrals.Referred(ctx, entity, 0); err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "count referrals", err))
	}
	sums, err := s.Credit.Sums(ctx, entity)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "add up credit", err))
	}
	cards, err := s.Referrals.Cards(ctx, entity)
	record.Credit, record.Rewards = sums.Balance(), api.Listed(cards, showCard).Data
	return api.Answer{Record: record, Private: true}, api.Unavailable(api.Wrap(ctx, "list cards", err))
}

func (s referrals) referralCode(ctx context.Context, c *api.Call, entity captable.EntityID) (referral.Code, error) {
	code, err := s.Referrals.Code(ctx, entity, c.At, func() (referral.Code, error) { return referral.DrawCode(s.Random) })
	return code, api.Unavailable(api.Wrap(ctx, "find referral code", err))
}

// invitationLink returns the URL of the registration form with the code.
func (s referrals) invitationLink(code referral.Code) string {
	return s.Letters.PageLink(api.RegisterPath, "code", string(code))
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
func (s referrals) getReferralSummary(ctx context.Context, c *api.Call) (api.Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	sums, err := s.Credit.Sums(ctx, entity)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "add up credit", err))
	}
	newest, _, _, err := s.Referrals.Referred(ctx, entity, api.MostListed)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list referrals", err))
	}
	show := func(r messages.Referral) referredRecord {
		return referredRecord{r.FirstName, captable.InstantOf(r.At), r.Joined}
	}
	return api.Answer{Private: true, Record: referralSummary{
		sums.Balance(), sums.Earned, sums.In, sums.Out, api.Listed(newest, show).Data,
	}}, nil
}

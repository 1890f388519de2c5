package http

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/people/credit"
)

// Erasure removes what is personal about a user.
type Erasure interface {
	Erase(ctx context.Context, user messages.User) error
}

func (s *Server) privacyHandlers() map[string]Handler {
	return map[string]Handler{
		"exportOwnData": s.exportOwnData,
		"eraseOwnData":  s.eraseOwnData,
	}
}

// ownData is everything that is kept of a user beside organizations, and what organizations keep of them.
type ownData struct {
	User        user               `json:"user"`
	Profile     any                `json:"profile"`
	Wallets     []walletRecord     `json:"wallets"`
	Cards       []cardRecord       `json:"cards"`
	Credit      []bookingRecord    `json:"credit"`
	Invitations []invitationRecord `json:"invitations"`
	Memberships []memberRecord     `json:"memberships"`
}

// mostBookings is how many bookings a download holds; the list has the others.
const mostBookings = 10_000

func (s *Server) exportOwnData(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	data, err := s.besideOf(ctx, c, account)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "gather own data", err))
	}
	if data.User, err = s.describe(ctx, account); err != nil {
		return Answer{}, err
	}
	if data.Memberships, err = s.membershipsOf(ctx, c); err != nil {
		return Answer{}, err
	}
	return Answer{Record: data, Private: true, FileName: "equity.json"}, nil
}

// besideOf gathers what lies beside organizations.
func (s *Server) besideOf(ctx context.Context, c *Call, account messages.User) (ownData, error) {
	c.subject = standing{entity: account.Entity, own: true}
	found, err := s.profile(ctx, c)
	if err != nil {
		return ownData{}, err
	}
	wallets, err := s.beside.Wallets.Of(ctx, account.Entity)
	if err != nil {
		return ownData{}, err
	}
	cards, err := s.beside.Referrals.Cards(ctx, account.Entity)
	if err != nil {
		return ownData{}, err
	}
	bookings, err := s.beside.Credit.History(ctx, account.Entity, credit.BookingID{}, mostBookings)
	if err != nil {
		return ownData{}, err
	}
	invitations, err := s.beside.Referrals.Invitations(ctx, account.ID, mostListed)
	return ownData{
		Profile: c.showProfile(found), Wallets: listed(wallets, showWallet).Data, Cards: listed(cards, showCard).Data,
		Credit: listed(bookings, showBooking).Data, Invitations: listed(invitations, showInvitation).Data,
	}, err
}

// membershipsOf gives the caller's memberships with the particulars that the organizations keep.
func (s *Server) membershipsOf(ctx context.Context, c *Call) ([]memberRecord, error) {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return nil, unavailable(doing(ctx, "list organizations", err))
	}
	all := []memberRecord{}
	for _, id := range ids {
		view, err := s.view(ctx, id)
		if err != nil {
			return nil, err
		}
		member, ok := view.State.MemberBy(c.Caller.User)
		if !ok {
			continue
		}
		c.Organization = id
		records, err := s.describeMembers(ctx, c, []*organization.Member{member})
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}

// eraseOwnData removes the account and everything personal. The sessions end before and after: whoever signs in between is
// out again as well.
func (s *Server) eraseOwnData(ctx context.Context, c *Call) (Answer, error) {
	wish, err := decode[struct {
		Email string `json:"email"`
	}](c)
	if err != nil {
		return Answer{}, err
	}
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if !strings.EqualFold(strings.TrimSpace(wish.Email), account.Email) {
		return Answer{}, wrongField("/email", "mismatch", "Write the e-mail address of the account, to confirm.")
	}
	if err := s.refuseLastOwner(ctx, c); err != nil {
		return Answer{}, err
	}
	for _, step := range []func() error{
		func() error { return s.sessions.RevokeUser(ctx, account.ID) },
		func() error { return s.beside.Erasure.Erase(ctx, account) },
		func() error { return s.sessions.RevokeUser(ctx, account.ID) },
	} {
		if err := step(); err != nil {
			return Answer{}, unavailable(doing(ctx, "erase", err))
		}
	}
	return Answer{Status: http.StatusNoContent, Private: true, Session: SessionChange{SignOut: true}}, nil
}

// refuseLastOwner refuses somebody without whom an organization has no owner.
func (s *Server) refuseLastOwner(ctx context.Context, c *Call) error {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return unavailable(doing(ctx, "list organizations", err))
	}
	for _, id := range ids {
		view, err := s.view(ctx, id)
		if err != nil {
			return err
		}
		if owners := ownersOf(view.State); len(owners) == 1 && owners[0] == c.Caller.User {
			return captable.Refuse(organization.CodeLastOwner, "An organization would have no owner. Make somebody else its owner first.").
				With("organization", id.String())
		}
	}
	return nil
}

// ownersOf gives the users who own an organization.
func ownersOf(state *organization.State) []organization.UserID {
	var owners []organization.UserID
	for member := range state.Members() {
		if member.Status == organization.StatusJoined && !member.User.IsZero() && slices.Contains(member.Roles, organization.RoleOwner) {
			owners = append(owners, member.User)
		}
	}
	return owners
}

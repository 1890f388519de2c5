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

// Erasure deletes the personal data of a user.
type Erasure interface {
	Erase(ctx context.Context, user messages.User) error
}

func (s *Server) privacyHandlers() map[string]Handler {
	return map[string]Handler{
		"exportOwnData": s.exportOwnData,
		"eraseOwnData":  s.eraseOwnData,
	}
}

// ownData is the personal data of a user, inside and outside organizations.
type ownData struct {
	User        user               `json:"user"`
	Profile     any                `json:"profile"`
	Profiles    []any              `json:"profiles"`
	Wallets     []walletRecord     `json:"wallets"`
	Cards       []cardRecord       `json:"cards"`
	Credit      []bookingRecord    `json:"credit"`
	Invitations []invitationRecord `json:"invitations"`
	Memberships []memberRecord     `json:"memberships"`
}

// mostBookings limits the bookings in a download. The paginated list has all of them.
const mostBookings = 10_000

// exportOwnData returns the caller's personal data outside the journals (GDPR Art. 15 and 20). The
// journals are records of the organizations.
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

// besideOf collects the data outside organizations, for the account's own entity and the entities of
// its memberships.
func (s *Server) besideOf(ctx context.Context, c *Call, account messages.User) (ownData, error) {
	data := ownData{Profiles: []any{}, Wallets: []walletRecord{}}
	c.subject = standing{entity: account.Entity, own: true}
	found, err := s.profile(ctx, c)
	if err != nil {
		return data, err
	}
	data.Profile = c.showProfile(found)
	entities, err := s.index.EntitiesOf(ctx, account.ID)
	if err != nil {
		return data, err
	}
	entities = slices.DeleteFunc(entities, func(e captable.EntityID) bool { return e == account.Entity })
	for _, entity := range entities {
		known, err := s.beside.Profiles.ByEntity(ctx, entity)
		if err != nil {
			return data, err
		}
		data.Profiles = append(data.Profiles, c.showProfile(known))
	}
	for _, entity := range append(entities, account.Entity) {
		wallets, err := s.beside.Wallets.Of(ctx, entity)
		if err != nil {
			return data, err
		}
		data.Wallets = append(data.Wallets, listed(wallets, showWallet).Data...)
	}
	return data, s.rewardsOf(ctx, account, &data)
}

// rewardsOf collects the rewards for referrals.
func (s *Server) rewardsOf(ctx context.Context, account messages.User, data *ownData) error {
	cards, err := s.beside.Referrals.Cards(ctx, account.Entity)
	if err != nil {
		return err
	}
	bookings, err := s.beside.Credit.History(ctx, account.Entity, credit.BookingID{}, mostBookings)
	if err != nil {
		return err
	}
	invitations, err := s.beside.Referrals.Invitations(ctx, account.ID, mostListed)
	data.Cards, data.Credit = listed(cards, showCard).Data, listed(bookings, showBooking).Data
	data.Invitations = listed(invitations, showInvitation).Data
	return err
}

// membershipsOf returns the caller's memberships with the particulars that the organizations store.
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

// eraseOwnData deletes the account and all personal data. Sessions are ended before and after the
// deletion, so that a sign-in in between does not survive it.
func (s *Server) eraseOwnData(ctx context.Context, c *Call) (Answer, error) {
	account, err := s.account(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.confirmErasure(ctx, c, account); err != nil {
		return Answer{}, err
	}
	if err := s.refuseLastOwner(ctx, c); err != nil {
		return Answer{}, err
	}
	for _, step := range []func() error{
		func() error { return s.leaveAll(ctx, c) },
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

// leaveAll ends the caller's memberships.
func (s *Server) leaveAll(ctx context.Context, c *Call) error {
	ids, err := s.index.OrganizationsOf(ctx, c.Caller.User)
	for _, id := range ids {
		if err == nil {
			_, err = s.organizations.Do(ctx, messages.Command{
				Organization: id, By: c.By(), At: c.At, Body: organization.LeaveOrganization{User: c.Caller.User},
			})
		}
		if isNotFound(err) { // removed by a concurrent request
			err = nil
		}
	}
	return err
}

// eraseOwnData is the request body of an erasure.
type eraseOwnData struct {
	Email          string `json:"email"`
	Password       string `json:"password"`
	TwoFactorToken string `json:"twoFactorToken"`
}

// confirmErasure requires the password and the second factor, because an erasure cannot be undone and
// the browser may have been left open. Users who sign in only through an identity provider have no
// password to enter.
func (s *Server) confirmErasure(ctx context.Context, c *Call, account messages.User) error {
	wish, err := decode[eraseOwnData](c)
	if err != nil {
		return err
	}
	if !strings.EqualFold(strings.TrimSpace(wish.Email), account.Email) {
		return wrongField("/email", "mismatch", "Enter the e-mail address of the account to confirm the erasure.")
	}
	if account.PasswordHash != "" {
		if err := s.knowsPassword(ctx, c, account, wish.Password); err != nil {
			return err
		}
	}
	return s.secondFactor(ctx, c, account, wish.TwoFactorToken)
}

// refuseLastOwner refuses the only owner of an organization.
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
			return captable.Refuse(organization.CodeLastOwner, "You are the only owner of an organization. Appoint another owner first.").
				With("organization", id.String())
		}
	}
	return nil
}

// ownersOf returns the users with the Owner role.
func ownersOf(state *organization.State) []organization.UserID {
	var owners []organization.UserID
	for member := range state.Members() {
		if member.Status == organization.StatusJoined && !member.User.IsZero() && slices.Contains(member.Roles, organization.RoleOwner) {
			owners = append(owners, member.User)
		}
	}
	return owners
}

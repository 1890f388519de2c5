package people

import (
	"context"
	"net/http"
	"slices"

	"equity/account"
	"equity/captable"
	"equity/http/api"
	"equity/membership"
	"equity/messages"
	"equity/people/credit"
)

func (s privacy) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"exportOwnData": s.exportOwnData,
		"eraseOwnData":  s.eraseOwnData,
	}
}

// ownData is the personal data of a user, inside and outside organizations.
type ownData struct {
	User        any                    `json:"user"`
	Profile     any                    `json:"profile"`
	Profiles    []any                  `json:"profiles"`
	Files       []messages.ProfileFile `json:"files"`
	Wallets     []walletRecord         `json:"wallets"`
	Cards       []cardRecord           `json:"cards"`
	Credit      []bookingRecord        `json:"credit"`
	Invitations []invitationRecord     `json:"invitations"`
	Memberships []any                  `json:"memberships"`
}

// maxDownloaded limits the bookings and the invitations in a download. The lists with pages have all of them.
const maxDownloaded = 10_000

// exportOwnData returns the caller's personal data outside the journals (GDPR Art. 15 and 20). The
// journals are records of the organizations.
func (s privacy) exportOwnData(ctx context.Context, c *api.Call) (api.Answer, error) {
	account, err := s.Account(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	data, err := s.externalData(ctx, c, account)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "gather own data", err))
	}
	if data.User, err = s.DescribeUser(ctx, account); err != nil {
		return api.Answer{}, err
	}
	if data.Memberships, err = s.membershipsOf(ctx, c); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: data, Private: true, FileName: "equity.json"}, nil
}

// externalData collects the data outside organizations, for the account's own entity and the entities of
// its memberships.
func (s privacy) externalData(ctx context.Context, c *api.Call, account messages.User) (ownData, error) {
	data := ownData{Profiles: []any{}, Files: []messages.ProfileFile{}, Wallets: []walletRecord{}}
	c.Subject = api.Standing{Entity: account.Entity, ProfileRights: membership.ProfileRights{Own: true}}
	found, err := s.profile(ctx, c)
	if err != nil {
		return data, err
	}
	data.Profile = showProfile(c, found)
	entities, err := s.Index.EntitiesOf(ctx, account.ID)
	if err != nil {
		return data, err
	}
	entities = slices.DeleteFunc(entities, func(e captable.EntityID) bool { return e == account.Entity })
	for _, entity := range entities {
		known, err := s.Profiles.ByEntity(ctx, entity)
		if err != nil {
			return data, err
		}
		data.Profiles = append(data.Profiles, showProfile(c, known))
	}
	for _, entity := range append(slices.Clip(entities), account.Entity) {
		files, err := s.ProfileFiles.Of(ctx, entity)
		if err != nil {
			return data, err
		}
		data.Files = append(data.Files, files...)
		wallets, err := s.Wallets.Of(ctx, entity)
		if err != nil {
			return data, err
		}
		data.Wallets = append(data.Wallets, api.Listed(wallets, showWallet).Data...)
	}
	return data, s.rewardsOf(ctx, account, &data)
}

// rewardsOf collects the rewards for referrals.
func (s privacy) rewardsOf(ctx context.Context, account messages.User, data *ownData) error {
	cards, err := s.Referrals.Cards(ctx, account.Entity)
	if err != nil {
		return err
	}
	bookings, err := s.Credit.History(ctx, account.Entity, credit.BookingID{}, maxDownloaded)
	if err != nil {
		return err
	}
	invitations, err := s.Referrals.Invitations(ctx, account.ID, messages.PageQuery{Limit: maxDownloaded})
	data.Cards, data.Credit = api.Listed(cards, showCard).Data, api.Listed(bookings, showBooking).Data
	data.Invitations = api.Listed(invitations, showInvitation).Data
	return err
}

// membershipsOf returns the caller's memberships with the particulars that the organizations store.
func (s privacy) membershipsOf(ctx context.Context, c *api.Call) ([]any, error) {
	ids, err := s.Index.OrganizationsOf(ctx, c.Caller.User)
	if err != nil {
		return nil, api.Unavailable(api.Wrap(ctx, "list organizations", err))
	}
	all := []any{}
	for _, id := range ids {
		view, err := s.View(ctx, id)
		if err != nil {
			return nil, err
		}
		member, ok := view.State.MemberBy(c.Caller.User)
		if !ok {
			continue
		}
		c.Organization = id
		record, err := s.DescribeMember(ctx, c, member)
		if err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}

// eraseOwnData deletes the account and all personal data, and ends the session.
func (s privacy) eraseOwnData(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[account.ErasureRequest](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Erasure.Erase(ctx, api.AccountCaller(c), input); err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Status: http.StatusNoContent, Private: true, Session: api.SessionChange{SignOut: true}}, nil
}

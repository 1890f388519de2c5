package member

import (
	"context"
	"net/http"

	"equity/captable"
	"equity/http/api"
	"equity/membership"
	"equity/organization"
)

// changedAddress is the JSON form of a change of an address for the reader of the former one.
type changedAddress struct {
	Organization invitedTo        `json:"organization"`
	Holder       string           `json:"holder"`
	WaitsUntil   captable.Instant `json:"waitsUntil"`
}

// readAddressChange returns the change of a token.
func (s invitations) readAddressChange(ctx context.Context, c *api.Call, answer membership.Answer) (api.Answer, error) {
	state, member, err := s.Memberships.ReadAddressChange(ctx, answer)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Private: true, Record: changedAddress{
		invitedTo{state.ID(), state.Profile().Name}, member.FullName, member.AddressChange.WaitsUntil,
	}}, nil
}

// confirmAddressChange does not require an account.
func (s invitations) confirmAddressChange(ctx context.Context, c *api.Call, answer membership.Answer) (api.Answer, error) {
	return api.Answer{Status: http.StatusNoContent, Private: true}, s.Memberships.ConfirmAddressChange(ctx, answer)
}

// waitingClaim is the JSON form of a claim that has to wait.
type waitingClaim struct {
	ID           organization.MemberID `json:"id"`
	Organization invitedTo             `json:"organization"`
	WaitsUntil   captable.Instant      `json:"waitsUntil"`
}

// listWaitingClaims returns the holders with the caller's verified address that the caller cannot claim yet.
func (s invitations) listWaitingClaims(ctx context.Context, c *api.Call) (api.Answer, error) {
	waiting, err := membership.InboxOf(s.Memberships).Waiting(ctx, membership.ReceivedQuery{
		User: c.Caller.User, At: c.At, Reaches: c.Caller.Token.Reaches,
	})
	if err != nil {
		return api.Answer{}, err
	}
	key := func(_ int, one membership.WaitingClaim) string {
		return string(one.Organization[:]) + string(one.Member[:])
	}
	page, err := api.ListedByKey(c, waiting, key, func(one membership.WaitingClaim) waitingClaim {
		return waitingClaim{one.Member, invitedTo{one.Organization, one.Name}, one.WaitsUntil}
	})
	return api.Answer{Record: page, Private: true}, err
}

// confirmMemberAddress lets the new address of a holder claim it at once. The kernel has checked the second factor.
func (s members) confirmMemberAddress(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[captable.MemberKind](c, "member")
	member, reply, err := api.DecideFor(ctx, s.Kernel, c, organization.ConfirmAddress{ID: id}, id)
	return s.memberAnswer(ctx, c, membership.Changed{Member: member, Reply: reply}, err)
}

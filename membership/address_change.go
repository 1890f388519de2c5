package membership

import (
	"context"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// AddressChanges answers for the former addresses of holders, with the tokens in their mails.
type AddressChanges struct{ tokens answerTokens }

// find returns the organization of the token and the hash by which it knows the token.
func (c AddressChanges) find(ctx context.Context, a Answer) (*messages.View, organization.TokenHash, error) {
	view, hash, err := c.tokens.open(ctx, a)
	if fault.Is(err, fault.NotFound) {
		err = fault.Refuse(fault.NotFound, "The change does not exist, was confirmed, or needs no confirmation any more.")
	}
	return view, hash, err
}

// ReadAddressChange returns the organization and the holder of a token from the mail to a former address.
func (c AddressChanges) ReadAddressChange(ctx context.Context, a Answer) (*organization.State, *organization.Member, error) {
	view, hash, err := c.find(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	member, err := view.State.Readdressed(hash, a.At)
	return view.State, member, err
}

// ConfirmAddressChange lets the new address claim the holder at once. It requires no account.
func (c AddressChanges) ConfirmAddressChange(ctx context.Context, a Answer) error {
	view, hash, err := c.find(ctx, a)
	if err != nil {
		return err
	}
	id := view.State.ID()
	_, err = c.tokens.organizations.Do(ctx, messages.Command{
		Organization: id, By: byFormerAddress, Origin: messages.OriginRequest, At: a.At,
		Body: organization.ConfirmAddressByToken{Hash: hash},
	})
	return messages.Wrap(ctx, "confirm address in "+id.String(), err)
}

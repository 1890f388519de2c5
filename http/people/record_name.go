package people

import (
	"context"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
)

// RecordName returns the kind and the name of the caller's own entity, or of a wallet of an entity for which the caller acts. It is empty for
// another id.
func (f *Feature) RecordName(ctx context.Context, c *api.Call, id [16]byte) (kind, name string, err error) {
	found, err := wallets{f.base}.wallet(ctx, c, messages.WalletID(id))
	switch {
	case err == nil:
		return "wallet", found.Terms.Network + " " + found.Terms.Address, nil
	case !fault.Is(err, fault.NotFound):
		return "", "", err
	}
	account, err := f.base.Account(ctx, c)
	if err != nil || account.Entity != captable.EntityID(id) {
		return "", "", api.Unavailable(api.Wrap(ctx, "find account", err))
	}
	return "person", account.FirstName + " " + account.LastName + ", " + account.Email, nil
}

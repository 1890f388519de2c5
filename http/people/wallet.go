package people

import (
	"context"
	"net/http"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/people/wallet"
)

// Wallets stores the addresses of wallets. Expected failures are a fault.Error with code
// resourceNotFound or conflict.
type Wallets interface {
	Add(ctx context.Context, once messages.Once, wallet messages.Wallet) (stored messages.Wallet, replayed bool, err error)
	ByID(ctx context.Context, id messages.WalletID) (messages.Wallet, error)
	Of(ctx context.Context, entity captable.EntityID) ([]messages.Wallet, error)
	Amend(
		ctx context.Context, id messages.WalletID, now time.Time, edit func(wallet.Terms) (wallet.Terms, error),
	) (messages.Wallet, error)
	Remove(ctx context.Context, id messages.WalletID) error
}

func (s wallets) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"addWallet":    s.addWallet,
		"amendWallet":  s.amendWallet,
		"listWallets":  s.listWallets,
		"getWallet":    s.getWallet,
		"deleteWallet": s.deleteWallet,
	}
}

// walletRecord is the JSON form of a wallet.
type walletRecord struct {
	ID     messages.WalletID `json:"id"`
	Entity captable.EntityID `json:"entity"`
	wallet.Terms
	CreatedAt captable.Instant `json:"createdAt"`
	UpdatedAt captable.Instant `json:"updatedAt"`
}

func showWallet(w messages.Wallet) walletRecord {
	return walletRecord{w.ID, w.Entity, w.Terms, captable.InstantOf(w.CreatedAt), captable.InstantOf(w.UpdatedAt)}
}

// newWallet is the request body for adding a wallet.
type newWallet struct {
	Entity captable.EntityID `json:"entity"`
	wallet.Terms
}

// readWallet decodes and checks the body.
func readWallet(c *api.Call) (newWallet, error) {
	input, err := api.Decode[newWallet](c)
	if err != nil {
		return input, err
	}
	input.Terms = input.Trimmed()
	return input, api.WrongFields(input.Faults())
}

// addWallet adds a wallet to an entity for which the caller acts.
func (s wallets) addWallet(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := readWallet(c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mayAct(ctx, c, input.Entity); err != nil {
		return api.Answer{}, err
	}
	stored, replayed, err := s.Wallets.Add(ctx, c.Once(), messages.Wallet{
		ID: captable.ID[messages.Wallet](s.NewID()), Entity: input.Entity, Terms: input.Terms, CreatedAt: c.At, UpdatedAt: c.At,
	})
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "add wallet", err))
	}
	answer := api.Created(showWallet(stored), "/entity/"+stored.Entity.String()+"/wallet/"+stored.ID.String(), "")
	answer.Replayed = replayed
	return answer, nil
}

// amendWallet changes the fields in the body.
func (s wallets) amendWallet(ctx context.Context, c *api.Call) (api.Answer, error) {
	known, err := s.wallet(ctx, c, api.PathID[messages.Wallet](c, "wallet"))
	if err != nil {
		return api.Answer{}, err
	}
	amended, err := s.Wallets.Amend(ctx, known.ID, c.At, func(terms wallet.Terms) (wallet.Terms, error) {
		input, err := captable.Patched(terms, c.Body)
		input = input.Trimmed()
		if err == nil {
			err = api.WrongFields(input.Faults())
		}
		return input, err
	})
	return api.Answer{Record: showWallet(amended)}, api.Unavailable(api.Wrap(ctx, "amend wallet", err))
}

// wallet returns a wallet of an entity for which the caller acts.
func (s wallets) wallet(ctx context.Context, c *api.Call, id messages.WalletID) (messages.Wallet, error) {
	found, err := s.Wallets.ByID(ctx, id)
	if err != nil {
		return found, api.Unavailable(api.Wrap(ctx, "find wallet", err))
	}
	theirs, err := s.Rights.Controls(ctx, api.MembershipCaller(c), found.Entity)
	if err == nil && !theirs {
		err = api.NotFound()
	}
	return found, err
}

// pathWallet returns the wallet in the path if it belongs to the entity in the path.
func (s wallets) pathWallet(ctx context.Context, c *api.Call) (messages.Wallet, error) {
	found, err := s.wallet(ctx, c, api.PathID[messages.Wallet](c, "address"))
	if err == nil && found.Entity != api.PathID[captable.Entity](c, "entity") {
		err = api.NotFound()
	}
	return found, err
}

func (s wallets) listWallets(ctx context.Context, c *api.Call) (api.Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.Wallets.Of(ctx, entity)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list wallets", err))
	}
	key := func(_ int, w messages.Wallet) string { return api.TimeKey(w.CreatedAt) + string(w.ID[:]) }
	page, err := api.ListedByKey(c, found, key, showWallet)
	return api.Answer{Record: page}, err
}

func (s wallets) getWallet(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.pathWallet(ctx, c)
	return api.Answer{Record: showWallet(found)}, err
}

func (s wallets) deleteWallet(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.pathWallet(ctx, c)
	if err == nil {
		err = api.Unavailable(api.Wrap(ctx, "remove wallet", s.Wallets.Remove(ctx, found.ID)))
	}
	return api.Answer{Status: http.StatusNoContent}, err
}

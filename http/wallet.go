package http

import (
	"context"
	"net/http"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/people/wallet"
)

// Wallets stores the addresses of wallets. Expected failures are a captable.Error with code
// resourceNotFound or conflict.
type Wallets interface {
	Add(ctx context.Context, once messages.Once, wish messages.Wallet) (made messages.Wallet, replayed bool, err error)
	ByID(ctx context.Context, id messages.WalletID) (messages.Wallet, error)
	Of(ctx context.Context, entity captable.EntityID) ([]messages.Wallet, error)
	Amend(
		ctx context.Context, id messages.WalletID, now time.Time, edit func(wallet.Terms) (wallet.Terms, error),
	) (messages.Wallet, error)
	Remove(ctx context.Context, id messages.WalletID) error
}

func (s *Server) walletHandlers() map[string]Handler {
	return map[string]Handler{
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
func readWallet(c *Call) (newWallet, error) {
	wish, err := decode[newWallet](c)
	if err != nil {
		return wish, err
	}
	wish.Terms = wish.Trimmed()
	return wish, wrongFields(wish.Faults())
}

// addWallet adds a wallet to an entity for which the caller acts.
func (s *Server) addWallet(ctx context.Context, c *Call) (Answer, error) {
	wish, err := readWallet(c)
	if err != nil {
		return Answer{}, err
	}
	if err := s.mayAct(ctx, c, wish.Entity); err != nil {
		return Answer{}, err
	}
	made, replayed, err := s.beside.Wallets.Add(ctx, c.once(), messages.Wallet{
		ID: fresh[messages.Wallet](s), Entity: wish.Entity, Terms: wish.Terms, CreatedAt: c.At, UpdatedAt: c.At,
	})
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "add wallet", err))
	}
	answer := created(showWallet(made), "/entity/"+made.Entity.String()+"/wallet/"+made.ID.String(), "")
	answer.Replayed = replayed
	return answer, nil
}

// amendWallet changes the fields in the body.
func (s *Server) amendWallet(ctx context.Context, c *Call) (Answer, error) {
	known, err := s.wallet(ctx, c, pathID[messages.Wallet](c, "wallet"))
	if err != nil {
		return Answer{}, err
	}
	amended, err := s.beside.Wallets.Amend(ctx, known.ID, c.At, func(terms wallet.Terms) (wallet.Terms, error) {
		wish, err := captable.Patched(terms, c.Body)
		wish = wish.Trimmed()
		if err == nil {
			err = wrongFields(wish.Faults())
		}
		return wish, err
	})
	return Answer{Record: showWallet(amended)}, unavailable(doing(ctx, "amend wallet", err))
}

// wallet returns a wallet of an entity for which the caller acts.
func (s *Server) wallet(ctx context.Context, c *Call, id messages.WalletID) (messages.Wallet, error) {
	found, err := s.beside.Wallets.ByID(ctx, id)
	if err != nil {
		return found, unavailable(doing(ctx, "find wallet", err))
	}
	theirs, err := s.controls(ctx, c, found.Entity)
	if err == nil && !theirs {
		err = errNotFound()
	}
	return found, err
}

// pathWallet returns the wallet in the path if it belongs to the entity in the path.
func (s *Server) pathWallet(ctx context.Context, c *Call) (messages.Wallet, error) {
	found, err := s.wallet(ctx, c, pathID[messages.Wallet](c, "address"))
	if err == nil && found.Entity != pathID[captable.Entity](c, "entity") {
		err = errNotFound()
	}
	return found, err
}

func (s *Server) listWallets(ctx context.Context, c *Call) (Answer, error) {
	entity, err := s.pathEntity(ctx, c)
	if err != nil {
		return Answer{}, err
	}
	found, err := s.beside.Wallets.Of(ctx, entity)
	if err != nil {
		return Answer{}, unavailable(doing(ctx, "list wallets", err))
	}
	return Answer{Record: listed(found, showWallet)}, nil
}

// listed converts all records of a list without pages.
func listed[R, S any](found []R, show func(R) S) page[S] {
	made := page[S]{Data: make([]S, 0, len(found))}
	for _, record := range found {
		made.Data = append(made.Data, show(record))
	}
	return made
}

func (s *Server) getWallet(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.pathWallet(ctx, c)
	return Answer{Record: showWallet(found)}, err
}

func (s *Server) deleteWallet(ctx context.Context, c *Call) (Answer, error) {
	found, err := s.pathWallet(ctx, c)
	if err == nil {
		err = unavailable(doing(ctx, "remove wallet", s.beside.Wallets.Remove(ctx, found.ID)))
	}
	return Answer{Status: http.StatusNoContent}, err
}

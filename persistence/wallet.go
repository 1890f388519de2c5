package persistence

import (
	"context"
	"strconv"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/people/wallet"
)

// Wallet is an address on a network.
type Wallet = messages.Wallet

// Wallets stores the addresses of wallets.
type Wallets struct{ db *Database }

// NewWallets returns the Wallets of db.
func NewWallets(db *Database) *Wallets { return &Wallets{db: db} }

// maxWallets is the maximum number of wallets per entity, so that all of them fit in one response.
const maxWallets = 200

const walletColumns = `id, entity, network, address, label, created_at, updated_at`

// Add stores a new wallet. It returns an error with code conflict if the entity already has the address or too many wallets.
func (w *Wallets) Add(ctx context.Context, o Once, requested Wallet) (made Wallet, replayed bool, err error) {
	return once(ctx, w.db, o, func(ctx context.Context) (Wallet, []change, error) {
		network, address := requested.Terms.Canonical()
		return requested, []change{{"add wallet", `INSERT INTO wallet (` + walletColumns + `, network_canonical, address_canonical)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (entity, network_canonical, address_canonical) DO NOTHING`, []any{
			requested.ID[:], requested.Entity[:], requested.Terms.Network, requested.Terms.Address, requested.Terms.Label,
			Micros(requested.CreatedAt), Micros(requested.UpdatedAt), network, address,
		}, errWalletThere()}}, w.refuseMany(ctx, requested.Entity)
	})
}

func (w *Wallets) refuseMany(ctx context.Context, entity captable.EntityID) error {
	number, err := one(ctx, w.db.reader, nil, "count wallets", Value[int], `SELECT COUNT(*) FROM wallet WHERE entity = $1`, entity[:])
	if err != nil {
		return err
	}
	if number >= maxWallets {
		limit := strconv.Itoa(maxWallets)
		return fault.Refuse(fault.Conflict, "An entity has at most "+limit+" wallets. Remove one first.").With("limit", limit)
	}
	return nil
}

// ByID returns a wallet, or an error with code resourceNotFound.
func (w *Wallets) ByID(ctx context.Context, id messages.WalletID) (Wallet, error) {
	return one(ctx, w.db.reader, errRecordNotFound(), "read wallet", scanWallet, `SELECT `+walletColumns+` FROM wallet WHERE id = $1`, id[:])
}

// Of returns the wallets of an entity, oldest first.
func (w *Wallets) Of(ctx context.Context, entity captable.EntityID) ([]Wallet, error) {
	return Collect(ctx, w.db.reader, "list wallets", scanWallet, `SELECT `+walletColumns+` FROM wallet WHERE entity = $1 ORDER BY created_at, id`, entity[:])
}

// Amend applies edit to a wallet, again if the wallet was changed meanwhile. It returns an error with code resourceNotFound if the wallet does not exist,
// conflict if the entity already has the new address, or the error of edit.
func (w *Wallets) Amend(
	ctx context.Context, id messages.WalletID, now time.Time, edit func(wallet.Terms) (wallet.Terms, error),
) (amended Wallet, err error) {
	err = w.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		if amended, err = w.ByID(ctx, id); err != nil {
			return nil, err
		}
		was := amended.Terms
		if amended.Terms, err = edit(was); err != nil {
			return nil, err
		}
		amended.UpdatedAt = moment(Micros(now))
		network, address := amended.Terms.Canonical()
		return []change{{"amend wallet", `UPDATE wallet
			SET network = $2, address = $3, label = $4, network_canonical = $5, address_canonical = $6, updated_at = $7
			WHERE id = $1 AND network = $8 AND address = $9 AND label = $10`, []any{
			id[:], amended.Terms.Network, amended.Terms.Address, amended.Terms.Label, network, address, Micros(now), was.Network,
			was.Address, was.Label,
		}, errMoved}}, nil
	})
	if IsDuplicate(err) {
		err = errWalletThere()
	}
	return amended, err
}

// Remove deletes a wallet, or returns an error with code resourceNotFound.
func (w *Wallets) Remove(ctx context.Context, id messages.WalletID) error {
	removed, err := Affect(ctx, w.db.writer, "remove wallet", `DELETE FROM wallet WHERE id = $1`, id[:])
	if err == nil && !removed {
		return errRecordNotFound()
	}
	return err
}

func scanWallet(row Row) (w Wallet, err error) {
	err = row.Scan(IntoBytes(w.ID[:]), IntoBytes(w.Entity[:]), &w.Terms.Network, &w.Terms.Address, &w.Terms.Label,
		IntoTime(&w.CreatedAt), IntoTime(&w.UpdatedAt))
	return w, err
}

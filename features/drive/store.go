package drive

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// Store stores the accounts of connections, the open requests for an authorization, and the progress of synchronizations.
type Store struct{ db *persistence.Database }

// NewStore returns the Store of db.
func NewStore(db *persistence.Database) *Store { return &Store{db} }

// executor runs statements: a transaction, or a pool for a single statement.
type executor interface {
	ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error)
}

// tokenName returns the name that binds a stored token to its connection.
func tokenName(id connection.ID) string { return "drive/" + id.String() }

// verifierName returns the name that binds a stored verifier to its request.
func verifierName(nonce string) string { return "drive_request/" + nonce }

// Accounts returns the accounts of the organization: that of the present connection, and those that are still to be erased.
func (s *Store) Accounts(ctx context.Context, id organization.ID) ([]Account, error) {
	return persistence.Collect(ctx, s.db.Reader(), "read drive accounts", func(row persistence.Row) (Account, error) {
		account := Account{Organization: id}
		var token []byte
		err := row.Scan(persistence.IntoBytes(account.Connection[:]), &account.Email, &token, &account.Refused, persistence.IntoBytes(account.User[:]))
		if err != nil {
			return account, err
		}
		account.Token, err = s.db.OpenValue(ctx, id, tokenName(account.Connection), token)
		if errors.Is(err, messages.ErrUnreadable) { // a token without its key cannot be used any more
			account.Refused, err = true, nil
		}
		return account, err
	}, `SELECT connection, email, token, refused, user_id FROM drive_account WHERE organization = $1`, id[:])
}

// SetAccount stores the account of a connection, in place of an earlier one.
func (s *Store) SetAccount(ctx context.Context, a Account, now time.Time) error {
	sealed, err := s.db.SealValue(a.Organization, tokenName(a.Connection), a.Token)
	if err != nil {
		return err
	}
	return persistence.Execute(ctx, s.db.Writer(), "store drive account", `INSERT INTO drive_account (connection, organization, email, token, refused, created_at, user_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (connection) DO UPDATE SET email = excluded.email, token = excluded.token,
		refused = excluded.refused, user_id = excluded.user_id`,
		a.Connection[:], a.Organization[:], a.Email, sealed, a.Refused, persistence.Micros(now), optionalID(a.User))
}

// RenewToken replaces the token of an account, unless the account was erased.
func (s *Store) RenewToken(ctx context.Context, id organization.ID, connection connection.ID, token []byte) error {
	sealed, err := s.db.SealValue(id, tokenName(connection), token)
	if err != nil {
		return err
	}
	return persistence.Execute(ctx, s.db.Writer(), "renew drive token", `UPDATE drive_account SET token = $2 WHERE connection = $1`, connection[:], sealed)
}

// RefuseAccount records that the drive no longer accepts the token of the account.
func (s *Store) RefuseAccount(ctx context.Context, connection connection.ID) error {
	return persistence.Execute(ctx, s.db.Writer(), "refuse drive account", `UPDATE drive_account SET refused = TRUE WHERE connection = $1`, connection[:])
}

// EraseAccount removes the account with its token.
func (s *Store) EraseAccount(ctx context.Context, connection connection.ID) error {
	return persistence.Execute(ctx, s.db.Writer(), "erase drive account", `DELETE FROM drive_account WHERE connection = $1`, connection[:])
}

// AddRequest stores an open request, and removes expired ones.
func (s *Store) AddRequest(ctx context.Context, r Request) error {
	if err := persistence.Execute(ctx, s.db.Writer(), "forget drive requests", `DELETE FROM drive_request WHERE expires_at <= $1`, persistence.Micros(r.CreatedAt)); err != nil {
		return err
	}
	sealed, err := s.db.SealValue(r.Organization, verifierName(r.Nonce), []byte(r.Verifier))
	if err != nil {
		return err
	}
	return persistence.Execute(ctx, s.db.Writer(), "store drive request", `INSERT INTO drive_request (nonce, organization, user_id, verifier, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, r.Nonce, r.Organization[:], r.User[:], sealed, persistence.Micros(r.CreatedAt), persistence.Micros(r.ExpiresAt))
}

// Request returns the open request of the user with the nonce, or the latest one if the nonce is empty. It returns false without one.
func (s *Store) Request(
	ctx context.Context, id organization.ID, user organization.UserID, nonce string, now time.Time,
) (Request, bool, error) {
	var verifier []byte
	r, found, err := persistence.First(ctx, s.db.Reader(), "read drive request", func(row persistence.Row) (Request, error) {
		r := Request{Organization: id, User: user}
		err := row.Scan(&r.Nonce, &verifier, persistence.IntoTime(&r.CreatedAt), persistence.IntoTime(&r.ExpiresAt))
		return r, err
	}, `SELECT nonce, verifier, created_at, expires_at FROM drive_request
		WHERE organization = $1 AND user_id = $2 AND expires_at > $3 AND ($4 = '' OR nonce = $4) ORDER BY created_at DESC, nonce LIMIT 1`,
		id[:], user[:], persistence.Micros(now), nonce)
	if !found {
		return Request{}, false, err
	}
	plain, err := s.db.OpenValue(ctx, id, verifierName(r.Nonce), verifier)
	if errors.Is(err, messages.ErrUnreadable) {
		return Request{}, false, nil
	}
	r.Verifier = string(plain)
	return r, err == nil, err
}

// EndRequests removes the open requests of the user.
func (s *Store) EndRequests(ctx context.Context, id organization.ID, user organization.UserID) error {
	return persistence.Execute(ctx, s.db.Writer(), "end drive requests", `DELETE FROM drive_request WHERE organization = $1 AND user_id = $2`, id[:], user[:])
}

// optionalID returns the stored form of an id, which is NULL for the zero id.
func optionalID(id organization.UserID) []byte {
	if id.IsZero() {
		return nil
	}
	return id[:]
}

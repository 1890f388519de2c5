package persistence

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
)

// Drives stores the accounts of connections to cloud drives, and the open requests for an authorization.
type Drives struct{ db *Database }

// NewDrives returns the Drives of db.
func NewDrives(db *Database) *Drives { return &Drives{db} }

// driveTokenName returns the name that binds a stored token to its connection.
func driveTokenName(id organization.DriveID) string { return "drive/" + id.String() }

// driveVerifierName returns the name that binds a stored verifier to its request.
func driveVerifierName(nonce string) string { return "drive_request/" + nonce }

// Accounts returns the accounts of the organization: that of the present connection, and those that are still to be erased.
func (s *Drives) Accounts(ctx context.Context, id organization.ID) ([]messages.DriveAccount, error) {
	return collect(ctx, s.db.reader, "read drive accounts", func(row scanner) (messages.DriveAccount, error) {
		account := messages.DriveAccount{Organization: id}
		var token []byte
		err := row.Scan(intoBytes(account.Connection[:]), &account.Email, &token, &account.Refused, intoBytes(account.User[:]))
		if err != nil {
			return account, err
		}
		account.Token, err = s.db.openValue(ctx, id, driveTokenName(account.Connection), token)
		if errors.Is(err, messages.ErrUnreadable) { // a token without its key cannot be used any more
			account.Refused, err = true, nil
		}
		return account, err
	}, `SELECT connection, email, token, refused, user_id FROM drive_account WHERE organization = $1`, id[:])
}

// SetAccount stores the account of a connection, in place of an earlier one.
func (s *Drives) SetAccount(ctx context.Context, a messages.DriveAccount, now time.Time) error {
	sealed, err := s.db.sealValue(a.Organization, driveTokenName(a.Connection), a.Token)
	if err != nil {
		return err
	}
	return execute(ctx, s.db.writer, "store drive account", `INSERT INTO drive_account (connection, organization, email, token, refused, created_at, user_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (connection) DO UPDATE SET email = excluded.email, token = excluded.token,
		refused = excluded.refused, user_id = excluded.user_id`,
		a.Connection[:], a.Organization[:], a.Email, sealed, a.Refused, micros(now), optionalID(a.User))
}

// RenewToken replaces the token of an account, unless the account was erased.
func (s *Drives) RenewToken(ctx context.Context, id organization.ID, connection organization.DriveID, token []byte) error {
	sealed, err := s.db.sealValue(id, driveTokenName(connection), token)
	if err != nil {
		return err
	}
	return execute(ctx, s.db.writer, "renew drive token", `UPDATE drive_account SET token = $2 WHERE connection = $1`, connection[:], sealed)
}

// RefuseAccount records that the drive no longer accepts the token of the account.
func (s *Drives) RefuseAccount(ctx context.Context, connection organization.DriveID) error {
	return execute(ctx, s.db.writer, "refuse drive account", `UPDATE drive_account SET refused = TRUE WHERE connection = $1`, connection[:])
}

// EraseAccount removes the account with its token.
func (s *Drives) EraseAccount(ctx context.Context, connection organization.DriveID) error {
	return execute(ctx, s.db.writer, "erase drive account", `DELETE FROM drive_account WHERE connection = $1`, connection[:])
}

// AddRequest stores an open request, and removes expired ones.
func (s *Drives) AddRequest(ctx context.Context, r messages.DriveRequest) error {
	if err := execute(ctx, s.db.writer, "forget drive requests", `DELETE FROM drive_request WHERE expires_at <= $1`, micros(r.CreatedAt)); err != nil {
		return err
	}
	sealed, err := s.db.sealValue(r.Organization, driveVerifierName(r.Nonce), []byte(r.Verifier))
	if err != nil {
		return err
	}
	return execute(ctx, s.db.writer, "store drive request", `INSERT INTO drive_request (nonce, organization, user_id, verifier, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, r.Nonce, r.Organization[:], r.User[:], sealed, micros(r.CreatedAt), micros(r.ExpiresAt))
}

// Request returns the open request of the user with the nonce, or the latest one if the nonce is empty. It returns false without one.
func (s *Drives) Request(
	ctx context.Context, id organization.ID, user organization.UserID, nonce string, now time.Time,
) (messages.DriveRequest, bool, error) {
	r := messages.DriveRequest{Organization: id, User: user}
	var verifier []byte
	found, err := scanRow(s.db.reader.QueryRowContext(ctx, `SELECT nonce, verifier, created_at, expires_at FROM drive_request
		WHERE organization = $1 AND user_id = $2 AND expires_at > $3 AND ($4 = '' OR nonce = $4) ORDER BY created_at DESC, nonce LIMIT 1`,
		id[:], user[:], micros(now), nonce), "read drive request", &r.Nonce, &verifier, intoTime(&r.CreatedAt), intoTime(&r.ExpiresAt))
	if !found {
		return messages.DriveRequest{}, false, err
	}
	plain, err := s.db.openValue(ctx, id, driveVerifierName(r.Nonce), verifier)
	if errors.Is(err, messages.ErrUnreadable) {
		return messages.DriveRequest{}, false, nil
	}
	r.Verifier = string(plain)
	return r, err == nil, err
}

// EndRequests removes the open requests of the user.
func (s *Drives) EndRequests(ctx context.Context, id organization.ID, user organization.UserID) error {
	return execute(ctx, s.db.writer, "end drive requests", `DELETE FROM drive_request WHERE organization = $1 AND user_id = $2`, id[:], user[:])
}

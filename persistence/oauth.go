package persistence

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"equity/messages"
)

// OAuth stores clients, codes and tokens of OAuth. It keeps only the hashes of codes and tokens.
type OAuth struct{ db *Database }

// NewOAuth returns the OAuth of db.
func NewOAuth(db *Database) *OAuth { return &OAuth{db} }

// AddClient stores a client.
func (s *OAuth) AddClient(ctx context.Context, client messages.OAuthClient) error {
	addresses, err := json.Marshal(client.RedirectURIs)
	if err != nil {
		return fmt.Errorf("store client: %w", err)
	}
	return Execute(ctx, s.db.writer, "store client", `INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES ($1, $2, $3, $4)`,
		client.ID[:], client.Name, string(addresses), Micros(client.CreatedAt))
}

// Client returns a client, or [messages.ErrNoClient].
func (s *OAuth) Client(ctx context.Context, id messages.OAuthClientID) (messages.OAuthClient, error) {
	return one(ctx, s.db.reader, messages.ErrNoClient, "find client", func(row Row) (messages.OAuthClient, error) {
		client := messages.OAuthClient{ID: id}
		return client, row.Scan(&client.Name, intoJSON{&client.RedirectURIs}, IntoTime(&client.CreatedAt))
	}, `SELECT name, redirect_uris, created_at FROM oauth_client WHERE id = $1`, id[:])
}

// Consent stores the grant of a user to a client, with its code. The grant ends with the code, unless the code is exchanged.
func (s *OAuth) Consent(ctx context.Context, grant messages.APIToken, code messages.OAuthCode) error {
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		// The text of a code is no API token, because its prefix differs. Its hash fills the column, which must be unique.
		rights, err := packRights(grant.Rights)
		if err != nil {
			return err
		}
		err = Execute(ctx, tx, "store grant", `INSERT INTO api_token (`+apiTokenColumns+`, token_hash, client_id)
			VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8, $9, $10)`, grant.ID[:], grant.User[:], grant.Name, joinScopes(grant.Scopes),
			optionalID(grant.Organization), Micros(grant.CreatedAt), Micros(code.ExpiresAt), rights, hashed(code.Code), code.Client[:])
		if err != nil {
			return err
		}
		if err := s.db.rows.signRow(ctx, tx, signedToken(), grant.ID[:]); err != nil {
			return err
		}
		err = Execute(ctx, tx, "store code", `INSERT INTO oauth_code (code_hash, grant_id, client_id, redirect_uri, challenge, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6)`, hashed(code.Code), grant.ID[:], code.Client[:], code.RedirectURI, code.Challenge, Micros(code.ExpiresAt))
		if err != nil {
			return err
		}
		return s.db.rows.signRow(ctx, tx, signedOAuthCode(), hashed(code.Code))
	})
}

// Exchange uses up a code, stores the tokens and returns the grant. A second use of the code ends the grant. Check compares the code with
// the request. It returns [messages.ErrInvalidGrant] if the code is not valid.
func (s *OAuth) Exchange(
	ctx context.Context, text string, tokens messages.OAuthTokens, check func(messages.OAuthCode) error,
) (messages.APIToken, error) {
	return s.issue(ctx, tokens, func(tx *sql.Tx) (id []byte, valid bool, err error) {
		var code messages.OAuthCode
		var used sql.NullInt64
		row := signedOAuthCode().row()
		err = tx.QueryRowContext(ctx, `SELECT `+signedOAuthCode().of("c")+`, grant_id, client_id, redirect_uri, challenge, expires_at, used_at
			FROM oauth_code c WHERE code_hash = $1`, hashed(text)).Scan(row.into(&id, IntoBytes(code.Client[:]), &code.RedirectURI, &code.Challenge,
			IntoTime(&code.ExpiresAt), &used)...)
		if err == nil && !s.db.rows.authentic(row) {
			err = sql.ErrNoRows
		}
		if err != nil {
			return nil, false, err
		}
		if used.Valid || !tokens.IssuedAt.Before(code.ExpiresAt) || check(code) != nil {
			return id, false, nil //nolint:nilerr // a refused code is no failure
		}
		valid, err = Affect(ctx, tx, "use code", `UPDATE oauth_code SET used_at = $2 WHERE code_hash = $1 AND used_at IS NULL`,
			hashed(text), Micros(tokens.IssuedAt))
		return id, valid, err
	})
}

// Refresh uses up a refresh token of the client, stores the new tokens and returns the grant. A second use of the refresh token ends the
// grant. It returns [messages.ErrInvalidGrant] if the token is not valid.
func (s *OAuth) Refresh(
	ctx context.Context, client messages.OAuthClientID, text string, tokens messages.OAuthTokens,
) (messages.APIToken, error) {
	return s.issue(ctx, tokens, func(tx *sql.Tx) (id []byte, valid bool, err error) {
		var expires time.Time
		var used sql.NullInt64
		row := signedOAuthToken().row()
		err = tx.QueryRowContext(ctx, `SELECT `+signedOAuthToken().of("t")+`, t.grant_id, t.expires_at, t.used_at
			FROM oauth_token t JOIN api_token g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
			WHERE t.token_hash = $1 AND t.refresh = TRUE AND g.client_id = $2 AND u.disabled_at IS NULL`,
			hashed(text), client[:]).Scan(row.into(&id, IntoTime(&expires), &used)...)
		if err == nil && !s.db.rows.authentic(row) {
			err = sql.ErrNoRows
		}
		if err != nil {
			return nil, false, err
		}
		if used.Valid || !tokens.IssuedAt.Before(expires) {
			return id, false, nil
		}
		valid, err = Affect(ctx, tx, "use refresh token", `UPDATE oauth_token SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL`,
			hashed(text), Micros(tokens.IssuedAt))
		return id, valid, err
	})
}

// issue stores new tokens of the grant that use returns. If the credential exists but is not valid, the grant ends.
func (s *OAuth) issue(
	ctx context.Context, tokens messages.OAuthTokens, use func(*sql.Tx) (grant []byte, valid bool, err error),
) (messages.APIToken, error) {
	var grant messages.APIToken
	refused := false
	err := s.db.Transact(ctx, func(tx *sql.Tx) error {
		refused = false
		id, valid, err := use(tx)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			refused = true
			return nil
		case err != nil:
			return during("use credential", err)
		case !valid: // it may have been stolen
			refused = true
			return Execute(ctx, tx, "end grant", `DELETE FROM api_token WHERE id = $1`, id)
		}
		for _, token := range []struct {
			text    string
			refresh bool
			expires time.Time
		}{{tokens.Access, false, tokens.AccessExpiresAt}, {tokens.Refresh, true, tokens.RefreshExpireAt}} {
			err := Execute(ctx, tx, "store token", `INSERT INTO oauth_token (token_hash, grant_id, refresh, expires_at) VALUES ($1, $2, $3, $4)`,
				hashed(token.text), id, token.refresh, Micros(token.expires))
			if err != nil {
				return err
			}
			if err := s.db.rows.signRow(ctx, tx, signedOAuthToken(), hashed(token.text)); err != nil {
				return err
			}
		}
		err = s.db.rows.resign(ctx, tx, signedToken(), id, func() (err error) {
			grant, err = scanToken(tx.QueryRowContext(ctx, `UPDATE api_token SET expires_at = $2 WHERE id = $1 RETURNING `+apiTokenColumns+`, client_id IS NOT NULL`,
				id, Micros(tokens.RefreshExpireAt)))
			return err
		})
		if errors.Is(err, errAltered) { // the transaction stores nothing
			return messages.ErrInvalidGrant
		}
		return err
	})
	if err == nil && refused {
		err = messages.ErrInvalidGrant
	}
	return grant, err
}

// Revoke ends the grant of an access or refresh token of the client. An unknown token is no error.
func (s *OAuth) Revoke(ctx context.Context, client messages.OAuthClientID, text string) error {
	return Execute(ctx, s.db.writer, "revoke token", `DELETE FROM api_token WHERE client_id = $1
		AND id = (SELECT grant_id FROM oauth_token WHERE token_hash = $2)`, client[:], hashed(text))
}

// Use returns the grant of an access token and notes its use; false for a token that is not valid.
func (s *OAuth) Use(ctx context.Context, token string, now time.Time) (messages.TokenGrant, bool, error) {
	return useToken(ctx, s.db, `SELECT t.scopes, t.used_at, u.must_change_password, `+signedToken().of("t")+`, `+signedOAuthToken().of("a")+`
		FROM oauth_token a JOIN api_token t ON t.id = a.grant_id JOIN users u ON u.id = t.user_id
		WHERE a.token_hash = $1 AND a.refresh = FALSE AND a.expires_at > $2 AND u.disabled_at IS NULL`, token, now, signedOAuthToken().row())
}

// clientKept is the time after which a client without a grant is removed.
const clientKept = 90 * 24 * time.Hour

// Sweep removes expired codes and tokens, and clients without a grant.
func (s *OAuth) Sweep(ctx context.Context, now time.Time) error {
	for _, step := range []struct {
		statement string
		until     time.Time
	}{
		{`DELETE FROM oauth_code WHERE used_at IS NULL AND expires_at <= $1`, now},
		{`DELETE FROM oauth_token WHERE expires_at <= $1`, now},
		{`DELETE FROM oauth_client WHERE created_at <= $1 AND id NOT IN (SELECT client_id FROM api_token WHERE client_id IS NOT NULL)`, now.Add(-clientKept)},
	} {
		if err := Execute(ctx, s.db.writer, "sweep oauth", step.statement, Micros(step.until)); err != nil {
			return err
		}
	}
	return nil
}

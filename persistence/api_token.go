package persistence

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// APITokens stores the tokens of programs. It keeps only the hashes of the tokens.
type APITokens struct{ db *Database }

// NewAPITokens returns the APITokens of db.
func NewAPITokens(db *Database) *APITokens { return &APITokens{db} }

// endTokens removes all tokens of a user.
const endTokens = `DELETE FROM api_token WHERE user_id = $1` //nolint:gosec // a statement

const apiTokenColumns = `id, user_id, name, scopes, organization, created_at, expires_at, used_at, rights` //nolint:gosec // names of columns

// Create stores a token and its mail. Secret returns the text of the token with the given id. It returns an error with code limitReached if the user
// has too many valid tokens. A replayed request returns the first token.
func (s *APITokens) Create(
	ctx context.Context, o Once, token messages.APIToken, secret func(messages.APITokenID) string, mail Mail,
) (stored messages.APIToken, replayed bool, err error) {
	return once(ctx, s.db, o, func(ctx context.Context) (messages.APIToken, []change, error) {
		if err := s.refuseMany(ctx, token); err != nil {
			return token, nil, err
		}
		rights, err := packRights(token.Rights)
		if err != nil {
			return token, nil, err
		}
		hash, scopes := hashed(secret(token.ID)), joinScopes(token.Scopes)
		mac, err := s.db.rows.mac(signedToken(), token.ID[:], hash, token.User[:], scopes, optionalID(token.Organization), Micros(token.CreatedAt),
			Micros(token.ExpiresAt), nil, rights)
		if err != nil {
			return token, nil, err
		}
		enqueued, err := s.db.enqueued(mail)
		return token, []change{{"store token", `INSERT INTO api_token (` + apiTokenColumns + `, token_hash, mac)
			VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8, $9, $10)`, []any{
			token.ID[:], token.User[:], token.Name, scopes, optionalID(token.Organization), Micros(token.CreatedAt),
			Micros(token.ExpiresAt), rights, hash, mac,
		}, nil}, enqueued}, err
	})
}

// refuseMany refuses another token of a user with the maximum number.
func (s *APITokens) refuseMany(ctx context.Context, token messages.APIToken) error {
	number, err := one(ctx, s.db.reader, nil, "count tokens", Value[int],
		`SELECT COUNT(*) FROM api_token WHERE user_id = $1 AND client_id IS NULL AND expires_at > $2`, token.User[:], Micros(token.CreatedAt))
	if err != nil {
		return err
	}
	if number >= messages.MaxAPITokens {
		text := "You have " + strconv.Itoa(messages.MaxAPITokens) + " tokens. Revoke one first."
		return fault.Refuse(organization.CodeLimit, text).With("limit", strconv.Itoa(messages.MaxAPITokens))
	}
	return nil
}

// Of returns the user's valid tokens, oldest first.
func (s *APITokens) Of(ctx context.Context, user organization.UserID, now time.Time) ([]messages.APIToken, error) {
	return Collect(ctx, s.db.reader, "list tokens", scanToken, `SELECT `+apiTokenColumns+`, client_id IS NOT NULL FROM api_token
		WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at, id`, user[:], Micros(now))
}

// Find returns a valid token of the user, or an error with code resourceNotFound.
func (s *APITokens) Find(ctx context.Context, user organization.UserID, id messages.APITokenID, now time.Time) (messages.APIToken, error) {
	return one(ctx, s.db.reader, fault.Refuse(fault.NotFound, "There is no such token."), "read token", scanToken,
		`SELECT `+apiTokenColumns+`, client_id IS NOT NULL FROM api_token WHERE id = $1 AND user_id = $2 AND expires_at > $3`, id[:], user[:], Micros(now))
}

// Revoke removes a token of the user. It reports whether the token existed.
func (s *APITokens) Revoke(ctx context.Context, user organization.UserID, id messages.APITokenID) (bool, error) {
	return Affect(ctx, s.db.writer, "revoke token", `DELETE FROM api_token WHERE id = $1 AND user_id = $2`, id[:], user[:])
}

// usedEvery is the accuracy of the time of the last use.
const usedEvery = time.Minute

// Use returns the grant of a token and notes its use. It returns false for a token that is unknown or expired, or whose user is disabled.
func (s *APITokens) Use(ctx context.Context, token string, now time.Time) (messages.TokenGrant, bool, error) {
	return useToken(ctx, s.db, `SELECT t.scopes, t.used_at, u.must_change_password, `+signedToken().of("t")+`
		FROM api_token t JOIN users u ON u.id = t.user_id
		WHERE t.token_hash = $1 AND t.client_id IS NULL AND t.expires_at > $2 AND u.disabled_at IS NULL`, token, now)
}

// useToken returns the grant that the query finds, and notes its use. The query selects the signed columns of the grant, and of the rows that
// lead to it. An altered row is no token.
func useToken(
	ctx context.Context, db *Database, query, token string, now time.Time, via ...*signedRow,
) (grant messages.TokenGrant, found bool, err error) {
	var scopes string
	var last time.Time
	row := signedToken().row()
	chain := append([]*signedRow{row}, via...)
	into := []any{&scopes, IntoTime(&last), &grant.MustChangePassword}
	for _, one := range chain {
		into = append(into, one.into()...)
	}
	if found, err = scanRow(db.reader.QueryRowContext(ctx, query, hashed(token), Micros(now)), "find token", into...); !found {
		return grant, false, err
	}
	for _, one := range chain {
		if !db.rows.authentic(one) {
			return messages.TokenGrant{}, false, nil
		}
	}
	id := row.bytes("id")
	grant.Handle, grant.Scopes = messages.TokenHandle([16]byte(id)), splitScopes(scopes)
	copy(grant.User[:], row.bytes("user_id"))
	copy(grant.Organization[:], row.bytes("organization"))
	if grant.Rights, err = unpackRights(row.bytes("rights")); err != nil {
		return messages.TokenGrant{}, false, err
	}
	if now.Sub(last) < usedEvery && last.Sub(now) < usedEvery {
		return grant, true, nil
	}
	err = Execute(messages.WithoutChanges(ctx), db.writer, "note use of token",
		`UPDATE api_token SET used_at = $2 WHERE id = $1`, id, Micros(now))
	return grant, true, err
}

// Sweep removes expired tokens.
func (s *APITokens) Sweep(ctx context.Context, now time.Time) error {
	return Execute(ctx, s.db.writer, "sweep tokens", `DELETE FROM api_token WHERE expires_at <= $1`, Micros(now))
}

func scanToken(row Row) (token messages.APIToken, err error) {
	var scopes string
	var rights []byte
	err = row.Scan(IntoBytes(token.ID[:]), IntoBytes(token.User[:]), &token.Name, &scopes, IntoBytes(token.Organization[:]),
		IntoTime(&token.CreatedAt), IntoTime(&token.ExpiresAt), IntoTime(&token.LastUsedAt), &rights, &token.Authorized)
	if err != nil {
		return token, err
	}
	token.Scopes = splitScopes(scopes)
	token.Rights, err = unpackRights(rights)
	return token, err
}

// packRights returns the stored form of the rights; nil without any.
func packRights(rights messages.TokenRights) (packed []byte, err error) {
	if rights != nil {
		packed, err = json.Marshal(rights)
	}
	return packed, during("encode rights of a token", err)
}

func unpackRights(packed []byte) (rights messages.TokenRights, err error) {
	if packed != nil {
		err = json.Unmarshal(packed, &rights)
	}
	return rights, during("decode rights of a token", err)
}

func joinScopes(scopes []messages.ToolClass) string {
	texts := make([]string, len(scopes))
	for i, scope := range scopes {
		texts[i] = string(scope)
	}
	return strings.Join(texts, " ")
}

func splitScopes(text string) []messages.ToolClass {
	var scopes []messages.ToolClass
	for scope := range strings.FieldsSeq(text) {
		scopes = append(scopes, messages.ToolClass(scope))
	}
	return scopes
}

package account

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// Tokens stores the API tokens of users.
type Tokens interface {
	// Create stores a token and its mail, with the text that secret returns for its id. A replayed request returns the first token.
	Create(ctx context.Context, once messages.Once, token messages.APIToken, secret func(messages.APITokenID) string, mail messages.Mail) (
		stored messages.APIToken, replayed bool, err error)
	// Of returns the user's valid tokens, oldest first.
	Of(ctx context.Context, user organization.UserID, now time.Time) ([]messages.APIToken, error)
	// Find returns a valid token of the user, or an error with code resourceNotFound.
	Find(ctx context.Context, user organization.UserID, id messages.APITokenID, now time.Time) (messages.APIToken, error)
	// Revoke removes a token of the user. It returns false if the token does not exist.
	Revoke(ctx context.Context, user organization.UserID, id messages.APITokenID) (bool, error)
}

func (s tokens) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"createToken": s.create, "listTokens": s.list, "getToken": s.get, "revokeToken": s.revoke,
	}
}

// tokenRecord is the JSON form of a token.
type tokenRecord struct {
	ID           messages.APITokenID  `json:"id"`
	Name         string               `json:"name"`
	Scopes       []messages.ToolClass `json:"scopes"`
	Organization *organization.ID     `json:"organization,omitempty"`
	Authorized   bool                 `json:"authorized,omitempty"`
	CreatedAt    captable.Instant     `json:"createdAt"`
	ExpiresAt    captable.Instant     `json:"expiresAt"`
	LastUsedAt   *captable.Instant    `json:"lastUsedAt,omitempty"`
	// Token is the credential itself. Only the answer of the creation has it.
	Token string `json:"token,omitempty"`
}

func showToken(token messages.APIToken) tokenRecord {
	shown := tokenRecord{
		ID: token.ID, Name: token.Name, Scopes: token.Scopes, Authorized: token.Authorized,
		CreatedAt: captable.InstantOf(token.CreatedAt), ExpiresAt: captable.InstantOf(token.ExpiresAt),
	}
	if !token.Organization.IsZero() {
		shown.Organization = &token.Organization
	}
	if !token.LastUsedAt.IsZero() {
		used := captable.InstantOf(token.LastUsedAt)
		shown.LastUsedAt = &used
	}
	return shown
}

// The lifetimes of tokens. The longest one has a day of tolerance for leap years and time zones.
const (
	tokenLifetime    = 90 * 24 * time.Hour
	maxTokenLifetime = 366 * 24 * time.Hour
)

// newToken is the request body of a new token.
type newToken struct {
	Name         string               `json:"name"`
	Scopes       []messages.ToolClass `json:"scopes"`
	Organization organization.ID      `json:"organization"`
	ExpiresAt    captable.Instant     `json:"expiresAt"`
}

// expiry returns the time at which the token ends.
func (n newToken) expiry(now time.Time) (time.Time, error) {
	if n.ExpiresAt == 0 {
		return now.Add(tokenLifetime), nil
	}
	at := n.ExpiresAt.Time()
	if !at.After(now) {
		return at, api.WrongField("/expiresAt", "outOfRange", "expiresAt must be in the future.")
	}
	if at.Sub(now) > maxTokenLifetime {
		return at, api.WrongField("/expiresAt", "outOfRange", "expiresAt must be at most one year ahead.")
	}
	return at, nil
}

// create stores a new token. The answer is the only one with the text of the token.
func (s tokens) create(ctx context.Context, c *api.Call) (api.Answer, error) {
	input, err := api.Decode[newToken](c)
	if err != nil {
		return api.Answer{}, err
	}
	name := strings.TrimSpace(input.Name)
	if name == "" {
		return api.Answer{}, api.WrongField("/name", "required", "name is required.")
	}
	slices.Sort(input.Scopes)
	if len(slices.Compact(slices.Clone(input.Scopes))) < len(input.Scopes) {
		return api.Answer{}, api.WrongField("/scopes", "duplicate", "List each scope once.")
	}
	expires, err := input.expiry(c.At)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.checkMembership(ctx, c, input.Organization); err != nil {
		return api.Answer{}, err
	}
	rights, err := s.TokenRights(ctx, c, input.Organization)
	if err != nil {
		return api.Answer{}, err
	}
	random := make([]byte, messages.TokenBytes)
	if _, err := io.ReadFull(s.Random, random); err != nil {
		return api.Answer{}, fmt.Errorf("draw token: %w", err)
	}
	secret := func(id messages.APITokenID) string {
		return messages.APITokenPrefix + base64.RawURLEncoding.EncodeToString(c.Secret("API token", id, random))
	}
	mail, err := s.Accounts.TokenNotice(ctx, api.AccountCaller(c))
	if err != nil {
		return api.Answer{}, err
	}
	stored, replayed, err := s.Tokens.Create(ctx, c.Once(), messages.APIToken{
		ID: messages.APITokenID(s.NewID()), User: c.Caller.User, Name: name, Scopes: input.Scopes, Organization: input.Organization,
		CreatedAt: c.At, ExpiresAt: expires, Rights: rights,
	}, secret, mail)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "create token", err))
	}
	shown := showToken(stored)
	shown.Token = secret(stored.ID)
	answer := api.Created(shown, "/user/token/"+stored.ID.String(), "")
	answer.Private, answer.Replayed = true, replayed
	return answer, nil
}

// checkMembership requires that the caller is a member of the organization of a token. The error does not disclose whether a foreign
// organization exists.
func (s tokens) checkMembership(ctx context.Context, c *api.Call, id organization.ID) error {
	if id.IsZero() {
		return nil
	}
	home, err := s.HomeOf(ctx, c, id)
	if err != nil && !api.IsNotFound(err) {
		return err
	}
	if home == nil {
		return api.WrongField("/organization", "unknownReference", "Choose an organization of which you are a member.")
	}
	return nil
}

// list returns the caller's valid tokens.
func (s tokens) list(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Tokens.Of(ctx, c.Caller.User, c.At)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "list tokens", err))
	}
	key := func(_ int, token messages.APIToken) string { return api.TimeKey(token.CreatedAt) + string(token.ID[:]) }
	page, err := api.ListedByKey(c, found, key, showToken)
	return api.Answer{Private: true, Record: page}, err
}

// get returns one of the caller's tokens.
func (s tokens) get(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := s.Tokens.Find(ctx, c.Caller.User, api.PathID[messages.APIToken](c, "token"), c.At)
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "find token", err))
	}
	return api.Answer{Private: true, Record: showToken(found)}, nil
}

// revoke ends one of the caller's tokens.
func (s tokens) revoke(ctx context.Context, c *api.Call) (api.Answer, error) {
	revoked, err := s.Tokens.Revoke(ctx, c.Caller.User, api.PathID[messages.APIToken](c, "token"))
	if err != nil {
		return api.Answer{}, api.Unavailable(api.Wrap(ctx, "revoke token", err))
	}
	if !revoked {
		return api.Answer{}, api.NotFound()
	}
	return api.Answer{Status: http.StatusNoContent, Private: true}, nil
}

package document

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"equity/captable"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// Secrets stores values beside the journal.
type Secrets interface {
	// Open returns a value, or [messages.ErrNotSealed].
	Open(ctx context.Context, id organization.ID, name string) ([]byte, error)
}

// invited is the secret part of a share, which is stored beside the journal.
type invited struct {
	Email string `json:"email"`
	Token string `json:"token"`
}

// secretName returns the name of the secret part.
func secretName(id room.ShareID) string { return "share/" + id.String() }

// shared is the JSON form of a share.
type shared struct {
	*room.Share
	Email string `json:"email,omitempty"`
	URL   string `json:"url,omitempty"`
	// AuthorLacksRights reports that the share opens nothing, because its author could not give it any more.
	AuthorLacksRights bool `json:"authorLacksRights,omitempty"`
}

const tokenBytes = 32

// newToken returns the prefix and random bytes, as text.
func newToken(random io.Reader, prefix []byte) (string, error) {
	drawn := make([]byte, tokenBytes)
	if _, err := io.ReadFull(random, drawn); err != nil {
		return "", fmt.Errorf("draw token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(append(prefix, drawn...)), nil
}

// shareOf returns the id of the share in a token.
func shareOf(token string) (id room.ShareID, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != len(id)+tokenBytes {
		return id, false
	}
	return room.ShareID(raw[:len(id)]), true
}

// share permits a person outside of the organization to read a document. The answer contains the address of the page, once.
func (s documents) share(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	given := struct {
		Email     string           `json:"email"`
		ExpiresAt captable.Instant `json:"expiresAt"`
		Watermark bool             `json:"watermark"`
		Download  bool             `json:"download"`
	}{Watermark: true}
	if err := json.Unmarshal(c.Body, &given); err != nil {
		return api.Answer{}, api.WrongField("", "wrongType", err.Error())
	}
	body := room.CreateShare{ID: s.NewID(), Document: found.ID, Watermark: given.Watermark, Download: given.Download}
	if given.ExpiresAt != 0 {
		body.ExpiresAt = given.ExpiresAt.Time()
	}
	secret := invited{Email: strings.TrimSpace(given.Email)}
	if secret.Token, err = newToken(s.Random, body.ID[:]); err != nil {
		return api.Answer{}, err
	}
	sealed, err := json.Marshal(secret)
	if err != nil {
		return api.Answer{}, fmt.Errorf("encode share: %w", err)
	}
	command, err := c.Command(organization.RoomCommand(body), nil)
	if err != nil {
		return api.Answer{}, err
	}
	command.Sealed = []messages.Sealed{{Name: secretName(body.ID), Address: secret.Email, Value: sealed}}
	if command, err = command.Draws(body.ID); err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Do(ctx, c, messages.With(command, organization.RoomCommand(body)))
	if err != nil {
		return api.Answer{}, err
	}
	created, err := messages.ResultOf[*room.Share](reply)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply, shared{Share: created, Email: secret.Email}), nil
	}
	if reply.Replayed {
		if secret, err = s.secret(ctx, c.Organization, created.ID); err != nil {
			return api.Answer{}, err
		}
	}
	return api.Answer{
		Status: http.StatusCreated, Record: shared{
			Share: created, Email: secret.Email, URL: strings.TrimSuffix(s.Settings.PublicURL, "/") + api.SharePath + secret.Token,
		},
		Location: location(c, found.ID) + "/share/" + created.ID.String(), Private: true, Replayed: reply.Replayed,
	}, nil
}

// secret returns the secret part of a share. It is empty after the erasure of the person.
func (s *base) secret(ctx context.Context, id organization.ID, share room.ShareID) (invited, error) {
	var secret invited
	sealed, err := s.Secrets.Open(ctx, id, secretName(share))
	switch {
	case errors.Is(err, messages.ErrNotSealed):
		return secret, nil
	case err != nil:
		return secret, api.Unavailable(err)
	}
	if err := json.Unmarshal(sealed, &secret); err != nil {
		return secret, fmt.Errorf("decode share: %w", err)
	}
	return secret, nil
}

// mayGive reports whether the author of the share may still give it: edit documents, and read this one. The system may.
func mayGive(schema *organization.Schema, state *organization.State, share *room.Share) bool {
	author, err := captable.ParseID[organization.User](share.CreatedBy)
	if err != nil {
		return true
	}
	reader, ok := state.Reader(author, nil)
	if !ok || !reader.Permissions.Has(organization.EditDocuments) {
		return false
	}
	item, ok := state.Documents().Item(share.Document)
	return ok && schema.Sees(reader.Access(), state, organization.Reference{Kind: organization.KindDocument, ID: item.ID})
}

// shares returns the shares of a document, without their addresses of pages.
func (s documents) shares(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	key := func(_ int, share *room.Share) string { return string(share.ID[:]) }
	listed, err := api.PageByKey(c, c.View.State.Documents().Shares(found.ID), key)
	if err != nil {
		return api.Answer{}, err
	}
	page := api.Page[shared]{Data: []shared{}, NextCursor: listed.NextCursor}
	for _, each := range listed.Data {
		secret, err := s.secret(ctx, c.Organization, each.ID)
		if err != nil {
			return api.Answer{}, err
		}
		page.Data = append(page.Data, shared{Share: each, Email: secret.Email, AuthorLacksRights: !mayGive(s.Schema, c.Present.State, each)})
	}
	return api.ReadContent(c, page, 0)
}

// revoke ends a share at once.
func (s documents) revoke(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	id := api.PathID[room.Share](c, "share")
	reply, err := s.Decide(ctx, c, organization.Room{Command: room.RevokeShare{ID: id, Document: found.ID}}, id)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

// expires returns the end of a visit: at most some hours, and never after the share.
func expires(share *room.Share, now time.Time) time.Time {
	const visit = 8 * time.Hour
	end := now.Add(visit)
	if share.ExpiresAt.Time().Before(end) {
		return share.ExpiresAt.Time()
	}
	return end
}

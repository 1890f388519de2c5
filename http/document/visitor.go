package document

import (
	"context"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/http/document/stamp"
	"equity/messages"
	"equity/organization"
	room "equity/organization/document"
)

// visitors serves shares to persons outside of organizations.
type visitors struct{ *base }

func (s visitors) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"sendShareCode": s.sendCode, "openShare": s.open, "getSharedContent": s.content, "getSharedContentNamed": s.content,
	}
}

// Letters writes mails.
type Letters interface {
	Letter(at time.Time, occasion, to, subject string, facts any) (messages.Mail, error)
}

const (
	codeValid    = 10 * time.Minute
	codeAttempts = 5
	// codesPerHour bounds the mails for a share. With 5 attempts for each code, a guess within a day succeeds with a probability of 1 : 1600.
	codesPerHour = 5
	codesWindow  = time.Hour
)

// visited is a valid share with its document.
type visited struct {
	home     organization.ID
	view     *messages.View
	share    *room.Share
	document *room.Item
	email    string
}

func errNoShare() error {
	return fault.Refuse(fault.NotFound, "This link is not valid, or its time has expired. Ask the sender for a new one.")
}

// find returns the share with the id. Shares that have ended, those of deleted documents, and those whose author could not give them any more,
// are not found.
func (s visitors) find(ctx context.Context, c *api.Call, id room.ShareID) (found visited, token string, err error) {
	home, kind, err := s.Locator.Locate(ctx, id)
	if err != nil {
		return found, "", api.Unavailable(err)
	}
	if kind != "documentShare" {
		return found, "", errNoShare()
	}
	view, err := s.View(ctx, home)
	if err != nil {
		return found, "", err
	}
	share, ok := view.State.Documents().Share(id)
	if !ok || !share.Valid(c.At) {
		return found, "", errNoShare()
	}
	item, ok := view.State.Documents().Item(share.Document)
	if !ok || item.Deletion != nil || !mayGive(s.Schema, view.State, share) {
		return found, "", errNoShare()
	}
	secret, err := s.secret(ctx, home, id)
	if err == nil && secret.Token == "" {
		err = errNoShare()
	}
	return visited{home, view, share, item, secret.Email}, secret.Token, err
}

// byToken returns the share of the token in the body.
func (s visitors) byToken(ctx context.Context, c *api.Call, token string) (visited, error) {
	id, ok := shareOf(token)
	if !ok {
		return visited{}, errNoShare()
	}
	found, expected, err := s.find(ctx, c, id)
	if err == nil && subtle.ConstantTimeCompare([]byte(expected), []byte(token)) != 1 {
		err = errNoShare()
	}
	return found, err
}

// sendCode mails a code to the address of the share.
func (s visitors) sendCode(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Token string `json:"token"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.byToken(ctx, c, given.Token)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Throttle(ctx, "share "+found.share.ID.String(), codesPerHour, codesWindow); err != nil {
		return api.Answer{}, err
	}
	err = s.ThrottleMail(ctx, messages.ChosenMail{
		Kind: messages.MailCode, Recipient: found.email, Sender: found.share.CreatedBy, Network: c.Caller.Network(),
		Organization: found.home,
	})
	if err != nil {
		return api.Answer{}, err
	}
	code, err := newCode(s.Random)
	if err != nil {
		return api.Answer{}, err
	}
	name := found.view.State.Profile().Name
	mail, err := s.Letters.Letter(
		c.At, "share", found.email, "Your code for a shared document", struct{ Code, Organization string }{code, name},
	)
	if err != nil {
		return api.Answer{}, err
	}
	end := c.At.Add(codeValid)
	if err := s.Records.SendCode(ctx, found.share.ID, code, end, mail); err != nil {
		return api.Answer{}, api.Unavailable(err)
	}
	return api.Answer{Record: struct {
		Organization string           `json:"organizationName"`
		ExpiresAt    captable.Instant `json:"expiresAt"`
	}{name, captable.InstantOf(end)}, Private: true}, nil
}

// newCode returns six random digits.
func newCode(random io.Reader) (string, error) {
	const codes = 1_000_000
	var drawn [8]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return "", fmt.Errorf("draw code: %w", err)
	}
	return fmt.Sprintf("%06d", binary.BigEndian.Uint64(drawn[:])%codes), nil
}

// opened is the answer to a valid code.
type opened struct {
	Share        room.ShareID     `json:"share"`
	Organization string           `json:"organizationName"`
	Name         string           `json:"name"`
	MediaType    string           `json:"mediaType"`
	Size         int64            `json:"size"`
	Download     bool             `json:"download"`
	Watermark    bool             `json:"watermark"`
	ExpiresAt    captable.Instant `json:"expiresAt"`
}

// open exchanges a code for a cookie that opens the document.
func (s visitors) open(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[struct {
		Token string `json:"token"`
		Code  string `json:"code"`
	}](c)
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.byToken(ctx, c, given.Token)
	if err != nil {
		return api.Answer{}, err
	}
	visit, err := newToken(s.Random, nil)
	if err != nil {
		return api.Answer{}, err
	}
	end := expires(found.share, c.At)
	valid, err := s.Records.Visit(ctx, found.share.ID, given.Code, codeAttempts, c.At, visit, end)
	switch {
	case err != nil:
		return api.Answer{}, api.Unavailable(err)
	case !valid:
		return api.Answer{}, fault.Refuse(
			fault.InvalidVerification, "The code is wrong, expired, or was entered too often. Request a new one.",
		)
	}
	stored, _ := found.view.State.Documents().File(found.document.File())
	access := found.access()
	return api.Answer{
		Record: opened{
			found.share.ID, found.view.State.Profile().Name, found.document.Name, stored.MediaType, stored.Size, access.Download,
			access.Watermark,
			found.share.ExpiresAt,
		},
		Cookie: &http.Cookie{ //nolint:gosec // Secure unless clients use plain HTTP
			Name: cookieName(found.share.ID), Value: visit, Path: "/", Expires: end, HttpOnly: true, Secure: strings.HasPrefix(s.Settings.PublicURL, "https://"),
			SameSite: http.SameSiteLaxMode,
		},
		Private: true,
	}, nil
}

// cookieName returns the name of the cookie of a visit.
func cookieName(id room.ShareID) string { return "share-" + id.String() }

// access returns the conditions of the share, and the stricter ones of the document.
func (v visited) access() room.Access {
	own := v.view.State.Documents().Access(v.document)
	return room.Access{Mode: room.Inherit, Download: v.share.Download && own.Download, Watermark: v.share.Watermark || own.Watermark}
}

// content returns the document of a share to a browser that entered its code.
func (s visitors) content(ctx context.Context, c *api.Call) (api.Answer, error) {
	id := api.PathID[room.Share](c, "share")
	request := http.Request{Header: http.Header{"Cookie": {c.Header("Cookie")}}}
	cookie, err := request.Cookie(cookieName(id))
	if err != nil {
		return api.Answer{}, errNoShare()
	}
	known, err := s.Records.Visited(ctx, id, cookie.Value, c.At)
	switch {
	case err != nil:
		return api.Answer{}, api.Unavailable(err)
	case !known:
		return api.Answer{}, errNoShare()
	}
	found, _, err := s.find(ctx, c, id)
	if err != nil {
		return api.Answer{}, err
	}
	stored, _ := found.view.State.Documents().File(found.document.File())
	return s.serve(ctx, c, reading{
		organization: found.home, scope: scopeOf(found.home), file: stored, name: found.document.Name, access: found.access(),
		reader: func(context.Context) (stamp.Reader, error) { return stamp.Reader{Email: found.email, At: c.At}, nil },
		view:   messages.DocumentView{Document: found.document.ID, Share: id, Email: found.email, Version: len(found.document.Versions)},
	})
}

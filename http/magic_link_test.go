package http_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/account"
	"equity/http/api"
)

// magicContract is a contract with the magic link operations.
const magicContract = `
openapi: 3.0.3
info: {title: Links, version: "1"}
tags: [{name: user, x-title: User, description: x}]
paths:
  /user/magic-link:
    post:
      operationId: requestMagicLink
      tags: [user]
      x-permission: public
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Request'}}}}
      responses: {"200": {description: x}}
  /user/magic-link/verify:
    post:
      operationId: followMagicLink
      tags: [user]
      x-permission: public
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Follow'}}}}
      responses: {"200": {description: x}}
components:
  schemas:
    Request: {type: object, required: [email], additionalProperties: false, properties: {email: {type: string, format: email}}}
    Follow: {type: object, required: [token], properties: {token: {type: string}, twoFactorToken: {type: string}}}
`

// withMagicLinks returns a server with the magic link operations and one with the real contract.
func withMagicLinks(t *testing.T, on string, changes ...change) (links, original *bundle) {
	t.Helper()
	var settings equityhttp.Settings
	var services equityhttp.Services
	original = setupOn(t, on, append(changes, func(in *equityhttp.Settings, s *equityhttp.Services) { settings, services = *in, *s })...)
	services.Metrics, services.MagicLinks = nil, original.users
	server, err := equityhttp.NewServerWith([]byte(magicContract), settings, services, func(f *account.Feature) map[string]api.Handler {
		return f.MagicLinkHandlers()
	})
	if err != nil {
		t.Fatal(err)
	}
	copied := *original
	copied.server = server
	return &copied, original
}

// magicToken requests a link and returns the token from the mail.
func (b *bundle) magicToken(t *testing.T, email string) string {
	t.Helper()
	b.anonymous().must(t, "POST", "/v1/user/magic-link", `{"email":"`+email+`"}`, 200)
	mail := b.newest(t, email)
	found := regexp.MustCompile(`/login\?token=([0-9a-f]{64})\s`).FindStringSubmatch(mail.Text)
	if found == nil || !strings.Contains(mail.HTML, found[1]) {
		t.Fatalf("no link in %s", mail.Text)
	}
	return found[1]
}

func followBody(token string) string { return `{"token":"` + token + `"}` }

const followPath = "/v1/user/magic-link/verify"

func TestMagicLinkSignsInOnce(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		ada := b.person(t, "ada@example.com")
		token := links.magicToken(t, "ada@example.com")
		follower := links.anonymous()
		if got := follower.must(t, "POST", followPath, followBody(token), 200); got.text(t, "id") != ada.user.ID.String() {
			t.Error(got.body)
		}
		browser := b.anonymous()
		browser.cookie = follower.cookie
		browser.must(t, "GET", "/v1/user/current", "", 200)
		if got := links.anonymous().must(t, "POST", followPath, followBody(token), 400); got.text(t, "key") != "Unauthorized" {
			t.Error(got.body)
		}
		late := links.magicToken(t, "ada@example.com")
		b.clock.advance(15 * time.Minute)
		links.anonymous().must(t, "POST", followPath, followBody(late), 400)
		links.anonymous().must(t, "POST", followPath, followBody(strings.Repeat("0", 64)), 400)
	})
}

func TestMagicLinkRequestsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.person(t, "ada@example.com")
		known := links.anonymous().must(t, "POST", "/v1/user/magic-link", `{"email":"ada@example.com"}`, 200)
		unknown := links.anonymous().must(t, "POST", "/v1/user/magic-link", `{"email":"bob@example.com"}`, 200)
		for _, header := range []string{"X-Request-Id"} {
			known.header.Del(header)
			unknown.header.Del(header)
		}
		if known.body != unknown.body || !maps.EqualFunc(
			known.header, unknown.header, func(a, b []string) bool { return strings.Join(a, "") == strings.Join(b, "") },
		) {
			t.Errorf("%v %s\n%v %s", known.header, known.body, unknown.header, unknown.body)
		}
		for range 5 {
			links.anonymous().must(t, "POST", "/v1/user/magic-link", `{"email":"ADA@example.com"}`, 200)
		}
		if got := len(b.mails(t, "ada@example.com")); got != 3 {
			t.Errorf("%d mails were sent", got)
		}
	})
}

func TestMagicLinkVerifiesTheAddressButNotThePassword(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.anonymous().must(t, "POST", "/v1/user", registration, 201)
		token := links.magicToken(t, "grace@example.com")
		if got := links.anonymous().must(t, "POST", followPath, followBody(token), 200); got.get(t, "emailVerified") != true {
			t.Error(got.body)
		}
		b.anonymous().must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 400)
	})
}

func TestMagicLinkDoesNotReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	everywhereOn(t, func(t *testing.T, store string, changes ...change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		seed, _ := b.person(t, "ada@example.com").enableSecondFactor(t)
		token := links.magicToken(t, "ada@example.com")
		if got := links.anonymous().must(t, "POST", followPath, followBody(token), 400); got.text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.body)
		}
		links.anonymous().must(t, "POST", followPath, `{"token":"`+token+`","twoFactorToken":"`+codeAt(seed, b.clock.Now())+`"}`, 200)
	})
}

func TestMagicLinksAreNotInTheContract(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/v1/user/magic-link", followPath} {
		if got := b.anonymous().send(t, "POST", path, `{"email":"ada@example.com"}`); got.status != 404 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

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
	"equity/http/apitest"
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
func withMagicLinks(t *testing.T, on string, changes ...apitest.Change) (links, original *apitest.Server) {
	t.Helper()
	var settings equityhttp.Settings
	var services equityhttp.Services
	original = apitest.SetupOn(
		t, on, append(changes, func(in *equityhttp.Settings, s *equityhttp.Services) { settings, services = *in, *s })...,
	)
	services.Metrics, services.MagicLinks = nil, original.Users
	server, err := equityhttp.NewServerWith([]byte(magicContract), settings, services, func(f *account.Feature) map[string]api.Handler {
		return f.MagicLinkHandlers()
	})
	if err != nil {
		t.Fatal(err)
	}
	copied := *original
	copied.HTTP = server
	return &copied, original
}

// magicToken requests a link and returns the token from the mail.
func magicToken(t *testing.T, b *apitest.Server, email string) string {
	t.Helper()
	b.Anonymous().Must(t, "POST", "/v1/user/magic-link", `{"email":"`+email+`"}`, 200)
	mail := b.NewestMail(t, email)
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
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		ada := b.NewPerson(t, "ada@example.com")
		token := magicToken(t, links, "ada@example.com")
		follower := links.Anonymous()
		if got := follower.Must(t, "POST", followPath, followBody(token), 200); got.Text(t, "id") != ada.User.ID.String() {
			t.Error(got.Body)
		}
		browser := b.Anonymous()
		browser.Cookie = follower.Cookie
		browser.Must(t, "GET", "/v1/user/current", "", 200)
		if got := links.Anonymous().Must(t, "POST", followPath, followBody(token), 400); got.Text(t, "key") != "Unauthorized" {
			t.Error(got.Body)
		}
		late := magicToken(t, links, "ada@example.com")
		b.Clock.Advance(15 * time.Minute)
		links.Anonymous().Must(t, "POST", followPath, followBody(late), 400)
		links.Anonymous().Must(t, "POST", followPath, followBody(strings.Repeat("0", 64)), 400)
	})
}

func TestMagicLinkRequestsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.NewPerson(t, "ada@example.com")
		known := links.Anonymous().Must(t, "POST", "/v1/user/magic-link", `{"email":"ada@example.com"}`, 200)
		unknown := links.Anonymous().Must(t, "POST", "/v1/user/magic-link", `{"email":"bob@example.com"}`, 200)
		for _, header := range []string{"X-Request-Id"} {
			known.Header.Del(header)
			unknown.Header.Del(header)
		}
		if known.Body != unknown.Body || !maps.EqualFunc(
			known.Header, unknown.Header, func(a, b []string) bool { return strings.Join(a, "") == strings.Join(b, "") },
		) {
			t.Errorf("%v %s\n%v %s", known.Header, known.Body, unknown.Header, unknown.Body)
		}
		for range 5 {
			links.Anonymous().Must(t, "POST", "/v1/user/magic-link", `{"email":"ADA@example.com"}`, 200)
		}
		if got := len(b.Mails(t, "ada@example.com")); got != 3 {
			t.Errorf("%d mails were sent", got)
		}
	})
}

func TestMagicLinkVerifiesTheAddressButNotThePassword(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		b.Anonymous().Must(t, "POST", "/v1/user", registration, 201)
		token := magicToken(t, links, "grace@example.com")
		if got := links.Anonymous().Must(t, "POST", followPath, followBody(token), 200); got.Get(t, "emailVerified") != true {
			t.Error(got.Body)
		}
		b.Anonymous().Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, 400)
	})
}

func TestMagicLinkDoesNotReplaceTheSecondFactor(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		links, b := withMagicLinks(t, store, changes...)
		seed, _ := enableSecondFactor(t, b.NewPerson(t, "ada@example.com"))
		token := magicToken(t, links, "ada@example.com")
		if got := links.Anonymous().Must(t, "POST", followPath, followBody(token), 400); got.Text(t, "key") != "invalidTwoFactorToken" {
			t.Error(got.Body)
		}
		links.Anonymous().Must(t, "POST", followPath, `{"token":"`+token+`","twoFactorToken":"`+codeAt(seed, b.Clock.Now())+`"}`, 200)
	})
}

func TestMagicLinksAreNotInTheContract(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for _, path := range []string{"/v1/user/magic-link", followPath} {
		if got := b.Anonymous().Send(t, "POST", path, `{"email":"ada@example.com"}`); got.Status != 404 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
}

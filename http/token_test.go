package http_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

// program is a client with a bearer token and without cookies.
type program struct {
	*bundle
	token string
	id    string
}

// program creates a token of the user. More holds further fields of the body.
func (c *client) program(tb testing.TB, scopes string, more ...string) *program {
	tb.Helper()
	fields := append([]string{`"name":"Report"`, `"scopes":[` + scopes + `]`}, more...)
	made := c.must(tb, "POST", "/v1/user/token", "{"+strings.Join(fields, ",")+"}", http.StatusCreated)
	return &program{c.bundle, made.text(tb, "token"), made.text(tb, "id")}
}

func (p *program) send(tb testing.TB, method, path, body string, headers ...string) answer {
	tb.Helper()
	return p.anonymous().send(tb, method, path, body, append([]string{"Authorization", "Bearer " + p.token}, headers...)...)
}

// gets requires the status and the code of an answer; an empty code requires none.
func (p *program) gets(tb testing.TB, method, path, body string, status int, code string) answer {
	tb.Helper()
	got := p.send(tb, method, path, body)
	if got.status != status || code != "" && !strings.Contains(got.body, `"code":"`+code+`"`) {
		tb.Errorf("%s %s: %d %s, want %d %s", method, path, got.status, got.body, status, code)
	}
	return got
}

func TestTokenPermitsTheOperationsOfItsScopes(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		reader, writer := f.program(t, `"read"`), f.program(t, `"read","write"`)
		remover := f.program(t, `"destructive"`)
		reader.gets(t, "GET", f.home+"/captable", "", http.StatusOK, "")
		reader.gets(t, "GET", "/v1/user/current", "", http.StatusOK, "")
		reader.gets(t, "POST", f.home+"/role", `{"name":"A","permissions":["viewSelf"]}`, http.StatusForbidden, "scopeMissing")
		role := writer.gets(t, "POST", f.home+"/role", `{"name":"A","permissions":["viewSelf"]}`, http.StatusCreated, "").header.Get("Location")
		writer.gets(t, "DELETE", role, "", http.StatusForbidden, "scopeMissing")
		remover.gets(t, "GET", f.home+"/captable", "", http.StatusForbidden, "scopeMissing")
		remover.gets(t, "DELETE", role, "", http.StatusNoContent, "")
		by := f.must(t, "GET", f.home+"/journal?limit=1", "", http.StatusOK)
		if !strings.Contains(by.body, f.user.ID.String()) {
			t.Errorf("the author is missing: %s", by.body)
		}
		if got := reader.send(
			t, "POST", "/v1/query", queryBody([2]string{"currentUser", ""}),
		); got.status != http.StatusOK || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%v %s", got.header, got.body)
		}
	})
}

func TestTokenIsRefusedWithoutAClass(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.estate(t, "zenobia")
	p := e.program(t, `"read","write","destructive"`)
	for _, d := range b.contract.all() {
		agent, _ := b.contract.operation(d.method, "/v1"+d.path).Extensions["x-agent"].(string)
		if d.permission == "public" || d.permission == "gateway" || agent != "" {
			continue
		}
		w := e.wish(t, &d)
		headers := []string{}
		if w.kind != "" {
			headers = append(headers, "Content-Type", w.kind)
		}
		if got := p.send(t, w.method, w.path, w.body, headers...); got.status != http.StatusForbidden || !strings.Contains(got.body, `"code":"sessionRequired"`) {
			t.Errorf("%s: %d %s", d.id, got.status, got.body)
		}
	}
}

func TestTokenDoesNotExtendTheRolesOfItsUser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	guest, stranger := b.person(t, "bob@example.com"), b.person(t, "eve@example.com")
	f.join(t, f.home, guest, "Guest")
	all := `"read","write","destructive"`
	guest.program(t, all).gets(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusForbidden, "forbidden")
	stranger.program(t, all).gets(t, "GET", f.home+"/captable", "", http.StatusForbidden, "forbidden")
	stranger.program(t, all).gets(t, "GET", "/v1/security/"+f.common, "", http.StatusNotFound, "")
}

func TestTokenOfAnOrganizationReachesOnlyIt(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		other := f.company(t)
		held := f.issue(t, f.holder(t, "Bob"), "10")
		p := f.program(t, `"read","write","destructive"`, `"organization":"`+f.id+`"`)
		confined := f.program(t, `"read"`, `"organization":"`+last(other)+`"`)
		p.gets(t, "GET", f.home+"/captable", "", http.StatusOK, "")
		p.gets(t, "GET", held, "", http.StatusOK, "")
		p.gets(t, "GET", other+"/captable", "", http.StatusForbidden, "otherOrganization")
		p.gets(t, "GET", "/v1/organization/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", "", http.StatusForbidden, "otherOrganization")
		confined.gets(t, "GET", held, "", http.StatusNotFound, "resourceNotFound")
		for _, path := range []string{
			"/v1/organization", "/v1/user/current", "/v1/holding", "/v1/vestingSchedule", "/v1/incentive/documents", "/v1/card",
		} {
			p.gets(t, "GET", path, "", http.StatusForbidden, "otherOrganization")
		}
		p.gets(t, "POST", "/v1/organization", `{"name":"Next","currency":"USD"}`, http.StatusForbidden, "otherOrganization")
		p.gets(t, "PUT", "/v1/valuation", `{"organization":"`+last(other)+`","type":"409A","effectiveDate":"2024-01-01","pricePerShare":{"amount":"1","currency":"USD"}}`,
			http.StatusForbidden, "otherOrganization")
		got := p.gets(t, "POST", "/v1/query", queryBody([2]string{"exportCapTable", `"organization":"` + f.id + `"`},
			[2]string{"exportCapTable", `"organization":"` + last(other) + `"`}, [2]string{"currentUser", ""}), http.StatusOK, "")
		if strings.Count(got.body, "otherOrganization") != 2 {
			t.Error(got.body)
		}
	})
}

func TestBearerTokenDecidesBeforeTheCookie(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
	p := bob.program(t, `"read"`)
	if got := ada.send(
		t, "GET", "/v1/user/current", "", "Authorization", "bearer  "+p.token,
	); got.text(t, "email") != "bob@example.com" || got.header.Get("Set-Cookie") != "" {
		t.Errorf("%v %s", got.header, got.body)
	}
	for _, invalid := range []string{
		"Bearer", "Bearer ", "Bearer x", "BEARER " + p.token + "x", "Bearer eqt_" + strings.Repeat("A", 43), "Bearer " + p.id,
	} {
		got := ada.send(t, "GET", "/v1/user/current", "", "Authorization", invalid)
		if got.status != http.StatusUnauthorized || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: %d %s", invalid, got.status, got.body)
		}
	}
	if got := ada.send(t, "GET", "/v1/user/current", "", "Authorization", "Basic eDp5"); got.status != http.StatusOK {
		t.Errorf("another scheme: %d", got.status)
	}
	login := ada.anonymous().send(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+password+`"}`, "Authorization", "Bearer x")
	if login.status != http.StatusOK {
		t.Errorf("an operation for everyone: %d %s", login.status, login.body)
	}
	if got := p.send(t, "GET", "/v1/user/current?x=1", "", "Origin", "https://evil.example.com", "Sec-Fetch-Site", "cross-site"); got.status != http.StatusBadRequest {
		t.Errorf("%d %s", got.status, got.body)
	}
	writer := bob.program(t, `"write"`)
	if got := writer.send(t, "POST", "/v1/organization", `{"name":"Next","currency":"USD"}`, "Origin", "https://evil.example.com"); got.status != http.StatusCreated {
		t.Errorf("a program with an Origin: %d %s", got.status, got.body)
	}
	if got := bob.send(t, "POST", "/v1/organization", `{"name":"Next","currency":"USD"}`, "Origin", "https://evil.example.com"); got.status != http.StatusForbidden {
		t.Errorf("a page of another site with the cookie: %d", got.status)
	}
}

func TestInvalidTokensAreLimited(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		p := b.person(t, "ada@example.com").program(t, `"read"`)
		guess := &program{b, "eqt_" + strings.Repeat("A", 43), ""}
		for range 20 {
			guess.gets(t, "GET", "/v1/user/current", "", http.StatusUnauthorized, "unauthorized")
		}
		if got := guess.send(t, "GET", "/v1/user/current", ""); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
			t.Errorf("%d %s", got.status, got.body)
		}
		p.gets(t, "GET", "/v1/user/current", "", http.StatusOK, "")
		b.clock.advance(time.Minute)
		guess.gets(t, "GET", "/v1/user/current", "", http.StatusUnauthorized, "unauthorized")
	})
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	for claim, end := range map[string]func(t *testing.T, c *client, p *program){
		"revoked": func(t *testing.T, c *client, p *program) {
			t.Helper()
			c.must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNoContent)
			c.must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNotFound)
		},
		"expired": func(t *testing.T, _ *client, p *program) {
			t.Helper()
			p.clock.advance(90 * 24 * time.Hour)
		},
		"user erased": func(t *testing.T, c *client, _ *program) {
			t.Helper()
			c.must(t, "POST", "/v1/user/erase", erasureBody("ada@example.com"), http.StatusNoContent)
		},
		"user disabled and enabled": func(t *testing.T, c *client, p *program) {
			t.Helper()
			admin := c.administrator(t, "admin@example.com")
			admin.must(t, "POST", "/v1/admin/user/"+c.user.ID.String()+"/disable", "", http.StatusOK)
			p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
			admin.must(t, "POST", "/v1/admin/user/"+c.user.ID.String()+"/enable", "", http.StatusOK)
		},
		"temporary password used": func(t *testing.T, c *client, p *program) {
			t.Helper()
			c.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"ada@example.com"}`, http.StatusOK)
			p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
			c.signInAgain(t, c.temporary(t, "ada@example.com"), http.StatusOK)
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			everywhere(t, func(t *testing.T, b *bundle) {
				t.Helper()
				c := b.person(t, "ada@example.com")
				p := c.program(t, `"read"`)
				p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
				end(t, c, p)
				p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
			})
		})
	}
}

func TestTokensAreListedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c, stranger := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		p := c.program(t, `"write","read"`, `"expiresAt":"2026-06-01T00:00:00Z"`)
		path := "/v1/user/token/" + p.id
		if got := c.must(t, "GET", path, "", http.StatusOK); strings.Contains(got.body, "lastUsedAt") || strings.Contains(got.body, "eqt_") ||
			!strings.Contains(got.body, `"scopes":["read","write"]`) || got.text(t, "expiresAt") != "2026-06-01T00:00:00Z" {
			t.Error(got.body)
		}
		b.clock.advance(time.Hour)
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		first := c.must(t, "GET", path, "", http.StatusOK).text(t, "lastUsedAt")
		b.clock.advance(30 * time.Second)
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		if got := c.must(t, "GET", path, "", http.StatusOK); got.text(t, "lastUsedAt") != first {
			t.Error(got.body)
		}
		if got := c.must(t, "GET", "/v1/user/token", "", http.StatusOK); len(got.list(t, "data")) != 1 || strings.Contains(got.body, p.token) {
			t.Error(got.body)
		}
		stranger.must(t, "GET", path, "", http.StatusNotFound)
		stranger.must(t, "DELETE", path, "", http.StatusNotFound)
		if got := stranger.must(t, "GET", "/v1/user/token", "", http.StatusOK); len(got.list(t, "data")) != 0 {
			t.Error(got.body)
		}
		if strings.Contains(b.log.String(), p.token) {
			t.Error("the token is logged")
		}
	})
}

func TestInvalidTokenRequestsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, other := b.person(t, "ada@example.com"), b.firm(t, "bob@example.com")
	for body, has := range map[string]string{
		`{"name":"x"}`:                                                                        "/scopes",
		`{"name":" ","scopes":["read"]}`:                                                      "/name",
		`{"name":"x","scopes":[]}`:                                                            "/scopes",
		`{"name":"x","scopes":["read","read"]}`:                                               "/scopes",
		`{"name":"x","scopes":["admin"]}`:                                                     "/scopes/0",
		`{"name":"x","scopes":["read"],"expiresAt":"2026-03-02T10:00:00Z"}`:                   "/expiresAt",
		`{"name":"x","scopes":["read"],"expiresAt":"2027-03-05T00:00:00Z"}`:                   "/expiresAt",
		`{"name":"x","scopes":["read"],"organization":"` + other.id + `"}`:                    "/organization",
		`{"name":"x","scopes":["read"],"organization":"` + uuid.UUID(newID()).String() + `"}`: "/organization",
		`{"name":"` + strings.Repeat("x", 101) + `","scopes":["read"]}`:                       "/name",
		`{"name":"x","scopes":["read"],"user":"` + other.user.ID.String() + `"}`:              "/user",
		`{"name":"x","scopes":["read"],"token":"eqt_` + strings.Repeat("A", 43) + `"}`:        "/token",
	} {
		if got := c.send(t, "POST", "/v1/user/token", body); got.status != http.StatusBadRequest || !strings.Contains(got.body, `"`+has+`"`) {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
	for range 50 {
		c.program(t, `"read"`)
	}
	if got := c.send(t, "POST", "/v1/user/token", `{"name":"x","scopes":["read"]}`); got.status != http.StatusConflict || got.text(t, "code") != "limitReached" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestRepeatedTokenRequestReturnsTheFirstToken(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		c := b.person(t, "ada@example.com")
		key := []string{"Idempotency-Key", "k1"}
		const body = `{"name":"Report","scopes":["read"]}`
		first := c.must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...)
		b.clock.advance(time.Minute)
		if again := c.must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...); again.body != first.body {
			t.Errorf("%s is not %s", again.body, first.body)
		}
		c.must(t, "POST", "/v1/user/token", `{"name":"Other","scopes":["read"]}`, http.StatusConflict, key...)
		p := &program{b, first.text(t, "token"), first.text(t, "id")}
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		c.must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNoContent)
		c.must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...)
		p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
		tokens := []string{p.token, c.program(t, `"read"`).token, b.person(t, "bob@example.com").program(t, `"read"`).token}
		if slices.Sort(tokens); len(slices.Compact(tokens)) != 3 {
			t.Error("two tokens are equal")
		}
	})
}

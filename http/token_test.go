package http_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/http/apitest"
)

// program is a client with a bearer token and without cookies.
type program struct {
	*apitest.Server
	token string
	id    string
}

// newProgram creates a token of the user. More holds further fields of the body.
func newProgram(tb testing.TB, c *apitest.Client, scopes string, more ...string) *program {
	tb.Helper()
	fields := append([]string{`"name":"Report"`, `"scopes":[` + scopes + `]`}, more...)
	made := c.Must(tb, "POST", "/v1/user/token", "{"+strings.Join(fields, ",")+"}", http.StatusCreated)
	return &program{c.Server, made.Text(tb, "token"), made.Text(tb, "id")}
}

func (p *program) send(tb testing.TB, method, path, body string, headers ...string) apitest.Answer {
	tb.Helper()
	return p.Anonymous().Send(tb, method, path, body, append([]string{"Authorization", "Bearer " + p.token}, headers...)...)
}

// gets requires the status and the code of an answer; an empty code requires none.
func (p *program) gets(tb testing.TB, method, path, body string, status int, code string) apitest.Answer {
	tb.Helper()
	got := p.send(tb, method, path, body)
	if got.Status != status || code != "" && !strings.Contains(got.Body, `"code":"`+code+`"`) {
		tb.Errorf("%s %s: %d %s, want %d %s", method, path, got.Status, got.Body, status, code)
	}
	return got
}

func TestTokenPermitsTheOperationsOfItsScopes(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		reader, writer := newProgram(t, f.Client, `"read"`), newProgram(t, f.Client, `"read","write"`)
		remover := newProgram(t, f.Client, `"destructive"`)
		reader.gets(t, "GET", f.Home+"/captable", "", http.StatusOK, "")
		reader.gets(t, "GET", "/v1/user/current", "", http.StatusOK, "")
		reader.gets(t, "POST", f.Home+"/role", `{"name":"A","permissions":["viewSelf"]}`, http.StatusForbidden, "scopeMissing")
		role := writer.gets(t, "POST", f.Home+"/role", `{"name":"A","permissions":["viewSelf"]}`, http.StatusCreated, "").Header.Get("Location")
		writer.gets(t, "DELETE", role, "", http.StatusForbidden, "scopeMissing")
		remover.gets(t, "GET", f.Home+"/captable", "", http.StatusForbidden, "scopeMissing")
		remover.gets(t, "DELETE", role, "", http.StatusNoContent, "")
		by := f.Must(t, "GET", f.Home+"/journal?limit=1", "", http.StatusOK)
		if !strings.Contains(by.Body, f.User.ID.String()) {
			t.Errorf("the author is missing: %s", by.Body)
		}
		if got := reader.send(
			t, "POST", "/v1/query", queryBody([2]string{"currentUser", ""}),
		); got.Status != http.StatusOK || got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%v %s", got.Header, got.Body)
		}
	})
}

func TestTokenIsRefusedWithoutAClass(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	p := newProgram(t, e.Client, `"read","write","destructive"`)
	for _, d := range declaredOperations(b.Contract) {
		agent, _ := b.Contract.Operation(d.method, "/v1"+d.path).Extensions["x-agent"].(string)
		if d.permission == "public" || d.permission == "gateway" || agent != "" {
			continue
		}
		w := e.wish(t, &d)
		headers := []string{}
		if w.kind != "" {
			headers = append(headers, "Content-Type", w.kind)
		}
		if got := p.send(t, w.method, w.path, w.body, headers...); got.Status != http.StatusForbidden || !strings.Contains(got.Body, `"code":"sessionRequired"`) {
			t.Errorf("%s: %d %s", d.id, got.Status, got.Body)
		}
	}
}

func TestTokenDoesNotExtendTheRolesOfItsUser(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	guest, stranger := b.NewPerson(t, "bob@example.com"), b.NewPerson(t, "eve@example.com")
	f.Join(t, f.Home, guest, "Guest")
	all := `"read","write","destructive"`
	newProgram(t, guest, all).gets(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusForbidden, "forbidden")
	newProgram(t, stranger, all).gets(t, "GET", f.Home+"/captable", "", http.StatusForbidden, "forbidden")
	newProgram(t, stranger, all).gets(t, "GET", "/v1/security/"+f.Common, "", http.StatusNotFound, "")
}

func TestTokenOfAnOrganizationReachesOnlyIt(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		other := f.NewOrganization(t)
		held := f.Issue(t, f.NewHolder(t, "Bob"), "10")
		p := newProgram(t, f.Client, `"read","write","destructive"`, `"organization":"`+f.ID+`"`)
		confined := newProgram(t, f.Client, `"read"`, `"organization":"`+apitest.IDOf(other)+`"`)
		p.gets(t, "GET", f.Home+"/captable", "", http.StatusOK, "")
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
		p.gets(t, "PUT", "/v1/valuation", `{"organization":"`+apitest.IDOf(other)+`","type":"409A","effectiveDate":"2024-01-01","pricePerShare":{"amount":"1","currency":"USD"}}`,
			http.StatusForbidden, "otherOrganization")
		got := p.gets(t, "POST", "/v1/query", queryBody([2]string{"exportCapTable", `"organization":"` + f.ID + `"`},
			[2]string{"exportCapTable", `"organization":"` + apitest.IDOf(other) + `"`}, [2]string{"currentUser", ""}), http.StatusOK, "")
		if strings.Count(got.Body, "otherOrganization") != 2 {
			t.Error(got.Body)
		}
	})
}

func TestBearerTokenDecidesBeforeTheCookie(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
	p := newProgram(t, bob, `"read"`)
	if got := ada.Send(
		t, "GET", "/v1/user/current", "", "Authorization", "bearer  "+p.token,
	); got.Text(t, "email") != "bob@example.com" || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	for _, invalid := range []string{
		"Bearer", "Bearer ", "Bearer x", "BEARER " + p.token + "x", "Bearer eqt_" + strings.Repeat("A", 43), "Bearer " + p.id,
	} {
		got := ada.Send(t, "GET", "/v1/user/current", "", "Authorization", invalid)
		if got.Status != http.StatusUnauthorized || !strings.HasPrefix(got.Header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%q: %d %s", invalid, got.Status, got.Body)
		}
	}
	if got := ada.Send(t, "GET", "/v1/user/current", "", "Authorization", "Basic eDp5"); got.Status != http.StatusOK {
		t.Errorf("another scheme: %d", got.Status)
	}
	login := ada.Anonymous().Send(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+apitest.Password+`"}`, "Authorization", "Bearer x")
	if login.Status != http.StatusOK {
		t.Errorf("an operation for everyone: %d %s", login.Status, login.Body)
	}
	if got := p.send(t, "GET", "/v1/user/current?x=1", "", "Origin", "https://evil.example.com", "Sec-Fetch-Site", "cross-site"); got.Status != http.StatusBadRequest {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	writer := newProgram(t, bob, `"write"`)
	if got := writer.send(t, "POST", "/v1/organization", `{"name":"Next","currency":"USD"}`, "Origin", "https://evil.example.com"); got.Status != http.StatusCreated {
		t.Errorf("a program with an Origin: %d %s", got.Status, got.Body)
	}
	if got := bob.Send(t, "POST", "/v1/organization", `{"name":"Next","currency":"USD"}`, "Origin", "https://evil.example.com"); got.Status != http.StatusForbidden {
		t.Errorf("a page of another site with the cookie: %d", got.Status)
	}
}

func TestInvalidTokensAreLimited(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		p := newProgram(t, b.NewPerson(t, "ada@example.com"), `"read"`)
		guess := &program{b, "eqt_" + strings.Repeat("A", 43), ""}
		for range 20 {
			guess.gets(t, "GET", "/v1/user/current", "", http.StatusUnauthorized, "unauthorized")
		}
		if got := guess.send(t, "GET", "/v1/user/current", ""); got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		p.gets(t, "GET", "/v1/user/current", "", http.StatusOK, "")
		b.Clock.Advance(time.Minute)
		guess.gets(t, "GET", "/v1/user/current", "", http.StatusUnauthorized, "unauthorized")
	})
}

func TestTokensEnd(t *testing.T) {
	t.Parallel()
	for claim, end := range map[string]func(t *testing.T, c *apitest.Client, p *program){
		"revoked": func(t *testing.T, c *apitest.Client, p *program) {
			t.Helper()
			c.Must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNoContent)
			c.Must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNotFound)
		},
		"expired": func(t *testing.T, _ *apitest.Client, p *program) {
			t.Helper()
			p.Clock.Advance(90 * 24 * time.Hour)
		},
		"user erased": func(t *testing.T, c *apitest.Client, _ *program) {
			t.Helper()
			c.Must(t, "POST", "/v1/user/erase", erasureBody("ada@example.com"), http.StatusNoContent)
		},
		"user disabled and enabled": func(t *testing.T, c *apitest.Client, p *program) {
			t.Helper()
			admin := administrator(t, c.Server, "admin@example.com")
			admin.Must(t, "POST", "/v1/admin/user/"+c.User.ID.String()+"/disable", "", http.StatusOK)
			p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
			admin.Must(t, "POST", "/v1/admin/user/"+c.User.ID.String()+"/enable", "", http.StatusOK)
		},
		"temporary password used": func(t *testing.T, c *apitest.Client, p *program) {
			t.Helper()
			c.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"ada@example.com"}`, http.StatusOK)
			p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
			c.SignInAgain(t, temporaryPassword(t, c.Server, "ada@example.com"), http.StatusOK)
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
				t.Helper()
				c := b.NewPerson(t, "ada@example.com")
				p := newProgram(t, c, `"read"`)
				p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
				end(t, c, p)
				p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
			})
		})
	}
}

func TestTokensAreListedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c, stranger := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		p := newProgram(t, c, `"write","read"`, `"expiresAt":"2026-06-01T00:00:00Z"`)
		path := "/v1/user/token/" + p.id
		if got := c.Must(t, "GET", path, "", http.StatusOK); strings.Contains(got.Body, "lastUsedAt") || strings.Contains(got.Body, "eqt_") ||
			!strings.Contains(got.Body, `"scopes":["read","write"]`) || got.Text(t, "expiresAt") != "2026-06-01T00:00:00Z" {
			t.Error(got.Body)
		}
		b.Clock.Advance(time.Hour)
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		first := c.Must(t, "GET", path, "", http.StatusOK).Text(t, "lastUsedAt")
		b.Clock.Advance(30 * time.Second)
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		if got := c.Must(t, "GET", path, "", http.StatusOK); got.Text(t, "lastUsedAt") != first {
			t.Error(got.Body)
		}
		if got := c.Must(t, "GET", "/v1/user/token", "", http.StatusOK); len(got.List(t, "data")) != 1 || strings.Contains(got.Body, p.token) {
			t.Error(got.Body)
		}
		stranger.Must(t, "GET", path, "", http.StatusNotFound)
		stranger.Must(t, "DELETE", path, "", http.StatusNotFound)
		if got := stranger.Must(t, "GET", "/v1/user/token", "", http.StatusOK); len(got.List(t, "data")) != 0 {
			t.Error(got.Body)
		}
		if strings.Contains(b.Log.String(), p.token) {
			t.Error("the token is logged")
		}
	})
}

func TestInvalidTokenRequestsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	c, other := b.NewPerson(t, "ada@example.com"), b.NewFirm(t, "bob@example.com")
	for body, has := range map[string]string{
		`{"name":"x"}`:                                                                                "/scopes",
		`{"name":" ","scopes":["read"]}`:                                                              "/name",
		`{"name":"x","scopes":[]}`:                                                                    "/scopes",
		`{"name":"x","scopes":["read","read"]}`:                                                       "/scopes",
		`{"name":"x","scopes":["admin"]}`:                                                             "/scopes/0",
		`{"name":"x","scopes":["read"],"expiresAt":"2026-03-02T10:00:00Z"}`:                           "/expiresAt",
		`{"name":"x","scopes":["read"],"expiresAt":"2027-03-05T00:00:00Z"}`:                           "/expiresAt",
		`{"name":"x","scopes":["read"],"organization":"` + other.ID + `"}`:                            "/organization",
		`{"name":"x","scopes":["read"],"organization":"` + uuid.UUID(apitest.NewID()).String() + `"}`: "/organization",
		`{"name":"` + strings.Repeat("x", 101) + `","scopes":["read"]}`:                               "/name",
		`{"name":"x","scopes":["read"],"user":"` + other.User.ID.String() + `"}`:                      "/user",
		`{"name":"x","scopes":["read"],"token":"eqt_` + strings.Repeat("A", 43) + `"}`:                "/token",
	} {
		if got := c.Send(t, "POST", "/v1/user/token", body); got.Status != http.StatusBadRequest || !strings.Contains(got.Body, `"`+has+`"`) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	for range 50 {
		newProgram(t, c, `"read"`)
	}
	if got := c.Send(t, "POST", "/v1/user/token", `{"name":"x","scopes":["read"]}`); got.Status != http.StatusConflict || got.Text(t, "code") != "limitReached" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestRepeatedTokenRequestReturnsTheFirstToken(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		c := b.NewPerson(t, "ada@example.com")
		key := []string{"Idempotency-Key", "k1"}
		const body = `{"name":"Report","scopes":["read"]}`
		first := c.Must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...)
		b.Clock.Advance(time.Minute)
		if again := c.Must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...); again.Body != first.Body {
			t.Errorf("%s is not %s", again.Body, first.Body)
		}
		c.Must(t, "POST", "/v1/user/token", `{"name":"Other","scopes":["read"]}`, http.StatusConflict, key...)
		p := &program{b, first.Text(t, "token"), first.Text(t, "id")}
		p.gets(t, "GET", "/v1/organization", "", http.StatusOK, "")
		c.Must(t, "DELETE", "/v1/user/token/"+p.id, "", http.StatusNoContent)
		c.Must(t, "POST", "/v1/user/token", body, http.StatusCreated, key...)
		p.gets(t, "GET", "/v1/organization", "", http.StatusUnauthorized, "unauthorized")
		tokens := []string{p.token, newProgram(t, c, `"read"`).token, newProgram(t, b.NewPerson(t, "bob@example.com"), `"read"`).token}
		if slices.Sort(tokens); len(slices.Compact(tokens)) != 3 {
			t.Error("two tokens are equal")
		}
	})
}

package http_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"

	"equity/account"
	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/messages"
)

// A session planted in the victim's browser does not survive a sign-in:
// the user receives a new session, and the planted cookie becomes invalid.
func TestSignInReplacesPlantedSession(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		ada, mallory := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "mallory@example.com")
		login := `{"email":"ada@example.com","password":"` + apitest.Password + `"}`
		for claim, planted := range map[string]string{
			"an unsigned cookie": "connect.sid=chosen", "the attacker's own session": mallory.Cookie,
			"a cookie with a foreign signature": mallory.Cookie[:len(mallory.Cookie)-4] + "AAAA",
		} {
			victim := &apitest.Client{Server: b, User: ada.User, Cookie: planted}
			victim.Must(t, "POST", "/v1/user/login", login, http.StatusOK)
			if victim.Cookie == planted {
				t.Errorf("%s is kept after sign-in", claim)
			}
			planter := &apitest.Client{Server: b, Cookie: planted}
			planter.Must(t, "GET", "/v1/user/current", "", http.StatusUnauthorized)
		}
	})
}

func TestCrossSiteRequestsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	for _, d := range declaredOperations(b.Contract) {
		if d.method == http.MethodGet || d.id == "identifyByForm" { // the identity provider's page posts this one, with a proof in a cookie
			continue
		}
		w := e.wish(t, &d)
		for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
			if got := e.Client.Copy().Send(t, w.method, w.path, w.body, headers...); got.Status != http.StatusForbidden {
				t.Errorf("%s with %v: %d", d.id, headers, got.Status)
			}
		}
		if w.body == "" {
			continue
		}
		got := e.Client.Copy().Send(t, w.method, w.path, w.body, "Content-Type", "text/plain") // a page may send this type without a preflight request
		if got.Status != http.StatusUnsupportedMediaType && got.Status != http.StatusForbidden {
			t.Errorf("%s as plain text: %d", d.id, got.Status)
		}
	}
}

// Undeclared fields of a body are refused by name, even if a record has a field of that name. A record that is replaced names it as read-only.
func TestUndeclaredFieldsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	for _, d := range declaredOperations(b.Contract) {
		if d.body == nil || d.body.Content["application/json"] == nil || d.body.Extensions["x-body"] == "raw" { // checked by its signature
			continue
		}
		as := e.Client
		if d.permission == "canReadSite" {
			as = administrator(t, b, d.id+"@admin.example.com")
		}
		for _, name := range []string{"siteAdmin", "createdAt"} {
			w := e.wish(t, &d)
			w.body = withID(t, w.body, "/"+name, "2020-01-01T00:00:00Z")
			got := w.as(t, signInAs(t, e.Server, as, messages.SignIn{SiteAdmin: d.permission == "canReadSite"}))
			refused := `"pointer":"/` + name + `","code":"`
			if got.Status != http.StatusBadRequest || !strings.Contains(got.Body, refused+`unknownField"`) && !strings.Contains(got.Body, refused+`readOnly"`) {
				t.Errorf("%s with %s: %d %s", d.id, name, got.Status, got.Body)
			}
		}
	}
}

// unreadBody is a request body that fails the test when more than one byte is read.
type unreadBody struct {
	t    *testing.T
	what string
	read int
}

func (u *unreadBody) Read(into []byte) (int, error) {
	u.read += len(into)
	if u.read > 1 {
		u.t.Errorf("%s: the body was read", u.what)
		return 0, io.EOF
	}
	return copy(into, "{"), nil
}

// Only the rest of a refused upload is read and discarded, so that its sender receives the answer
// ([TestRefusedUploadsAreAnsweredOnTheirConnections]).
func TestBodyOfWrongSizeOrTypeIsNotRead(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	const huge = 100 << 20
	for _, d := range declaredOperations(b.Contract) {
		if d.body == nil || d.permission == "canReadSite" || strings.HasPrefix(d.id, "import") || strings.HasPrefix(d.id, "upload") {
			continue
		}
		w := e.wish(t, &d)
		kind := w.kind
		if kind == "" {
			kind = slices.Sorted(func(yield func(string) bool) {
				for kind := range d.body.Content {
					if !yield(kind) {
						return
					}
				}
			})[0]
		}
		for _, c := range []struct {
			kind   string
			length int64
			status int
		}{
			{kind, huge, http.StatusRequestEntityTooLarge},
			{"image/png", 10, http.StatusUnsupportedMediaType},
			{"image/png", -1, http.StatusUnsupportedMediaType},
		} {
			r := httptest.NewRequest(w.method, w.path+"?"+w.query.Encode(), &unreadBody{t: t, what: d.id})
			r.ContentLength = c.length
			r.Header.Set("Content-Type", c.kind)
			r.Header.Set("Cookie", e.Cookie)
			answered := httptest.NewRecorder()
			b.HTTP.ServeHTTP(answered, r)
			if answered.Code != c.status {
				t.Errorf("%s with %d bytes of %s: %d %s", d.id, c.length, c.kind, answered.Code, answered.Body)
			}
		}
	}
}

// The password of an unknown account is compared with a hash of the same cost as the hash of
// a registered account.
func TestUnknownAccountCostsTheSameHash(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(settings *equityhttp.Settings, _ *equityhttp.Services) { settings.PasswordCost = argon2id.Params{} })
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	registered, err := b.Users.ByEmail(t.Context(), "grace@example.com")
	if err != nil {
		t.Fatal(err)
	}
	operator := account.Operator{Store: b.Users, Now: b.Clock.Now, NewID: apitest.NewID}
	created, err := operator.Create(t.Context(), account.NewAccount{Email: "root@example.com", Password: apitest.Password})
	if err != nil {
		t.Fatal(err)
	}
	for _, hash := range []string{registered.PasswordHash, created.PasswordHash} {
		cost, salt, key, err := argon2id.DecodeHash(hash)
		if err != nil || *cost != (argon2id.Params{Memory: 64 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}) {
			t.Errorf("%s: %+v %d %d %v", hash, cost, len(salt), len(key), err)
		}
	}
}

package apitest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Client is a browser. It keeps the cookies of its session and its registration.
type Client struct {
	*Server
	User   messages.User
	Cookie string
	// Registered is the cookie from a registration in this browser.
	Registered string
	// Holder is the entity of the member in the organization joined last.
	Holder string
	// Before, if set, is called before each request of [Client.Must].
	Before func(method, path, body string)
}

// Password is the password of every user, hashed with cheap parameters.
const Password = "a quiet harbour at dusk"

// cheap returns the cheapest parameters for password hashes.
func cheap() argon2id.Params {
	return argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// NewPerson creates an account with a verified address and signs it in.
func (b *Server) NewPerson(tb testing.TB, email string) *Client {
	tb.Helper()
	cost := cheap()
	hash, err := argon2id.CreateHash(Password, &cost)
	if err != nil {
		tb.Fatal(err)
	}
	user := messages.User{
		ID: organization.UserID(NewID()), Entity: captable.EntityID(NewID()), Email: email, Username: "someone",
		FirstName: "Ada", LastName: "Lovelace", PasswordHash: hash, EmailVerifiedAt: b.Clock.Now(), CreatedAt: b.Clock.Now(),
	}
	if err := b.Users.Create(context.Background(), user); err != nil {
		tb.Fatal(err)
	}
	c := &Client{Server: b, User: user}
	c.Must(tb, "POST", "/v1/user/login", `{"email":"`+email+`","password":"`+Password+`"}`, http.StatusOK)
	return c
}

// Anonymous returns a client without a session.
func (b *Server) Anonymous() *Client { return &Client{Server: b} }

// Send sends a request. Headers are names and values in turn. It checks every answer against
// the contract.
func (c *Client) Send(tb testing.TB, method, path, body string, headers ...string) Answer {
	tb.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if kept := strings.Trim(c.Cookie+"; "+c.Registered, "; "); kept != "" {
		r.Header.Set("Cookie", kept)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.HTTP.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.Name == "registration" {
			c.Registered = cookie.Name + "=" + cookie.Value
			c.Secrets.Add(cookie.Value)
			continue
		}
		if strings.HasPrefix(cookie.Name, "MM") { // of the chat server
			continue
		}
		c.Cookie = ""
		if cookie.MaxAge >= 0 {
			c.Cookie = cookie.Name + "=" + cookie.Value
		}
	}
	got := Answer{w.Code, w.Header(), w.Body.String()}
	c.Secrets.Learn(body, c.Cookie, got)
	c.Contract.check(tb, method, path, got)
	return got
}

// Must sends a request and requires the status.
func (c *Client) Must(tb testing.TB, method, path, body string, status int, headers ...string) Answer {
	tb.Helper()
	if c.Before != nil {
		c.Before(method, path, body)
	}
	got := c.Send(tb, method, path, body, headers...)
	if got.Status != status {
		tb.Fatalf("%s %s: status %d, want %d: %s", method, path, got.Status, status, got.Body)
	}
	return got
}

// NewOrganization creates an organization owned by the client and returns its path.
func (c *Client) NewOrganization(tb testing.TB) string {
	tb.Helper()
	got := c.Must(tb, "POST", "/v1/organization", `{"name":"Analytical Engines","currency":"USD"}`, http.StatusCreated)
	return got.Header.Get("Location")
}

// Join adds a member with the roles, who claims the membership by signing in again.
func (c *Client) Join(tb testing.TB, path string, person *Client, roles ...string) string {
	tb.Helper()
	list, err := json.Marshal(append([]string{}, roles...))
	if err != nil {
		tb.Fatal(err)
	}
	body := `{"fullName":"` + person.User.FirstName + `","email":"` + person.User.Email + `","roles":` + string(list) + `}`
	made := c.Must(tb, "POST", path+"/member", body, http.StatusCreated)
	person.Must(tb, "POST", "/v1/user/login", `{"email":"`+person.User.Email+`","password":"`+Password+`"}`, http.StatusOK)
	person.Holder = made.Text(tb, "entity")
	return made.Text(tb, "id")
}

// Copy returns a second client with the same session, like another browser window.
func (c *Client) Copy() *Client { return &Client{Server: c.Server, User: c.User, Cookie: c.Cookie} }

// SignInAgain signs the same person in with another browser.
func (c *Client) SignInAgain(tb testing.TB, with string, status int) *Client {
	tb.Helper()
	other := c.Anonymous()
	other.User = c.User
	other.Must(tb, "POST", "/v1/user/login", `{"email":"`+c.User.Email+`","password":"`+with+`"}`, status)
	return other
}

// MustFail sends a request that must be refused with the status and the code of the error or of a field.
func (c *Client) MustFail(tb testing.TB, method, path, body string, status int, code string, headers ...string) {
	tb.Helper()
	if got := c.Must(tb, method, path, body, status, headers...); !strings.Contains(got.Body, `"code":"`+code+`"`) {
		tb.Errorf("%s %s: %s, want the code %s", method, path, got.Body, code)
	}
}

package http_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// answer is the response of the server.
type answer struct {
	status int
	header http.Header
	body   string
}

// get returns the field of the JSON body at the path of names.
func (a answer) get(tb testing.TB, names ...string) any {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(a.body), &value); err != nil {
		tb.Fatalf("%v: %s", err, a.body)
	}
	for _, name := range names {
		object, ok := value.(map[string]any)
		if !ok {
			tb.Fatalf("no %s in %s", name, a.body)
		}
		value = object[name]
	}
	return value
}

// text returns a string field of the JSON body.
func (a answer) text(tb testing.TB, names ...string) string {
	tb.Helper()
	text, ok := a.get(tb, names...).(string)
	if !ok {
		tb.Fatalf("%v is not a string in %s", names, a.body)
	}
	return text
}

// send sends a request. Headers are names and values in turn. It checks every answer against
// the contract.
func (c *client) send(tb testing.TB, method, path, body string, headers ...string) answer {
	tb.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if kept := strings.Trim(c.cookie+"; "+c.registered, "; "); kept != "" {
		r.Header.Set("Cookie", kept)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.Name == "registration" {
			c.registered = cookie.Name + "=" + cookie.Value
			c.secrets.add(cookie.Value)
			continue
		}
		if strings.HasPrefix(cookie.Name, "MM") { // of the chat server
			continue
		}
		c.cookie = ""
		if cookie.MaxAge >= 0 {
			c.cookie = cookie.Name + "=" + cookie.Value
		}
	}
	got := answer{w.Code, w.Header(), w.Body.String()}
	c.secrets.learn(body, c.cookie, got)
	c.contract.check(tb, method, path, got)
	return got
}

// must sends a request and requires the status.
func (c *client) must(tb testing.TB, method, path, body string, status int, headers ...string) answer {
	tb.Helper()
	if c.first != nil {
		c.first(method, path, body)
	}
	got := c.send(tb, method, path, body, headers...)
	if got.status != status {
		tb.Fatalf("%s %s: status %d, want %d: %s", method, path, got.status, status, got.body)
	}
	return got
}

// scenario is a request with the expected answer.
type scenario struct {
	claim        string
	as           *client
	method, path string
	body         string
	headers      []string
	status       int
	// has and lacks list texts that must and must not be in the body.
	has, lacks []string
}

// run runs the scenarios in order, each as a subtest.
func run(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.claim, func(t *testing.T) {
			t.Helper()
			got := s.as.send(t, s.method, s.path, s.body, s.headers...)
			if got.status != s.status {
				t.Errorf("%s %s: status %d, want %d: %s", s.method, s.path, got.status, s.status, got.body)
			}
			for _, text := range s.has {
				if !strings.Contains(got.body, text) {
					t.Errorf("%q is missing in %s", text, got.body)
				}
			}
			for _, text := range s.lacks {
				if strings.Contains(got.body, text) {
					t.Errorf("%q must not be in %s", text, got.body)
				}
			}
		})
	}
}

// company creates an organization owned by the client and returns its path.
func (c *client) company(tb testing.TB) string {
	tb.Helper()
	got := c.must(tb, "POST", "/v1/organization", `{"name":"Analytical Engines","currency":"USD"}`, http.StatusCreated)
	return got.header.Get("Location")
}

// join adds a member with the roles, who claims the membership by signing in again.
func (c *client) join(tb testing.TB, path string, person *client, roles ...string) string {
	tb.Helper()
	list, err := json.Marshal(append([]string{}, roles...))
	if err != nil {
		tb.Fatal(err)
	}
	body := `{"fullName":"` + person.user.FirstName + `","email":"` + person.user.Email + `","roles":` + string(list) + `}`
	made := c.must(tb, "POST", path+"/member", body, http.StatusCreated)
	person.must(tb, "POST", "/v1/user/login", `{"email":"`+person.user.Email+`","password":"`+password+`"}`, http.StatusOK)
	person.holder = made.text(tb, "entity")
	return made.text(tb, "id")
}

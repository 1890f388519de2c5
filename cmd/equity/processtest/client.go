package processtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const password = "correct horse battery staple"

// Client is a signed-in user.
type Client struct {
	http *http.Client
	// URL is the address of the server. It may be changed to another one.
	URL string
}

// Answer is a response.
type Answer struct {
	Status int
	Body   map[string]any
}

// ErrNoAnswer reports that the connection ended before a response, so the outcome of the request
// is unknown.
var ErrNoAnswer = errors.New("no answer")

// SignIn registers a user, follows the link in the verification mail and signs in.
func SignIn(t *testing.T, s *Server, settings Settings, email string) *Client {
	t.Helper()
	return SignInAt(t, s.URL, &http.Transport{MaxIdleConnsPerHost: 64}, settings, email)
}

// SignInAt is SignIn at an address, which may be that of a proxy.
func SignInAt(t *testing.T, url string, transport *http.Transport, settings Settings, email string) *Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	c := &Client{http: &http.Client{Jar: jar, Timeout: 40 * time.Second, Transport: transport}, URL: url}
	c.mustWithPassword(t, http.StatusCreated, "/v1/user", map[string]any{
		"email": email, "password": password, "firstName": "Ada", "lastName": "Lovelace", "acceptedTerms": true,
	})
	code := verificationCode(t, filepath.Join(settings["DATA_DIRECTORY"], "mail"), email)
	c.Must(t, http.StatusOK, "POST", "/v1/user/email/verify", map[string]any{"code": code})
	c.mustWithPassword(t, http.StatusOK, "/v1/user/login", map[string]any{"email": email, "password": password})
	return c
}

// mustWithPassword sends a request with a password, and fails the test unless the response has the status.
func (c *Client) mustWithPassword(t *testing.T, status int, path string, body any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	answer, err := c.sendPassword(ctx, path, body)
	if err != nil || answer.Status != status {
		t.Fatalf("POST %s: status %d, not %d: %v %v", path, answer.Status, status, answer.Body, err)
	}
}

// sendPassword sends a request with a password until it is not refused because of load. On a busy machine, one hash can
// take longer than the server lets the next one wait.
func (c *Client) sendPassword(ctx context.Context, path string, body any) (Answer, error) {
	for {
		answer, err := c.Do(ctx, http.MethodPost, path, body)
		if err != nil || answer.Status != http.StatusServiceUnavailable {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, nil
		case <-time.After(time.Second):
		}
	}
}

// SignInAgain creates another session of the user, and returns the status. The client keeps its session.
func (c *Client) SignInAgain(ctx context.Context, email string) (status int, err error) {
	apart := &Client{http: &http.Client{Timeout: c.http.Timeout, Transport: c.http.Transport}, URL: c.URL}
	answer, err := apart.sendPassword(ctx, "/v1/user/login", map[string]any{"email": email, "password": password})
	return answer.Status, err
}

// At returns the same user at another server. Cookies are independent of the port,
// so the session remains valid.
func (c *Client) At(s *Server) *Client { return &Client{http: c.http, URL: s.URL} }

// Over returns the same user with other connections.
func (c *Client) Over(t *testing.T, transport *http.Transport) *Client {
	t.Helper()
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{http: &http.Client{Jar: c.http.Jar, Timeout: c.http.Timeout, Transport: transport}, URL: c.URL}
}

// Do sends one request. The headers are pairs of name and value.
func (c *Client) Do(ctx context.Context, method, path string, body any, headers ...string) (Answer, error) {
	if body == nil {
		return c.send(ctx, method, path, nil, headers...)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return Answer{}, err
	}
	return c.send(ctx, method, path, bytes.NewReader(text), append([]string{"Content-Type", "application/json"}, headers...)...)
}

// Upload sends a file.
func (c *Client) Upload(ctx context.Context, path, kind, content string) (Answer, error) {
	return c.send(ctx, "POST", path, strings.NewReader(content), "Content-Type", kind)
}

func (c *Client) send(ctx context.Context, method, path string, body io.Reader, headers ...string) (Answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, body)
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := c.http.Do(request)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	answer := Answer{Status: response.StatusCode}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &answer.Body); err != nil {
			return answer, fmt.Errorf("answer is not an object: %.200s", text)
		}
	}
	return answer, nil
}

// Must sends a request and fails the test unless the response has the status.
func (c *Client) Must(t *testing.T, status int, method, path string, body any, headers ...string) map[string]any {
	t.Helper()
	answer, err := c.Do(t.Context(), method, path, body, headers...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	if answer.Status != status {
		t.Fatalf("%s %s: status %d, not %d: %v", method, path, answer.Status, status, answer.Body)
	}
	return answer.Body
}

// Company is an organization with one security and one holder.
type Company struct {
	ID, Security, Holder string
}

// NewCompany creates a company with the given number of authorized shares.
func (c *Client) NewCompany(t *testing.T, authorized string) Company {
	t.Helper()
	made := Company{}
	made.ID = text(c.Must(t, http.StatusCreated, "POST", "/v1/organization", map[string]any{"name": "Under Fire", "currency": "USD"}), "id")
	made.Security = text(c.Must(t, http.StatusCreated, "POST", made.path("/security"), map[string]any{
		"name": "Common Stock", "shareType": "common", "prefix": "CS", "authorizedShares": authorized,
	}), "id")
	made.Holder = c.NewHolder(t, made, "Grace Hopper")
	return made
}

// NewHolder adds a member and returns its entity.
func (c *Client) NewHolder(t *testing.T, company Company, name string) string {
	t.Helper()
	return text(
		c.Must(t, http.StatusCreated, "POST", company.path("/member"), map[string]any{"fullName": name, "roles": []string{}}), "entity",
	)
}

func (c Company) path(rest string) string { return "/v1/organization/" + c.ID + rest }

// Import returns the path of an import of rows.
func (c Company) Import(kind string) string { return c.path("/import?kind=" + kind) }

// Issue issues shares with the caller's external id, which is also the idempotency key.
func (c *Client) Issue(ctx context.Context, company Company, holder, shares, externalID string) (Answer, error) {
	return c.Do(ctx, "POST", company.path("/shareholding"), map[string]any{
		"entity": holder, "security": company.Security, "shares": shares, "issueDate": "2024-03-15", "externalId": externalID,
	}, "Idempotency-Key", externalID)
}

// Shareholdings returns all shareholdings of the company.
func (c *Client) Shareholdings(t *testing.T, company Company) []map[string]any {
	t.Helper()
	var all []map[string]any
	for cursor := ""; ; {
		path := company.path("/shareholding?limit=200")
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		page := c.Must(t, http.StatusOK, "GET", path, nil)
		rows, _ := page["data"].([]any)
		for _, row := range rows {
			record, _ := row.(map[string]any)
			all = append(all, record)
		}
		if cursor = text(page, "nextCursor"); cursor == "" {
			return all
		}
	}
}

// Outstanding returns the security's outstanding shares according to the cap table.
func (c *Client) Outstanding(t *testing.T, company Company) string {
	t.Helper()
	table := c.Must(t, http.StatusOK, "GET", company.path("/captable"), nil)
	totals, _ := table["totals"].(map[string]any)
	return text(totals, "outstanding")
}

func text(record map[string]any, field string) string {
	value, _ := record[field].(string)
	return value
}

// mailLock serializes the readers of mail folders, so that each finds its own mail.
var mailLock sync.Mutex

var codeInMail = regexp.MustCompile(`[?&#]code=([A-Za-z0-9_-]+)`)

// codeOf returns the code in the link of a mail, or "".
func codeOf(mail []byte) string {
	decoded, _ := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(mail)))
	if found := codeInMail.FindSubmatch(decoded); found != nil {
		return string(found[1])
	}
	return ""
}

func verificationCode(t *testing.T, directory, email string) string {
	t.Helper()
	mailLock.Lock()
	defer mailLock.Unlock()
	for range 200 {
		files, _ := filepath.Glob(filepath.Join(directory, "*.eml"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(data), email) {
				continue
			}
			if code := codeOf(data); code != "" {
				return code
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("no verification mail for %s came within 10 s", email)
	return ""
}

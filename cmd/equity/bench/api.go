package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strconv"
	"time"

	"equity/egress"
)

// api prepares the measured data as an ordinary client.
type api struct {
	client *http.Client
	base   string
}

// maxSignIns bounds the attempts to sign in. On a busy machine, a hash of a password can take longer than the server lets the next one wait.
const maxSignIns = 60

// signIn starts a session and returns its cookie and a client with the session.
func signIn(ctx context.Context, a Addresses) (*api, string, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, "", err
	}
	made := &api{client: egress.NewClient(nil, 0), base: "http://" + a.Server}
	made.client.Jar = jar
	for attempt := 1; ; attempt++ {
		err = made.post(ctx, "/v1/user/login", map[string]any{"email": a.Email, "password": a.Password}, nil)
		if !errors.Is(err, errBusy) || attempt == maxSignIns {
			break
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	if err != nil {
		return nil, "", err
	}
	address, err := url.Parse(made.base)
	if err != nil {
		return nil, "", err
	}
	for _, cookie := range jar.Cookies(address) {
		if cookie.Name == "connect.sid" {
			return made, cookie.Value, nil
		}
	}
	return nil, "", fmt.Errorf("%w: no session cookie", errAnswer)
}

// sessions signs in count times, so that each caller has a real session.
func sessions(ctx context.Context, a Addresses, count int) (*api, []string, error) {
	var made *api
	cookies := make([]string, 0, count)
	for range count {
		client, cookie, err := signIn(ctx, a)
		if err != nil {
			return nil, nil, err
		}
		made, cookies = client, append(cookies, cookie)
	}
	return made, cookies, nil
}

func (a *api) post(ctx context.Context, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode == http.StatusServiceUnavailable {
		return fmt.Errorf("%w: POST %s: %.300s", errBusy, path, text)
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("POST %s: status %d: %.300s", path, response.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}

// company is an organization with one security and holders.
type company struct {
	id       string
	security string
	holders  []string
}

func (a *api) newCompany(ctx context.Context, holders int) (company, error) {
	var made struct {
		ID     string `json:"id"`
		Entity string `json:"entity"`
	}
	if err := a.post(ctx, "/v1/organization", map[string]any{"name": "Bench", "currency": "USD"}, &made); err != nil {
		return company{}, err
	}
	c := company{id: made.ID}
	path := "/v1/organization/" + c.id
	err := a.post(ctx, path+"/security", map[string]any{
		"name": "Common Stock", "shareType": "common", "prefix": "CS", "authorizedShares": "1000000000000",
	}, &made)
	if err != nil {
		return company{}, err
	}
	c.security = made.ID
	for i := range holders {
		member := map[string]any{"fullName": fmt.Sprintf("Holder %d", i+1), "roles": []string{}}
		if err := a.post(ctx, path+"/member", member, &made); err != nil {
			return company{}, err
		}
		c.holders = append(c.holders, made.Entity)
	}
	return c, nil
}

// issueBody returns the body of the measured writes.
func (c company) issueBody(holder int, shares int) []byte {
	text, _ := json.Marshal(map[string]any{ //nolint:errchkjson // texts
		"entity": c.holders[holder], "security": c.security, "shares": strconv.Itoa(shares), "issueDate": "2024-03-15",
		"pricePerShare": "0.25", "issuanceType": "standard",
	})
	return text
}

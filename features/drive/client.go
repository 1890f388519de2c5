package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"equity/actors/consumer"
	"equity/egress"
)

// The failures of calls.
var (
	// ErrUnauthorized reports an access token that the provider refuses.
	ErrUnauthorized = errors.New("the drive refuses the access token")
	// ErrNotFound reports a missing file or folder.
	ErrNotFound = errors.New("the file is not in the drive")
	// ErrPageToken reports a page token that the provider refuses. A complete listing replaces it.
	ErrPageToken = errors.New("the drive refuses the page token")
	// ErrExportTooLarge reports a native document beyond the limit of the provider's exports.
	ErrExportTooLarge = errors.New("the document is too large for an export")

	errIncomplete = errors.New("the drive answered without the fields of a record")

	errStatus = errors.New("the drive answered with the status")
)

// StatusError reports a refused call.
type StatusError struct {
	Status int
	// Reason is the code of the provider; empty without one.
	Reason string
}

// Error describes the failure.
func (e *StatusError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%s %d %s", errStatus, e.Status, e.Reason))
}

// RateError reports too many calls. The next one is possible at the time After, or after a back-off if it is zero.
type RateError struct{ After time.Time }

// Error describes the failure.
func (*RateError) Error() string { return "the drive received too many requests" }

// The limits of calls.
const (
	callTime     = 10 * time.Second
	transferTime = 60 * time.Second
	mostAnswer   = 8 << 20
	mostProblem  = 16 << 10
)

// Client makes calls to the drive. It is safe for concurrent use.
type Client struct {
	http  *http.Client
	oauth *oauth2.Config
	api   string
	now   func() time.Time
}

// NewClient returns a client. It makes no call.
func NewClient(app App, breakers *consumer.Breakers, now func() time.Time) *Client {
	or := func(address, otherwise string) string {
		if address == "" {
			return otherwise
		}
		return strings.TrimSuffix(address, "/")
	}
	return &Client{
		http: egress.NewClient(&consumer.Transport{Breakers: breakers}, transferTime),
		oauth: &oauth2.Config{
			ClientID: app.ClientID, ClientSecret: app.ClientSecret, RedirectURL: app.RedirectURI, Scopes: []string{scope},
			Endpoint: oauth2.Endpoint{AuthURL: or(app.LoginURL, googleLogin), TokenURL: or(app.TokenURL, googleToken)},
		},
		api: or(app.URL, googleAPI) + "/drive/v3", now: now,
	}
}

// get reads an answer of the API.
func (c *Client) get(ctx context.Context, token Token, path string, query url.Values, into any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	answer, err := c.request(ctx, token, path, query)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(io.LimitReader(answer.Body, mostAnswer)).Decode(into); err != nil {
		return fmt.Errorf("drive: read answer: %w", err)
	}
	return nil
}

// request makes a call, and returns its successful answer.
func (c *Client) request(ctx context.Context, token Token, path string, query url.Values) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.api+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("drive: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+token.Access)
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("drive: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		defer func() { _ = answer.Body.Close() }()
		if to, err := answer.Location(); err == nil && answer.StatusCode == http.StatusFound {
			return nil, &redirect{to.String()}
		}
		return nil, c.problem(answer)
	}
	return answer, nil
}

func (c *Client) post(ctx context.Context, address string, form url.Values) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, fmt.Errorf("drive: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("drive: %w", err)
	}
	return answer, nil
}

// problem returns the error of a refused call.
func (c *Client) problem(answer *http.Response) error {
	var body struct {
		Error struct {
			Errors []struct {
				Reason   string `json:"reason"`
				Location string `json:"location"`
			} `json:"errors"`
		} `json:"error"`
	}
	_ = json.NewDecoder(io.LimitReader(answer.Body, mostProblem)).Decode(&body) // the status remains without it
	reason, location := "", ""
	if len(body.Error.Errors) > 0 {
		reason, location = body.Error.Errors[0].Reason, body.Error.Errors[0].Location
	}
	switch {
	case answer.StatusCode == http.StatusTooManyRequests, reason == "rateLimitExceeded", reason == "userRateLimitExceeded":
		return &RateError{consumer.RetryAfter(answer.Header, c.now())}
	case answer.StatusCode == http.StatusUnauthorized:
		return ErrUnauthorized
	case reason == "exportSizeLimitExceeded":
		return ErrExportTooLarge
	case location == "pageToken", answer.StatusCode == http.StatusGone:
		return ErrPageToken
	case answer.StatusCode == http.StatusNotFound:
		return ErrNotFound
	}
	return &StatusError{answer.StatusCode, reason}
}

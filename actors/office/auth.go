package office

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"equity/actors/consumer"
	"equity/egress"
)

// App identifies this program to the login service, and names its drive.
type App struct {
	TenantID, ClientID, ClientSecret string
	// DriveID is the only drive that a client uses.
	DriveID string
	// URL is the address of the API with its version, such as https://graph.microsoft.com/v1.0.
	URL string
	// LoginURL is the address of the login service, such as https://login.microsoftonline.com.
	LoginURL string
}

// tokenMargin is the time before its expiry at which a token is replaced.
const tokenMargin = time.Minute

// tokens keeps the access token of the program. It is safe for concurrent use.
type tokens struct {
	config clientcredentials.Config
	http   *http.Client
	now    func() time.Time
	// requesting is full while a caller requests a token. The others wait for its result.
	requesting chan struct{}

	mu      sync.Mutex
	access  string // empty without a valid token
	expires time.Time
}

func newTokens(app App, transport http.RoundTripper, now func() time.Time) *tokens {
	scope := &url.URL{Path: "/.default"}
	if api, err := url.Parse(app.URL); err == nil {
		scope.Scheme, scope.Host = api.Scheme, api.Host
	}
	return &tokens{
		config: clientcredentials.Config{
			ClientID: app.ClientID, ClientSecret: app.ClientSecret, Scopes: []string{scope.String()}, AuthStyle: oauth2.AuthStyleInParams,
			TokenURL: strings.TrimSuffix(app.LoginURL, "/") + "/" + url.PathEscape(app.TenantID) + "/oauth2/v2.0/token",
		},
		http: egress.NewClient(transport, 0),
		now:  now, requesting: make(chan struct{}, 1),
	}
}

// get returns a token that has not expired.
func (t *tokens) get(ctx context.Context) (string, error) {
	if access, valid := t.kept(); valid {
		return access, nil
	}
	select {
	case t.requesting <- struct{}{}:
		defer func() { <-t.requesting }()
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a token: %w", context.Cause(ctx))
	}
	if access, valid := t.kept(); valid {
		return access, nil
	}
	fresh, err := t.config.Token(context.WithValue(ctx, oauth2.HTTPClient, t.http))
	if err != nil {
		return "", fmt.Errorf("request a token: %w", t.problem(err))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.access, t.expires = fresh.AccessToken, t.now().Add(time.Until(fresh.Expiry))
	return t.access, nil
}

func (t *tokens) kept() (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.access, t.access != "" && t.now().Before(t.expires.Add(-tokenMargin))
}

// discard removes a token that the API refused.
func (t *tokens) discard(access string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.access == access {
		t.access = ""
	}
}

// problem returns the error of a failed request for a token, without the answer, which may contain secrets.
func (t *tokens) problem(err error) error {
	if failed, is := errors.AsType[*url.Error](err); is {
		return failed.Err
	}
	refusal, is := errors.AsType[*oauth2.RetrieveError](err)
	if !is || refusal.Response == nil {
		return errAnswer
	}
	plain := &StatusError{refusal.Response.StatusCode, printable(refusal.ErrorCode)}
	switch {
	case isBusy(plain.Status):
		return &busyError{plain, consumer.RetryAfter(refusal.Response.Header, t.now())}
	case plain.Status < http.StatusInternalServerError:
		return because(errAccess, plain)
	}
	return plain
}

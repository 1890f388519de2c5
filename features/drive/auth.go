package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/oauth2"
)

// ErrReconnect reports that the user has to connect again: the provider no longer accepts the refresh token.
var ErrReconnect = errors.New("the drive refuses its refresh token")

// ErrCode reports that the provider does not accept an authorization code.
var ErrCode = errors.New("the drive refuses the code")

// scope permits reading only.
const scope = "https://www.googleapis.com/auth/drive.readonly"

// Token is the access of an organization to a drive. Both values are secrets.
type Token struct {
	Access  string    `json:"access"`
	Refresh string    `json:"refresh"`
	Expires time.Time `json:"expires"`
}

// App identifies this program to the provider.
type App struct {
	ClientID, ClientSecret, RedirectURI string
	// LoginURL, TokenURL and URL are the addresses of the login page, of the tokens and of the API; empty for those of Google.
	LoginURL, TokenURL, URL string
}

// The addresses of Google.
const (
	googleLogin = "https://accounts.google.com/o/oauth2/v2/auth"
	googleToken = "https://oauth2.googleapis.com/token" //nolint:gosec // an address
	googleAPI   = "https://www.googleapis.com"
)

// AuthURL returns the address at which a user permits the access. The verifier proves later that the same server asks for the token.
func (c *Client) AuthURL(state, verifier string) string {
	return c.oauth.AuthCodeURL(state, oauth2.AccessTypeOffline, oauth2.ApprovalForce, oauth2.S256ChallengeOption(verifier))
}

// Exchange returns the token for an authorization code, or [ErrCode].
func (c *Client) Exchange(ctx context.Context, code, verifier string) (Token, error) {
	token, err := c.oauth.Exchange(c.with(ctx), code, oauth2.VerifierOption(verifier))
	switch {
	case isGrantRefused(err):
		return Token{}, ErrCode
	case err != nil:
		return Token{}, fmt.Errorf("drive: exchange code: %w", withoutBody(err))
	case token.RefreshToken == "":
		return Token{}, fmt.Errorf("%w: it has no refresh token", ErrCode)
	}
	return tokenOf(token), nil
}

// Refresh returns a token that has not expired, or [ErrReconnect].
func (c *Client) Refresh(ctx context.Context, token Token) (Token, error) {
	const margin = time.Minute
	if c.now().Before(token.Expires.Add(-margin)) {
		return token, nil
	}
	fresh, err := c.oauth.TokenSource(c.with(ctx), &oauth2.Token{RefreshToken: token.Refresh}).Token()
	switch {
	case isGrantRefused(err):
		return Token{}, ErrReconnect
	case err != nil:
		return Token{}, fmt.Errorf("drive: refresh token: %w", withoutBody(err))
	}
	return tokenOf(fresh), nil
}

// Revoke ends the access. An access that has ended already is not an error.
func (c *Client) Revoke(ctx context.Context, token Token) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	address, err := url.Parse(c.oauth.Endpoint.TokenURL)
	if err != nil {
		return fmt.Errorf("DRIVE_TOKEN_URL: %w", err)
	}
	address.Path = "/revoke"
	answer, err := c.post(ctx, address.String(), url.Values{"token": {token.Refresh}})
	if err != nil {
		return err
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusBadRequest {
		return fmt.Errorf("drive: revoke token: %w %d", errStatus, answer.StatusCode)
	}
	return nil
}

func tokenOf(t *oauth2.Token) Token { return Token{t.AccessToken, t.RefreshToken, t.Expiry} }

// with returns a context with which the library uses the client of this package.
func (c *Client) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, c.http)
}

func isGrantRefused(err error) bool {
	refusal, is := errors.AsType[*oauth2.RetrieveError](err)
	return is && refusal.ErrorCode == "invalid_grant"
}

// withoutBody removes the body of the answer from the text of the error: it can contain a token.
func withoutBody(err error) error {
	if refusal, is := errors.AsType[*oauth2.RetrieveError](err); is {
		return fmt.Errorf("%w %d %s", errStatus, refusal.Response.StatusCode, refusal.ErrorCode) //nolint:err113 // wraps errStatus
	}
	return err
}

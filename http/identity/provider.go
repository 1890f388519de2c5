package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/sync/singleflight"

	"equity/egress"
)

// Settings configure the identity provider.
type Settings struct {
	// Issuer is the provider's address, as in its tokens. Other addresses are read from its discovery document.
	Issuer string
	// Audience is the client id of this program at the provider.
	Audience string
	// Contacts is the URL of a user's contacts, with {subject} as the placeholder of the user. Empty for no
	// contacts. Token is the bearer token for it.
	Contacts, Token string
	Now             func() time.Time
}

// Provider is an identity provider. It reads the provider's keys for the first token, and again for a token with
// an unknown key, so the server starts without the provider. It is safe for concurrent use.
type Provider struct {
	settings Settings
	client   *http.Client
	asked    singleflight.Group
	found    atomic.Pointer[discovered] // nil before the discovery
}

// discovered contains the addresses in the provider's discovery document.
type discovered struct {
	keys *oidc.RemoteKeySet
	// signIn is the page that authenticates the user; empty if the provider has none.
	signIn string
}

// within is the timeout of a request to the provider.
const within = 10 * time.Second

// New returns a Provider. It sends no request.
func New(settings Settings) *Provider {
	return &Provider{settings: settings, client: egress.NewClient(nil, within)}
}

// published returns the provider's addresses. The first call discovers them. Concurrent callers share that
// request, and the next caller repeats a failed one.
func (p *Provider) published(ctx context.Context) (*discovered, error) {
	if found := p.found.Load(); found != nil {
		return found, nil
	}
	// The result is shared, so the cancellation of one request must not end it.
	ctx = oidc.ClientContext(context.WithoutCancel(ctx), p.client)
	_, err, _ := p.asked.Do("", func() (any, error) { return nil, p.discover(ctx) })
	return p.found.Load(), err
}

// discover reads the addresses (OpenID Connect Discovery 1.0, 4).
func (p *Provider) discover(ctx context.Context) error {
	found, err := oidc.NewProvider(ctx, p.settings.Issuer)
	if err != nil {
		return fmt.Errorf("discover %s: %w", p.settings.Issuer, err)
	}
	var where struct {
		Keys string `json:"jwks_uri"`
	}
	if err := found.Claims(&where); err != nil {
		return fmt.Errorf("discover %s: %w", p.settings.Issuer, err)
	}
	if where.Keys == "" {
		return fmt.Errorf("discover %s: %w", p.settings.Issuer, errNoKeys)
	}
	p.found.Store(&discovered{keys: oidc.NewRemoteKeySet(ctx, where.Keys), signIn: found.Endpoint().AuthURL})
	return nil
}

// SignInURL returns the address of the provider's sign-in page (OpenID Connect Core 1.0, 3.2.2.1). The page returns the browser to the given
// address with an ID token in the fragment, which no server sees. The browser adds the state and the nonce.
func (p *Provider) SignInURL(ctx context.Context, back string) (string, error) {
	found, err := p.published(ctx)
	if err != nil || found.signIn == "" {
		return "", err
	}
	page, err := url.Parse(found.signIn)
	if err != nil {
		return "", fmt.Errorf("sign-in page of %s: %w", p.settings.Issuer, err)
	}
	if page.Scheme != "https" && page.Scheme != "http" {
		return "", fmt.Errorf("%w: %s", errNoPage, page.Scheme)
	}
	query := page.Query()
	query.Set("client_id", p.settings.Audience)
	query.Set("response_type", "id_token")
	query.Set("scope", "openid email profile")
	query.Set("redirect_uri", back)
	page.RawQuery = query.Encode()
	return page.String(), nil
}

// Ping discovers the provider and reads its keys. It returns the number of keys.
func (p *Provider) Ping(ctx context.Context) (int, error) {
	ctx = oidc.ClientContext(ctx, p.client)
	found, err := oidc.NewProvider(ctx, p.settings.Issuer)
	if err != nil {
		return 0, fmt.Errorf("discover %s: %w", p.settings.Issuer, err)
	}
	var where struct {
		Keys string `json:"jwks_uri"`
	}
	if err := found.Claims(&where); err != nil {
		return 0, fmt.Errorf("discover %s: %w", p.settings.Issuer, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, where.Keys, nil)
	if err != nil {
		return 0, fmt.Errorf("read the keys of %s: %w", p.settings.Issuer, err)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, fmt.Errorf("read the keys of %s: %w", p.settings.Issuer, err)
	}
	defer func() { _ = answer.Body.Close() }()
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, mostKeys)).Decode(&set); err != nil || len(set.Keys) == 0 {
		return 0, fmt.Errorf("read the keys of %s: %w", p.settings.Issuer, errNoKeys)
	}
	return len(set.Keys), nil
}

// mostKeys bounds the answer with the keys, in bytes.
const mostKeys = 1 << 20

var (
	errNoKeys = errors.New("the answer has no keys")
	errNoPage = errors.New("the sign-in page of the identity provider has an unsupported scheme")
)

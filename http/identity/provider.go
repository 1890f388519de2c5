package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/sync/singleflight"
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
	keys     atomic.Pointer[oidc.RemoteKeySet] // nil before the discovery
}

// within is the timeout of a request to the provider.
const within = 10 * time.Second

// New returns a Provider. It sends no request.
func New(settings Settings) *Provider {
	return &Provider{settings: settings, client: &http.Client{Timeout: within}}
}

// published returns the provider's keys. The first call discovers their address. Concurrent callers share that
// request, and the next caller repeats a failed one.
func (p *Provider) published(ctx context.Context) (*oidc.RemoteKeySet, error) {
	if keys := p.keys.Load(); keys != nil {
		return keys, nil
	}
	// The result is shared, so the cancellation of one request must not end it.
	ctx = oidc.ClientContext(context.WithoutCancel(ctx), p.client)
	_, err, _ := p.asked.Do("", func() (any, error) { return nil, p.discover(ctx) })
	return p.keys.Load(), err
}

// discover reads the address of the keys (OpenID Connect Discovery 1.0, 4).
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
	p.keys.Store(oidc.NewRemoteKeySet(ctx, where.Keys))
	return nil
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

var errNoKeys = errors.New("the answer has no keys")

package identity

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/sync/singleflight"
)

// Settings are which provider is asked.
type Settings struct {
	// Issuer is the provider's address, as its tokens name it; the rest is read from what it publishes there.
	Issuer string
	// Audience is the name that the provider knows this program by, its client id.
	Audience string
	// Contacts is where the provider lists whom somebody knows, {subject} in it being who; none for nowhere. Token is
	// by what it lets this program read that.
	Contacts, Token string
	// Now is the clock.
	Now func() time.Time
}

// Provider is an identity provider. It is asked for its keys when the first token comes and when a token names a key
// that is not known, so that the server starts without it. It is safe for concurrent use.
type Provider struct {
	settings Settings
	client   *http.Client
	asked    singleflight.Group
	keys     atomic.Pointer[oidc.RemoteKeySet] // nil until the provider told where they are
}

// within is how long the provider may take to answer.
const within = 10 * time.Second

// New makes a Provider. Nothing is asked yet.
func New(settings Settings) *Provider {
	return &Provider{settings: settings, client: &http.Client{Timeout: within}}
}

// published gives the provider's keys, after asking once where they are. Those who come meanwhile share the answer; after
// a failure the next one asks again.
func (p *Provider) published(ctx context.Context) (*oidc.RemoteKeySet, error) {
	if keys := p.keys.Load(); keys != nil {
		return keys, nil
	}
	// What one request asks is for all, whatever becomes of that request.
	ctx = oidc.ClientContext(context.WithoutCancel(ctx), p.client)
	_, err, _ := p.asked.Do("", func() (any, error) { return nil, p.discover(ctx) })
	return p.keys.Load(), err
}

// discover reads where the keys are (OpenID Connect Discovery 1.0, 4).
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

package hooks

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"equity/messages"
	"equity/organization"
)

// Dispatcher stores accepted hooks. Its methods return when the hook is durable, with [messages.CallLimitError] if the organization
// received too many, or [messages.ErrHookToken] if the token was revoked meanwhile.
type Dispatcher interface {
	// Wake adds an event to the main session.
	Wake(ctx context.Context, wake messages.HookWake) error
	// Agent requests a run and returns its id, which is that of the first request if this one repeats it.
	Agent(ctx context.Context, agent messages.HookAgent) (runID string, err error)
}

// Options are the other dependencies of a gateway. The zero value is usable.
type Options struct {
	// Profile is Compatible or Strict; Compatible if it is empty.
	Profile string
	// Organization is that of the configured token.
	Organization organization.ID
	// Tokens finds the tokens of organizations; nil if absent.
	Tokens Tokens
	// Transformer runs the modules of mappings; nil if absent. Folder is that of the configuration, for a relative transformsDir.
	Transformer Transformer
	Folder      string
	// Client returns the address of the client; the peer of the connection if it is nil.
	Client func(*http.Request) string
	Now    func() time.Time
	// NewID returns a random UUID of version 4.
	NewID func() string
	Log   *slog.Logger
}

// Gateway receives hooks. It is safe for concurrent use.
type Gateway struct {
	base         string
	tokenHash    [sha256.Size]byte
	organization organization.ID
	tokens       Tokens
	maxBody      int64
	strict       bool
	mappings     []mapping
	policy       policy
	limiter      *limiter
	dispatcher   Dispatcher
	transformer  Transformer
	client       func(*http.Request) string
	now          func() time.Time
	newID        func() string
	log          *slog.Logger
}

// New returns the gateway of an enabled configuration. If hooks are not enabled, it returns a gateway that handles no path.
func New(c Config, dispatcher Dispatcher, o Options) (*Gateway, error) {
	g := &Gateway{
		dispatcher: dispatcher, organization: o.Organization, tokens: o.Tokens, transformer: o.Transformer, client: o.Client, now: o.Now,
		newID: o.NewID, log: o.Log, strict: o.Profile == Strict, limiter: newLimiter(),
	}
	g.complete()
	if !c.Enabled {
		return g, nil
	}
	if o.Profile != "" && o.Profile != Compatible && o.Profile != Strict {
		return nil, fmt.Errorf("%w: the profile must be %s or %s", ErrConfig, Compatible, Strict)
	}
	token := trim(c.Token)
	if token == "" {
		return nil, ErrNoToken
	}
	g.tokenHash = sha256.Sum256([]byte(token))
	base, err := c.basePath()
	if err != nil {
		return nil, err
	}
	if err := c.checkMappings(); err != nil {
		return nil, err
	}
	if g.policy, err = newPolicy(&c, o.Profile); err != nil {
		return nil, err
	}
	folder := c.TransformsDir
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(o.Folder, folder)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, fmt.Errorf("%w: hooks.transformsDir: %w", ErrConfig, err)
	}
	if g.mappings, err = newMappings(&c, folder); err != nil {
		return nil, err
	}
	g.maxBody = defaultBody
	if c.MaxBodyBytes > 0 {
		g.maxBody = c.MaxBodyBytes
	}
	g.base = base
	return g, nil
}

// complete sets the defaults of the options.
func (g *Gateway) complete() {
	if g.client == nil {
		g.client = peer
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.newID == nil {
		g.newID = func() string { return uuid.Must(uuid.NewRandomFromReader(rand.Reader)).String() }
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
}

// peer returns the address of the connection.
func peer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// Path returns the path below which hooks are received; empty if hooks are not enabled.
func (g *Gateway) Path() string { return g.base }

// failure translates an error of a dispatcher to an answer.
func (g *Gateway) failure(w http.ResponseWriter, err error) {
	if limit, ok := errors.AsType[*messages.CallLimitError](err); ok {
		retryAfter(w, limit.After)
		refuse(w, http.StatusTooManyRequests, "rate limited")
		return
	}
	if errors.Is(err, messages.ErrHookToken) {
		plain(w, http.StatusUnauthorized, "Unauthorized")
		return
	}
	g.log.Warn("hook not stored", "cause", err)
	retryAfter(w, time.Second)
	refuse(w, http.StatusServiceUnavailable, "the hook was not stored; repeat it later")
}

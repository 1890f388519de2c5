package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/hook"
	"equity/captable"
	"equity/config"
	"equity/hooks"
	"equity/hooks/transform"
	equityhttp "equity/http"
	"equity/http/api"
	httphook "equity/http/hook"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// hookTokenKey is the name of the key from which hook tokens are derived.
const hookTokenKey = "hook token key"

// rememberHooks is the retention of the events and runs of agent sessions.
const rememberHooks = 30 * 24 * time.Hour

// hookParts are the opened parts of inbound hooks.
type hookParts struct {
	config   hooks.Config
	store    *persistence.Hooks
	tokens   *hook.Tokens
	intake   *hook.Intake
	executor *hook.Consumer
}

var (
	errHooksOff  = errors.New("inbound hooks are off: set HOOKS_ENABLED=true and HOOKS_TOKEN")
	errHookToken = errors.New("hooks.token must differ from")
	errHookPath  = errors.New("hooks.path is a path of the server")
)

// loadHooks returns the configuration of hooks. Settings take precedence over the file.
func loadHooks(c config.Config) (hooks.Config, error) {
	var loaded hooks.Config
	if c.Hooks.File != "" {
		text, err := os.ReadFile(c.Hooks.File)
		if err != nil {
			return loaded, fmt.Errorf("HOOKS_FILE: %w", err)
		}
		if loaded, err = hooks.ParseConfig(text); err != nil {
			return loaded, fmt.Errorf("HOOKS_FILE: %w", err)
		}
	}
	if c.Hooks.Enabled != "" {
		loaded.Enabled = c.Hooks.Enabled == "true"
	}
	loaded.Token = cmp.Or(c.Hooks.Token.Reveal(), loaded.Token)
	loaded.Path = cmp.Or(c.Hooks.Path, loaded.Path)
	if !loaded.Enabled {
		return loaded, nil
	}
	if name := c.SameToken(loaded.Token); name != "" {
		return loaded, fmt.Errorf("%w %s", errHookToken, name)
	}
	return loaded, nil
}

// gatewayOf returns the gateway that passes hooks to send.
func gatewayOf(p program, c config.Config, parts hookParts, send hookSender, log hookLog) (*hooks.Gateway, error) {
	transforms, err := newTransformRunner()
	if err != nil {
		return nil, err
	}
	var home organization.ID
	if c.Hooks.Organization != "" {
		if home, err = captable.ParseID[organization.Organization](c.Hooks.Organization); err != nil {
			return nil, fmt.Errorf("HOOKS_ORGANIZATION: %w", err)
		}
	}
	return hooks.New(parts.config, dispatcher{send, p.now}, hooks.Options{
		Profile: c.Hooks.Profile, Organization: home, Tokens: parts.store, Transformer: transform.NewRunner(transforms),
		Folder: filepath.Dir(c.Hooks.File), Now: p.now, Log: log,
		Client: func(r *http.Request) string { return equityhttp.ClientAddress(r, c.TrustedProxies).String() },
	})
}

// hookSender stores a hook of an organization.
type hookSender func(ctx context.Context, hook messages.Hook) (messages.HookReceipt, error)

// dispatcher passes the hooks of the gateway on.
type dispatcher struct {
	send hookSender
	now  func() time.Time
}

// Wake adds an event to the session of the organization.
func (d dispatcher) Wake(ctx context.Context, wake messages.HookWake) error {
	_, err := d.pass(ctx, messages.Hook{ID: hookID(), At: d.now(), Wake: &wake})
	return err
}

// Agent requests a run.
func (d dispatcher) Agent(ctx context.Context, agent messages.HookAgent) (string, error) {
	receipt, err := d.pass(ctx, messages.Hook{ID: agent.RunID, At: d.now(), Agent: &agent})
	return receipt.ID, err
}

// pass refuses the token of the settings without an organization.
func (d dispatcher) pass(ctx context.Context, h messages.Hook) (messages.HookReceipt, error) {
	if h.Source().Organization.IsZero() {
		return messages.HookReceipt{}, messages.ErrHookToken
	}
	return d.send(ctx, h)
}

// hookID returns a new id of an event, which sorts by its time.
func hookID() string { return uuid.UUID(newID()).String() }

// hookConsumers opens the parts of hooks and returns their consumer, or none if hooks are off.
func hookConsumers(ctx context.Context, a *assembly, p program) ([]consumer.Consumer, error) {
	loaded, err := loadHooks(a.config)
	if err != nil {
		return nil, err
	}
	if !loaded.Enabled {
		return nil, nil
	}
	store := persistence.NewHooks(a.db)
	if _, err := gatewayOf(p, a.config, hookParts{config: loaded, store: store}, nil, a.log); err != nil { // checks the configuration
		return nil, err
	}
	if a.config.Hooks.Organization == "" {
		a.log.Warn("HOOKS_TOKEN is refused, because HOOKS_ORGANIZATION is not set; the hook tokens of organizations are accepted")
	}
	key, err := a.namedKey(ctx, p, hookTokenKey)
	if err != nil {
		return nil, err
	}
	if err := store.Recover(ctx, p.now()); err != nil {
		return nil, err
	}
	wake := func(id organization.ID, name string) { a.organizations.Wake(id, name) }
	executor := hook.NewConsumer(hook.Options{
		Store: store, Tokens: store, Runner: newHookRunner(a, p), Deliverer: a.rooms.deliverer(), Wake: wake, Now: p.now, NewID: hookID,
		Log: a.log,
	})
	intake := hook.NewIntake(store, p.hookLimits, executor.Arrived, a.log) //nolint:contextcheck // it ends with the assembly
	a.hooks = &hookParts{config: loaded, store: store, tokens: hook.NewTokens(key, store, p.now), intake: intake, executor: executor}
	a.closeWith(func(context.Context) error { // after the organizations
		a.hooks.intake.Close()
		a.hooks.executor.Stop()
		return nil
	})
	return []consumer.Consumer{a.hooks.executor}, nil
}

// accepts returns the intake of organizations; nil if hooks are off.
func (h *hookParts) accepts() actors.HookIntake {
	if h == nil { // an interface with a nil pointer is not nil
		return nil
	}
	return h.intake
}

// newHookRunner returns the executor of exchanges.
func newHookRunner(a *assembly, p program) hook.Runner {
	switch {
	case p.hookRunner != nil:
		return p.hookRunner
	case a.assistant == nil:
		return noAssistant{}
	}
	return hookRunner{a.assistant, a.tools, a.config.Agent}
}

// noAssistant ends each run, because the assistant is off.
type noAssistant struct{}

// Run returns an error.
func (noAssistant) Run(context.Context, hook.RunRequest) (messages.HookResult, error) {
	return messages.HookResult{Status: messages.HookError, Error: "the assistant is off"}, nil
}

// services returns the dependencies of the operations; empty if hooks are off.
func (h *hookParts) services(log hookLog) httphook.Services {
	if h == nil {
		return httphook.Services{}
	}
	return httphook.Services{Tokens: h.tokens, Sessions: h.store, Log: log, NewID: newID}
}

// serverPaths are paths of the server that the gateway must not cover.
func serverPaths() []string {
	return append(
		[]string{"/v1", "/api", "/docs", "/app", "/assets", "/mcp", "/oauth", "/.well-known", "/share", "/healthz", "/readyz"},
		api.AppPages()...,
	)
}

// over answers the requests of the gateway, and passes others to next.
func (h *hookParts) over(p program, a *assembly, next http.Handler) (http.Handler, error) {
	if h == nil {
		return next, nil
	}
	gateway, err := gatewayOf(p, a.config, *h, a.organizations.Hook, a.log)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(serverPaths(), func(path string) bool {
		return gateway.Path() == path || strings.HasPrefix(path, gateway.Path()+"/") || strings.HasPrefix(gateway.Path(), path+"/")
	}) {
		return nil, errHookPath
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gateway.Handles(r) {
			gateway.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	}), nil
}

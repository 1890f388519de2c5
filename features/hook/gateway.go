package hook

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"equity/app"
	"equity/captable"
	"equity/config"
	"equity/hooks"
	"equity/hooks/transform"
	equityhttp "equity/http"
	"equity/organization"
)

// transformPlaces are the places of the children that run transforms.
func transformPlaces() app.Places { return app.Places{AtOnce: 4, OfGroup: 2, Wait: 2 * time.Second} }

// newGateway returns the gateway that passes hooks to send. The store is nil for a check of the configuration.
func newGateway(core app.Core, loaded hooks.Config, store *Store, send sender) (*hooks.Gateway, error) {
	s := config.Of[settings](core.Config)
	transforms, err := core.Confined(transform.Work(), transformPlaces())
	if err != nil {
		return nil, err
	}
	var home organization.ID
	if s.organization != "" {
		if home, err = captable.ParseID[organization.Organization](s.organization); err != nil {
			return nil, fmt.Errorf("HOOKS_ORGANIZATION: %w", err)
		}
	}
	return hooks.New(loaded, dispatcher{send, core.Now, core.NewID}, hooks.Options{
		Profile: s.profile, Organization: home, Tokens: store, Transformer: transform.NewRunner(transforms),
		Folder: filepath.Dir(s.file), Now: core.Now, Log: core.Log,
		Client: func(r *http.Request) string { return equityhttp.ClientAddress(r, core.Config.TrustedProxies).String() },
	})
}

// sender stores a hook of an organization.
type sender func(ctx context.Context, h Hook) (Receipt, error)

// dispatcher passes the hooks of the gateway on.
type dispatcher struct {
	send  sender
	now   func() time.Time
	newID func() [16]byte
}

// Wake adds an event to the session of the organization.
func (d dispatcher) Wake(ctx context.Context, wake hooks.Wake) error {
	_, err := d.pass(ctx, Hook{ID: uuid.UUID(d.newID()).String(), At: d.now(), Wake: &wake}) // ids of events sort by their time
	return err
}

// Agent requests a run.
func (d dispatcher) Agent(ctx context.Context, agent hooks.Agent) (string, error) {
	receipt, err := d.pass(ctx, Hook{ID: agent.RunID, At: d.now(), Agent: &agent})
	return receipt.ID, err
}

// pass refuses the token of the settings without an organization.
func (d dispatcher) pass(ctx context.Context, h Hook) (Receipt, error) {
	if h.Source().Organization.IsZero() {
		return Receipt{}, hooks.ErrToken
	}
	return d.send(ctx, h)
}

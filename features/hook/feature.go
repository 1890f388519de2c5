package hook

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"equity/actors/consumer"
	"equity/app"
	"equity/app/doctor"
	"equity/config"
	"equity/confine"
	"equity/features/hook/token"
	"equity/hooks"
	"equity/hooks/transform"
	"equity/http/api"
	"equity/organization"
)

// The names in the store and in the contract, which never change.
const (
	// tokenKey is the name of the key from which hook tokens are derived.
	tokenKey = "hook token key"
	// switchName is the switch of the operations.
	switchName = "hooks"
)

// remembered is the retention of the events and runs of agent sessions.
const remembered = 30 * 24 * time.Hour

// unlimited is the limit of hooks of an organization in a measurement.
const unlimited = 1_000_000_000

var errPath = errors.New("hooks.path is a path of the server")

// Room returns the room for the list of a program.
func Room() app.Room {
	extension := token.Extension()
	return app.Room{
		Extension: &extension, Settings: describedSettings(), New: newFeature, Check: check, Works: []confine.Work{transform.Work()},
		Commands: []app.Command{command()},
	}
}

// newFeature returns the feature. If hooks are off, its operations are refused.
func newFeature(core app.Core) (app.Feature, error) {
	loaded, err := load(core.Config)
	if err != nil {
		return app.Feature{}, err
	}
	store := NewStore(core.Database)
	feature := app.Feature{
		Switches: map[string]bool{switchName: loaded.Enabled},
		Forget: func(ctx context.Context, now time.Time) error {
			return store.Forget(ctx, now.Add(-remembered), now)
		},
	}
	var key []byte
	if loaded.Enabled {
		if key, err = core.Key(tokenKey); err != nil {
			return app.Feature{}, err
		}
		err = receiving(core, loaded, store, &feature)
	} else {
		core.Log.Info("inbound hooks are off (set HOOKS_ENABLED and HOOKS_TOKEN to receive them)")
	}
	feature.API = api.Room{Operations: func(kernel *api.Kernel) map[string]api.Handler {
		return handlers{kernel, NewTokens(key, store, core.Now), store, core.Log, core.NewID}.operations()
	}}
	return feature, err
}

// receiving adds the gateway and the executor of runs to the feature.
func receiving(core app.Core, loaded hooks.Config, store *Store, feature *app.Feature) error {
	var intake *Intake
	gateway, err := newGateway(core, loaded, store, func(ctx context.Context, h Hook) (Receipt, error) {
		return Pass(ctx, core.Organizations, intake, h)
	})
	if err != nil {
		return err
	}
	if covers(gateway.Path(), core.ServerPaths) {
		return errPath
	}
	if config.Of[settings](core.Config).organization == "" {
		core.Log.Warn("HOOKS_TOKEN is refused, because HOOKS_ORGANIZATION is not set; the hook tokens of organizations are accepted")
	}
	executor := NewConsumer(Options{
		Store: store, Runner: assistant{core.Assistant}, Deliver: core.Deliverer,
		Wake:  func(id organization.ID, name string) { core.Organizations.Wake(id, name) },
		NewID: func() string { return uuid.UUID(core.NewID()).String() }, Now: core.Now, Log: core.Log,
	})
	var limits Limits
	if core.Measured {
		limits = Limits{Requests: unlimited, Runs: unlimited}
	}
	intake = NewIntake(store, limits, executor.Arrived, core.Log)
	feature.Consumers = []consumer.Consumer{executor}
	feature.Handler, feature.Recover = gateway, store.Recover
	feature.Close = func() {
		intake.Close()
		executor.Stop()
	}
	return nil
}

// covers reports whether the path contains a path of the server, or is below one.
func covers(path string, ofServer []string) bool {
	return slices.ContainsFunc(ofServer, func(other string) bool {
		return path == other || strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/")
	})
}

// check checks the configuration with its mappings and transforms.
func check(_ context.Context, core app.Core) []doctor.Finding {
	const check = "inbound hooks"
	loaded, err := load(core.Config)
	if err == nil && !loaded.Enabled {
		return nil
	}
	if err == nil {
		core.Log = slog.New(slog.DiscardHandler)
		_, err = newGateway(core, loaded, nil, nil)
	}
	switch {
	case err != nil:
		text := err.Error()
		if loaded.Token != "" { // of the file, which no setting contains
			text = strings.ReplaceAll(text, loaded.Token, "********")
		}
		return []doctor.Finding{doctor.Fail(check, "correct HOOKS_FILE or the settings HOOKS_*", "%s", text)}
	case config.Of[settings](core.Config).organization == "":
		return []doctor.Finding{
			doctor.Warn(check, "set HOOKS_ORGANIZATION, if HOOKS_TOKEN is used", "only the hook tokens of organizations are accepted"),
		}
	}
	return []doctor.Finding{doctor.Good(check, "%d mappings are valid", len(loaded.Mappings))}
}

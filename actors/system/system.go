// Package system starts actor systems with a common configuration.
package system

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

// New starts an actor system that logs only warnings and errors of the library. Its
// messages of lower levels describe the library's internals ("actor system
// started", supervision) and may contain actor messages with personal
// data; the actors log relevant events themselves. Dead letters are not
// logged for the same reason; waiting callers get an error.
func New(log *slog.Logger) *actor.ActorSystem {
	quiet := slog.New(warnings{log.Handler()})
	return actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterRequestLogging(false),
	)
}

// warnings is a handler that drops records below the level warning.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attributes []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attributes)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

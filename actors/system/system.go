// Package system starts actor systems in the way that all of ours are.
package system

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

// New starts an actor system whose library writes into the log only what is at least
// a warning. What it tells below that speaks of the library's own life ("actor system
// started", who was supervised) and can carry the messages themselves, which hold
// people's names; the actors log what an operator must know. Dead letters are not
// logged for the same reason: whoever waits for an answer to one is told.
func New(log *slog.Logger) *actor.ActorSystem {
	quiet := slog.New(warnings{log.Handler()})
	return actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }),
		actor.WithDeadLetterRequestLogging(false),
	)
}

// warnings is a handler without what is less than a warning.
type warnings struct{ slog.Handler }

func (w warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && w.Handler.Enabled(ctx, level)
}

func (w warnings) WithAttrs(attributes []slog.Attr) slog.Handler {
	return warnings{w.Handler.WithAttrs(attributes)}
}

func (w warnings) WithGroup(name string) slog.Handler { return warnings{w.Handler.WithGroup(name)} }

package hook

import (
	"context"

	"equity/app"
	"equity/config"
	"equity/messages"
	"equity/organization"
)

// command returns `equity gateway`.
func command() app.Command {
	return app.Command{
		Name: "gateway",
		Help: "Receive inbound hooks in a process of its own.",
		Detail: `It receives hooks at HOOKS_LISTEN, below HOOKS_PATH, and stores them in the
database of the server, which executes their runs. 'equity serve' receives hooks at
LISTEN too; use the gateway to receive them in another network. It does not migrate
the database: start the server first.`,
		Ready: ready,
		Run:   receive,
	}
}

// ready returns an error if the settings turn hooks off.
func ready(c config.Config) error {
	loaded, err := load(c)
	if err == nil && !loaded.Enabled {
		err = errOff
	}
	return err
}

// receive receives hooks until the context ends.
func receive(ctx context.Context, core app.Core, serve app.Serve) error {
	loaded, err := load(core.Config)
	if err != nil {
		return err
	}
	store := NewStore(core.Database)
	wakeNone := func(organization.ID, string) {}             // the server finds the alarms
	intake := NewIntake(store, Limits{}, wakeNone, core.Log) //nolint:contextcheck // it ends with the command
	defer intake.Close()
	gateway, err := newGateway(core, loaded, store, direct(intake))
	if err != nil {
		return err
	}
	return serve(ctx, "HOOKS_LISTEN", config.Of[settings](core.Config).listen, gateway)
}

// direct stores hooks without the actors of the server. It returns when the hook is stored.
func direct(intake *Intake) sender {
	type outcome struct {
		receipt Receipt
		err     error
	}
	return func(ctx context.Context, h Hook) (Receipt, error) {
		stored := make(chan outcome, 1)
		intake.Accept(h, func(receipt Receipt, err error) { stored <- outcome{receipt, err} })
		select {
		case out := <-stored:
			if out.err == nil && out.receipt.Refused != nil {
				return Receipt{}, out.receipt.Refused
			}
			return out.receipt, out.err
		case <-ctx.Done():
			return Receipt{}, messages.ErrOutcomeUnknown
		}
	}
}

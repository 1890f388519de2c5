package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"equity/actors/hook"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// hookLog is the log of the gateway.
type hookLog = *slog.Logger

// gatewayCommand is `equity gateway`.
type gatewayCommand struct{}

// Help is shown by `equity gateway --help`.
func (gatewayCommand) Help() string {
	return `It receives hooks at HOOKS_LISTEN, below HOOKS_PATH, and stores them in the
database of the server, which executes their runs. 'equity serve' receives hooks at
LISTEN too; use the gateway to receive them in another network. It does not migrate
the database: start the server first.`
}

// Run receives hooks until the context ends.
func (gatewayCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	loaded, err := loadHooks(c)
	if err != nil {
		return err
	}
	if !loaded.Enabled {
		return errHooksOff
	}
	log := p.logger(c)
	db, err := openDatabase(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.RequireSchema(ctx); err != nil {
		return err
	}
	if _, err := openSecrets(ctx, c, db, p); err != nil { // tokens of organizations are signed
		return err
	}
	store := persistence.NewHooks(db)
	intake := hook.NewIntake(store, hook.Limits{}, func(organization.ID, string) {}, log) //nolint:contextcheck // it ends with the command; the server finds the alarms
	defer intake.Close()
	direct := directSender{intake}
	gateway, err := gatewayOf(p, c, hookParts{config: loaded, store: store}, direct.send, log)
	if err != nil {
		return err
	}
	return serveGateway(ctx, c.Hooks.Listen, gateway, c.ShutdownTimeout, log)
}

// serveGateway listens until the context ends.
func serveGateway(ctx context.Context, address string, gateway http.Handler, within time.Duration, log *slog.Logger) error {
	listener, err := listenPlain(ctx, "HOOKS_LISTEN", address)
	if err != nil {
		return err
	}
	server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			_, _ = w.Write([]byte("ok\n"))
			return
		}
		gateway.ServeHTTP(w, r)
	}), log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("receiving hooks", "address", "http://"+listener.Addr().String())
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	return errors.Join(err, stop(ctx, []*http.Server{server}, within))
}

// directSender stores hooks without the actors of the server.
type directSender struct{ intake *hook.Intake }

// send returns when the hook is stored.
func (d directSender) send(ctx context.Context, h messages.Hook) (messages.HookReceipt, error) {
	type outcome struct {
		receipt messages.HookReceipt
		err     error
	}
	stored := make(chan outcome, 1)
	d.intake.Accept(h, func(receipt messages.HookReceipt, err error) { stored <- outcome{receipt, err} })
	select {
	case out := <-stored:
		if out.err == nil && out.receipt.Refused != nil {
			return messages.HookReceipt{}, out.receipt.Refused
		}
		return out.receipt, out.err
	case <-ctx.Done():
		return messages.HookReceipt{}, messages.ErrOutcomeUnknown
	}
}

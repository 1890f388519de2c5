package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/alecthomas/kong"

	"equity/actors/consumer"
	"equity/app"
)

// roomCommands returns the subcommands of the rooms.
func roomCommands() (all []kong.Option) {
	for _, room := range rooms() {
		for _, command := range room.Commands {
			all = append(all, kong.DynamicCommand(command.Name, command.Help, "", &roomCommand{command}))
		}
	}
	return all
}

// roomCommand is a subcommand of a room.
type roomCommand struct {
	command app.Command
}

// Help is shown by the flag --help of the command.
func (c *roomCommand) Help() string { return c.command.Detail }

// Run executes the command on the store of the server.
func (c *roomCommand) Run(ctx context.Context, p program) (err error) {
	s, err := p.settings(nil)
	if err != nil {
		return err
	}
	if err := c.command.Ready(s); err != nil {
		return err
	}
	db, err := openDatabase(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.RequireSchema(ctx); err != nil {
		return err
	}
	core := app.Core{
		Config: s, Database: db, Breakers: consumer.NewBreakers(p.now), Confined: newConfined, Log: p.logger(s), Now: p.now, Pause: pause,
		NewID: newID, Random: p.random,
	}
	return c.command.Run(ctx, core, func(ctx context.Context, setting, address string, handler http.Handler) error {
		return serveHandler(ctx, setting, address, handler, s.ShutdownTimeout, core.Log)
	})
}

// serveHandler listens until the context ends.
func serveHandler(
	ctx context.Context, setting, address string, handler http.Handler, within time.Duration, log *slog.Logger,
) error {
	listener, err := listenPlain(ctx, setting, address)
	if err != nil {
		return err
	}
	server := newHTTPServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			_, _ = w.Write([]byte("ok\n"))
			return
		}
		handler.ServeHTTP(w, r)
	}), log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Info("serving", "command", setting, "address", "http://"+listener.Addr().String())
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	return errors.Join(err, stop(ctx, []*http.Server{server}, within))
}

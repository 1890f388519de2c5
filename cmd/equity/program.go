package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/alecthomas/kong"

	"equity/actors/hook"
	"equity/cmd/equity/calc"
	"equity/cmd/equity/loglimit"
	"equity/cmd/equity/redact"
	"equity/config"
	"equity/http/live"
	"equity/organization"
)

// The exit statuses of the program.
const (
	statusDone   = 0
	statusFailed = 1 // the command failed
	statusMisuse = 2 // the command line or the input is invalid
)

// program contains the external dependencies of a command, so that tests
// run whole commands without a process.
type program struct {
	in          io.Reader
	out         io.Writer // results
	errors      io.Writer // logs and error messages
	environment func(name string) (string, bool)
	now         func() time.Time
	random      io.Reader
	schema      *organization.Schema

	configFile  string // set by --config
	acceptClock bool   // set by --accept-clock
	demo        bool   // set by --demo
	newStore    bool   // set by --new-store
	// streams are the limits of live events; zero for the defaults. A benchmark opens all streams as one user.
	streams live.Settings
	// hookLimits are the limits of hooks; zero for the defaults.
	hookLimits hook.Limits
	// hookRunner executes the runs of hooks; nil for the assistant.
	hookRunner hook.Runner
	// lost ends the context of a server whose lease was lost; nil for other commands.
	lost context.CancelCauseFunc
}

// run executes one command line and returns the exit status.
func (p program) run(ctx context.Context, args []string) (status int) {
	if len(args) == 0 {
		args = []string{"--help"}
	}
	var commands cli
	parser, err := newParser(&commands, p.out, p.errors)
	if err != nil {
		return p.fail(err, statusMisuse)
	}
	exited := false
	parser.Exit = func(code int) { exited, status = true, code } // after --help
	command, err := parser.Parse(args)
	if exited {
		return status
	}
	if err != nil {
		return p.fail(fmt.Errorf("%w; 'equity --help' lists all commands", err), statusMisuse)
	}
	p.configFile = commands.Config
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(p)
	if exit, ok := errors.AsType[statusError](err); ok {
		return int(exit)
	}
	switch {
	case errors.Is(err, calc.ErrUnusable):
		return p.fail(err, statusMisuse)
	case err != nil:
		return p.fail(err, statusFailed)
	}
	return statusDone
}

func (p program) fail(err error, status int) int {
	_, _ = fmt.Fprintln(p.errors, "equity:", err)
	return status
}

// newParser returns the parser of the command line. It fails only if the tree
// of commands is invalid.
func newParser(commands *cli, out, errors io.Writer) (*kong.Kong, error) {
	return kong.New(commands,
		kong.Name("equity"),
		kong.Description(description),
		kong.Writers(out, errors),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
	)
}

// source returns the source of this command's settings; flags overrides single
// settings by name.
func (p program) source(flags map[string]string) config.Source {
	file := p.configFile
	if file == "" {
		file, _ = p.environment("EQUITY_CONFIG")
	}
	return config.Source{Environment: p.environment, File: file, Flags: flags, Rooms: roomSettings()}
}

// settings returns the checked settings.
func (p program) settings(flags map[string]string) (config.Config, error) {
	return config.Load(p.source(flags))
}

// logger returns a logger to standard error, so that standard output contains
// only results. Repeated lines are limited.
func (p program) logger(c config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: redact.New(c.Secrets()).Attribute}
	if c.LogFormat == config.LogJSON {
		return slog.New(loglimit.New(slog.NewJSONHandler(p.errors, options)))
	}
	return slog.New(loglimit.New(slog.NewTextHandler(p.errors, options)))
}

// say prints one line of the result.
func (p program) say(format string, a ...any) {
	_, _ = fmt.Fprintf(p.out, format+"\n", a...)
}

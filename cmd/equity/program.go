package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/alecthomas/kong"

	"equity/cmd/equity/calc"
	"equity/config"
)

// The statuses the program exits with.
const (
	statusDone   = 0
	statusFailed = 1 // the command was understood and could not be carried out
	statusMisuse = 2 // the command line, or what it was to calculate, was not understood
)

// program is what a command may touch of the world around it, so that tests
// run whole commands without a process.
type program struct {
	in          io.Reader
	out         io.Writer // what was asked for
	errors      io.Writer // logs, and why something failed
	environment func(name string) (string, bool)
	now         func() time.Time
	random      io.Reader

	configFile  string // set by --config
	acceptClock bool   // set by --accept-clock
}

// run carries out one command line and returns the status to exit with.
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
		return p.fail(fmt.Errorf("%w; 'equity --help' lists what there is", err), statusMisuse)
	}
	p.configFile = commands.Config
	command.BindTo(ctx, (*context.Context)(nil))
	switch err := command.Run(p); {
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

// newParser makes the parser of the command line. It fails only when the tree
// of commands is itself wrong.
func newParser(commands *cli, out, errors io.Writer) (*kong.Kong, error) {
	return kong.New(commands,
		kong.Name("equity"),
		kong.Description(description),
		kong.Writers(out, errors),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true}),
	)
}

// source is where this command's settings come from; flags overrides single
// settings by name.
func (p program) source(flags map[string]string) config.Source {
	file := p.configFile
	if file == "" {
		file, _ = p.environment("EQUITY_CONFIG")
	}
	return config.Source{Environment: p.environment, File: file, Flags: flags}
}

// settings reads and checks the settings, before anything is opened.
func (p program) settings(flags map[string]string) (config.Config, error) {
	return config.Load(p.source(flags))
}

// logger writes to standard error, so that what a command answers stays alone
// on standard output.
func (p program) logger(c config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == config.LogJSON {
		return slog.New(slog.NewJSONHandler(p.errors, options))
	}
	return slog.New(slog.NewTextHandler(p.errors, options))
}

// say prints one line of what was asked for.
func (p program) say(format string, a ...any) {
	_, _ = fmt.Fprintf(p.out, format+"\n", a...)
}

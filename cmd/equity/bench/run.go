package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"equity/app"
	"equity/config"
	"equity/organization"
	"equity/persistence"
)

// Options are the parameters of a run.
type Options struct {
	// Schema is the schema of the program.
	Schema *organization.Schema
	// Rooms returns the features of its rooms. Settings returns settings for them, which allow private addresses, with further values.
	Rooms    func(app.Core) ([]app.Feature, error)
	Settings func(values map[string]string) (config.Config, error)
	// DatabaseURL is the database of the measurements. The run writes to it.
	DatabaseURL string
	// Arguments start this program as the measured process; Environment is its environment.
	Arguments, Environment []string
	// Rounds is the number of measurements of each pair, Seconds the duration of each.
	Rounds  int
	Seconds float64
	// Events is the length of the loaded history.
	Events uint64
	// Organizations is the size of the store of many organizations.
	Organizations int
	// Only selects the groups of rows whose names contain it; empty selects all.
	Only string
	// Profile is the folder for CPU profiles. Without it, none are written.
	Profile string
	Out     io.Writer
}

// Groups returns the names of the groups of rows that Only selects.
func Groups() []string {
	return []string{
		groupWrites, groupReads, groupOverload, groupImports, groupStreams, groupDeliveries, groupDocuments, groupHooks, groupTools,
		groupRest, groupMany, groupConsumers, groupComputed,
	}
}

const (
	groupWrites   = "writes"
	groupReads    = "reads"
	groupOverload = "overload"
	groupImports  = "imports"
	groupStreams  = "streams"
	// groupDeliveries measures webhooks.
	groupDeliveries = "deliveries"
	// groupDocuments measures the data room.
	groupDocuments = "documents"
	// groupHooks measures inbound hooks.
	groupHooks = "hooks"
	// groupTools measures calls of tools by the assistant and over the Model Context Protocol.
	groupTools = "tools"
	groupRest  = "rest"
	// groupMany compares a store of many organizations with a store of a thousand.
	groupMany = "many"
	// groupConsumers measures consumers of the journal.
	groupConsumers = "consumers"
	groupComputed  = "computed"
)

// selects reports whether the group is to be measured.
func (o Options) selects(group string) bool { return strings.Contains(group, o.Only) }

// duration returns the duration of a measurement.
func (o Options) duration() time.Duration { return time.Duration(o.Seconds * float64(time.Second)) }

// callersSessions is the number of sessions shared by the callers.
const callersSessions = 16

// Run measures the selected groups and prints one table.
func Run(ctx context.Context, o Options) error {
	begin := time.Now()
	var used share
	var rows []row
	for _, group := range []struct {
		names   []string
		measure func() ([]row, error)
	}{
		{[]string{groupWrites, groupReads, groupOverload, groupImports, groupStreams, groupDeliveries, groupDocuments, groupHooks, groupTools}, func() ([]row, error) { return overHTTP(ctx, o, &used) }},
		{[]string{groupRest}, func() ([]row, error) { return atRest(ctx, o) }},
		{[]string{groupMany}, func() ([]row, error) { return many(ctx, o) }},
		{[]string{groupConsumers}, func() ([]row, error) { return consumers(ctx, o) }},
		{[]string{groupComputed}, func() ([]row, error) { return computed(holdersOfTable, o.Rounds, o.duration()) }},
	} {
		if !slices.ContainsFunc(group.names, o.selects) {
			continue
		}
		more, err := group.measure()
		if err != nil {
			return err
		}
		rows = append(rows, more...)
	}
	_, _ = fmt.Fprintf(
		o.Out, "%d cores, %s %s/%s, %s\n\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		describe(ctx, o.DatabaseURL),
	)
	if err := printTable(o.Out, rows); err != nil {
		return err
	}
	if used.elapsed > 0 {
		processors := used.elapsed.Seconds() * float64(runtime.NumCPU())
		_, _ = fmt.Fprintf(o.Out, "\nThe load client used %.0f %% of the processors.", 100*used.used.Seconds()/processors)
	}
	_, _ = fmt.Fprintf(o.Out, "\nEach pair was measured %d times in turn, %.1f s each; medians. The run took %s.\n",
		o.Rounds, o.Seconds, time.Since(begin).Round(time.Second))
	return nil
}

// overHTTP measures the server over HTTP.
func overHTTP(ctx context.Context, o Options, used *share) (rows []row, err error) {
	measured, err := startChild(ctx, o.Arguments, o.Environment, os.Stderr)
	if err != nil {
		return nil, err
	}
	defer func() {
		if failed := measured.stop(); err == nil {
			err = failed
		}
	}()
	client, cookies, err := sessions(ctx, measured.Addresses, callersSessions)
	if err != nil {
		return nil, err
	}
	p := pair{
		addresses: measured.Addresses, cookies: cookies, rounds: o.Rounds,
		duration: o.duration(), share: used, child: measured, profiles: o.Profile,
	}
	for _, group := range []struct {
		name    string
		measure func() ([]row, error)
	}{
		{groupWrites, func() ([]row, error) { return p.writes(ctx, client) }},
		{groupReads, func() ([]row, error) { return p.reads(ctx, client) }},
		{groupOverload, func() ([]row, error) { return p.overload(ctx, client, measured.command.Process.Pid) }},
		{groupImports, func() ([]row, error) { return p.imports(ctx, client, measured.command.Process.Pid, o.Events) }},
		{groupStreams, func() ([]row, error) { return p.streams(ctx, client, measured.command.Process.Pid) }},
		{groupDeliveries, func() ([]row, error) { return p.deliveries(ctx, client, measured.command.Process.Pid) }},
		{groupDocuments, func() ([]row, error) { return p.documents(ctx, client, measured.command.Process.Pid) }},
		{groupHooks, func() ([]row, error) { return p.hooks(ctx, client) }},
		{groupTools, func() ([]row, error) { return p.tools(ctx, client) }},
	} {
		if !o.selects(group.name) {
			continue
		}
		more, err := group.measure()
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// atRest measures the cost of loading organizations and keeping them in memory.
func atRest(ctx context.Context, o Options) (rows []row, err error) {
	db, err := persistence.Open(ctx, o.DatabaseURL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Migrate(ctx); err != nil {
		return nil, err
	}
	journal := persistence.NewJournal(db)
	defer func() { _ = journal.Close() }()
	r := reviver{schema: o.Schema, journal: journal, log: slog.New(slog.DiscardHandler), events: o.Events, rounds: o.Rounds}
	if rows, err = r.measure(ctx); err != nil {
		return nil, err
	}
	idle, err := r.idle(ctx, 1000)
	return append(rows, idle), err
}

// describe returns the name and version of the database.
func describe(ctx context.Context, address string) string {
	db, err := persistence.Open(ctx, address)
	if err != nil {
		return "unknown database"
	}
	defer func() { _ = db.Close() }()
	statement, name := `SELECT sqlite_version()`, "SQLite "
	if db.Engine() == persistence.PostgreSQL {
		statement, name = `SHOW server_version`, "PostgreSQL "
	}
	var version string
	if err := db.Reader().QueryRowContext(ctx, statement).Scan(&version); err != nil {
		return "unknown database"
	}
	return name + version
}

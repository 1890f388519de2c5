package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"equity/account"
	"equity/actors/hook"
	"equity/captable"
	"equity/cmd/equity/bench"
	"equity/config"
	"equity/http/api"
	"equity/http/document"
	"equity/messages"
	room "equity/organization/document"
)

// benchCommand is `equity bench`.
type benchCommand struct {
	DatabaseURL   string  `name:"database-url" help:"PostgreSQL database to measure on, in a schema that is removed afterwards. Without it, an SQLite file in a temporary folder." placeholder:"URL"`
	RedisURL      string  `name:"redis-url" help:"Redis to keep sessions in. Without it, they are kept in the database." placeholder:"URL"`
	Rounds        int     `help:"How often each pair is measured in turn." default:"3"`
	Seconds       float64 `help:"How long each measurement takes." default:"3"`
	Events        uint64  `help:"Length of the history that is brought to life." default:"100000"`
	Organizations int     `help:"Number of organizations in the store of the group many." default:"20000"`
	Only          string  `help:"Measure only the groups of rows whose names contain the text: writes, reads, overload, imports, streams, deliveries, documents, hooks, tools, rest, many, consumers, computed." placeholder:"TEXT"`
	Profile       string  `help:"Write a CPU profile of the server for each measured load into the folder." placeholder:"FOLDER"`
	Against       string  `help:"Measure this build and the given program alternately for ten rounds, and print the ratio of each row with its 90 % interval. More than 1 is better." placeholder:"PROGRAM"`
	Measured      bool    `hidden:"" help:"Serve to be measured by the process that started this one."`
}

// Help is shown by `equity bench --help`.
func (benchCommand) Help() string {
	return `Starts the real server in a process of its own on loopback, drives it over HTTP
with real sessions, and prints one table of ratios against plain ways of doing
the same work, each pair measured in turn in one run.`
}

// Validate refuses unusable flags. The parser calls it.
func (b benchCommand) Validate() error {
	switch {
	case b.Rounds < 1:
		return errors.New("--rounds must be at least 1")
	case b.Seconds <= 0:
		return errors.New("--seconds must be more than 0")
	case !slices.ContainsFunc(bench.Groups(), func(group string) bool { return strings.Contains(group, b.Only) }):
		return fmt.Errorf("--only must be part of one of: %s", strings.Join(bench.Groups(), ", "))
	case b.Organizations < bench.MinOrganizations:
		return fmt.Errorf("--organizations must be at least %d", bench.MinOrganizations)
	case b.Events < bench.MinEvents:
		return fmt.Errorf("--events must be at least %d: the first thousand make holders", bench.MinEvents)
	default:
		return nil
	}
}

// Run measures, or serves as the measured process.
func (b benchCommand) Run(ctx context.Context, p program) (err error) {
	directory, err := os.MkdirTemp("", "equity-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(directory)) }()
	p.tuneGC() // like the server
	if b.Measured {
		return b.serve(ctx, p)
	}
	if b.Against != "" {
		return b.compare(ctx, p)
	}
	database, remove, err := bench.NewStore(ctx, b.DatabaseURL, directory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(context.WithoutCancel(ctx))) }()
	settings := func(values map[string]string) (config.Config, error) {
		all := map[string]string{"ENVIRONMENT": "test", "WEBHOOK_ALLOW_PRIVATE": "true"}
		maps.Copy(all, values)
		return p.settings(all)
	}
	return bench.Run(ctx, bench.Options{
		Schema: p.schema, Rooms: openRooms, Settings: settings, DatabaseURL: database, Arguments: []string{"bench", "--measured"},
		Environment: []string{
			"DATABASE_URL=" + database, "REDIS_URL=" + b.RedisURL, "DATA_DIRECTORY=" + directory,
			"ENVIRONMENT=test", "WEBHOOK_ALLOW_PRIVATE=true", "HOOKS_ENABLED=true", "HOOKS_TOKEN=bench",
			"AGENT_PROVIDER=embedded", "AGENT_MAX_TOOL_CALLS_PER_MINUTE=" + bench.ToolCalls,
			"LOG_LEVEL=error", // refusals under overload are measured, not logged
		},
		Rounds: b.Rounds, Seconds: b.Seconds, Events: b.Events, Organizations: b.Organizations, Only: b.Only, Profile: b.Profile,
		Out: p.out,
	})
}

// compare measures this build and another one.
func (b benchCommand) compare(ctx context.Context, p program) error {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	arguments := []string{
		"bench", "--rounds=1", "--seconds=" + strconv.FormatFloat(b.Seconds, 'f', -1, 64), "--only=" + b.Only,
		"--events=" + strconv.FormatUint(b.Events, 10), "--organizations=" + strconv.Itoa(b.Organizations),
	}
	if b.DatabaseURL != "" {
		arguments = append(arguments, "--database-url="+b.DatabaseURL)
	}
	if b.RedisURL != "" {
		arguments = append(arguments, "--redis-url="+b.RedisURL)
	}
	return bench.Compare(ctx, bench.Comparison{Ours: own, Theirs: b.Against, Arguments: arguments, Out: p.out, Log: os.Stderr})
}

// serve starts two servers on one store: the real one, and one with the baseline
// handlers. It ends when standard input is closed.
func (b benchCommand) serve(ctx context.Context, p program) (err error) {
	c, err := p.settings(map[string]string{"LISTEN": "127.0.0.1:0"})
	if err != nil {
		return err
	}
	p.streams.PerUser, p.streams.Total = bench.Streams, bench.Streams
	p.hookLimits.Requests, p.hookLimits.Runs = bench.Hooks, bench.Hooks
	p.hookRunner = secondRunner{}
	a, err := assemble(ctx, c, p, p.logger(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	plain, err := bench.NewBaseline(ctx, c.DatabaseURL.Reveal())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	announced := bench.Addresses{Email: demoEmail, Password: demoPassword}
	if _, known := a.users.ByEmail(ctx, demoEmail); known != nil {
		_, err := p.operator(a.users).Create(ctx, account.NewAccount{
			Email: demoEmail, FirstName: "Bench", LastName: "Mark", Password: demoPassword,
		})
		if err != nil {
			return err
		}
	}
	for _, side := range []struct {
		address *string
		replace map[string]api.Handler
	}{{&announced.Server, nil}, {&announced.Baseline, plainHandlers(plain)}} {
		stop, err := a.serveMeasured(ctx, p, side.address, side.replace)
		if err != nil {
			return err
		}
		defer stop()
	}
	stop, err := servePlain(ctx, &announced.Plain, c)
	if err != nil {
		return err
	}
	defer stop()
	if err := bench.WriteAddresses(p.out, announced); err != nil {
		return err
	}
	return bench.WriteProfiles(p.in)
}

func (a *assembly) serveMeasured(
	ctx context.Context, p program, address *string, replace map[string]api.Handler,
) (stop func(), err error) {
	listener, err := listenPlain(ctx, "LISTEN", a.config.Listen)
	if err != nil {
		return nil, err
	}
	*address = listener.Addr().String()
	handler, shed, err := a.web(p, "http://"+*address, nil, replace)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	server := newHTTPServer(handler, a.log)
	go func() { _ = server.Serve(shed(listener, a.draining.Load)) }()
	return func() { _ = server.Close() }, nil
}

// servePlain serves the handler of plain files on the disk of the documents.
func servePlain(ctx context.Context, address *string, c config.Config) (stop func(), err error) {
	folder := filepath.Join(c.DataDirectory, "plain")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	listener, err := listenPlain(ctx, "LISTEN", c.Listen)
	if err != nil {
		return nil, err
	}
	*address = listener.Addr().String()
	server := newHTTPServer(bench.NewPlainFiles(folder), slog.New(slog.DiscardHandler))
	go func() { _ = server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
}

// plainHandlers do the same work without journal, actor and view: shares are issued
// with one SQL transaction, and the cap table and the list of documents are prepared bodies.
func plainHandlers(plain *bench.Baseline) map[string]api.Handler {
	var tables, lists sync.Map // organization.ID → []byte
	return map[string]api.Handler{
		"issueShareholding": func(ctx context.Context, c *api.Call) (api.Answer, error) {
			row, err := plain.Issue(ctx, c.Organization, c.By(), c.Body, c.View.State.NameOf)
			if err != nil {
				return api.Answer{}, err
			}
			return api.Answer{
				Status: http.StatusCreated, Record: row, Location: "/shareholding/" + row.ID.String(), ETag: `"1.1"`,
			}, nil
		},
		"exportCapTable": func(_ context.Context, c *api.Call) (api.Answer, error) {
			answer := api.Answer{ContentType: "application/json", ETag: `"table"`}
			if c.Header("If-None-Match") != "" {
				answer.Status = http.StatusNotModified
				return answer, nil
			}
			body, ok := tables.Load(c.Organization)
			if !ok {
				state := c.View.State
				table, err := json.Marshal(struct {
					Sequence uint64 `json:"sequence"`
					Currency string `json:"currency"`
					captable.Table
				}{c.View.Sequence, state.Profile().Currency, state.Table().TableOn(c.AsOf(), state.NameOf)})
				if err != nil {
					return api.Answer{}, err
				}
				body, _ = tables.LoadOrStore(c.Organization, table)
			}
			answer.Rendered, _ = body.([]byte)
			return answer, nil
		},
		"listDocuments": func(_ context.Context, c *api.Call) (api.Answer, error) {
			body, ok := lists.Load(c.Organization)
			if !ok {
				var records []any
				for _, found := range c.View.State.Documents().Visible(room.ItemID{}, room.Viewer{Owner: true}) {
					record, _ := document.Show(c.View, found)
					records = append(records, record)
				}
				list, err := api.RenderJSON(records)
				if err != nil {
					return api.Answer{}, err
				}
				body, _ = lists.LoadOrStore(c.Organization, list)
			}
			answer := api.Answer{ContentType: api.ContentJSON, ETag: `"list"`}
			answer.Rendered, _ = body.([]byte)
			return answer, nil
		},
	}
}

// secondRunner executes each run in a second, like a fast model.
type secondRunner struct{}

// Run waits.
func (secondRunner) Run(ctx context.Context, _ hook.RunRequest) (messages.HookResult, error) {
	return messages.HookResult{Status: messages.HookOK, Summary: "done"}, pause(ctx, time.Second)
}

package main

import (
	"context"
	"errors"
	"os"
	"time"

	"equity/app"
	"equity/captable/ocf"
	"equity/confine"
	"equity/http/admission"
	"equity/http/document/stamp"
	"equity/http/tables"
	"equity/http/unpack"
)

// confinedName is the command of a child process.
const confinedName = "confined"

// works returns the parsers that run in child processes.
func works() []confine.Work {
	all := []confine.Work{stamp.Work(), tables.Work(), unpack.Work(ocf.DefaultLimits().Bytes)}
	for _, room := range rooms() {
		all = append(all, room.Works...)
	}
	return all
}

// confinedCommand is `equity confined`, which the server starts.
type confinedCommand struct {
	Work string `arg:"" help:"Kind of content that the process parses."`
}

// statusError is the exit status of a child.
type statusError int

// Error is not shown.
func (statusError) Error() string { return "the content cannot be used" }

// Run executes one work.
func (c confinedCommand) Run(_ context.Context, p program) error {
	if status := confine.Child(c.Work, works(), p.in, p.out); status != statusDone {
		return statusError(status)
	}
	return nil
}

const (
	maxWaiting        = 64 // children and requests that wait for one
	maxWaitingOfGroup = 8
)

// The places of each work.
func stampPlaces() app.Places   { return app.Places{AtOnce: 2, OfGroup: 1, Wait: 20 * time.Second} }
func tablePlaces() app.Places   { return app.Places{AtOnce: 2, OfGroup: 1, Wait: 20 * time.Second} }
func packagePlaces() app.Places { return app.Places{AtOnce: 2, OfGroup: 1, Wait: 30 * time.Second} }

// newStampRunner returns the runner of stamps.
func newStampRunner() (*confine.Runner, error) { return newConfined(stamp.Work(), stampPlaces()) }

// newTables returns the reader of spreadsheets.
func newTables() (*tables.Reader, error) {
	runner, err := newConfined(tables.Work(), tablePlaces())
	return tables.NewReader(runner), err
}

// newPackageRunner returns the runner that unpacks packages of at most the number of bytes.
func newPackageRunner(bytes int64) (*confine.Runner, error) {
	return newConfined(unpack.Work(bytes), packagePlaces())
}

// newConfined returns a runner whose children are this program.
func newConfined(work confine.Work, p app.Places) (*confine.Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return confine.NewRunner(work, newTurns(p), program, confinedName), nil
}

// turns gives places to organizations in turns.
type turns struct{ queue *admission.Queue }

func newTurns(p app.Places) turns {
	return turns{admission.New(admission.Settings{
		Parallel: p.AtOnce, PerGroup: p.OfGroup, PerCaller: p.OfGroup, Wait: p.Wait, Patient: true,
		Open: admission.Bounds{All: maxWaiting, Group: maxWaitingOfGroup},
	})}
}

// Enter waits for a place.
func (t turns) Enter(ctx context.Context, group string) (leave func(), err error) {
	ticket, err := t.queue.Enter(ctx, admission.Flow{Group: group, Caller: group})
	if full, ok := errors.AsType[*admission.RefusalError](err); ok {
		return nil, &confine.BusyError{RetryAfter: full.RetryAfter}
	}
	if err != nil {
		return nil, err
	}
	return ticket.Leave, nil
}

package main

import (
	"context"
	"errors"
	"os"
	"time"

	"equity/captable/ocf"
	"equity/confine"
	"equity/hooks/transform"
	"equity/http/admission"
	"equity/http/document/stamp"
	"equity/http/tables"
	"equity/http/unpack"
)

// confinedName is the command of a child process.
const confinedName = "confined"

// works returns the parsers that run in child processes.
func works() []confine.Work {
	return []confine.Work{stamp.Work(), transform.Work(), tables.Work(), unpack.Work(ocf.DefaultLimits().Bytes)}
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

// places are the bounds of the children of one kind of work.
type places struct {
	// atOnce bounds the children of the server, and ofGroup those of one organization, so that it leaves places to others.
	atOnce, ofGroup int
	wait            time.Duration
}

const (
	maxWaiting        = 64 // children and requests that wait for one
	maxWaitingOfGroup = 8
)

// The places of each work.
func stampPlaces() places     { return places{atOnce: 2, ofGroup: 1, wait: 20 * time.Second} }
func tablePlaces() places     { return places{atOnce: 2, ofGroup: 1, wait: 20 * time.Second} }
func packagePlaces() places   { return places{atOnce: 2, ofGroup: 1, wait: 30 * time.Second} }
func transformPlaces() places { return places{atOnce: 4, ofGroup: 2, wait: 2 * time.Second} }

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

// newTransformRunner returns the runner of transforms.
func newTransformRunner() (*confine.Runner, error) {
	return newConfined(transform.Work(), transformPlaces())
}

// newConfined returns a runner whose children are this program.
func newConfined(work confine.Work, p places) (*confine.Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return confine.NewRunner(work, newTurns(p), program, confinedName), nil
}

// turns gives places to organizations in turns.
type turns struct{ queue *admission.Queue }

func newTurns(p places) turns {
	return turns{admission.New(admission.Settings{
		Parallel: p.atOnce, PerGroup: p.ofGroup, PerCaller: p.ofGroup, Wait: p.wait, Patient: true,
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

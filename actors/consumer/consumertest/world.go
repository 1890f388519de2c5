package consumertest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// world is a server with one organization and the consumer under test.
type world struct {
	*testing.T
	subject       Subject
	store         Store
	service       *Service
	offset        atomic.Int64 // of the clock
	set           *consumer.Set
	organizations *actors.Organizations
	stop          func()
	id            organization.ID
	name          string
	caused        int
	// beforeClear runs once before the next removal of an alarm; nil for nothing.
	beforeClear atomic.Pointer[func()]
}

// cursors are the cursors and alarms of a world.
type cursors struct {
	*persistence.Consumers
	world *world
}

// Clear removes an alarm.
func (c cursors) Clear(ctx context.Context, id organization.ID, name string, upTo uint64, held messages.Alarm) error {
	if before := c.world.beforeClear.Swap(nil); before != nil {
		(*before)()
	}
	return c.Consumers.Clear(ctx, id, name, upTo, held)
}

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.offset.Load())) }

// pass moves the clock, so that alarms become due.
func (w *world) pass(d time.Duration) { w.offset.Add(int64(d)) }

// ids are unique in the process, because tests share a schema of PostgreSQL.
var ids atomic.Uint64

// Founder returns the user who creates the organization and is the author of its commands.
func Founder() organization.UserID { return organization.UserID{0x0f, 15: 0x77} }

// NewID returns an id that is unique in the process.
func NewID() (id [16]byte) {
	n := ids.Add(1)
	for i := range 8 {
		id[i] = byte(n >> (56 - 8*i))
	}
	id[15] = 0x77
	return id
}

// start starts the actors, like a process.
func (w *world) start(passivate time.Duration) {
	w.Helper()
	log := slog.New(slog.DiscardHandler)
	var organizations atomic.Pointer[actors.Organizations]
	tested := w.subject.New(w.T, w.store, w.service, w.now, organizations.Load)
	schema := w.subject.Schema
	if schema == nil {
		schema = organization.NewSchema()
	}
	w.set = consumer.NewSet(schema, cursors{w.store.Cursors, w}, w.now, log, tested)
	w.organizations = actors.NewOrganizations(w.subject.System(log), w.store.Journal, actors.Settings{
		Schema:         schema,
		PassivateAfter: passivate, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second, Consumers: w.set,
		Now: w.now, NewID: NewID,
	}, log)
	organizations.Store(w.organizations)
	clock := consumer.NewClock(context.Background(), w.store.Cursors, w.organizations.Wake, w.now, log)
	running := w.organizations
	w.stop = sync.OnceFunc(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := running.Stop(ctx); err != nil {
			w.Errorf("stop: %v", err)
		}
	})
	w.Cleanup(w.stop)
}

// restart stops the actors and starts new ones on the store as another process sees it.
func (w *world) restart(passivate time.Duration) {
	w.Helper()
	w.stop()
	w.store = w.store.Reopen(w.T)
	w.start(passivate)
}

func (w *world) do(command messages.Command) messages.Reply {
	w.Helper()
	command.Organization, command.At = w.id, w.now()
	if command.By == "" {
		command.By = Founder().String()
	}
	reply, err := w.organizations.Do(context.Background(), command)
	if err != nil {
		w.Fatalf("%T: %v", command.Body, err)
	}
	return reply
}

func (w *world) found() {
	w.Helper()
	w.id = NewID()
	w.do(messages.Command{Body: organization.Create{
		ID: w.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: Founder(), Entity: NewID(), Name: "Fay"},
	}})
	commands, name := w.subject.Prepare(w.T, w.service)
	w.name = name
	for _, command := range commands {
		w.do(command)
	}
}

func (w *world) state() *organization.State {
	w.Helper()
	view, err := w.organizations.View(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	return view.State
}

// cause executes commands with wanted events, and returns the keys of these events.
func (w *world) cause(number int) (keys []string) {
	w.Helper()
	for range number {
		w.caused++
		reply := w.do(w.subject.Cause(w.caused))
		keys = append(keys, w.key(reply.Sequence))
	}
	return keys
}

// key returns the key of an event at the service.
func (w *world) key(sequence uint64) string {
	event := messages.EventID(w.id, sequence)
	if w.subject.Key == nil {
		return event
	}
	return w.subject.Key(event)
}

const patience = time.Minute

// collapseStep moves the clock while a consumer waits for further events.
const collapseStep = 50 * time.Millisecond

// until waits for a condition that the program reaches by itself.
func (w *world) until(claim string, reached func() bool) {
	w.Helper()
	for deadline := time.Now().Add(patience); !reached(); {
		if w.subject.Collapses {
			w.pass(collapseStep)
		}
		if time.Now().After(deadline) {
			status, err := w.store.Cursors.Status(context.Background(), w.id)
			w.Fatalf("%s: not reached; accepted %v, status %+v, %v", claim, w.service.Accepted(), status, err)
		}
		select { // polls other goroutines and processes, which have no event to wait for
		case <-w.Context().Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (w *world) accepts(keys []string) {
	w.Helper()
	if w.subject.Collapses {
		keys = keys[len(keys)-1:]
	}
	w.until(fmt.Sprintf("the effects of %v", keys), func() bool {
		accepted := w.service.Accepted()
		for _, key := range keys {
			if !slices.Contains(accepted, key) {
				return false
			}
		}
		return true
	})
}

func (w *world) status() messages.ConsumerStatus {
	w.Helper()
	all, err := w.store.Cursors.Status(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	for _, one := range all {
		if one.Name == w.name || one.Name+"/"+one.Instance == w.name {
			return one
		}
	}
	return messages.ConsumerStatus{Cursor: messages.Cursor{State: messages.ConsumerOff}}
}

// isState waits for a state.
func (w *world) isState(state string) {
	w.Helper()
	w.until("the state "+state, func() bool { return w.status().State == state })
}

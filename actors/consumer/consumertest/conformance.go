package consumertest

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors"
	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// Store is a store of one engine with all parts that consumers need.
type Store struct {
	Journal actors.Journal
	Cursors *persistence.Consumers
	// Reopen returns the same store as another process sees it.
	Reopen func(t *testing.T) Store
	// Database is the open database, for the consumer.
	Database *persistence.Database
}

// Subject is a consumer under test.
type Subject struct {
	// Schema has the events of the consumer; nil for those of the core.
	Schema *organization.Schema
	// Key returns the key with which the effect of the event calls the service; nil for the event's id.
	Key func(event string) string
	// New returns the consumer. Its effects call the service with these keys. Organizations returns the actors
	// after their start.
	New func(
		t *testing.T, store Store, service *Service, now func() time.Time, organizations func() *actors.Organizations,
	) consumer.Consumer
	// System returns the actor system of the test.
	System func(log *slog.Logger) *actor.ActorSystem
	// Prepare returns the commands that turn the consumer on, and the name of its instance.
	Prepare func(t *testing.T, service *Service) (commands []messages.Command, name string)
	// Cause returns a command. The consumer wants its last event.
	Cause func(number int) messages.Command
	// Schedules reports that the consumer has several effects at the same time, and records a failed one for a later attempt of
	// its own, in place of stopping.
	Schedules bool
	// Collapses reports that one effect, with the key of the last event, stands for several events that are close to each other.
	Collapses bool
	// Recurring reports that the consumer keeps an alarm for recurring work.
	Recurring bool
	// Epoch returns the start of the instance, for a replay.
	Epoch func(state *organization.State) uint64
}

// Conformance proves the guarantees of the consumer on a store that open returns.
func Conformance(t *testing.T, open func(t *testing.T) Store, subject Subject) {
	t.Helper()
	for name, prove := range map[string]func(*world){
		"each wanted event has its effect once, in order":              (*world).provesOrder,
		"a crash between effect and cursor repeats the effect":         (*world).provesCrash,
		"a slow service delays no command":                             (*world).provesSlow,
		"a dead service loses no effect and delays no command":         (*world).provesDead,
		"a poison event becomes visible and can be skipped":            (*world).provesPoison,
		"a passivated organization is woken by its alarm":              (*world).provesPassivation,
		"a replay repeats the effects with the same ids":               (*world).provesReplay,
		"a replay during the removal of the alarm is not lost":         (*world).provesReplayDuringClear,
		"an organization without pending work has no child and no row": (*world).provesIdle,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &world{T: t, subject: subject, store: open(t), service: &Service{}}
			w.start(time.Hour)
			w.found()
			prove(w)
		})
	}
}

func (w *world) provesOrder() {
	keys := w.cause(5)
	w.accepts(keys)
	got := w.service.Accepted()
	if w.subject.Collapses {
		keys = slices.DeleteFunc(keys, func(key string) bool { return !slices.Contains(got, key) })
	}
	if w.subject.Schedules { // several effects at the same time
		slices.Sort(got)
		slices.Sort(keys)
	}
	if !slices.Equal(got, keys) {
		w.Errorf("got %v, want %v", got, keys)
	}
	w.isState(messages.ConsumerOK)
}

func (w *world) provesCrash() {
	before := w.cause(1)
	w.accepts(before)
	w.service.After(func(string) { panic("crash between effect and cursor") })
	key := w.cause(1)
	w.accepts(key)
	w.stop()
	w.service.After(nil)
	effects := len(w.service.Accepted())
	w.restart(time.Hour)
	w.pass(2 * messages.WakeLease)
	w.until("a repetition of the effect", func() bool { return len(w.service.Accepted()) > effects })
	if again := w.service.Accepted()[effects]; again != key[0] {
		w.Errorf("%s was repeated instead of %v", again, key)
	}
	if after := w.cause(1); true {
		w.accepts(after)
	}
}

func (w *world) provesSlow() {
	w.service.Set(Hanging, "")
	begin := time.Now()
	keys := w.cause(3)
	w.until("an attempt", func() bool { return w.service.Attempts() > 0 })
	keys = append(keys, w.cause(3)...)
	if took := time.Since(begin); took > patience/2 {
		w.Errorf("the commands took %s", took)
	}
	w.stop() // must not wait for the service
	if took := time.Since(begin); took > patience {
		w.Errorf("the stop took %s", took)
	}
	w.service.Set(Accepting, "")
	w.restart(time.Hour)
	w.pass(2 * messages.WakeLease)
	w.accepts(keys)
}

func (w *world) provesDead() {
	w.service.Set(Dead, "")
	keys := w.cause(3)
	w.isState(messages.ConsumerRetrying)
	if status := w.status(); status.LastError == "" || status.NextAttemptAt.IsZero() {
		w.Errorf("%+v", status)
	}
	keys = append(keys, w.cause(2)...)
	w.service.Set(Accepting, "")
	w.until("all effects", func() bool {
		w.pass(time.Minute)
		accepted := w.service.Accepted()
		return len(accepted) >= len(keys) || w.subject.Collapses && slices.Contains(accepted, keys[len(keys)-1])
	})
	w.accepts(keys)
	w.isState(messages.ConsumerOK)
	if status := w.status(); status.LastSuccessAt.IsZero() {
		w.Errorf("%+v", status)
	}
}

func (w *world) provesPoison() {
	keys := w.cause(1)
	w.accepts(keys)
	w.service.Set(Dead, "")
	poison := w.cause(1)
	w.service.Set(Poisoned, poison[0])
	var later []string
	if !w.subject.Collapses { // a later event would replace the poisoned one
		later = w.cause(2)
	}
	if w.subject.Schedules { // others are not held up, and the poison is recorded as a failed delivery
		w.until("the later effects", func() bool {
			w.pass(time.Minute)
			return len(w.service.Accepted()) >= 3
		})
		w.accepts(later)
		return
	}
	w.until("a failed consumer", func() bool {
		w.pass(time.Hour)
		return w.status().State == messages.ConsumerFailed
	})
	status := w.status()
	if w.key(status.Event) != poison[0] || status.LastError == "" || status.Behind == 0 {
		w.Errorf("%+v instead of the event %v", status, poison)
	}
	attempts := w.service.Attempts()
	if !w.subject.Collapses {
		later = append(later, w.cause(1)...)
	}
	w.pass(24 * time.Hour)
	if again := w.service.Attempts(); again != attempts {
		w.Errorf("a failed consumer made %d attempts", again-attempts)
	}
	if err := w.store.Cursors.Retry(context.Background(), w.id, w.name, w.now()); err != nil {
		w.Fatal(err)
	}
	w.until("an attempt after the retry", func() bool { return w.service.Attempts() > attempts })
	w.until("a failed consumer", func() bool {
		w.pass(time.Hour)
		return w.status().State == messages.ConsumerFailed
	})
	if err := w.store.Cursors.Skip(context.Background(), w.id, w.name, status.Event, "ada", w.now()); err != nil {
		w.Fatal(err)
	}
	if w.subject.Collapses {
		later = w.cause(1)
	}
	w.accepts(later)
	if slices.Contains(w.service.Accepted(), poison[0]) {
		w.Error("the skipped event had its effect")
	}
}

func (w *world) provesPassivation() {
	w.service.Set(Dead, "")
	keys := w.cause(1)
	w.isState(messages.ConsumerRetrying)
	w.restart(100 * time.Millisecond)
	w.state() // loads the organization
	w.until("an organization that left memory", func() bool {
		w.pass(time.Second) // the idle time ends, and so do delays
		return w.organizations.Live() == 0
	})
	w.service.Set(Accepting, "")
	w.until("the effect after a wake", func() bool {
		w.pass(time.Minute)
		return len(w.service.Accepted()) > 0
	})
	w.accepts(keys)
}

func (w *world) provesReplay() {
	keys := w.cause(4)
	w.accepts(keys)
	w.until("no pending work", func() bool { return w.set.Stats()[w.consumer()].Children == 0 })
	view, err := w.organizations.View(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	epoch := uint64(0)
	if w.subject.Epoch != nil {
		epoch = w.subject.Epoch(view.State)
	}
	if w.subject.Epoch == nil { // its effects are removed with their contents
		return
	}
	status := w.status()
	from := status.Sequence - 3
	if err := w.store.Cursors.Rewind(context.Background(), w.id, w.name, from, view.Sequence, epoch, w.now()); err != nil {
		w.Fatal(err)
	}
	w.organizations.Wake(w.id, w.name)
	w.until("the repetition", func() bool { return len(w.service.Accepted()) > len(keys) })
	w.until("all repetitions", func() bool {
		counts := map[string]int{}
		for _, key := range w.service.Accepted() {
			counts[key]++
		}
		return !slices.ContainsFunc(keys, func(key string) bool { return counts[key] < 2 })
	})
	for _, key := range w.service.Accepted() {
		if !slices.Contains(keys, key) {
			w.Errorf("a replay sent the unknown id %s", key)
		}
	}
}

// provesReplayDuringClear accepts a replay between the last round and the removal of the alarm. The message to the consumer is lost.
func (w *world) provesReplayDuringClear() {
	if w.subject.Epoch == nil { // no replay
		return
	}
	keys := w.cause(3)
	w.accepts(keys)
	w.until("no pending work", func() bool { return w.set.Stats()[w.consumer()].Children == 0 })
	state := w.state()
	from, epoch := w.status().Sequence-2, w.subject.Epoch(state)
	replay := func() {
		if err := w.store.Cursors.Rewind(context.Background(), w.id, w.name, from, from+3, epoch, w.now()); err != nil {
			w.Errorf("replay: %v", err)
		}
	}
	w.beforeClear.Store(&replay)
	keys = append(keys, w.cause(1)...)
	w.accepts(keys)
	w.until("all repetitions", func() bool {
		if w.beforeClear.Load() == nil {
			w.pass(time.Second) // the lease of the alarm ends
		}
		return len(w.service.Accepted()) >= 2*len(keys)
	})
}

func (w *world) consumer() string { return w.status().Name }

func (w *world) provesIdle() {
	w.accepts(w.cause(1))
	w.until("no child", func() bool { return w.set.Stats()[w.consumer()].Children == 0 })
	w.until("no alarm", func() bool {
		_, alarm, err := w.store.Cursors.Load(context.Background(), w.id, w.name)
		if err != nil {
			w.Fatal(err)
		}
		if w.subject.Recurring {
			return alarm.DueAt.After(w.now())
		}
		return alarm.Last == 0
	})
	if status := w.status(); status.Behind != 0 || status.State != messages.ConsumerOK {
		w.Errorf("%+v", status)
	}
	w.accepts(w.cause(2)) // a new child starts where the last one ended
	if got := len(w.service.Accepted()); got != 3 && !w.subject.Collapses {
		w.Errorf("%d effects of 3 events", got)
	}
	cursor, _, err := w.store.Cursors.Load(context.Background(), w.id, w.name)
	cursor.Version += 7
	if err == nil {
		err = w.store.Cursors.Save(context.Background(), w.id, w.name, cursor, nil)
	}
	if !errors.Is(err, messages.ErrCursorMoved) {
		w.Errorf("a stale cursor was stored: %v", err)
	}
}

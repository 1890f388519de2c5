package hook_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/app"
	"equity/features/hook"
	"equity/features/hook/token"
	"equity/hooks"
	"equity/messages"
	"equity/organization"
	"equity/persistence/storetest"
)

// runner records exchanges and answers them.
type runner struct {
	answer func(ctx context.Context, request hook.RunRequest) (hooks.Result, error)

	mu       sync.Mutex
	requests []hook.RunRequest
}

func (r *runner) Run(ctx context.Context, request hook.RunRequest) (hooks.Result, error) {
	r.mu.Lock()
	r.requests = append(r.requests, request)
	r.mu.Unlock()
	if r.answer == nil {
		return hooks.Result{Status: "ok", Summary: "done", Reply: "the reply"}, nil
	}
	return r.answer(ctx, request)
}

func (r *runner) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.requests)
}

// chat records deliveries.
type chat struct {
	mu    sync.Mutex
	posts []string
	err   error
}

func (c *chat) Deliver(_ context.Context, _ organization.ID, _, to, text string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.posts = append(c.posts, to+": "+text)
	return "", c.err
}

// world is a server with one organization.
type world struct {
	*testing.T
	address       string
	organizations *actors.Organizations
	store         *hook.Store
	intake        *hook.Intake
	runner        *runner
	chat          *chat
	id            organization.ID
	stop          func()
}

func setup(t *testing.T, r *runner) *world {
	t.Helper()
	w := &world{T: t, address: storetest.SQLite(t), runner: r, chat: &chat{}, id: consumertest.NewID()}
	w.start()
	_, err := w.organizations.Do(context.Background(), messages.Command{Organization: w.id, At: time.Now(), By: "tester", Body: organization.Create{
		ID: w.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: consumertest.NewID(), Entity: consumertest.NewID(), Name: "Fay"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// start starts the parts like a new process.
func (w *world) start() {
	w.Helper()
	store, log := consumertest.Open(w.T, w.address), slog.New(slog.DiscardHandler)
	w.store = hook.NewStore(store.Database)
	if err := store.Database.Lock(); err != nil {
		w.Fatal(err)
	}
	if err := w.store.Recover(context.Background(), time.Now()); err != nil {
		w.Fatal(err)
	}
	var organizations atomic.Pointer[actors.Organizations] // of this process; runs that end later still use it
	wake := func(id organization.ID, name string) { organizations.Load().Wake(id, name) }
	tested := hook.NewConsumer(hook.Options{
		Store: w.store, Runner: w.runner, Deliver: func() app.Deliver { return w.chat.Deliver }, Wake: wake, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: log,
	})
	intake, schema := hook.NewIntake(w.store, hook.Limits{}, wake, log), organization.NewSchema(token.Extension())
	w.intake = intake
	w.organizations = actors.NewOrganizations(system.New(log), store.Journal, actors.Settings{
		Schema:         schema,
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second,
		Consumers: consumer.NewSet(schema, store.Cursors, time.Now, log, tested), Now: time.Now, NewID: consumertest.NewID,
	}, log)
	organizations.Store(w.organizations)
	clock := consumer.NewClock(context.Background(), store.Cursors, w.organizations.Wake, time.Now, log)
	running := w.organizations
	w.stop = sync.OnceFunc(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := running.Stop(ctx); err != nil {
			w.Error(err)
		}
		intake.Close()
		tested.Stop()
		if err := store.Database.Close(); err != nil {
			w.Error(err)
		}
	})
	w.Cleanup(w.stop)
}

// agent requests a run.
func (w *world) agent(change func(*hooks.Agent)) string {
	w.Helper()
	id := uuid.NewString()
	a := &hooks.Agent{
		Source: hooks.Source{Organization: w.id}, RunID: id, Message: "m", Name: "Email", WakeMode: hooks.Now, SessionKey: "hook:" + id,
		Deliver: true, Channel: "last",
	}
	if change != nil {
		change(a)
	}
	receipt, err := hook.Pass(context.Background(), w.organizations, w.intake, hook.Hook{ID: a.RunID, At: time.Now(), Agent: a})
	if err != nil {
		w.Fatal(err)
	}
	return receipt.ID
}

// ended waits for the end of the run.
func (w *world) ended(id string) hook.Run {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		for _, run := range w.session().Runs {
			if run.RunID == id && !run.EndedAt.IsZero() {
				return run
			}
		}
		if time.Now().After(deadline) {
			w.Fatal("the run did not end")
		}
		<-time.After(5 * time.Millisecond) // polls other goroutines
	}
}

func (w *world) session() hook.Session {
	w.Helper()
	session, err := w.store.Session(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	return session
}

func (w *world) events() (texts []string) {
	w.Helper()
	for _, event := range w.session().Events {
		texts = append(texts, event.Text)
	}
	return texts
}

func TestRunPostsItsSummaryAndReply(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{})
	seconds := int64(7)
	run := w.ended(w.agent(func(a *hooks.Agent) {
		a.Model, a.Thinking, a.To, a.TimeoutSeconds, a.Agent = "p/m", "low", "town", &seconds, "hooks"
	}))
	if run.Status != "ok" || run.Summary != "done" || !run.Delivered || run.Reason != "" {
		t.Errorf("%+v", run)
	}
	if got := w.events(); !slices.Equal(got, []string{"Hook Email: done"}) {
		t.Errorf("%q", got)
	}
	if w.session().HeartbeatRequestedAt.IsZero() || !slices.Equal(w.chat.posts, []string{"town: the reply"}) {
		t.Errorf("%q", w.chat.posts)
	}
	want := hook.RunRequest{
		Source: run.Source, RunID: run.RunID, SessionKey: run.SessionKey, Agent: "hooks", Name: "Email", Message: "m", Model: "p/m", Thinking: "low",
		Timeout: 7 * time.Second,
	}
	if w.runner.requests[0] != want {
		t.Errorf("%+v", w.runner.requests[0])
	}
}

func TestNextHeartbeatRequestsNone(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{})
	w.ended(w.agent(func(a *hooks.Agent) { a.WakeMode = hooks.NextHeartbeat }))
	if session := w.session(); !session.HeartbeatRequestedAt.IsZero() || len(session.Events) != 1 {
		t.Errorf("%+v", session)
	}
}

func TestSummariesOfFailedRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result hooks.Result
		err    error
		want   string
	}{
		"error":         {err: errors.New("boom"), want: "Hook Email (error): boom"},
		"status":        {result: hooks.Result{Status: "skipped", Error: " why "}, want: "Hook Email (skipped): why"},
		"only status":   {result: hooks.Result{Status: "error"}, want: "Hook Email (error): error"},
		"blank summary": {result: hooks.Result{Status: "ok", Summary: " "}, want: "Hook Email: ok"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (hooks.Result, error) { return c.result, c.err }})
			run := w.ended(w.agent(nil))
			if got := w.events(); !slices.Equal(got, []string{c.want}) || run.Delivered {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestPanicOfARunIsItsError(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (hooks.Result, error) { panic("boom") }})
	if run := w.ended(w.agent(nil)); run.Status != "error" {
		t.Errorf("%+v", run)
	}
}

func TestReasonsForNoDelivery(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*hooks.Agent)
		reply  string
		posts  int
		reason string
	}{
		"deliver is false":           {func(a *hooks.Agent) { a.Deliver = false }, "text", 0, hook.ReasonNotRequested},
		"another channel":            {func(a *hooks.Agent) { a.Channel = "slack" }, "text", 0, app.DeliveryNotConfigured},
		"only an acknowledgement":    {nil, " HEARTBEAT_OK ", 0, hook.ReasonHeartbeatOnly},
		"a short acknowledgement":    {nil, "HEARTBEAT_OK " + strings.Repeat("a", 300), 0, hook.ReasonHeartbeatOnly},
		"an acknowledgement behind":  {nil, "all is well. HEARTBEAT_OK", 0, hook.ReasonHeartbeatOnly},
		"a long text with the words": {nil, "HEARTBEAT_OK " + strings.Repeat("a", 301), 1, ""},
		"the words in between":       {nil, "it is HEARTBEAT_OK today", 1, ""},
		"no reply":                   {nil, " ", 0, hook.ReasonNoReply},
		"mattermost":                 {func(a *hooks.Agent) { a.Channel = "mattermost" }, "text", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (hooks.Result, error) {
				return hooks.Result{Status: "ok", Summary: "s", Reply: c.reply}, nil
			}})
			run := w.ended(w.agent(c.change))
			if run.Reason != c.reason || run.Delivered != (c.reason == "") || len(w.chat.posts) != c.posts || !slices.Equal(w.events(), []string{"Hook Email: s"}) {
				t.Errorf("%+v %q", run, w.chat.posts)
			}
		})
	}
}

func TestInterruptedRunHappensAfterTheRestart(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	var once sync.Once
	r := &runner{answer: func(ctx context.Context, _ hook.RunRequest) (hooks.Result, error) {
		once.Do(func() { close(started) })
		<-ctx.Done()
		return hooks.Result{}, ctx.Err()
	}}
	w := setup(t, r)
	first, second := w.agent(nil), w.agent(nil)
	<-started
	w.stop()
	r.answer = nil
	w.start()
	w.ended(first)
	w.ended(second)
	if got := w.events(); !slices.Equal(got, []string{"Hook Email: done", "Hook Email: done"}) {
		t.Errorf("%q", got)
	}
}

func TestRunsOfOneSessionFollowEachOther(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	active := map[string]int{}
	overlap := false
	w := setup(t, &runner{answer: func(_ context.Context, request hook.RunRequest) (hooks.Result, error) {
		mu.Lock()
		active[request.SessionKey]++
		overlap = overlap || active[request.SessionKey] > 1
		mu.Unlock()
		<-time.After(10 * time.Millisecond) // lets others overlap
		mu.Lock()
		active[request.SessionKey]--
		mu.Unlock()
		return hooks.Result{Status: "ok", Summary: request.Message}, nil
	}})
	var ids []string
	var want []string
	for i := range 6 {
		text := strconv.Itoa(i)
		ids = append(ids, w.agent(func(a *hooks.Agent) { a.SessionKey, a.Message = "one", text }))
		want = append(want, "Hook Email: "+text)
	}
	for _, id := range ids {
		w.ended(id)
	}
	if got := w.events(); overlap || !slices.Equal(got, want) {
		t.Errorf("overlap %v, %q", overlap, got)
	}
}

func TestRepetitionStartsNoSecondRun(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{})
	same := func(a *hooks.Agent) { a.Repetition = [32]byte{1} }
	first := w.agent(same)
	w.ended(first)
	if again := w.agent(same); again != first || w.runner.count() != 1 {
		t.Errorf("%s and %s, %d runs", first, again, w.runner.count())
	}
}

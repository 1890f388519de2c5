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
	"equity/actors/hook"
	"equity/actors/system"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// runner records exchanges and answers them.
type runner struct {
	answer func(ctx context.Context, request hook.RunRequest) (messages.HookResult, error)

	mu       sync.Mutex
	requests []hook.RunRequest
}

func (r *runner) Run(ctx context.Context, request hook.RunRequest) (messages.HookResult, error) {
	r.mu.Lock()
	r.requests = append(r.requests, request)
	r.mu.Unlock()
	if r.answer == nil {
		return messages.HookResult{Status: "ok", Summary: "done", Reply: "the reply"}, nil
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
	hooks         *persistence.Hooks
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
	w.hooks = persistence.NewHooks(store.Database)
	if err := store.Database.Lock(); err != nil {
		w.Fatal(err)
	}
	if err := w.hooks.Recover(context.Background(), time.Now()); err != nil {
		w.Fatal(err)
	}
	var organizations atomic.Pointer[actors.Organizations] // of this process; runs that end later still use it
	wake := func(id organization.ID, name string) { organizations.Load().Wake(id, name) }
	tested := hook.NewConsumer(hook.Options{
		Store: w.hooks, Tokens: w.hooks, Runner: w.runner, Deliverer: w.chat, Wake: wake, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: log,
	})
	intake := hook.NewIntake(w.hooks, hook.Limits{}, wake, log)
	w.organizations = actors.NewOrganizations(system.New(log), store.Journal, actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second, Hooks: intake,
		Consumers: consumer.NewSet(organization.NewSchema(), store.Cursors, time.Now, log, tested), Now: time.Now, NewID: consumertest.NewID,
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
func (w *world) agent(change func(*messages.HookAgent)) string {
	w.Helper()
	id := uuid.NewString()
	a := &messages.HookAgent{
		HookSource: messages.HookSource{Organization: w.id}, RunID: id, Message: "m", Name: "Email", WakeMode: messages.HookNow, SessionKey: "hook:" + id,
		Deliver: true, Channel: "last",
	}
	if change != nil {
		change(a)
	}
	receipt, err := w.organizations.Hook(context.Background(), messages.Hook{ID: a.RunID, At: time.Now(), Agent: a})
	if err != nil {
		w.Fatal(err)
	}
	return receipt.ID
}

// ended waits for the end of the run.
func (w *world) ended(id string) messages.HookRun {
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

func (w *world) session() messages.HookSession {
	w.Helper()
	session, err := w.hooks.Session(context.Background(), w.id)
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
	run := w.ended(w.agent(func(a *messages.HookAgent) {
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
		Source: run.HookSource, RunID: run.RunID, SessionKey: run.SessionKey, Agent: "hooks", Name: "Email", Message: "m", Model: "p/m", Thinking: "low",
		Timeout: 7 * time.Second,
	}
	if w.runner.requests[0] != want {
		t.Errorf("%+v", w.runner.requests[0])
	}
}

func TestNextHeartbeatRequestsNone(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{})
	w.ended(w.agent(func(a *messages.HookAgent) { a.WakeMode = messages.HookNextHeartbeat }))
	if session := w.session(); !session.HeartbeatRequestedAt.IsZero() || len(session.Events) != 1 {
		t.Errorf("%+v", session)
	}
}

func TestSummariesOfFailedRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result messages.HookResult
		err    error
		want   string
	}{
		"error":         {err: errors.New("boom"), want: "Hook Email (error): boom"},
		"status":        {result: messages.HookResult{Status: "skipped", Error: " why "}, want: "Hook Email (skipped): why"},
		"only status":   {result: messages.HookResult{Status: "error"}, want: "Hook Email (error): error"},
		"blank summary": {result: messages.HookResult{Status: "ok", Summary: " "}, want: "Hook Email: ok"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (messages.HookResult, error) { return c.result, c.err }})
			run := w.ended(w.agent(nil))
			if got := w.events(); !slices.Equal(got, []string{c.want}) || run.Delivered {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestPanicOfARunIsItsError(t *testing.T) {
	t.Parallel()
	w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (messages.HookResult, error) { panic("boom") }})
	if run := w.ended(w.agent(nil)); run.Status != "error" {
		t.Errorf("%+v", run)
	}
}

func TestReasonsForNoDelivery(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*messages.HookAgent)
		reply  string
		posts  int
		reason string
	}{
		"deliver is false":           {func(a *messages.HookAgent) { a.Deliver = false }, "text", 0, messages.HookNotRequested},
		"another channel":            {func(a *messages.HookAgent) { a.Channel = "slack" }, "text", 0, messages.HookNotConfigured},
		"only an acknowledgement":    {nil, " HEARTBEAT_OK ", 0, messages.HookHeartbeatOnly},
		"a short acknowledgement":    {nil, "HEARTBEAT_OK " + strings.Repeat("a", 300), 0, messages.HookHeartbeatOnly},
		"an acknowledgement behind":  {nil, "all is well. HEARTBEAT_OK", 0, messages.HookHeartbeatOnly},
		"a long text with the words": {nil, "HEARTBEAT_OK " + strings.Repeat("a", 301), 1, ""},
		"the words in between":       {nil, "it is HEARTBEAT_OK today", 1, ""},
		"no reply":                   {nil, " ", 0, messages.HookNoReply},
		"mattermost":                 {func(a *messages.HookAgent) { a.Channel = "mattermost" }, "text", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t, &runner{answer: func(context.Context, hook.RunRequest) (messages.HookResult, error) {
				return messages.HookResult{Status: "ok", Summary: "s", Reply: c.reply}, nil
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
	r := &runner{answer: func(ctx context.Context, _ hook.RunRequest) (messages.HookResult, error) {
		once.Do(func() { close(started) })
		<-ctx.Done()
		return messages.HookResult{}, ctx.Err()
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
	w := setup(t, &runner{answer: func(_ context.Context, request hook.RunRequest) (messages.HookResult, error) {
		mu.Lock()
		active[request.SessionKey]++
		overlap = overlap || active[request.SessionKey] > 1
		mu.Unlock()
		<-time.After(10 * time.Millisecond) // lets others overlap
		mu.Lock()
		active[request.SessionKey]--
		mu.Unlock()
		return messages.HookResult{Status: "ok", Summary: request.Message}, nil
	}})
	var ids []string
	var want []string
	for i := range 6 {
		text := strconv.Itoa(i)
		ids = append(ids, w.agent(func(a *messages.HookAgent) { a.SessionKey, a.Message = "one", text }))
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
	same := func(a *messages.HookAgent) { a.Repetition = [32]byte{1} }
	first := w.agent(same)
	w.ended(first)
	if again := w.agent(same); again != first || w.runner.count() != 1 {
		t.Errorf("%s and %s, %d runs", first, again, w.runner.count())
	}
}

// groups counts the transactions of an intake.
type groups struct {
	mu     sync.Mutex
	sizes  []int
	gate   chan struct{}
	refuse string
}

func (g *groups) Accept(_ context.Context, hooks []messages.Hook, _ []messages.CallWindow) (receipts []messages.HookReceipt, err error) {
	<-g.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sizes = append(g.sizes, len(hooks))
	for _, h := range hooks {
		if h.ID == g.refuse {
			return nil, errors.New("refused")
		}
		receipts = append(receipts, messages.HookReceipt{ID: h.ID})
	}
	return receipts, nil
}

func TestIntakeStoresWaitingHooksTogether(t *testing.T) {
	t.Parallel()
	g := &groups{gate: make(chan struct{}, 1000), refuse: "7"}
	intake := hook.NewIntake(g, hook.Limits{}, func(organization.ID, string) {}, slog.New(slog.DiscardHandler))
	var answered sync.WaitGroup
	var mu sync.Mutex
	failed := 0
	for i := range 100 {
		answered.Add(1)
		id := strconv.Itoa(i)
		intake.Accept(messages.Hook{ID: id, Wake: &messages.HookWake{}}, func(receipt messages.HookReceipt, err error) {
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
			} else if receipt.ID != id {
				t.Errorf("%s received the receipt of %s", id, receipt.ID)
			}
			answered.Done()
		})
	}
	for range cap(g.gate) {
		g.gate <- struct{}{}
	}
	answered.Wait()
	if failed != 1 || slices.Max(g.sizes) < 50 {
		t.Errorf("%d failed, groups %v", failed, g.sizes)
	}
	intake.Close()
	intake.Accept(messages.Hook{Wake: &messages.HookWake{}}, func(_ messages.HookReceipt, err error) {
		if !errors.Is(err, messages.ErrUnavailable) {
			t.Errorf("after the end: %v", err)
		}
	})
}

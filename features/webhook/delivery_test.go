package webhook_test

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/features/webhook"
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// bundle is a server with one organization and one webhook.
type bundle struct {
	*testing.T
	store         consumertest.Store
	deliveries    *webhook.Store
	settings      actors.Settings
	slots         *consumer.Slots
	organizations *actors.Organizations
	engine        *webhook.Engine
	stop          func()
	id            organization.ID
	offset        atomic.Int64

	mu       sync.Mutex
	status   int
	slow     time.Duration // of each answer
	endless  bool          // answers have bodies without an end
	hanging  int           // number of the next requests without an answer
	released chan struct{} // closed when they get their answers
	accepted atomic.Int64  // bytes of endless bodies that the connection accepted
	received []http.Header
	bodies   []string
	roles    int
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.offset.Load())) }

// workingPath is a path that always answers 200.
const workingPath = "/working"

// ServeHTTP records the request and answers with the status.
func (b *bundle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.URL.Path == workingPath {
		return
	}
	if b.endless {
		b.write(w)
		return
	}
	b.mu.Lock()
	b.received, b.bodies = append(b.received, r.Header.Clone()), append(b.bodies, string(body))
	if b.slow > 0 {
		b.mu.Unlock()
		<-time.After(b.slow)
		b.mu.Lock()
	}
	hangs := b.hanging > 0
	if b.hanging--; hangs {
		b.mu.Unlock()
		select {
		case <-b.released:
		case <-r.Context().Done():
		}
		return
	}
	defer b.mu.Unlock()
	if b.status == http.StatusFound {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
		return
	}
	w.WriteHeader(b.status)
}

// write writes a body until the connection accepts no more.
func (b *bundle) write(w http.ResponseWriter) {
	part := make([]byte, 16<<10)
	for {
		written, err := w.Write(part)
		b.accepted.Add(int64(written))
		if err != nil {
			return
		}
	}
}

func (b *bundle) answer(status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.status = status
}

// ids returns the ids of the received events in order.
func (b *bundle) ids() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, header := range b.received {
		all = append(all, header.Get("Webhook-Id"))
	}
	return all
}

func setup(t *testing.T, changes ...func(*actors.Settings)) *bundle {
	t.Helper()
	b := &bundle{T: t, store: consumertest.Open(t, storetest.SQLite(t)), status: http.StatusOK, released: make(chan struct{})}
	b.slots = consumer.NewSlots(b.now)
	server := httptest.NewServer(b)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	b.deliveries = webhook.NewStore(b.store.Database)
	b.settings = actors.Settings{
		Schema:         schema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second, Now: b.now, NewID: consumertest.NewID,
	}
	for _, change := range changes {
		change(&b.settings)
	}
	b.start()
	t.Cleanup(func() { b.stop() })
	b.found()
	for _, command := range prepare(server.URL) {
		b.do(command)
	}
	return b
}

// start starts a server on the store.
func (b *bundle) start() {
	log := slog.New(slog.DiscardHandler)
	tested := newConsumer(b.store, b.now, func() *actors.Organizations { return b.organizations }, b.slots)
	b.settings.Consumers = consumer.NewSet(schema(), b.store.Cursors, b.now, log, tested)
	b.settings.Consumers.Yield(b.slots)
	organizations := actors.NewOrganizations(system.New(log), b.store.Journal, b.settings, log)
	b.organizations = organizations
	b.engine = webhook.NewEngine(tested, persistence.NewConsumers(b.store.Database), webhook.Rules{AllowPlain: true, AllowPrivate: true},
		organizations.Wake, rand.Reader)
	clock := consumer.NewClock(context.Background(), b.store.Cursors, organizations.Wake, b.now, log)
	b.stop = func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := organizations.Stop(ctx); err != nil {
			b.Error(err)
		}
	}
}

// found creates another organization, which the following calls use.
func (b *bundle) found() {
	b.Helper()
	b.id = consumertest.NewID()
	b.do(messages.Command{Body: organization.Create{
		ID: b.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: author(), Entity: consumertest.NewID(), Name: "Fay"},
	}})
}

func (b *bundle) do(command messages.Command) messages.Reply {
	b.Helper()
	command.Organization, command.At, command.By = b.id, b.now(), author().String()
	reply, err := b.organizations.Do(context.Background(), command)
	if err != nil {
		b.Fatal(err)
	}
	return reply
}

// role causes one event and returns its id.
func (b *bundle) role() string {
	b.Helper()
	b.roles++
	reply := b.do(messages.Command{Body: organization.CreateRole{RoleTerms: organization.RoleTerms{
		Name: "Role " + strings.Repeat("I", b.roles), Permissions: organization.NewPermissions(organization.ViewSelf),
	}}})
	return webhook.EventID(b.id, reply.Sequence, 0)
}

func (b *bundle) view() *messages.View {
	b.Helper()
	view, err := b.organizations.View(context.Background(), b.id)
	if err != nil {
		b.Fatal(err)
	}
	return view
}

func (b *bundle) until(claim string, reached func() bool) {
	b.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			status, err := b.store.Cursors.Status(context.Background(), b.id)
			b.Fatalf("%s: not reached; received %v, status %+v %v", claim, b.ids(), status, err)
		}
		<-time.After(5 * time.Millisecond) // polls other goroutines
	}
}

// isFailing reports whether the time of the first failure is stored. It is stored after the delivery.
func (b *bundle) isFailing() bool {
	b.Helper()
	all, err := b.store.Cursors.Status(context.Background(), b.id)
	if err != nil {
		b.Fatal(err)
	}
	return slices.ContainsFunc(all, func(s messages.ConsumerStatus) bool { return !s.FailingSince.IsZero() })
}

func (b *bundle) delivery(event string) webhook.Delivery {
	b.Helper()
	found, _, err := b.deliveries.Find(context.Background(), b.id, endpoint.Name(hookID()), event)
	if err != nil {
		b.Fatal(err)
	}
	return found
}

func TestEventHasSixAttemptsAtTheTimesOfTheSchedule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answer(http.StatusFound) // a redirect is a failure, and is not followed
	event := b.role()
	for attempt, delay := range []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 24 * time.Hour} {
		b.until("an attempt", func() bool { return b.delivery(event).Attempts == attempt+1 })
		d := b.delivery(event)
		if wait := d.NextAttemptAt.Sub(d.AttemptedAt); wait < delay || wait > delay+5*time.Second || d.State != webhook.DeliveryRetrying {
			t.Errorf("after attempt %d: %+v", d.Attempts, d)
		}
		b.offset.Add(int64(d.NextAttemptAt.Sub(b.now()) + time.Second))
	}
	b.until("the end", func() bool { return b.delivery(event).State == webhook.DeliveryFailed })
	if d := b.delivery(event); d.Attempts != 6 || d.StatusCode != http.StatusFound || d.Body != nil {
		t.Errorf("%+v", d)
	}
	for _, id := range b.ids() {
		if id != event {
			t.Errorf("an attempt has the id %s", id)
		}
	}
}

func TestEndlessAnswerIsNotRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.endless = true
	event := b.role()
	b.until("the delivery", func() bool { return b.delivery(event).State == webhook.DeliveryDelivered })
	const buffers = 32 << 20 // of the connection; a reader without a limit takes more in any second
	if d, accepted := b.delivery(event), b.accepted.Load(); d.Attempts != 1 || accepted > buffers {
		t.Errorf("%d bytes were accepted; %+v", accepted, d)
	}
}

func TestGoneDisablesTheWebhookAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answer(http.StatusGone)
	b.role()
	b.until("a disabled webhook", func() bool {
		found, _ := endpoint.Of(b.view().State).Get(hookID())
		return !found.Active
	})
	missed := b.role()
	b.answer(http.StatusOK)
	b.do(messages.Command{Body: endpoint.Change{ID: hookID(), Patch: []byte(`{"active":true}`)}})
	event := b.role()
	b.until("the event after the start", func() bool { return b.delivery(event).State == webhook.DeliveryDelivered })
	if d := b.delivery(missed); d.Attempts != 0 {
		t.Errorf("an event of the time in between was sent: %+v", d)
	}
}

func TestThreeDaysOfFailuresDisableTheWebhook(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answer(http.StatusInternalServerError)
	b.role()
	b.until("a failure whose time is stored", b.isFailing)
	b.offset.Add(int64(73 * time.Hour))
	b.until("a disabled webhook", func() bool {
		found, _ := endpoint.Of(b.view().State).Get(hookID())
		return !found.Active && found.DisabledReason != ""
	})
}

func TestReplayedDeliveryHasTheSameIDAndBody(t *testing.T) {
	t.Parallel()
	b := setup(t)
	event := b.role()
	b.until("the delivery", func() bool { return b.delivery(event).State == webhook.DeliveryDelivered })
	b.role()
	if err := b.engine.ReplayDelivery(t.Context(), b.view(), hookID(), event); err != nil {
		t.Fatal(err)
	}
	count := func() (number int) {
		for _, id := range b.ids() {
			if id == event {
				number++
			}
		}
		return number
	}
	b.until("the repetition", func() bool { return count() == 2 })
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, body := range b.bodies {
		if strings.Contains(body, event) && body != b.bodies[0] {
			t.Errorf("%s\ninstead of\n%s", body, b.bodies[0])
		}
	}
}

func TestTestEventIsSentAtOnceAndRotationSignsTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	secret, sealed, err := b.engine.Rotated(t.Context(), b.view().State.ID(), hookID())
	if err != nil || !strings.HasPrefix(secret, "whsec_") {
		t.Fatalf("%q %v", secret, err)
	}
	rotation := messages.Command{Body: endpoint.RotateSecret{ID: hookID()}, Sealed: []messages.Sealed{sealed}}
	rotation.Organization, rotation.By, rotation.At = b.view().State.ID(), author().String(), b.now()
	if _, err := b.organizations.Do(t.Context(), rotation); err != nil {
		t.Fatal(err)
	}
	d, err := b.engine.Test(t.Context(), b.view(), hookID())
	if err != nil || d.State != webhook.DeliveryDelivered || d.StatusCode != http.StatusOK {
		t.Fatalf("%+v %v", d, err)
	}
	b.offset.Add(int64(25 * time.Hour))
	if _, err := b.engine.Test(t.Context(), b.view(), hookID()); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, want := range []int{2, 1} {
		if n := strings.Count(b.received[i].Get("Service-Signature"), "v1="); n != want {
			t.Errorf("request %d has %d signatures", i, n)
		}
	}
}

// resolver resolves every name to one address.
type resolver struct{ address string }

func (r resolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(r.address)}, nil
}

func TestInvalidAndPrivateURLsAreRefused(t *testing.T) {
	t.Parallel()
	public, private := resolver{"93.184.216.34"}, resolver{"10.0.0.1"}
	for _, c := range []struct {
		url      string
		resolver resolver
		ok       bool
	}{
		{"https://a.example/hook?x=1", public, true},
		{"http://a.example", public, false},
		{"https://user@a.example", public, false},
		{"https://a.example/#part", public, false},
		{"https://", public, false},
		{"ftp://a.example", public, false},
		{"https://a.example", private, false},
		{"https://127.0.0.1", public, false},
		{"https://[::ffff:10.0.0.1]", public, false},
		{"https://[fe80::1%25eth0]/", public, false},
	} {
		if err := (webhook.Rules{Resolver: c.resolver}).Check(t.Context(), c.url); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}

func TestConnectionToAPrivateAddressIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	guarded := webhook.NewConsumer(webhook.Options{
		Store: b.deliveries, Secrets: persistence.NewSealed(b.store.Database), Breakers: consumer.NewBreakers(b.now), Now: b.now,
	})
	d, err := webhook.NewEngine(guarded, nil, webhook.Rules{}, nil, rand.Reader).Test(t.Context(), b.view(), hookID())
	if err != nil || d.State != webhook.DeliveryFailed || !strings.Contains(d.Failure, "not public") {
		t.Errorf("%+v %v", d, err)
	}
	if got := b.ids(); len(got) != 0 {
		t.Errorf("received %v", got)
	}
}

func TestFailedEventIsRepeatedAfterALaterSuccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.answer(http.StatusServiceUnavailable)
	failed := b.role()
	b.until("the first attempt", func() bool { return b.delivery(failed).State == webhook.DeliveryRetrying })
	b.answer(http.StatusOK)
	later := b.role()
	b.until("the later event", func() bool { return b.delivery(later).State == webhook.DeliveryDelivered })
	b.offset.Add(int64(time.Minute))
	b.until("the second attempt", func() bool { return b.delivery(failed).State == webhook.DeliveryDelivered })
	if d := b.delivery(failed); d.Attempts != 2 {
		t.Errorf("%+v", d)
	}
}

// fails causes events whose first attempts fail, and returns them.
func (b *bundle) fails(number int) (events []string) {
	b.Helper()
	b.answer(http.StatusServiceUnavailable)
	for range number {
		event := b.role()
		b.until("a failed attempt", func() bool { return b.delivery(event).Attempts == 1 })
		events = append(events, event)
	}
	return events
}

func TestFirstAttemptStartsAtOnceAfterFailures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	events := b.fails(4)
	for repetition, delay := range []time.Duration{time.Minute, 5 * time.Minute} {
		b.offset.Add(int64(delay + time.Second))
		for _, event := range events { // a recorded attempt has the time of the next one, which the clock must not pass before
			b.until("a failed repetition", func() bool { return b.delivery(event).Attempts == repetition+2 })
		}
	}
	b.answer(http.StatusOK)
	begin := time.Now()
	event := b.role()
	b.until("the first attempt", func() bool { return b.delivery(event).State == webhook.DeliveryDelivered })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the first attempt waited for %s", waited)
	}
}

func TestOpenAddressIsProbedWithTheOldestFirstAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.fails(5)
	var waiting []string
	for range 3 {
		waiting = append(waiting, b.role())
	}
	b.offset.Add(int64(31 * time.Second))
	b.until("the probe", func() bool { return b.delivery(waiting[0]).Attempts == 1 })
	b.answer(http.StatusOK)
	b.offset.Add(int64(31 * time.Second)) // no repetition is due yet, except the first
	b.until("the second probe", func() bool { return b.delivery(waiting[1]).State == webhook.DeliveryDelivered })
	b.until("the next event without a further probe", func() bool { return b.delivery(waiting[2]).State == webhook.DeliveryDelivered })
}

func TestFailuresOfAnotherPathOfTheHostDelayNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.addWorking()
	b.fails(5)
	begin := time.Now()
	event := b.role()
	b.until("the event at the other path", func() bool { return b.isDelivered(other, event) })
	if waited := time.Since(begin); waited > 5*time.Second {
		t.Errorf("the first attempt waited for %s", waited)
	}
}

// addWorking adds a webhook with a path that always answers.
func (b *bundle) addWorking() endpoint.ID {
	b.Helper()
	other := endpoint.ID{8, 8}
	_, secret, err := b.engine.Secret(other)
	if err != nil {
		b.Fatal(err)
	}
	found, _ := endpoint.Of(b.view().State).Get(hookID())
	terms := endpoint.Terms{URL: found.URL + workingPath, Events: []string{"role.created"}, Active: true}
	b.do(messages.Command{Body: endpoint.Create{ID: other, Terms: terms}, Sealed: []messages.Sealed{secret}})
	return other
}

func (b *bundle) isDelivered(to endpoint.ID, event string) bool {
	b.Helper()
	d, _, err := b.deliveries.Find(context.Background(), b.id, endpoint.Name(to), event)
	if err != nil {
		b.Fatal(err)
	}
	return d.State == webhook.DeliveryDelivered
}

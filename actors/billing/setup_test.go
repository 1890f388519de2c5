package billing_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/billing"
	"equity/actors/billing/stripetest"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// bundle is a server with one organization and a fake of the provider.
type bundle struct {
	*testing.T
	offset        atomic.Int64 // of the clock
	stripe        *stripetest.Server
	client        *billing.Client
	db            *persistence.Database
	billing       *persistence.Billing
	inbox         *persistence.BillingInbox
	organizations *actors.Organizations
	consumer      *billing.Consumer
	engine        *billing.Engine
	receiver      *billing.Receiver
	courier       *billing.Courier
	reminders     *reminders
	random        *rand.Rand
	id            organization.ID
	class         captable.SecurityID
}

// reminders records reminders.
type reminders struct {
	mu   sync.Mutex
	days []int
}

func (r *reminders) Inform(_ context.Context, _ *messages.View, _, _, text string) error {
	_, since, _ := strings.Cut(text, "unpaid since ")
	days, _, _ := strings.Cut(since, " days")
	day, err := strconv.Atoi(days)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.days = append(r.days, day)
	return err
}

func (r *reminders) sent() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]int{}, r.days...)
}

func (b *bundle) now() time.Time { return time.Now().Add(time.Duration(b.offset.Load())) }

// pass moves the clock.
func (b *bundle) pass(d time.Duration) { b.offset.Add(int64(d)) }

// setup starts a server on the embedded store.
func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, reminders: &reminders{}, random: rand.New(rand.NewPCG(1, 2))}
	b.db = storetest.Open(t, storetest.Engines()["sqlite"](t))
	b.billing, b.inbox = persistence.NewBilling(b.db), persistence.NewBillingInbox(b.db)
	b.stripe = stripetest.New(t, b.now)
	b.client = client(t, b.stripe.URL, b.now)
	log, cursors := slog.New(slog.DiscardHandler), persistence.NewConsumers(b.db)
	b.consumer = billing.NewConsumer(billing.Options{
		Client: b.client, Store: b.billing, Inbox: b.inbox, Owners: b.reminders,
		Organizations: func() billing.Organizations { return b.organizations }, Grace: 14 * 24 * time.Hour, Now: b.now,
	})
	b.organizations = actors.NewOrganizations(system.New(log), storetest.OpenJournal(t, b.db), actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: 1000 * time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 30 * time.Second,
		Consumers: consumer.NewSet(organization.NewSchema(), cursors, b.now, log, b.consumer), StartLimits: b.consumer.StartLimits,
		Now: b.now, NewID: consumertest.NewID,
	}, log)
	waker := billing.NewWaker(cursors, b.organizations.Wake, b.now)
	b.engine = billing.NewEngine(b.consumer, waker, "https://equity.example")
	b.courier = billing.NewCourier(b.inbox, waker, log)
	b.receiver = billing.NewReceiver([]string{"whsec_next", stripetest.Secret}, b.client, b.inbox, b.courier.Knock, b.now)
	clock := consumer.NewClock(context.Background(), cursors, b.organizations.Wake, b.now, log)
	t.Cleanup(func() {
		clock.Stop()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := b.organizations.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	b.found()
	return b
}

func (b *bundle) found() {
	b.Helper()
	b.id = consumertest.NewID()
	founder := organization.UserID(consumertest.NewID())
	b.do(organization.Create{
		ID: b.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: founder, Entity: captable.EntityID(founder), Name: "Fay"},
	})
	events := b.do(organization.Table{Command: captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
	}}})
	created, _ := events[0].(organization.TableEvent).Event.(captable.SecurityCreated)
	b.class = created.ID
}

func (b *bundle) do(command organization.Command) []organization.Event {
	b.Helper()
	reply, err := b.try(command)
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	return reply.Events
}

func (b *bundle) try(command organization.Command) (messages.Reply, error) {
	b.Helper()
	return b.organizations.Do(context.Background(), messages.Command{Organization: b.id, By: "tester", At: b.now(), Body: command})
}

// holder adds a member and returns a command that issues shares to it.
func (b *bundle) holder(number int) organization.Command {
	b.Helper()
	events := b.do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Holder " + strconv.Itoa(number)}})
	added, _ := events[0].(organization.MemberAdded)
	return organization.Table{Command: captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: added.Member.Entity}, Security: b.class, Shares: exact.NewDecimal(10),
		IssueDate: exact.DateOf(b.now().UTC()),
	}}
}

// subscribe subscribes the organization to the plan growth, as a completed checkout does, and returns the id of the subscription at the provider.
func (b *bundle) subscribe() (subscription string) {
	b.Helper()
	customer := b.stripe.AddCustomer(b.id.String())
	if err := b.billing.AddCustomer(
		context.Background(), messages.BillingCustomer{Organization: b.id, Customer: customer, CreatedAt: b.now(), ReconciledAt: b.now()},
	); err != nil {
		b.Fatal(err)
	}
	subscription = b.stripe.Subscribe(customer, "growth", 1)
	b.deliver(stripetest.Delivery{})
	b.until("the subscription", func() bool { return b.subscription() != nil })
	return subscription
}

// deliver passes the events of the provider to the receiver, and assigns them.
func (b *bundle) deliver(how stripetest.Delivery) {
	b.Helper()
	for _, event := range b.stripe.Take(how, b.random) {
		if err := b.receiver.Receive(context.Background(), event.Body, event.Signed(stripetest.Secret, b.now())); err != nil {
			b.Fatal(err)
		}
	}
	if err := b.courier.Deliver(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func (b *bundle) view() *messages.View {
	b.Helper()
	view, err := b.organizations.View(context.Background(), b.id)
	if err != nil {
		b.Fatal(err)
	}
	return view
}

// subscription returns the recorded subscription, or nil.
func (b *bundle) subscription() *organization.Subscription {
	b.Helper()
	found, _ := b.view().State.Subscription()
	return found
}

// recorded returns the number of events of the type in the journal.
func (b *bundle) recorded(eventType string) (number int) {
	b.Helper()
	err := b.organizations.Source().Scan(context.Background(), b.id, 0, 0, func(row messages.Row) error {
		if row.Type == eventType {
			number++
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return number
}

// until waits for a condition that the program reaches by itself, while the clock moves a little.
func (b *bundle) until(claim string, reached func() bool) {
	b.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			status, err := persistence.NewConsumers(b.db).Status(context.Background(), b.id)
			b.Fatalf("%s: not reached; %+v, %v", claim, status, err)
		}
		b.pass(50 * time.Millisecond)
		select { // polls other goroutines, which have no event to wait for
		case <-b.Context().Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// looked waits until no received event is pending.
func (b *bundle) looked() {
	b.Helper()
	b.until("all events looked at", func() bool {
		pending, err := b.inbox.Pending(context.Background(), b.id, 1)
		return err == nil && len(pending) == 0
	})
}

package bench

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/system"
	"equity/actors/webhook"
	"equity/captable"
	"equity/captable/exact"
	equityhttp "equity/http"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// consumed measures the consumers of journals in this process, without HTTP requests of callers.
type consumed struct {
	db      *persistence.Database
	journal *persistence.Journal
	options Options
	log     *slog.Logger
}

// consumers measures the cost of broken services for writes, the throughput of webhooks, and the catch-up of a consumer.
func consumers(ctx context.Context, o Options) (rows []row, err error) {
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
	m := &consumed{db, journal, o, slog.New(slog.DiscardHandler)}
	for _, measure := range []func(context.Context) (row, error){m.deadWebhook, m.hangingBilling, m.hangingChat, m.delivery, m.catchUp} {
		measured, err := measure(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, measured)
	}
	return rows, nil
}

// noOwners discards notices.
type noOwners struct{}

func (noOwners) WebhookDisabled(context.Context, *messages.View, *organization.Webhook, string) error {
	return nil
}

// start starts actors with the webhook consumer and, if given, others.
func (m *consumed) start(ctx context.Context, further ...consumer.Consumer) (organizations *actors.Organizations, stop func() error) {
	cursors := persistence.NewConsumers(m.db)
	hooks := webhook.NewConsumer(webhook.Options{
		Store: persistence.NewDeliveries(m.db), Secrets: persistence.NewSealed(m.db), Owners: noOwners{}, Records: equityhttp.Records{},
		Breakers: consumer.NewBreakers(time.Now), Version: "bench", AllowPrivate: true, Now: time.Now,
		Commands: func() webhook.Commands { return organizations },
		Source:   func() consumer.Source { return organizations.Source() },
	})
	settings := reviver{}.settings()
	settings.Consumers = consumer.NewSet(organization.NewSchema(), cursors, time.Now, m.log, append(further, hooks)...)
	organizations = actors.NewOrganizations(system.New(m.log), m.journal, settings, m.log)
	clock := consumer.NewClock(ctx, cursors, organizations.Wake, time.Now, m.log)
	return organizations, func() error {
		clock.Stop()
		return organizations.Stop(context.WithoutCancel(ctx))
	}
}

// hooked is a company with a webhook.
type hooked struct {
	*seeder
	security captable.SecurityID
	holders  []captable.EntityID
}

// company creates a company with a webhook, unless the address is empty.
func (m *consumed) company(ctx context.Context, address string) (hooked, error) {
	s := newSeeder(m.journal)
	founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
	security, holders, err := s.company(founder, "Hooked", 10)
	if err != nil || address == "" {
		return hooked{s, security, holders}, errorsOf(err, s.flush())
	}
	id := organization.WebhookID(newID())
	s.author = founder.User // a webhook has the rights of its author
	_, err = s.do(organization.CreateWebhook{ID: id, WebhookTerms: organization.WebhookTerms{URL: address, Active: true}})
	if err == nil {
		_, value, failed := webhook.NewEngine(nil, nil, webhook.Rules{}, nil, zeros{}).Secret(id)
		err = errorsOf(failed, persistence.NewSealed(m.db).Put(ctx, s.id, value, time.Now()))
	}
	return hooked{s, security, holders}, errorsOf(err, s.flush())
}

func errorsOf(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// zeros is a source of a known secret.
type zeros struct{}

func (zeros) Read(into []byte) (int, error) {
	clear(into)
	return len(into), nil
}

// write issues shares with so many callers for the duration of a measurement, and returns the rate.
func (m *consumed) write(ctx context.Context, organizations *actors.Organizations, to hooked, callers int) (float64, error) {
	var issued atomic.Int64
	var failed atomic.Pointer[error]
	var group sync.WaitGroup
	begin := time.Now()
	until := begin.Add(time.Duration(m.options.Seconds * float64(time.Second)))
	for range callers {
		group.Go(func() {
			for time.Now().Before(until) && failed.Load() == nil {
				command := messages.With(messages.Command{Organization: to.id, By: "system:bench", At: time.Now()}, organization.TableCommand(captable.IssueShareholding{
					HolderRef: captable.HolderRef{Entity: to.holders[0]}, Security: to.security, Shares: exact.NewDecimal(1),
					IssueDate: exact.DateOf(time.Now()),
				}))
				if _, err := organizations.Do(ctx, command); err != nil {
					failed.Store(&err)
					return
				}
				issued.Add(1)
			}
		})
	}
	group.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return float64(issued.Load()) / time.Since(begin).Seconds(), nil
}

// received counts the requests of webhooks.
type received struct{ number atomic.Int64 }

func (r *received) ServeHTTP(http.ResponseWriter, *http.Request) { r.number.Add(1) }

// delivery measures the rate at which a backlog of events reaches a local receiver.
func (m *consumed) delivery(ctx context.Context) (row, error) {
	const backlog = 10_000
	receiver := &received{}
	server := httptest.NewServer(receiver)
	defer server.Close()
	var rates []float64
	for range m.options.Rounds {
		to, err := m.company(ctx, server.URL)
		if err != nil {
			return row{}, err
		}
		first := to.last
		if err := to.issue(to.security, to.holders, first+backlog); err != nil {
			return row{}, err
		}
		organizations, stop := m.start(ctx)
		view, err := organizations.View(ctx, to.id)
		if err != nil {
			return row{}, err
		}
		found := view.State.Webhooks()[0]
		name := "webhook/" + organization.WebhookName(found.ID)
		receiver.number.Store(0)
		if err := persistence.NewConsumers(m.db).Rewind(ctx, to.id, name, first+1, view.Sequence, found.Since, time.Now()); err != nil {
			return row{}, err
		}
		begin := time.Now()
		organizations.Wake(to.id, name)
		wanted := int64(view.Sequence - first) //nolint:gosec // about the backlog
		for receiver.number.Load() < wanted && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		rates = append(rates, float64(wanted)/time.Since(begin).Seconds())
		if err := stop(); err != nil {
			return row{}, err
		}
	}
	return row{what: "events delivered to a local webhook", ours: median(rates), unit: "events/s", reach: "≥ 2000"}, nil
}

// counting is a consumer whose effect is a count.
type counting struct{ number atomic.Int64 }

func (*counting) Name() string                                             { return "counting" }
func (*counting) Limits() consumer.Limits                                  { return consumer.Limits{Chunk: 10_000} }
func (*counting) Wants(_ *organization.State, _ string, each func(string)) { each("") }
func (c *counting) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, 10_000)
	c.number.Add(int64(len(events)))
	return consumer.Outcome{Done: len(events), Succeeded: len(events) > 0, Err: err}
}

// catchUp compares a new consumer that reads a whole journal with a bare scan.
func (m *consumed) catchUp(ctx context.Context) (row, error) {
	to, err := m.company(ctx, "")
	if err != nil {
		return row{}, err
	}
	if err := to.issue(to.security, to.holders, m.options.Events); err != nil {
		return row{}, err
	}
	var ours, theirs []float64
	for range m.options.Rounds {
		begin, scanned := time.Now(), 0
		err := m.journal.Scan(ctx, to.id, 0, 0, func(messages.Row) error {
			scanned++
			return nil
		})
		if err != nil {
			return row{}, err
		}
		theirs = append(theirs, time.Since(begin).Seconds())
		counted := &counting{}
		organizations, stop := m.start(ctx, counted)
		view, err := organizations.View(ctx, to.id)
		if err != nil {
			return row{}, err
		}
		cursors := persistence.NewConsumers(m.db)
		if err := cursors.Rewind(ctx, to.id, "counting", 1, view.Sequence, 0, time.Now()); err != nil {
			return row{}, err
		}
		begin = time.Now()
		organizations.Wake(to.id, "counting")
		for counted.number.Load() < int64(scanned) && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		ours = append(ours, time.Since(begin).Seconds())
		if err := stop(); err != nil {
			return row{}, err
		}
	}
	return ratio(fmt.Sprintf("catch-up of a consumer, %s events", number(float64(m.options.Events))), "s", "≤ 3×", ours, theirs), nil
}

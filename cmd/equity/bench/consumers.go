package bench

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
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
	"equity/app"
	"equity/captable"
	"equity/captable/exact"
	"equity/config"
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
	measures := []func(context.Context) (row, error){m.hangingBilling, m.catchUp}
	if o.Schema.Knows(chatTeamLinked) {
		measures = append(measures, m.hangingChat)
	}
	if o.Schema.Knows(webhookCreated) {
		measures = append(measures, m.deadWebhook, m.delivery)
	}
	for _, measure := range measures {
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

// Inform discards the mail.
func (noOwners) Inform(context.Context, *messages.View, string, string, string) error { return nil }

// lateOrganizations are the organizations for consumers, which are created before them.
type lateOrganizations struct{ *actors.Organizations }

// start starts actors with the consumers of the rooms and, if given, others.
func (m *consumed) start(ctx context.Context, further ...consumer.Consumer) (*actors.Organizations, func() error, error) {
	settings, err := m.options.Settings(nil)
	if err != nil {
		return nil, nil, err
	}
	return m.startWith(ctx, settings, further...)
}

// startWith is the variant of start with other settings of the rooms.
func (m *consumed) startWith(
	ctx context.Context, config config.Config, further ...consumer.Consumer,
) (*actors.Organizations, func() error, error) {
	late, cursors := &lateOrganizations{}, persistence.NewConsumers(m.db)
	rooms, err := m.options.Rooms(app.Core{
		Config: config, Database: m.db, Organizations: late, Records: equityhttp.Records{}, Owners: noOwners{},
		Users: persistence.NewUsers(m.db), Memberships: m.journal, Breakers: consumer.NewBreakers(time.Now), ContractDate: "bench", Log: m.log,
		Now: time.Now, NewID: newID, Random: rand.Reader,
	})
	if err != nil {
		return nil, nil, err
	}
	for _, room := range rooms {
		further = append(further, room.Consumers...)
	}
	settings := reviver{schema: m.options.Schema}.settings()
	settings.Consumers = consumer.NewSet(m.options.Schema, cursors, time.Now, m.log, further...)
	organizations := actors.NewOrganizations(system.New(m.log), m.journal, settings, m.log)
	late.Organizations = organizations
	clock := consumer.NewClock(ctx, cursors, organizations.Wake, time.Now, m.log)
	return organizations, func() error {
		clock.Stop()
		return organizations.Stop(context.WithoutCancel(ctx))
	}, nil
}

// hooked is a company with a webhook.
type hooked struct {
	*seeder
	security captable.SecurityID
	holders  []captable.EntityID
	// consumer is the instance of the consumer for the webhook; empty without one. since is the sequence of its creation.
	consumer string
	since    uint64
}

// webhookCreated is the event that creates a webhook. Programs without webhooks do not know it.
const webhookCreated = "webhookCreated"

// recorded is a command with a known event.
type recorded struct{ event organization.Event }

// Decide returns the event.
func (c recorded) Decide(*organization.State, organization.DecideContext) ([]organization.Event, error) {
	return []organization.Event{c.event}, nil
}

// company creates a company with a webhook, unless the address is empty.
func (m *consumed) company(ctx context.Context, address string) (hooked, error) {
	s := newSeeder(m.journal, m.options.Schema)
	founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
	security, holders, err := s.company(founder, "Hooked", 10)
	made := hooked{seeder: s, security: security, holders: holders}
	if err == nil && address != "" {
		err = m.hook(ctx, &made, founder.User, address)
	}
	return made, errorsOf(err, s.flush())
}

// hook creates a webhook with the rights of the author and a known secret.
func (m *consumed) hook(ctx context.Context, of *hooked, author organization.UserID, address string) error {
	id := newID()
	payload, err := json.Marshal(map[string]any{
		"id": captable.ID[any](id), "terms": map[string]any{"url": address, "events": []string{"*"}, "active": true},
		"rights": of.state.RightsOf(author),
	})
	if err != nil {
		return err
	}
	event, err := m.options.Schema.Decode(webhookCreated, payload)
	if err != nil {
		return err
	}
	of.author = author
	if _, err := of.do(recorded{event}); err != nil {
		return err
	}
	of.consumer, of.since = "webhook/wh_"+hex.EncodeToString(id[:]), of.last
	secret := `{"current":"whsec_` + base64.StdEncoding.EncodeToString(make([]byte, 32)) + `"}`
	return persistence.NewSealed(m.db).Put(ctx, of.id, messages.Sealed{Name: of.consumer, Value: []byte(secret)}, time.Now())
}

func errorsOf(first, second error) error {
	if first != nil {
		return first
	}
	return second
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
		organizations, stop, err := m.start(ctx)
		if err != nil {
			return row{}, err
		}
		view, err := organizations.View(ctx, to.id)
		if err != nil {
			return row{}, err
		}
		receiver.number.Store(0)
		if err := persistence.NewConsumers(m.db).Rewind(ctx, to.id, to.consumer, first+1, view.Sequence, to.since, time.Now()); err != nil {
			return row{}, err
		}
		begin := time.Now()
		organizations.Wake(to.id, to.consumer)
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
		organizations, stop, err := m.start(ctx, counted)
		if err != nil {
			return row{}, err
		}
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

package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/features/webhook/endpoint"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// Options are the dependencies of the consumer.
type Options struct {
	Store         *Store
	Secrets       *persistence.Sealed
	Owners        app.Owners
	Records       app.Records
	Organizations app.Organizations
	Breakers      *consumer.Breakers
	// Slots bound the work of the processors; nil for no bound.
	Slots *consumer.Slots
	// Version is the date of the contract, for the field api_version.
	Version      string
	AllowPrivate bool
	Now          func() time.Time
}

// Consumer sends events to webhooks. Each webhook is an instance.
type Consumer struct {
	Options
	sender     *sender
	translator *translator
}

// NewConsumer returns the consumer.
func NewConsumer(o Options) *Consumer {
	return &Consumer{
		Options:    o,
		sender:     &sender{newClient(o.AllowPrivate), o.Breakers, o.Slots, newFlights(), o.Now},
		translator: &translator{o.Records, o.Version},
	}
}

// The limits of a round, and the time without a success after which a webhook is turned off.
const (
	chunk        = 128
	disableAfter = 72 * time.Hour
	consumerName = endpoint.ExtensionName
)

// Name returns webhook.
func (*Consumer) Name() string { return consumerName }

// Limits returns the constants. Attempts are not bounded here: each event has its schedule, and an address without a success is
// turned off.
func (*Consumer) Limits() consumer.Limits {
	return consumer.Limits{Chunk: chunk, States: true, OwnPace: true}
}

// Wants selects the webhooks that select a type of event that the row can cause.
func (*Consumer) Wants(state *organization.State, eventType string, each func(string)) {
	for _, webhook := range endpoint.Of(state).All() {
		selected := webhook.Selects("journal." + eventType)
		for _, caused := range types(eventType) {
			selected = selected || webhook.Selects(caused)
		}
		if selected {
			each(endpoint.Name(webhook.ID))
		}
	}
}

// Since returns the sequence at which the webhook was turned on.
func (*Consumer) Since(state *organization.State, instance string) uint64 {
	if id, ok := endpoint.ParseName(instance); ok {
		if webhook, ok := endpoint.Of(state).Get(id); ok {
			return webhook.Since
		}
	}
	return 0
}

// Handle sends scheduled deliveries and new events.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	id, _ := endpoint.ParseName(work.Instance)
	view, err := c.Organizations.View(ctx, work.Organization)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	webhook, exists := endpoint.Of(view.State).Get(id)
	if !exists || !webhook.Active {
		return c.end(ctx, work, exists)
	}
	r := &delivering{Consumer: c, work: work, view: view, webhook: webhook}
	var member bool
	if r.audience, member = audienceOf(work.Schema, view.State, webhook); !member {
		return r.disable(ctx, consumer.Outcome{}, withoutAuthor(view.State, webhook))
	}
	secrets, err := c.secrets(ctx, work.Organization, id)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	r.to = newTarget(work.Organization, work.Instance, webhook.URL, secrets)
	return r.run(ctx)
}

// end gives the deliveries of a webhook up that is off or deleted.
func (c *Consumer) end(ctx context.Context, work consumer.Work, exists bool) consumer.Outcome {
	c.sender.flights.end(flightKey(work.Organization, work.Instance))
	if err := c.Store.GiveUp(ctx, work.Organization, work.Instance); err != nil {
		return consumer.Outcome{Err: err}
	}
	if !exists {
		if err := c.Secrets.Remove(ctx, work.Organization, secretName(work.Instance)); err != nil {
			return consumer.Outcome{Err: err}
		}
	}
	return consumer.Outcome{Ended: true}
}

// delivering is one round of one webhook.
type delivering struct {
	*Consumer
	work     consumer.Work
	view     *messages.View
	webhook  *endpoint.Webhook
	audience audience
	to       target
}

func (r *delivering) run(ctx context.Context) consumer.Outcome {
	sent, err := r.begin(ctx)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	open := r.Breakers.OpenUntil(r.to.service)
	if sent.refused, sent.crowded = open.After(r.Now()), len(
		r.sender.flights.underWay(r.to.webhook),
	) >= mostInFlight; sent.refused || sent.crowded {
		return r.settle(ctx, sent, nil, nil, 0)
	}
	pending, err := r.Store.Pending(ctx, r.work.Organization, r.work.Instance, chunk+1)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	due, later := r.due(pending)
	if pending, err = r.rebuild(ctx, due); err != nil {
		return consumer.Outcome{Err: err}
	}
	most := chunk
	if !open.IsZero() {
		most = 1 // the probe
	}
	events, err := r.work.Events(ctx, most)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	deliveries, owner, err := r.translate(ctx, pending, events)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	sent.send(ctx, deliveries)
	return r.settle(ctx, sent, owner, later, len(events))
}

// due divides deliveries into those to attempt now and those to attempt later. The repetition of an attempt that is under way follows its end.
func (r *delivering) due(pending []Delivery) (due, later []Delivery) {
	now, underWay := r.Now(), r.sender.flights.underWay(r.to.webhook)
	for _, d := range pending {
		end, flies := underWay[d.EventID]
		if flies && d.NextAttemptAt.Before(end) {
			d.NextAttemptAt = end
		}
		if flies || d.NextAttemptAt.After(now) || len(due) == chunk {
			later = append(later, d)
		} else {
			due = append(due, d)
		}
	}
	return due, later
}

// begin returns the attempts of the round, and stores the outcomes of attempts of earlier rounds. An outcome is not stored if the delivery was
// changed meanwhile: a user requested another attempt.
func (r *delivering) begin(ctx context.Context) (*sending, error) {
	in, instance := r.work.Organization, r.work.Instance
	s := &sending{sender: r.sender, to: r.to, landed: func() { r.Organizations.Wake(in, consumerName+"/"+instance) }}
	var outcomes []Delivery
	for _, one := range r.sender.flights.collect(r.to.webhook) {
		s.add(&one.delivery, one.failure)
		stored, found, err := r.Store.Find(ctx, in, instance, one.delivery.EventID)
		if err != nil {
			return nil, err
		}
		if found && stored.NextAttemptAt.Equal(one.repeated) {
			outcomes = append(outcomes, one.delivery)
		}
	}
	return s, r.Store.Record(context.WithoutCancel(ctx), in, outcomes)
}

// translate returns the deliveries in the order of their attempts: those that a user requested, those of the events, and the repetitions. For
// each of them, owner is the number of events that are complete before it is.
func (r *delivering) translate(
	ctx context.Context, pending []Delivery, events []consumer.Event,
) (deliveries []Delivery, owner []int, err error) {
	var repetitions []Delivery
	for _, d := range pending {
		if d.Attempts > 0 {
			repetitions = append(repetitions, d)
			continue
		}
		deliveries, owner = append(deliveries, d), append(owner, 0)
	}
	leave, err := r.Slots.Enter(ctx, consumer.WorkTime)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	now := r.Now()
	for i := range events {
		made, err := r.translator.messages(r.webhook, &r.audience, &events[i])
		if err != nil {
			return nil, nil, err
		}
		for _, m := range made {
			deliveries = append(deliveries, Delivery{
				Webhook: r.work.Instance, EventID: m.id, EventType: m.eventType, Sequence: events[i].Sequence,
				State: DeliveryPending, CreatedAt: now, Body: m.body,
			})
			owner = append(owner, i)
		}
	}
	for _, d := range repetitions {
		deliveries, owner = append(deliveries, d), append(owner, len(events))
	}
	return deliveries, owner, nil
}

// errWithheld is the failure of a delivery that the audience of the webhook may not receive any more.
var errWithheld = errors.New("the member with whose rights the webhook acts may not read the record")

// rebuild restores the bodies of deliveries that a user requested again, and those of readers who may read less than before. It ends the
// deliveries that the audience may not receive, and returns the others.
func (r *delivering) rebuild(ctx context.Context, pending []Delivery) (sendable []Delivery, err error) {
	var withheld []Delivery
	for _, d := range pending {
		if d.Body != nil && r.audience.mayKeep() {
			sendable = append(sendable, d)
			continue
		}
		d.Body, err = r.body(ctx, r.work.Organization, d.Sequence, d.EventID)
		switch {
		case errors.Is(err, errWithheld):
			d.State, d.Failure, d.NextAttemptAt, d.AttemptedAt = DeliveryFailed, errWithheld.Error(), time.Time{}, r.Now()
			withheld = append(withheld, d)
		case err != nil:
			return nil, err
		default:
			sendable = append(sendable, d)
		}
	}
	return sendable, r.Store.Record(ctx, r.work.Organization, withheld)
}

// settle stores the outcomes of the attempts, and turns the webhook off if necessary.
func (r *delivering) settle(
	ctx context.Context, sent *sending, owner []int, later []Delivery, events int,
) consumer.Outcome {
	deliveries := sent.deliveries
	out := consumer.Outcome{Done: events, Succeeded: sent.succeeded > 0}
	if sent.attempted < len(deliveries) {
		out.Done = owner[sent.attempted]
	}
	if err := r.Store.Record(context.WithoutCancel(ctx), r.work.Organization, deliveries[:sent.attempted]); err != nil {
		return consumer.Outcome{Err: err}
	}
	end := r.sender.flights.first(r.to.webhook) // the end of an attempt starts a round before
	if end.IsZero() {
		end = r.Now()
	}
	for i, d := range slices.Concat(deliveries, later) {
		at := d.NextAttemptAt
		if sent.crowded && i >= sent.attempted && i < len(deliveries) {
			at = end
		}
		if !at.IsZero() && (out.Next.IsZero() || at.Before(out.Next)) {
			out.Next = at
		}
	}
	switch {
	case sent.gone:
		return r.disable(ctx, out, "The address answered 410 Gone.")
	case sent.failed > 0 && sent.succeeded == 0 && r.failingFor() >= disableAfter:
		return r.disable(ctx, out, "The address accepted no event for three days.")
	case sent.failed > 0 && sent.succeeded == 0:
		out.Failure = errors.New(plain(sent.cause)) //nolint:err113 // the visible state contains the text only
	}
	switch {
	case sent.refused && (!out.Succeeded || len(deliveries) == 0):
		out.Next, out.Err = time.Time{}, consumer.Wait(cmp.Or(out.Failure, consumer.ErrOpen), r.probe())
	case sent.crowded && (out.Done < events || len(deliveries) == 0):
		out.Next, out.Later = end, end
	}
	return out
}

// probe returns the time of the next attempt at an open address.
func (r *delivering) probe() time.Time {
	const probing = time.Second // until the end of a probe that is under way
	open, soon := r.Breakers.OpenUntil(r.to.service), r.Now().Add(probing)
	switch end := r.sender.flights.first(r.to.webhook); {
	case open.After(soon):
		return open
	case !end.IsZero(): // it is the probe, and its end starts a round before
		return end
	default:
		return soon
	}
}

// failingFor returns the time since the first failure without a success.
func (r *delivering) failingFor() time.Duration {
	if r.work.Cursor.FailingSince.IsZero() {
		return 0
	}
	return r.Now().Sub(r.work.Cursor.FailingSince)
}

// disable turns the webhook off. The owners are informed first, so that a crash in between repeats the notice, which is stored
// once.
func (r *delivering) disable(ctx context.Context, out consumer.Outcome, reason string) consumer.Outcome {
	ctx = context.WithoutCancel(ctx)
	if err := r.inform(ctx, reason); err != nil {
		out.Err = err
		return out
	}
	_, err := r.Organizations.Do(ctx, messages.Command{
		Organization: r.work.Organization, By: "system:webhook", At: r.Now(),
		Body: endpoint.Disable{ID: r.webhook.ID, Reason: reason},
	})
	if err != nil {
		out.Err = err
		return out
	}
	return consumer.Outcome{Ended: true}
}

// inform stores a mail to the owners about the webhook that is turned off. There is one for each start of the webhook.
func (r *delivering) inform(ctx context.Context, reason string) error {
	name := endpoint.Name(r.webhook.ID)
	company := strings.Join(strings.Fields(r.view.State.Profile().Name), " ") // in one line
	return r.Owners.Inform(ctx, r.view, fmt.Sprintf("webhook %s %d", name, r.webhook.Since), "A webhook was turned off",
		"A webhook of "+company+" was turned off.\n\nWebhook: "+name+"\nReason: "+reason+"\n\n"+
			"Turn it on again when its address accepts events. Events in between are sent only by a replay.\n")
}

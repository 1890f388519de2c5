package billing

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	stripe "github.com/stripe/stripe-go/v85"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// Inbox stores received events.
type Inbox interface {
	// Pending returns at most limit events that the organization has to look at, the earliest first.
	Pending(ctx context.Context, id organization.ID, limit int) ([]messages.BillingEvent, error)
	// Done marks events after the query of the provider that they caused.
	Done(ctx context.Context, events []messages.BillingEvent) error
}

// Consumer sends the counts of organizations to the provider, looks at received events, reconciles daily and reminds owners of
// unpaid invoices.
type Consumer struct{ service }

// NewConsumer returns the consumer.
func NewConsumer(o Options) *Consumer {
	return &Consumer{service{o, &catalog{client: o.Client, now: o.Now}}}
}

// The constants of the consumer.
const (
	consumerName = "billing"
	chunk        = 1024
	inboxChunk   = 256
	// settleTime is the wait for further changes before the counts are sent.
	settleTime = 5 * time.Second
	// checkoutTime is the time in which a customer without a subscription is queried daily. A checkout ends after a day.
	checkoutTime  = 3 * day
	minutesOfADay = 24 * 60
)

// Name returns billing.
func (*Consumer) Name() string { return consumerName }

// StartLimits returns the last known limits of the smallest plan.
func (c *Consumer) StartLimits() organization.PlanLimits { return c.catalog.StartLimits() }

// Warm reads the products, so that their limits are known.
func (c *Consumer) Warm(ctx context.Context) error {
	_, err := c.catalog.all(ctx)
	return err
}

// Limits returns the constants. Attempts are not bounded, because the latest counts replace earlier ones.
func (*Consumer) Limits() consumer.Limits { return consumer.Limits{Chunk: chunk} }

// Wants selects the events that can change a count, while a subscription is billed.
func (*Consumer) Wants(state *organization.State, eventType string, each func(string)) {
	if subscription, exists := state.Subscription(); !exists || !subscription.Live() {
		return
	}
	switch eventType {
	case "subscriptionChanged", "memberAdded", "memberReturned", "memberRemoved", "securitySplit":
		each("")
		return
	}
	for _, prefix := range []string{"shareholding", "holding", "option"} {
		if strings.HasPrefix(eventType, prefix) {
			each("")
			return
		}
	}
}

// round is one round of one organization.
type round struct {
	*Consumer
	work     consumer.Work
	customer messages.BillingCustomer
	now      time.Time
	called   bool // the provider accepted a call
	// reconciles reports that the daily comparison is due.
	reconciles bool
}

// Handle looks at received events, reconciles, reminds and sends the counts, as far as each is due.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	customer, exists, err := c.Store.Customer(ctx, work.Organization)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	if !exists {
		events, err := work.Events(ctx, chunk)
		return consumer.Outcome{Done: len(events), Err: err}
	}
	r := &round{Consumer: c, work: work, customer: customer, now: c.Now()}
	more, err := r.inbox(ctx)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	reconciliation := r.nextReconciliation(customer.ReconciledAt)
	r.reconciles = !reconciliation.IsZero() && !reconciliation.After(r.now)
	if r.reconciles {
		if err := r.reconcile(ctx); err != nil {
			return consumer.Outcome{Err: err}
		}
		reconciliation = r.nextReconciliation(r.now)
	}
	reminder, err := r.remind(ctx)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	out := r.push(ctx)
	if r.reconciles && out.Err == nil {
		out.Err = r.Store.SetReconciled(ctx, r.work.Organization, r.now)
	}
	out.Next = earliest(reconciliation, reminder)
	if more {
		out.Next = r.now
	}
	if !out.Later.IsZero() {
		out.Later = earliest(out.Later, out.Next)
	}
	out.Succeeded = out.Err == nil && r.called
	return out
}

func earliest(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if first.IsZero() || !t.IsZero() && t.Before(first) {
			first = t
		}
	}
	return first
}

// inbox looks at the subscriptions and invoices of received events, each once. It reports whether further events are pending.
func (r *round) inbox(ctx context.Context) (more bool, err error) {
	events, err := r.Inbox.Pending(ctx, r.work.Organization, inboxChunk)
	if err != nil || len(events) == 0 {
		return false, err
	}
	var subscriptions, invoices []string
	for i := range events {
		subscriptions = append(subscriptions, events[i].Subscription)
		invoices = append(invoices, events[i].Invoice)
	}
	if err := r.lookAt(ctx, subscriptions, invoices); err != nil {
		return false, err
	}
	r.called = true
	return len(events) == inboxChunk, r.Inbox.Done(ctx, events)
}

func (r *round) lookAt(ctx context.Context, subscriptions, invoices []string) error {
	for _, id := range distinct(subscriptions) {
		if err := r.look(ctx, &r.customer, id, by); err != nil && !errors.Is(err, errOtherOwner) {
			return err
		}
	}
	for _, id := range distinct(invoices) {
		payment, customer, err := r.Client.invoice(ctx, r.work.Organization, id)
		switch {
		case missing(err):
			continue
		case err != nil:
			return err
		case payment == nil || customer != r.customer.Customer:
			continue
		}
		if err := r.do(ctx, r.work.Organization, *payment, by); err != nil {
			return err
		}
	}
	return nil
}

// distinct returns the different texts that are not empty.
func distinct(texts []string) []string {
	texts = slices.Clone(texts)
	slices.Sort(texts)
	texts = slices.Compact(texts)
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// nextReconciliation returns the first time of reconciliation after the last one; zero after the end of the subscription.
func (r *round) nextReconciliation(last time.Time) time.Time {
	subscription, exists := r.work.View.State.Subscription()
	open := exists && subscription.Live()
	recent := r.now.Sub(r.customer.CreatedAt) < checkoutTime || exists && r.now.Sub(subscription.UpdatedAt.Time()) < checkoutTime
	switch {
	case !open && !recent:
		return time.Time{}
	case last.IsZero():
		return r.now
	}
	id := r.work.Organization
	minute := (int(id[14])<<8 | int(id[15])) % minutesOfADay // the end of an id is random
	next := last.UTC().Truncate(day).Add(time.Duration(minute) * time.Minute)
	if !next.After(last) {
		next = next.Add(day)
	}
	return next
}

// reconcile compares the record with the provider. Push compares the counts.
func (r *round) reconcile(ctx context.Context) error {
	id, err := r.current(ctx, &r.customer, r.work.View.State)
	if err != nil {
		return err
	}
	if id != "" {
		if err := r.look(ctx, &r.customer, id, by); err != nil {
			return err
		}
		view, err := r.Organizations().View(ctx, r.work.Organization)
		if err != nil {
			return err
		}
		r.work.View = view
	}
	r.called = true
	return nil
}

// push sends the counts once for all pending events, after a wait for further ones.
func (r *round) push(ctx context.Context) consumer.Outcome {
	events, err := r.work.Events(ctx, chunk)
	switch {
	case err != nil:
		return consumer.Outcome{Err: err}
	case len(events) == 0 && r.reconciles: // an equal key within a day would have no effect at the provider
		key := strconv.FormatUint(r.work.View.Sequence, 10) + ":" + r.now.UTC().Format(time.DateOnly)
		return consumer.Outcome{Err: r.send(ctx, r.work.View, key, r.work.View.Sequence)}
	case len(events) == 0:
		return consumer.Outcome{}
	}
	if len(events) == chunk { // the last event stays, because further ones follow
		return consumer.Outcome{Done: chunk - 1}
	}
	last := &events[len(events)-1]
	if due := events[0].RecordedAt.Add(settleTime); due.After(r.now) {
		return consumer.Outcome{Later: due}
	}
	view := r.work.View
	if view.Sequence < last.Sequence { // the published view follows
		return consumer.Outcome{Later: r.now.Add(time.Second)}
	}
	if err := r.send(ctx, view, strconv.FormatUint(last.Sequence, 10), last.Sequence); err != nil {
		return consumer.Outcome{Err: err}
	}
	return consumer.Outcome{Done: len(events)}
}

// send sends the counts of the view, unless the provider has them.
func (r *round) send(ctx context.Context, view *messages.View, key string, sequence uint64) error {
	subscription, exists := view.State.Subscription()
	if !exists || !subscription.Live() || subscription.Status == organization.SubscriptionIncomplete || r.customer.Item == "" {
		return nil
	}
	counts := view.State.Counts()
	last, err := r.Store.Push(ctx, r.work.Organization)
	if err != nil {
		return err
	}
	billed := quantity(counts)
	if last.Members == counts.Members && int64(last.Quantity) == billed && int64(subscription.Quantity) == billed { //nolint:gosec // counts
		return nil
	}
	_, err = call(ctx, r.Client, func(ctx context.Context) (*stripe.SubscriptionItem, error) {
		params := &stripe.SubscriptionItemUpdateParams{
			Quantity: new(billed), ProrationBehavior: stripe.String("create_prorations"),
			Metadata: map[string]string{"members": strconv.Itoa(counts.Members)},
		}
		params.SetIdempotencyKey("count:" + r.work.Organization.String() + ":" + key)
		return r.Client.api.V1SubscriptionItems.Update(ctx, r.customer.Item, params)
	})
	if refused(err) {
		return r.refusedCounts(ctx, err)
	}
	if err != nil {
		return err
	}
	r.called = true
	return r.Store.SetPush(context.WithoutCancel(ctx), r.work.Organization, messages.BillingPush{
		Sequence: sequence, Counts: counts, Quantity: uint64(billed), PushedAt: r.now, //nolint:gosec // at least 1
	})
}

// refusedCounts looks at the subscription again, which may have ended. Otherwise a user must act.
func (r *round) refusedCounts(ctx context.Context, cause error) error {
	if err := r.look(ctx, &r.customer, r.customer.Subscription, by); err != nil {
		return err
	}
	view, err := r.Organizations().View(ctx, r.work.Organization)
	if err != nil {
		return err
	}
	if subscription, exists := view.State.Subscription(); exists && !subscription.Live() {
		return nil
	}
	return consumer.Permanent(cause)
}

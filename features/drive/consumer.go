package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"equity/actors/consumer"
	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
)

// Consumer copies documents from the drives of organizations: when a user requests it, and by its schedule.
type Consumer struct{ service }

// NewConsumer returns the consumer. It makes no call.
func NewConsumer(o Options) *Consumer { return &Consumer{service{Options: o}} }

// mostEvents is the number of events in one call.
const mostEvents = 100

// Name returns drive.
func (*Consumer) Name() string { return consumerName }

// Limits returns the constants. Attempts are not bounded: the synchronization continues when the drive is available again.
func (*Consumer) Limits() consumer.Limits { return consumer.Limits{Chunk: mostEvents, OwnPace: true} }

// Wants selects the events of the connection and of its configurations.
func (*Consumer) Wants(_ *organization.State, eventType string, each func(string)) {
	switch eventType {
	case (connection.Connected{}).EventType(), (connection.Disconnected{}).EventType(),
		(connection.SyncConfigured{}).EventType(), (connection.SyncChanged{}).EventType(), (connection.SyncRemoved{}).EventType():
		each("")
	}
}

// Handle follows the changes of the configurations, and continues the runs.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	done, published := 0, true
	if !work.Cursor.NextAttemptAt.After(c.Now()) {
		var err error
		if done, published, err = c.followEvents(ctx, work); err != nil {
			return consumer.Outcome{Err: err}
		}
	}
	if !published { // the events are durable, and published in a moment
		return consumer.Outcome{Later: c.Now().Add(consumer.PublishTime)}
	}
	out := c.serve(ctx, work.Organization)
	out.Done = done
	return out
}

// followEvents follows the pending events and returns their number. It returns false if the view does not contain them yet.
func (c *Consumer) followEvents(ctx context.Context, work consumer.Work) (done int, published bool, err error) {
	events, err := work.Events(ctx, mostEvents)
	if err != nil || len(events) == 0 {
		return 0, true, err
	}
	view, err := work.ViewSince(ctx, c.Organizations, events[len(events)-1].Sequence)
	if err != nil || view == nil {
		return 0, false, err
	}
	return len(events), true, c.follow(ctx, view, events)
}

// follow erases the tokens of ended connections, and the progress of removed configurations. A repetition is harmless.
func (c *Consumer) follow(ctx context.Context, view *messages.View, events []consumer.Event) error {
	for i := range events {
		var ended connection.Disconnected
		if events[i].Type != ended.EventType() {
			continue
		}
		if err := json.Unmarshal(events[i].Payload, &ended); err != nil {
			return consumer.Permanent(fmt.Errorf("read event: %w", err))
		}
		if err := c.release(ctx, view.State.ID(), ended.ID); err != nil {
			return err
		}
	}
	stored, err := c.Store.Syncs(ctx, view.State.ID())
	if err != nil {
		return err
	}
	if view, err = c.Organizations.View(ctx, view.State.ID()); err != nil { // contains all stored configurations
		return err
	}
	for id := range stored {
		if _, configured := connection.Of(view.State).Sync(id); configured {
			continue
		}
		if err := c.Store.Forget(ctx, view.State.ID(), id, c.Now()); err != nil {
			return err
		}
		c.ends.report(view.State.ID())
	}
	return nil
}

// serve continues the runs that are due, one after the other.
func (c *Consumer) serve(ctx context.Context, id organization.ID) (out consumer.Outcome) {
	for {
		view, err := c.Organizations.View(ctx, id)
		if err != nil {
			return consumer.Outcome{Err: err}
		}
		next, run, err := c.next(ctx, view)
		if err != nil {
			return consumer.Outcome{Err: err}
		}
		if out.Next = next; run == nil {
			return out
		}
		err = c.continueRun(ctx, run)
		c.ends.report(id)
		later, isLater := errors.AsType[*laterError](err)
		_, interrupted := errors.AsType[*interruptedError](err)
		switch {
		case err == nil:
			out.Succeeded = out.Succeeded || run.Status == RunSucceeded
		case errors.Is(err, errCancelled):
		case errors.Is(err, errAgain):
			out.Next = c.Now()
			return out
		case isLater:
			out.Next = later.at
			return out
		case interrupted:
			return consumer.Outcome{Err: consumer.Postpone(err, run.ResumeAt), Next: out.Next}
		default:
			return consumer.Outcome{Err: err, Next: out.Next}
		}
	}
}

// next returns the run to continue, or nil and the time of the next one.
func (c *Consumer) next(ctx context.Context, view *messages.View) (time.Time, *Run, error) {
	id, now := view.State.ID(), c.Now()
	account, connected, err := c.account(ctx, view)
	if err != nil {
		return time.Time{}, nil, err
	}
	if connected && !account.Refused {
		if err := c.schedule(ctx, view, now); err != nil {
			return time.Time{}, nil, err
		}
	}
	runs, err := c.Runs.OpenRuns(ctx, id)
	if err != nil {
		return time.Time{}, nil, err
	}
	var next time.Time
	earliest := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	for i := range runs {
		if !runs[i].ResumeAt.After(now) {
			return now, &runs[i], nil
		}
		earliest(runs[i].ResumeAt)
	}
	if !connected || account.Refused {
		return next, nil, nil
	}
	stored, err := c.Store.Syncs(ctx, id)
	if err != nil {
		return time.Time{}, nil, err
	}
	for _, config := range connection.Of(view.State).Syncs() {
		if one := stored[config.ID]; config.SyncEnabled && !one.NextAt.IsZero() {
			earliest(one.NextAt)
		}
	}
	return next, nil, nil
}

// schedule triggers the runs that are due by the schedule, and schedules new configurations.
func (c *Consumer) schedule(ctx context.Context, view *messages.View, now time.Time) error {
	id := view.State.ID()
	stored, err := c.Store.Syncs(ctx, id)
	if err != nil {
		return err
	}
	for _, config := range connection.Of(view.State).Syncs() {
		one, known := stored[config.ID]
		if !config.SyncEnabled || known && one.NextAt.After(now) {
			continue
		}
		if known && !one.NextAt.IsZero() {
			if _, err := c.Runs.Trigger(ctx, c.newRun(id, config.ID)); err != nil {
				return err
			}
		}
		one.Configuration, one.NextAt = config.ID, c.soon()
		if err := c.Store.SetSync(ctx, id, one); err != nil {
			return err
		}
	}
	return nil
}

// newRun returns a run that is triggered now.
func (s *service) newRun(id organization.ID, configuration connection.SyncID) Run {
	return Run{
		ID: s.NewID(), Organization: id, Configuration: configuration, Status: RunRunning, TriggeredAt: s.Now(),
	}
}

// continueRun executes the run until its end or the end of the round.
func (c *Consumer) continueRun(ctx context.Context, run *Run) error {
	view, err := c.Organizations.View(ctx, run.Organization) // contains the configuration of the run
	if err != nil {
		return err
	}
	config, configured := connection.Of(view.State).Sync(run.Configuration)
	if !configured {
		return c.Store.Forget(ctx, run.Organization, run.Configuration, c.Now())
	}
	stored, err := c.Store.Syncs(ctx, run.Organization)
	if err != nil {
		return err
	}
	r := &runner{config: config, run: run, sync: stored[config.ID], folders: map[string]*CopiedFile{}}
	r.sync.Configuration = config.ID
	account, connected, err := c.account(ctx, view)
	if err != nil {
		return err
	}
	if !connected {
		r.access = &access{service: &c.service}
		run.Status, run.CompletedAt = RunCancelled, c.Now()
		return r.save(ctx, nil, nil)
	}
	if r.access, err = c.open(account); err != nil {
		r.access, run.StartedAt = &access{service: &c.service}, c.Now()
		return r.end(ctx, codeReconnect)
	}
	return r.execute(ctx)
}

package hook

import (
	"context"
	"log/slog"
	"time"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// RunRequest is one exchange with the model. Its message is data, not an instruction of a user.
type RunRequest struct {
	// Source is the token that requested the run, with whose rights it reads.
	Source messages.HookSource
	RunID  string
	// SessionKey identifies the conversation. Runs of one session follow each other.
	SessionKey string
	// Agent is the configured agent; empty for the default.
	Agent    string
	Name     string
	Message  string
	Model    string
	Thinking string
	// Timeout is also the deadline of the context.
	Timeout time.Duration
}

// Runner executes exchanges.
type Runner interface {
	// Run returns the result of an exchange. An error ends the run with the status error. A repetition of a run has the same id.
	Run(ctx context.Context, request RunRequest) (messages.HookResult, error)
}

// Deliverer posts replies.
type Deliverer interface {
	// Deliver posts the text in the team of the organization: in the channel with the name, or in the channel "agent" if it is empty. It
	// returns an empty reason if the text was posted, or the reason for which it was not. A repetition with the key posts no second time.
	Deliver(ctx context.Context, id organization.ID, key, to, text string) (reason string, err error)
}

// Store stores runs.
type Store interface {
	// Due returns the oldest runs that have not ended and are not leased.
	Due(ctx context.Context, id organization.ID, now time.Time, limit int) ([]messages.HookRun, error)
	// Open reports whether a run has not ended.
	Open(ctx context.Context, id organization.ID) (bool, error)
	// Lease starts an attempt, and reports false if another server has started one.
	Lease(ctx context.Context, runID string, now, until time.Time) (bool, error)
	// Renew extends the lease of a run.
	Renew(ctx context.Context, runID string, until time.Time) error
	// Return ends the lease of a run without a result.
	Return(ctx context.Context, runID string) error
	// Finish stores the end of a run with its event, and reports false if it has ended already.
	Finish(ctx context.Context, run messages.HookRun, end messages.HookOutcome, now time.Time) (bool, error)
}

// Revoked removes tokens.
type Revoked interface {
	// RemoveToken removes the hash of a revoked token.
	RemoveToken(ctx context.Context, source messages.HookSource) error
}

// Options are the dependencies of the consumer.
type Options struct {
	Store  Store
	Tokens Revoked
	Runner Runner
	// Deliverer is nil without team chat.
	Deliverer Deliverer
	// Wake wakes the consumer of an organization. It does not wait.
	Wake  func(id organization.ID, name string)
	Now   func() time.Time
	NewID func() string
	Log   *slog.Logger
}

// Consumer executes the runs of hooks. It has one instance in each organization.
type Consumer struct {
	Options
	pool *pool
}

// NewConsumer returns the consumer. The caller stops it after the actors.
func NewConsumer(o Options) *Consumer { return &Consumer{Options: o, pool: newPool()} }

// The limits of a call.
const (
	chunk   = 100
	mostDue = 20
	retryIn = 5 * time.Second
)

// Name returns hook.
func (*Consumer) Name() string { return messages.HookConsumer }

// Limits returns the constants. The consumer runs whenever a hook arrives.
func (*Consumer) Limits() consumer.Limits { return consumer.Limits{Chunk: chunk} }

// Wants selects revoked tokens.
func (*Consumer) Wants(_ *organization.State, eventType string, each func(string)) {
	if eventType == (organization.HookTokenRevoked{}).EventType() {
		each("")
	}
}

// Handle removes revoked tokens and starts the runs that are due. Runs continue beside it.
func (c *Consumer) Handle(ctx context.Context, work consumer.Work) consumer.Outcome {
	events, err := work.Events(ctx, chunk)
	if err != nil {
		return consumer.Outcome{Err: err}
	}
	for i := range events {
		if err := c.removeToken(ctx, work, &events[i]); err != nil {
			return consumer.Outcome{Done: i, Err: err}
		}
	}
	next, err := c.startDue(ctx, work.Organization)
	return consumer.Outcome{Done: len(events), Succeeded: err == nil, Err: err, Next: next}
}

// removeToken removes the hash of the token of an event.
func (c *Consumer) removeToken(ctx context.Context, work consumer.Work, event *consumer.Event) error {
	decoded, err := work.Schema.Decode(event.Type, event.Payload)
	if err != nil {
		return consumer.Permanent(err)
	}
	if revoked, ok := decoded.(organization.HookTokenRevoked); ok {
		return c.Tokens.RemoveToken(ctx, messages.HookSource{Organization: work.Organization, Token: revoked.ID})
	}
	return nil
}

// startDue starts the due runs for which the organization has room, and returns the time of the next call.
func (c *Consumer) startDue(ctx context.Context, id organization.ID) (time.Time, error) {
	now := c.Now()
	due, err := c.Store.Due(ctx, id, now, mostDue)
	if err != nil {
		return time.Time{}, err
	}
	for i := range due {
		run := due[i]
		release, free := c.pool.enter(id, run.SessionKey)
		if !free {
			continue // the end of another run wakes the consumer
		}
		leased, err := c.Store.Lease(ctx, run.RunID, now, now.Add(leaseTime))
		if err != nil || !leased {
			release()
			if err != nil {
				return time.Time{}, err
			}
			continue
		}
		run.Attempts++
		c.pool.start(func(ctx context.Context) {
			defer func() {
				release()
				c.Wake(id, messages.HookConsumer)
			}()
			c.execute(ctx, run)
		})
	}
	open, err := c.Store.Open(ctx, id)
	if err != nil || !open {
		return time.Time{}, err
	}
	return now.Add(retryIn), nil // usually the end of a run wakes the consumer before
}

// Arrived wakes the consumer of an organization with new runs, unless all places for runs are taken. Then the end of another run or the
// stored alarm wakes it.
func (c *Consumer) Arrived(id organization.ID, name string) {
	if !c.pool.full(id) {
		c.Wake(id, name)
	}
}

// Stop interrupts the runs, which continue after the next start, and waits for them.
func (c *Consumer) Stop() { c.pool.stop() }

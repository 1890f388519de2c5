package actors

import (
	"context"
	"math/rand/v2"
	"time"

	"equity/actors/consumer"
	"equity/messages"
	"equity/organization"
)

// Journal is the event store of the actors.
type Journal interface {
	Ends

	// Append stores the batch and calls done exactly once, from any goroutine, with
	// nil or with one of the errors of package messages. It does not block.
	Append(batch messages.Append, done func(error))
	// Scan calls each for the rows following after up to upTo (0: to the end), in ascending order.
	Scan(ctx context.Context, org organization.ID, after, upTo uint64, each func(messages.Row) error) error
	// Keys calls each for the rows with an idempotency key recorded at or after since.
	Keys(ctx context.Context, org organization.ID, since time.Time, each func(key, fingerprint string, sequence uint64) error) error
	// SaveSnapshot stores a snapshot.
	SaveSnapshot(ctx context.Context, org organization.ID, snapshot messages.Snapshot) error
	// LoadSnapshot returns the latest snapshot with a sequence of at most atMost (0: the
	// latest of all). Its sequence is 0 if no snapshot exists.
	LoadSnapshot(ctx context.Context, org organization.ID, atMost uint64) (messages.Snapshot, error)
}

// Ends are the ends of the journals.
type Ends interface {
	// Head returns the last sequence and its hash; 0 if the organization does not exist.
	Head(ctx context.Context, org organization.ID) (uint64, messages.Hash, error)
	// StoredHead returns the last row as recorded by the transaction of its append, or zero
	// if no append was recorded.
	StoredHead(ctx context.Context, org organization.ID) (uint64, messages.Hash, error)
	// Heads returns the last sequences of the journals as recorded by the transactions of their appends. Those without rows are absent.
	Heads(ctx context.Context, ids []organization.ID) (map[organization.ID]uint64, error)
	// Confirm returns when all rows that were read before are as durable as those of a confirmed append. A row can be read although its append has an
	// unknown outcome.
	Confirm(ctx context.Context) error
}

// Settings configure the actors.
type Settings struct {
	// Schema is the schema of the program. It is required.
	Schema *organization.Schema
	// PassivateAfter is the idle time after which an organization leaves memory; it must be
	// positive.
	PassivateAfter time.Duration
	// MostLive is the number of organizations above which the least recently used idle ones leave memory earlier, so that
	// requests about many organizations use bounded memory. Busy ones stay. 0 means no limit.
	MostLive int
	// SnapshotEvery is the number of events between snapshots. A snapshot is also stored
	// before an organization with a thousand new events leaves memory.
	SnapshotEvery uint64
	// RememberKeys is the retention time of idempotency keys.
	RememberKeys time.Duration
	// ClockSkew is the maximum time by which the clock may be behind an organization's last
	// row; beyond it commands are refused. 0 disables the check.
	ClockSkew time.Duration
	// Patience limits the wait of a caller, in addition to its context (longer for a command of
	// many rows), and the wait of an ending organization for its append.
	Patience time.Duration
	// StoreTimeout limits the wait for a read of the past; 0 means Patience.
	StoreTimeout time.Duration
	// StaleReads is the time during which an organization's last durable view can be read after an
	// append or a load has failed.
	StaleReads time.Duration
	// Consumers handle the events of organizations; nil if absent.
	Consumers *consumer.Set
	// Hooks stores accepted hooks; nil refuses hooks.
	Hooks HookIntake
	// StartLimits returns the limits of the smallest plan; nil means that no organization has limits.
	StartLimits func() organization.PlanLimits
	// StorageLimit bounds the bytes of the files of an organization; 0 is no limit.
	StorageLimit int64
	// Traced is called after each command with the time of its arrival; nil if absent. The times of its timeline may be read if it is
	// answered.
	Traced func(ctx context.Context, command *messages.Command, at time.Time)
	// Published is called with each durable batch, in order, and with the view of an organization after it was loaded; nil for
	// no receiver. It must not block.
	Published func(messages.Published)
	// Shared reports that other servers append to the same journals.
	Shared bool
	// Claim requests the alarm of a consumer of a shared journal, whose claim is reported by [Organizations.WakeClaimed]. It must not block. An alarm
	// whose claim is not requested is claimed when it is due.
	Claim func(id organization.ID, consumer string)
	// Tools are the limits of the calls of tools, with the calls of the past; nil permits no call.
	Tools *ToolSettings
	// Jitter returns the random part of the delay before a restart: at least 0 and less than the bound. It is called from several
	// goroutines. nil draws it from the global source.
	Jitter func(below time.Duration) time.Duration
	// Now is the clock. NewID generates ids.
	Now   func() time.Time
	NewID func() [16]byte
}

// jitter returns a random duration below the bound, which is positive.
func (s *Settings) jitter(below time.Duration) time.Duration {
	if s.Jitter == nil {
		return rand.N(below) //nolint:gosec // spreads repetitions
	}
	return s.Jitter(below)
}

// tooFarBehind reports whether a clock this far behind the last row would give a new row a wrong time.
func (s *Settings) tooFarBehind(behind time.Duration) bool {
	return s.ClockSkew != 0 && behind > s.ClockSkew
}

// context returns the inputs of the decision about a command.
func (s *Settings) context(m *messages.Command, newID func() [16]byte) organization.DecideContext {
	moment := organization.DecideContext{
		Now: m.At, By: m.Author(), Bound: m.Bound, NewID: newID, StorageLimit: s.StorageLimit, Schema: s.Schema,
	}
	if !m.DecideAt.IsZero() {
		moment.Now = m.DecideAt
	}
	if s.StartLimits != nil && !m.ByOperator {
		limits := s.StartLimits()
		moment.StartLimits = &limits
	}
	return moment
}

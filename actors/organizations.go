package actors

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Organizations provides access to all organizations: commands are sent to their actors, views
// are read from memory. It is safe for concurrent use.
type Organizations struct {
	shared *shared
	system *actor.ActorSystem
	top    *actor.PID
	heads  *heads
	stop   sync.Once
}

// NewOrganizations starts the supervisor in the actor system.
func NewOrganizations(system *actor.ActorSystem, journal Journal, settings Settings, log *slog.Logger) *Organizations {
	if settings.Schema == nil {
		panic("actors: the settings have no schema") // that of the core would refuse the events of rooms
	}
	s := &shared{
		journal: journal, views: &views{}, counters: &counters{}, damages: newDamages(), settings: settings,
		log: log, failures: newBackoff(settings.Jitter, &counters{}), // of consumers, which are not counted
		ended: make(chan struct{}),
	}
	s.history = newHistory(s)
	return &Organizations{shared: s, heads: newHeads(journal), system: system, top: system.Root.Spawn(supervisorProps(s))}
}

// do executes a command on this server.
func (o *Organizations) do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	if _, creates := command.Body.(organization.Create); !creates {
		if err := o.exists(ctx, command.Organization); err != nil {
			return messages.Reply{}, err
		}
	}
	command.Left = ctx.Done()
	if traced := o.shared.settings.Traced; traced != nil {
		command.Timeline = &messages.Timeline{}
		defer func(at time.Time) { traced(ctx, &command, at) }(o.shared.settings.Now())
	}
	patience := o.shared.settings.Patience
	if size := organization.RecordCount(command.Body); size >= bulkSize {
		patience += time.Duration(size) * bulkPatience
	}
	answer, err := o.ask(ctx, command.Organization, &command, patience)
	if err != nil && command.DryRun {
		err = nothingChanged(err)
	}
	if errors.Is(err, messages.ErrOutcomeUnknown) {
		messages.NoteChange(ctx)
	}
	if err != nil {
		reply, _ := answer.(*messages.Reply)
		if reply == nil {
			reply = &messages.Reply{}
		}
		return messages.Reply{AsOf: reply.AsOf}, err
	}
	switch m := answer.(type) {
	case *messages.Reply:
		if !command.DryRun {
			messages.NoteChange(ctx)
		}
		return *m, nil
	case *replay:
		return o.shared.history.reply(ctx, &command, m)
	default:
		return messages.Reply{}, messages.ErrUnavailable
	}
}

// view returns the view of a server of its own.
func (o *Organizations) view(ctx context.Context, id organization.ID) (*messages.View, error) {
	now := o.shared.settings.Now()
	if view := o.shared.views.get(ctx, id, now); view != nil && o.readable(id, view, now) {
		return view, nil
	}
	if err := o.exists(ctx, id); err != nil {
		return nil, err
	}
	view, err := answerTo[messages.View](ctx, o, id, &activate{})
	return view, nothingChanged(err)
}

// readable reports whether the view may be read. A current view always may. A
// stale one triggers a load in the background, and is refused after
// StaleReads.
func (o *Organizations) readable(id organization.ID, view *messages.View, now time.Time) bool {
	if view.StaleSince.IsZero() {
		return true
	}
	if now.Sub(view.StaleSince) >= o.shared.settings.StaleReads {
		return false
	}
	if o.shared.views.mayRevive(id, now) {
		o.system.Root.Send(o.top, &forward{to: id, message: &activate{}})
	}
	return true
}

// ViewAt returns the organization as of the sequence.
func (o *Organizations) ViewAt(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	now, err := o.View(ctx, id)
	switch {
	case err != nil || sequence >= now.Sequence:
		return now, err
	case sequence == 0:
		return nil, fault.Refuse(fault.NotFound, "The organization had no events at that time. Choose a later time.")
	default:
		return o.shared.history.view(ctx, id, sequence)
	}
}

// Live returns the number of organizations in memory.
func (o *Organizations) Live() int { return o.shared.views.count() }

// Stop ends all organizations in order: appends in flight are completed and answered.
// If the context ends first, Stop returns its error while the shutdown continues.
func (o *Organizations) Stop(ctx context.Context) error {
	o.stop.Do(func() { o.system.Root.Poison(o.top) })
	select {
	case <-o.shared.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// exists refuses organizations without a journal. Their actors are never started, because
// callers can invent ids.
func (o *Organizations) exists(ctx context.Context, id organization.ID) error {
	if o.shared.views.peek(id) != nil {
		return nil
	}
	last, _, err := o.shared.journal.Head(ctx, id)
	switch {
	case err != nil:
		o.shared.log.Warn("head of journal not read", "organization", id.String(), "cause", err)
		return messages.ErrUnavailable
	case last == 0:
		return o.neverExisted(ctx, id)
	default:
		return nil
	}
}

// bulkPatience extends the time that a caller waits, for each row of a command of many rows.
const bulkPatience = 5 * time.Millisecond

// ask sends the message to the organization and waits for its answer, for as long
// as the patience and the context allow. A refusal is returned with its reply.
func (o *Organizations) ask(ctx context.Context, id organization.ID, message any, patience time.Duration) (any, error) {
	if deadline, ok := ctx.Deadline(); ok {
		patience = min(patience, time.Until(deadline))
	}
	if patience <= 0 || ctx.Err() != nil {
		return nil, messages.ErrUnavailable
	}
	answer, err := o.system.Root.RequestFuture(o.top, &forward{to: id, message: message}, patience).Result() //nolint:forbidigo // the caller waits, not an actor
	switch {
	case errors.Is(err, actor.ErrDeadLetter): // the actor ended before handling the message
		return nil, messages.ErrUnavailable
	case err != nil:
		return nil, messages.ErrOutcomeUnknown
	}
	if reply, ok := answer.(*messages.Reply); ok && reply.Err != nil {
		return reply, reply.Err
	}
	return answer, nil
}

// answerTo is ask for a message with an answer of one type.
func answerTo[T any](ctx context.Context, o *Organizations, id organization.ID, message any) (*T, error) {
	answer, err := o.ask(ctx, id, message, o.shared.settings.Patience)
	if err != nil {
		return nil, err
	}
	if typed, is := answer.(*T); is {
		return typed, nil
	}
	return nil, messages.ErrUnavailable
}

// nothingChanged returns the error of a call that certainly changed nothing.
func nothingChanged(err error) error {
	if errors.Is(err, messages.ErrOutcomeUnknown) {
		return messages.ErrUnavailable
	}
	return err
}

// Stats are counts since the start.
type Stats struct {
	// Live is the current number of organizations in memory.
	Live int
	// Appends counts the durable batches, Events their events and Answers the callers
	// answered with them. Events / Appends is the mean
	// size of a batch.
	Appends, Events, Answers uint64
	// Failures counts the failed appends.
	Failures uint64
	// Restarts counts the restarts of actors after a failed append, a failed load or a
	// panic. Reloads counts the restarts because another server has appended rows.
	Restarts, Reloads uint64
	// Snapshots counts the stored snapshots.
	Snapshots uint64
	// Damaged is the number of organizations that are refused because their journal
	// is damaged.
	Damaged int
}

// counters are the atomic counters of Stats.
type counters struct {
	appends, events, answers, failures, restarts, reloads, snapshots atomic.Uint64
}

// count adds a finished batch.
func (n *counters) count(b *batch, err error) {
	if err != nil {
		n.failures.Add(1)
		return
	}
	n.appends.Add(1)
	n.events.Add(uint64(len(b.append.Rows)))
	n.answers.Add(uint64(len(b.waiting)))
}

// Stats returns the counts since the start. It is cheap.
func (o *Organizations) Stats() Stats {
	n := o.shared.counters
	return Stats{
		Live: o.Live(), Appends: n.appends.Load(), Events: n.events.Load(), Answers: n.answers.Load(),
		Failures: n.failures.Load(), Restarts: n.restarts.Load(), Reloads: n.reloads.Load(), Snapshots: n.snapshots.Load(),
		Damaged: o.shared.damages.count(),
	}
}

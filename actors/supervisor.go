package actors

import (
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// supervisor starts organizations, forwards messages to them, and ends idle ones. It is
// their only sender of commands, so that ending one loses no command: from the time
// it poisons an organization until the actor has terminated, commands for it are queued here,
// and then start it again.
type supervisor struct {
	shared   *shared
	log      *slog.Logger
	children map[organization.ID]*child
	names    map[string]organization.ID
	stopping bool // no organization is started any more, otherwise stopping would never end
}

type child struct {
	pid    *actor.PID
	used   time.Time // the time of the last message but alarms, or of the last request to leave; reads of the view are recorded in views
	ending bool
	queued []envelope
}

type (
	// forward forwards a message to an organization.
	forward struct {
		to      organization.ID
		message any
	}
	// passivate asks to end an idle organization, which may have been started again since.
	passivate struct {
		id  organization.ID
		pid *actor.PID
	}
	// evict asks an organization to end if it is idle, because others need the memory.
	evict struct{}
	// expire asks to remove a view that is too old to be read.
	expire struct{ id organization.ID }
)

// IgnoreDeadLetterLogging keeps the request out of the logs after the shutdown.
func (*expire) IgnoreDeadLetterLogging() {}

// mostQueued bounds the messages queued for an ending organization.
const mostQueued = 4096

func supervisorProps(s *shared) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor {
		return &supervisor{shared: s, log: s.log, children: map[organization.ID]*child{}, names: map[string]organization.ID{}}
	}, actor.WithSupervisor(newBackoff(s.settings.Jitter, s.counters)), actor.WithMailbox(newMailbox(s.log)))
}

// Receive handles one message.
func (s *supervisor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *forward:
		s.forward(c, m.to, envelope{m.message, c.Sender()})
	case *passivate:
		s.passivate(c, m)
	case *expire:
		s.expire(c, m.id)
	case *actor.Terminated:
		s.terminated(c, m.Who)
	case *actor.Stopping, *actor.Restarting: // the library stops the organizations next
		s.stopping = true
	case *actor.Stopped:
		close(s.shared.ended)
	case *actor.Started:
	default:
		s.log.Error("unknown message to the supervisor of organizations")
	}
}

func (s *supervisor) forward(c actor.Context, id organization.ID, e envelope) {
	running := s.children[id]
	switch {
	case s.stopping, running != nil && running.ending && len(running.queued) >= mostQueued:
		tell(c, e.sender, &messages.Reply{Err: messages.ErrUnavailable})
		return
	case running == nil:
		running = &child{pid: c.Spawn(organizationProps(id, s.shared))}
		s.children[id], s.names[running.pid.Id] = running, id
		s.makeRoom(c, running)
	case running.ending:
		running.queued = append(running.queued, e)
		return
	}
	if _, woken := e.message.(*wake); s.shared.settings.MostLive > 0 && !woken { // retries of consumers are no use
		running.used = s.shared.settings.Now()
	}
	c.RequestWithCustomSender(running.pid, e.message, e.sender)
}

// The organizations that are compared to find the least recently used one, and the number that are asked to leave when one is
// started above the limit. The second of them compensates for busy ones, which stay.
const (
	roomSample   = 16
	roomReleases = 2
)

// makeRoom asks idle organizations to leave memory if there are too many after the start of one. It compares a random sample, because an exact
// order would cost each read a lock.
func (s *supervisor) makeRoom(c actor.Context, started *child) {
	if limit := s.shared.settings.MostLive; limit == 0 || len(s.children) <= limit {
		return
	}
	for range roomReleases {
		var oldest *child
		var last time.Time
		compared := 0
		for id, candidate := range s.children { // in random order
			if candidate.ending || candidate == started {
				continue
			}
			used := candidate.used
			if read := s.shared.views.lastRead(id); read.After(used) {
				used = read
			}
			if oldest == nil || used.Before(last) {
				oldest, last = candidate, used
			}
			if compared++; compared == roomSample {
				break
			}
		}
		if oldest == nil {
			return
		}
		oldest.used = s.shared.settings.Now() // a busy one stays, and others are asked next
		c.Send(oldest.pid, &evict{})
	}
}

func (s *supervisor) passivate(c actor.Context, m *passivate) {
	if running := s.children[m.id]; running != nil && running.pid.Equal(m.pid) {
		s.end(c, running)
	}
}

// end ends an organization after the messages that it has received.
func (s *supervisor) end(c actor.Context, running *child) {
	if !running.ending {
		running.ending = true
		c.Poison(running.pid)
	}
}

func (s *supervisor) terminated(c actor.Context, who *actor.PID) {
	id, known := s.names[who.Id]
	if !known {
		return
	}
	ended := s.children[id]
	delete(s.names, who.Id)
	delete(s.children, id)
	if ended.ending || s.shared.settings.Shared {
		s.shared.views.remove(id)
		s.shared.history.forget(id)
	} else { // it failed too often; its last view is kept for a while
		s.shared.views.doubt(id, s.shared.settings.Now())
		s.expire(c, id)
	}
	for _, e := range ended.queued {
		s.forward(c, id, e)
	}
}

// expire removes the view of a stopped organization after it has been stale
// for too long, and otherwise schedules the next check.
func (s *supervisor) expire(c actor.Context, id organization.ID) {
	limit := s.shared.settings.StaleReads
	if s.children[id] != nil || s.shared.views.peek(id) == nil {
		return // a running one is checked again when it ends
	}
	if s.shared.views.removeStale(id, s.shared.settings.Now(), limit) {
		s.shared.history.forget(id)
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	time.AfterFunc(max(limit, time.Second), func() { root.Send(self, &expire{id}) })
}

// mailbox wraps the library's mailbox so that callers do not have to wait for a
// timeout. The library drops queued messages when an actor stops, and the message
// whose handling panicked. Here the former become dead letters, which are reported to the
// caller at once, and the latter is answered.
type mailbox struct {
	actor.Mailbox
	invoker actor.MessageInvoker
	context actor.Context
	process actor.Process
	// stopping reports that the actor has to stop and may wait for its children; stopped, that it has left the registry.
	stopping, stopped bool
	log               *slog.Logger
}

func newMailbox(log *slog.Logger) actor.MailboxProducer {
	return func() actor.Mailbox { return &mailbox{Mailbox: actor.Unbounded()(), log: log} }
}

// RegisterHandlers is called once by the spawner, after the process is registered.
func (b *mailbox) RegisterHandlers(invoker actor.MessageInvoker, dispatcher actor.Dispatcher) {
	b.invoker = invoker
	b.context, _ = invoker.(actor.Context) // the library's actor context implements both
	b.process, _ = b.context.ActorSystem().ProcessRegistry.GetLocal(b.context.Self().Id)
	b.Mailbox.RegisterHandlers(b, dispatcher)
}

// InvokeSystemMessage ignores the pending restart of an actor that has to stop. The library would otherwise forget the stop if the actor still
// waits for its children, and start an unreachable actor if it has left the registry.
func (b *mailbox) InvokeSystemMessage(message any) {
	switch message.(type) {
	case *actor.Stop:
		b.stopping = true
	case *actor.Restart:
		if b.stopping {
			return
		}
	}
	b.invoker.InvokeSystemMessage(message)
	switch message.(type) {
	case *actor.Stop, *actor.Terminated: // the messages that can stop it
		process, _ := b.context.ActorSystem().ProcessRegistry.GetLocal(b.context.Self().Id)
		if !b.stopped && process != b.process {
			b.stopped = true
			b.PostSystemMessage(&actor.ResumeMailbox{}) // it may have been stopped while suspended
		}
	}
}

// InvokeUserMessage forwards the message, or makes it a dead letter.
func (b *mailbox) InvokeUserMessage(message any) {
	if b.stopped {
		b.context.ActorSystem().DeadLetter.SendUserMessage(b.context.Self(), message)
		return
	}
	b.invoker.InvokeUserMessage(message)
}

// EscalateFailure answers the caller of the message that panicked.
func (b *mailbox) EscalateFailure(reason, message any) {
	if expected, ok := reason.(restart); ok {
		b.log.Warn("organization starts anew", "actor", b.context.Self().Id, "cause", expected.cause)
	} else {
		b.log.Error("organization actor failed", "actor", b.context.Self().Id, "reason", reason, "stack", string(debug.Stack()))
	}
	_, _, sender := actor.UnwrapEnvelope(message)
	if sender != nil {
		b.context.Send(sender, &messages.Reply{Err: errPanicked})
	}
	b.invoker.EscalateFailure(reason, message)
}

// errPanicked is the reply to a command after a panic. Unlike unavailable it
// does not suggest a retry: the same command would panic again.
var errPanicked = &fault.Error{
	Code: "internal", Message: "Something went wrong on our side; nothing was changed.",
}

// contained runs the work of an actor in a goroutine and converts a panic to an error
// with its stack. Without a supervisor, the panic would end the program with
// all organizations.
func contained(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return work()
}

// idleCheck makes the actor check whether it is idle.
type idleCheck struct{ of *organizationActor }

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*idleCheck) IgnoreDeadLetterLogging() {}

// farewellEvents is the number of events since the last snapshot from which a snapshot is
// stored before the organization leaves memory, to speed up the next load.
const farewellEvents = 1000

// scheduleIdleCheck schedules the next idle check.
func (o *organizationActor) scheduleIdleCheck(c actor.Context) {
	o.tick = time.AfterFunc(o.shared.settings.PassivateAfter, o.checkIdle(c))
}

// checkIdle returns a function that sends the idle check.
func (o *organizationActor) checkIdle(c actor.Context) func() {
	self, root := c.Self(), c.ActorSystem().Root
	return func() { root.Send(self, &idleCheck{of: o}) }
}

// idle asks the supervisor to end the actor after an idle time without reads and writes.
func (o *organizationActor) idle(c actor.Context, m *idleCheck) {
	if m.of != o || o.loading != nil {
		return
	}
	now, after := o.shared.settings.Now(), o.shared.settings.PassivateAfter
	o.keys.forget(o.shared.keysSince(now, o.head.at), o.head.sequence)
	last := o.active
	if read := o.shared.views.lastRead(o.id); read.After(last) {
		last = read
	}
	switch {
	case o.busy(), now.Sub(last).Abs() < after: // the clock was set back if the time is far ahead
		o.scheduleIdleCheck(c)
	default:
		o.leave(c, o.checkIdle(c))
	}
}

// busy reports whether the actor has work in progress.
func (o *organizationActor) busy() bool {
	return o.children.working() || o.inFlight != nil || o.bulks.current != nil || !o.batch.empty() || o.snaps.underWay()
}

// evict ends an idle actor before its time.
func (o *organizationActor) evict(c actor.Context) {
	if o.loading != nil || o.suspended != nil || o.busy() {
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	o.leave(c, func() { root.Send(self, &evict{}) })
}

// leave asks the supervisor to end the actor, or first stores a snapshot and calls again.
func (o *organizationActor) leave(c actor.Context, again func()) {
	if o.snaps.due(o.published, farewellEvents) {
		o.snaps.take(o.shared, o.published, again)
		return
	}
	c.Send(c.Parent(), &passivate{o.id, c.Self()})
}

// IgnoreDeadLetterLogging keeps the message out of the logs if the actor has ended.
func (*evict) IgnoreDeadLetterLogging() {}

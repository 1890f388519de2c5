package actors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

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
	ending bool
	queued []envelope
}

type (
	// forward forwards a message to an organization.
	forward struct {
		to      organization.ID
		message any
	}
	// passivate asks to end an idle organization.
	passivate struct{ id organization.ID }
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
	}, actor.WithSupervisor(newBackoff()), actor.WithMailbox(newMailbox(s.log)))
}

// Receive handles one message.
func (s *supervisor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *forward:
		s.forward(c, m.to, envelope{m.message, c.Sender()})
	case *passivate:
		s.passivate(c, m.id)
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
	case running.ending:
		running.queued = append(running.queued, e)
		return
	}
	c.RequestWithCustomSender(running.pid, e.message, e.sender)
}

func (s *supervisor) passivate(c actor.Context, id organization.ID) {
	if running := s.children[id]; running != nil && !running.ending {
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
	if ended.ending {
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

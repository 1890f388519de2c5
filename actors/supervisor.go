package actors

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// supervisor starts organizations, forwards to them, and ends idle ones. It is
// their only sender of commands, so that ending one can lose none: from the moment
// it poisons an organization until that has terminated, commands for it wait here,
// and then start it afresh.
type supervisor struct {
	shared   *shared
	log      *slog.Logger
	children map[organization.ID]*child
	names    map[string]organization.ID
	stopping bool // nothing is started any more, or stopping would never end
}

type child struct {
	pid    *actor.PID
	ending bool
	queued []envelope
}

type (
	// forward brings a message to an organization.
	forward struct {
		to      organization.ID
		message any
	}
	// passivate asks to end an organization that is idle.
	passivate struct{ id organization.ID }
	// expire asks to forget a view that nobody may read any more.
	expire struct{ id organization.ID }
)

// IgnoreDeadLetterLogging keeps the request out of the logs when everything has ended.
func (*expire) IgnoreDeadLetterLogging() {}

// mostQueued bounds what waits for an organization that is ending.
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
	case *actor.Stopping, *actor.Restarting: // the library ends the organizations next
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
	} else { // it failed too often: its last view stays for a while
		s.shared.views.doubt(id, s.shared.settings.Now())
		s.expire(c, id)
	}
	for _, e := range ended.queued {
		s.forward(c, id, e)
	}
}

// expire removes the view of an organization that is not running once it has been stale
// for too long, and otherwise looks again when it will have been.
func (s *supervisor) expire(c actor.Context, id organization.ID) {
	limit := s.shared.settings.StaleReads
	if s.children[id] != nil || s.shared.views.peek(id) == nil {
		return // one that runs comes here again when it ends
	}
	if s.shared.views.removeStale(id, s.shared.settings.Now(), limit) {
		s.shared.history.forget(id)
		return
	}
	self, root := c.Self(), c.ActorSystem().Root
	time.AfterFunc(max(limit, time.Second), func() { root.Send(self, &expire{id}) })
}

package actors

import (
	"log/slog"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
)

// mailbox wraps the library's mailbox so that callers do not have to wait for a
// timeout. The library drops queued messages when an actor stops, and the message
// whose handling panicked. Here the former become dead letters, which are reported to the
// caller at once, and the latter is answered.
type mailbox struct {
	actor.Mailbox
	invoker actor.MessageInvoker
	context actor.Context
	process actor.Process
	stopped bool
	log     *slog.Logger
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

// InvokeSystemMessage detects that the actor has left the registry. A pending restart
// is then ignored: the library would start an unreachable
// actor.
func (b *mailbox) InvokeSystemMessage(message any) {
	if _, again := message.(*actor.Restart); again && b.stopped {
		return
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

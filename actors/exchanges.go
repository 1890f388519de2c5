package actors

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/messages"
	"equity/organization"
)

// mostExchanges bounds the messages of an organization that the assistant answers at a time.
const mostExchanges = 4

// exchanges are the messages of an organization that the assistant answers at the moment.
type exchanges struct{ running []messages.ExchangeStart }

// exchangeEnd ends an exchange.
type exchangeEnd struct{ id messages.AgentID }

// IgnoreDeadLetterLogging keeps the message out of the logs after the shutdown.
func (*exchangeEnd) IgnoreDeadLetterLogging() {}

// exchangeStarted is the answer to an admitted exchange.
type exchangeStarted struct{}

// start admits an exchange. Exchanges whose caller never ended them end with their deadline.
func (x *exchanges) start(c actor.Context, m *messages.ExchangeStart, caller *actor.PID, now time.Time) {
	x.running = slices.DeleteFunc(x.running, func(one messages.ExchangeStart) bool { return !now.Before(one.Until) })
	if len(x.running) >= mostExchanges {
		tell(c, caller, &messages.Reply{Err: messages.ErrExchangesBusy})
		return
	}
	for _, one := range x.running {
		if one.Conversation == m.Conversation {
			tell(c, caller, &messages.Reply{Err: messages.ErrConversationBusy})
			return
		}
	}
	x.running = append(x.running, *m)
	tell(c, caller, &exchangeStarted{})
}

// end removes an exchange.
func (x *exchanges) end(id messages.AgentID) {
	x.running = slices.DeleteFunc(x.running, func(one messages.ExchangeStart) bool { return one.ID == id })
}

// StartExchange admits an exchange with the assistant. The caller calls the result at its end.
func (o *Organizations) StartExchange(ctx context.Context, in organization.ID, start messages.ExchangeStart) (end func(), err error) {
	if err := o.present(ctx, in); err != nil {
		return nil, err
	}
	if _, err := answerTo[exchangeStarted](ctx, o, in, &start); err != nil {
		return nil, nothingChanged(err)
	}
	return func() { o.system.Root.Send(o.top, &forward{to: in, message: &exchangeEnd{start.ID}}) }, nil
}

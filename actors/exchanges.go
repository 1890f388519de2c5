package actors

import (
	"context"
	"slices"

	"equity/messages"
	"equity/organization"
)

// mostExchanges bounds the messages of an organization that the assistant answers at a time.
const mostExchanges = 4

// exchanges are the messages of an organization that the assistant answers at the moment.
type exchanges struct{ running []messages.ExchangeStart }

// exchangeVisit starts an exchange. The answer is the function that ends it.
type exchangeVisit struct{ messages.ExchangeStart }

// Enter admits the exchange. Exchanges whose caller never ended them end with their deadline.
func (m exchangeVisit) Enter(v messages.Visited) {
	x := messages.Remembered[exchanges](v.Memory)
	x.running = slices.DeleteFunc(x.running, func(one messages.ExchangeStart) bool { return !v.Now.Before(one.Until) })
	if len(x.running) >= mostExchanges {
		v.Answer(nil, messages.ErrExchangesBusy)
		return
	}
	for _, one := range x.running {
		if one.Conversation == m.Conversation {
			v.Answer(nil, messages.ErrConversationBusy)
			return
		}
	}
	x.running = append(x.running, m.ExchangeStart)
	v.Answer(func() {
		v.Later(func(memory messages.Memory) { messages.Remembered[exchanges](memory).end(m.ID) })
	}, nil)
}

// end removes an exchange.
func (x *exchanges) end(id messages.AgentID) {
	x.running = slices.DeleteFunc(x.running, func(one messages.ExchangeStart) bool { return one.ID == id })
}

// StartExchange admits an exchange with the assistant. The caller calls the result at its end.
func (o *Organizations) StartExchange(ctx context.Context, in organization.ID, start messages.ExchangeStart) (end func(), err error) {
	answer, err := o.Visit(ctx, in, exchangeVisit{start})
	if err != nil {
		return nil, nothingChanged(err)
	}
	end, _ = answer.(func())
	return end, nil
}

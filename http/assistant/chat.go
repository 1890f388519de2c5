package assistant

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"equity/captable"
	"equity/http/admission"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// conversationKind types the ids of conversations.
type conversationKind struct{}

// asked is the body of a message.
type asked struct {
	Organization   organization.ID                `json:"organization"`
	Message        string                         `json:"message"`
	ConversationID captable.ID[conversationKind]  `json:"conversationId"`
	History        []messages.ConversationMessage `json:"history"`
}

// chat answers a message, at once or as a stream.
func (s base) chat(ctx context.Context, c *api.Call) (api.Answer, error) {
	given, err := api.Decode[asked](c)
	if err != nil {
		return api.Answer{}, err
	}
	if strings.TrimSpace(given.Message) == "" {
		return api.Answer{}, api.WrongField("/message", "required", "message is required.")
	}
	situation, err := s.situation(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	question := messages.Question{
		ToolUser: s.user(c, c.Organization, messages.AgentID(given.ConversationID)), Message: given.Message, History: given.History,
		Situation: situation,
	}
	if strings.Contains(c.Accept(), contentEvents) {
		return api.Answer{ContentType: contentEvents, Private: true, TakeOver: func(w http.ResponseWriter) error {
			return s.stream(ctx, w, c.ID, question)
		}}, nil
	}
	return api.AnswerOnce(ctx, s.Answers, c, func(ctx context.Context) (api.Answer, error) {
		var reply messages.ExchangeReply
		err := admission.WaitWithoutSlot(ctx, func() (err error) {
			reply, err = s.Engine.Exchange(ctx, question, messages.ExchangeSink{})
			return err
		})
		if err != nil {
			return api.Answer{}, err
		}
		return api.Answer{Record: s.showReply(reply)}, nil
	})
}

// contentEvents is the media type of streams.
const contentEvents = "text/event-stream"

// writeTime bounds the time of a client to receive an event.
const writeTime = 30 * time.Second

// stream answers a message with events. Before the first event, an error is an HTTP error.
func (s base) stream(ctx context.Context, w http.ResponseWriter, id string, question messages.Question) error {
	out := &events{to: w, control: http.NewResponseController(w)}
	var reply messages.ExchangeReply
	err := admission.WaitWithoutSlot(ctx, func() (err error) {
		reply, err = s.Engine.Exchange(ctx, question, messages.ExchangeSink{
			Text:     func(part string) { out.send("delta", map[string]string{"text": part}) },
			ToolCall: func(call messages.FinishedCall) { out.send("toolCall", call) },
			Step:     func(step messages.Step) { out.send("confirmation", s.showStep(step)) },
		})
		return err
	})
	switch {
	case err == nil:
		out.send("done", s.showReply(reply))
	case !out.started:
		return err
	default:
		_, problem, _ := s.Explain(err, id)
		out.send("error", problem)
	}
	return nil
}

// events writes Server-Sent Events. A client that does not read ends with the context of its request.
type events struct {
	to      http.ResponseWriter
	control *http.ResponseController
	started bool
}

func (e *events) send(name string, record any) {
	text, err := json.Marshal(record)
	if err != nil {
		return
	}
	if !e.started {
		e.started = true
		e.to.Header().Set("X-Accel-Buffering", "no") // proxies such as nginx pass events on at once
		e.to.WriteHeader(http.StatusOK)
	}
	_ = e.control.SetWriteDeadline(time.Now().Add(writeTime))
	_, _ = e.to.Write([]byte("event: " + name + "\ndata: " + string(text) + "\n\n"))
	_ = e.control.Flush()
}

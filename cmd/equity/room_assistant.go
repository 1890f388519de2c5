package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"equity/app"
	equityhttp "equity/http"
	"equity/messages"
)

// toolServer is the server whose operations components call. It exists after the other parts.
type toolServer struct {
	once   sync.Once
	ready  chan struct{}
	server *equityhttp.Server
}

func newToolServer() *toolServer { return &toolServer{ready: make(chan struct{})} }

// set stores the server.
func (t *toolServer) set(server *equityhttp.Server) {
	t.once.Do(func() {
		t.server = server
		close(t.ready)
	})
}

// roomAssistant answers the messages of components with the assistant.
type roomAssistant struct {
	*assembly
	program
}

var (
	errAssistantOff = errors.New("the assistant is off")
	errModel        = errors.New("is not listed in AGENT_MODELS")
)

// Answer answers a message. The message is data, and the tools read with the rights of the reader.
func (r roomAssistant) Answer(ctx context.Context, q app.Question) (string, error) {
	if r.program.assistant != nil {
		return r.program.assistant.Answer(ctx, q)
	}
	parts, settings := r.assembly.assistant, r.config.Agent
	if parts == nil {
		return "", errAssistantOff
	}
	if q.Model != "" && q.Model != settings.Model && !slices.Contains(settings.Models, q.Model) {
		return "", fmt.Errorf("the model %s %w", q.Model, errModel)
	}
	select {
	case <-r.tools.ready:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	reply, err := parts.engine.Exchange(ctx, messages.Question{
		ToolUser: messages.ToolUser{
			Organization: q.Organization, Tools: r.tools.server.ComponentTools(q.Component, q.Organization, q.ID, q.Reads),
		},
		Message: q.Message, Untrusted: true, Model: q.Model, Time: q.Time,
	}, messages.ExchangeSink{})
	return reply.Text, err
}

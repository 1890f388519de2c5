package main

import (
	"context"
	"slices"
	"sync"

	"equity/actors/hook"
	"equity/config"
	equityhttp "equity/http"
	"equity/messages"
)

// toolServer is the server whose operations hooks call. It exists after the other parts.
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

// hookRunner answers the messages of hooks with the assistant.
type hookRunner struct {
	assistant *assistantParts
	tools     *toolServer
	settings  config.Agent
}

// Run answers the message of a run. The message is data, and the tools read with the rights of the token.
func (r hookRunner) Run(ctx context.Context, request hook.RunRequest) (messages.HookResult, error) {
	if request.Model != "" && request.Model != r.settings.Model && !slices.Contains(r.settings.Models, request.Model) {
		return messages.HookResult{Status: messages.HookError, Error: "the model " + request.Model + " is not listed in AGENT_MODELS"}, nil
	}
	select {
	case <-r.tools.ready:
	case <-ctx.Done():
		return messages.HookResult{}, ctx.Err()
	}
	reply, err := r.assistant.engine.Exchange(ctx, messages.Question{
		ToolUser: messages.ToolUser{
			Organization: request.Source.Organization, Tools: r.tools.server.HookTools(request.Source, request.RunID),
		},
		Message: request.Message, Untrusted: true, Model: request.Model, Time: request.Timeout,
	}, messages.ExchangeSink{})
	if err != nil {
		return messages.HookResult{}, err
	}
	return messages.HookResult{Status: messages.HookOK, Summary: reply.Text, Reply: reply.Text}, nil
}

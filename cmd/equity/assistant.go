package main

import (
	"context"

	"equity/actors"
	"equity/actors/assistant"
	"equity/actors/assistant/anthropic"
	"equity/actors/assistant/embedded"
	"equity/actors/assistant/openai"
	"equity/actors/consumer"
	"equity/config"
	equityhttp "equity/http"
	httpassistant "equity/http/assistant"
	"equity/messages"
	"equity/persistence"
)

// assistantParts are the parts of the assistant that do not depend on a request.
type assistantParts struct {
	uses    *assistant.Uses
	changes *assistant.Changes
	engine  *assistant.Engine
}

// toolLimits returns the limits of the calls of tools.
func toolLimits(c config.Config) messages.ToolLimits {
	return messages.ToolLimits{
		CallsPerMinute: c.Agent.ToolCallsPerMinute, WritesPerMinute: c.Agent.WritesPerMinute, DestructivePerHour: c.Agent.DestructivePerHour,
	}
}

// startToolUses starts the store of the calls of tools. It returns the settings of the limits; nil without an assistant.
func (a *assembly) startToolUses(ctx context.Context) *actors.ToolSettings {
	if !a.config.HasAgent() {
		return nil
	}
	a.assistant = &assistantParts{uses: assistant.NewUses(persistence.NewSteps(a.db), a.log)}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.assistant.uses.Run(running)
	}()
	a.closeWith(func(context.Context) error { // after the organizations, which are closed before
		cancel()
		<-done
		return nil
	})
	return &actors.ToolSettings{Limits: toolLimits(a.config), Uses: a.assistant.uses}
}

// startAssistant creates the engine of the assistant.
func (a *assembly) startAssistant(p program, breakers *consumer.Breakers) {
	if a.assistant == nil {
		return
	}
	c := a.config.Agent
	a.assistant.changes = assistant.NewChanges(persistence.NewSteps(a.db), c.ConfirmWrites != "false", p.now, newID, a.log)
	a.assistant.engine = assistant.NewEngine(assistant.Settings{
		MaxOutputTokens: c.MaxOutputTokens, MonthlyTokens: int64(c.MonthlyTokens),
	}, modelProvider(c, p, breakers), a.assistant.changes, persistence.NewConversations(a.db), a.organizations, p.random)
}

// modelProvider returns the configured provider.
func modelProvider(c config.Agent, p program, breakers *consumer.Breakers) assistant.Provider {
	transport := &consumer.Transport{Breakers: breakers}
	switch c.Provider {
	case config.AgentEmbedded:
		return embedded.New(p.now)
	case config.AgentAnthropic:
		return anthropic.New(anthropic.Settings{Key: c.APIKey.Reveal(), Model: c.Model, URL: c.URL, Transport: transport})
	case config.AgentOpenAI:
	}
	return openai.New(openai.Settings{Key: c.APIKey.Reveal(), Model: c.Model, URL: c.URL, Transport: transport})
}

// assistantServices returns the dependencies of the operations of the assistant.
func (a *assembly) assistantServices() httpassistant.Services {
	if a.assistant == nil {
		return httpassistant.Services{}
	}
	return httpassistant.Services{
		Engine: a.assistant.engine, Changes: a.assistant.changes, Conversations: persistence.NewConversations(a.db), Steps: persistence.NewSteps(a.db),
		Limits: a.organizations, ToolLimits: toolLimits(a.config), Answers: persistence.NewAnswers(a.db),
	}
}

// toolChanges returns the changes of tools for the Model Context Protocol; nil if the assistant is off.
func (a *assembly) toolChanges() equityhttp.ToolChanges {
	if a.assistant == nil {
		return nil
	}
	return a.assistant.changes
}

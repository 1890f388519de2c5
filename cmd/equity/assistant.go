package main

import (
	"context"
	"log/slog"
	"time"

	"equity/actors"
	"equity/actors/assistant"
	"equity/actors/assistant/anthropic"
	"equity/actors/assistant/embedded"
	"equity/actors/assistant/openai"
	"equity/actors/consumer"
	"equity/config"
	equityhttp "equity/http"
	httpassistant "equity/http/assistant"
	httponboarding "equity/http/onboarding"
	"equity/messages"
	"equity/onboarding"
	"equity/onboarding/grammar"
	"equity/persistence"
)

// assistantParts are the parts of the assistant that do not depend on a request.
type assistantParts struct {
	changes *assistant.Changes
	engine  *assistant.Engine
	// onboardings builds organizations from descriptions.
	onboardings *onboarding.Service
}

// toolLimits returns the limits of the calls of tools.
func toolLimits(c config.Config) messages.ToolLimits {
	return messages.ToolLimits{
		CallsPerMinute: c.Agent.ToolCallsPerMinute, WritesPerMinute: c.Agent.WritesPerMinute,
		DestructivePerHour: c.Agent.DestructivePerHour,
	}
}

// toolSettings returns the settings of the limits of tools; nil without an assistant.
func toolSettings(a *assembly) *actors.ToolSettings {
	if a.assistant == nil {
		return nil
	}
	return &actors.ToolSettings{Limits: toolLimits(a.config), Calls: persistence.NewToolCalls(a.db)}
}

// start creates the engine of the assistant. Without an assistant, it does nothing.
func (s *assistantParts) start(a *assembly, p program, breakers *consumer.Breakers) {
	if s == nil {
		return
	}
	c := a.config.Agent
	provider := newProvider(c, persistence.NewModelBudget(a.db), p, breakers, a.log)
	s.onboardings = onboarding.New(onboarding.Services{
		Store: persistence.NewOnboardings(a.db), Reader: describer(c, p, provider), Node: a.self.ID, Now: p.now, Log: a.log,
	})
	a.closeWith(func(context.Context) error {
		s.onboardings.Close()
		return nil
	})
	s.changes = assistant.NewChanges(persistence.NewSteps(a.db), c.ConfirmWrites != "false", p.now, newID, a.log)
	s.engine = assistant.NewEngine(
		assistant.Settings{MaxOutputTokens: c.MaxOutputTokens}, provider, s.changes, persistence.NewConversations(a.db), a.organizations,
		p.random,
	)
}

// newProvider returns the configured provider. All uses of a language model share its budget.
func newProvider(
	c config.Agent, budget *persistence.ModelBudget, p program, breakers *consumer.Breakers, log *slog.Logger,
) assistant.Provider {
	if c.Provider == config.AgentEmbedded {
		return embedded.New(p.now)
	}
	limits := messages.ModelLimits{Organization: int64(c.MonthlyTokens), Account: int64(c.AccountTokens()), Anonymous: c.AnonymousTokens()}
	return assistant.NewMetered(modelService(c, breakers), budget, limits, p.now, log)
}

// modelService returns the client of the configured service.
func modelService(c config.Agent, breakers *consumer.Breakers) assistant.Provider {
	transport := &consumer.Transport{Breakers: breakers}
	if c.Provider == config.AgentAnthropic {
		return anthropic.New(anthropic.Settings{Key: c.APIKey.Reveal(), Model: c.Model, URL: c.URL, Transport: transport})
	}
	return openai.New(openai.Settings{Key: c.APIKey.Reveal(), Model: c.Model, URL: c.URL, Transport: transport})
}

// describer returns the reader of descriptions of companies.
func describer(c config.Agent, p program, provider assistant.Provider) onboarding.Reader {
	if c.Provider == config.AgentEmbedded {
		return grammar.New()
	}
	return assistant.NewDescriber(provider, p.random, c.MaxOutputTokens)
}

// onboardingServices returns the dependencies of onboardings; empty without an assistant.
func (s *assistantParts) onboardingServices(a *assembly) httponboarding.Services {
	if s == nil {
		return httponboarding.Services{}
	}
	return httponboarding.Services{Service: s.onboardings, Store: persistence.NewOnboardings(a.db)}
}

// resumeEvery is the time between two searches for interrupted onboardings and steps.
const resumeEvery = 5 * time.Second

// startResuming begins to continue the onboardings and the confirmed steps of servers that have ended. It ends before the service of onboardings is closed.
func (s *assistantParts) startResuming(ctx context.Context, a *assembly) {
	if s == nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.resume(ctx, a)
	}()
	a.closeWith(func(context.Context) error {
		cancel()
		<-done
		return nil
	})
}

func (s *assistantParts) resume(ctx context.Context, a *assembly) {
	ticker := time.NewTicker(resumeEvery)
	defer ticker.Stop()
	for {
		err := persistence.NewOnboardings(a.db).Release(ctx, a.self.ID)
		if err == nil {
			err = s.onboardings.Resume(ctx)
		}
		if err != nil && ctx.Err() == nil {
			a.log.Warn("onboardings were not continued", "cause", err)
		}
		if err := s.settle(ctx, a.tools); err != nil && ctx.Err() == nil {
			a.log.Warn("confirmed steps were not carried out", "cause", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// settle carries out the confirmed steps without a result. Before the server of their operations exists, it does nothing.
func (s *assistantParts) settle(ctx context.Context, tools *toolServer) error {
	select {
	case <-tools.ready:
		return s.changes.Settle(ctx, tools.server.StepCaller)
	default:
		return nil
	}
}

// services returns the dependencies of the operations of the assistant; empty without an assistant.
func (s *assistantParts) services(a *assembly) httpassistant.Services {
	if s == nil {
		return httpassistant.Services{}
	}
	return httpassistant.Services{
		Engine: s.engine, Changes: s.changes, Conversations: persistence.NewConversations(a.db), Steps: persistence.NewSteps(a.db),
		Limits: a.organizations, ToolLimits: toolLimits(a.config), Answers: persistence.NewAnswers(a.db),
	}
}

// toolChanges returns the changes of tools for the Model Context Protocol; nil without an assistant.
func (s *assistantParts) toolChanges() equityhttp.ToolChanges {
	if s == nil {
		return nil
	}
	return s.changes
}

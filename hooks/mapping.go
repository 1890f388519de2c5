package hooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"equity/messages"
)

// The refusals of mappings. Their texts are part of the interface.
var (
	errMappedText    = errors.New("hook mapping requires text")
	errMappedMessage = errors.New("hook mapping requires message")
	// errFailed reports a transform without a usable result. The cause is logged only.
	errFailed = errors.New("hook mapping failed")
	// errSkipped reports a transform that handled the request.
	errSkipped = errors.New("hook mapping skipped")
)

// mapping is a normalized Mapping.
type mapping struct {
	Mapping
	path, source string
	module       *module // nil without a transform
}

// gmail returns the mappings of the preset gmail.
func gmail() Mapping {
	return Mapping{
		ID: "gmail", Match: Match{Path: "gmail"}, Action: actionAgent, Name: "Gmail", SessionKey: "hook:gmail:{{messages[0].id}}",
		MessageTemplate: "New email from {{messages[0].from}}\nSubject: {{messages[0].subject}}\n{{messages[0].snippet}}\n{{messages[0].body}}",
	}
}

// newMappings returns the mappings of the configuration, followed by those of its presets.
func newMappings(c *Config, folder string) ([]mapping, error) {
	all := slices.Clone(c.Mappings)
	for _, preset := range c.Presets {
		if preset == "gmail" {
			all = append(all, gmail())
		}
	}
	normalized := make([]mapping, 0, len(all))
	for i := range all {
		m := mapping{Mapping: all[i], path: mappedPath(all[i].Match.Path), source: trim(all[i].Match.Source)}
		if m.Action == "" {
			m.Action = actionAgent
		}
		if t := m.Transform; t != nil {
			var err error
			if m.module, err = newModule(folder, t); err != nil {
				return nil, fmt.Errorf("%w: hooks.mappings[%d].transform.module: %w", ErrConfig, i, err)
			}
		}
		normalized = append(normalized, m)
	}
	return normalized, nil
}

// mappedPath removes the white space and the slashes at both ends.
func mappedPath(path string) string { return strings.Trim(trim(path), "/") }

// matches reports whether the mapping selects the request.
func (m *mapping) matches(s *scope) bool {
	if m.path != "" && m.path != mappedPath(s.path) {
		return false
	}
	if m.source == "" {
		return true
	}
	source, _ := field(s.payload, "source").(string)
	return source == m.source
}

// action is the result of a mapping: a wake or an agent.
type action struct {
	wake  *messages.HookWake
	agent *messages.HookAgent
}

// apply returns the action of the first mapping that selects the request, or nil if none does.
func (g *Gateway) apply(ctx context.Context, s *scope, input TransformInput) (*action, error) {
	for i := range g.mappings {
		m := &g.mappings[i]
		if !m.matches(s) {
			continue
		}
		var override Override
		if m.module != nil {
			result, err := g.transform(ctx, m.module, input)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", errFailed, err)
			}
			if result.Skip {
				return nil, errSkipped
			}
			override = result.Override
		}
		return m.merge(s, override)
	}
	return nil, nil //nolint:nilnil // no mapping selects the request
}

// merge returns the action of the mapping with the fields of the override in place of its own.
func (m *mapping) merge(s *scope, o Override) (*action, error) {
	kind := m.Action
	if given, ok := o.get("kind"); ok {
		kind = display(given)
	}
	if kind == actionWake {
		return m.wake(s, o)
	}
	return m.agent(s, o)
}

func (m *mapping) wake(s *scope, o Override) (*action, error) {
	wake := &messages.HookWake{Mode: modeNow}
	if m.Action == actionWake {
		wake.Text, wake.Mode = s.render(m.TextTemplate), mode(m.WakeMode)
	}
	if text, ok := o["text"].(string); ok {
		wake.Text = text
	}
	if o["mode"] == modeNext {
		wake.Mode = modeNext
	}
	if trim(wake.Text) == "" {
		return nil, errMappedText
	}
	return &action{wake: wake}, nil
}

func (m *mapping) agent(s *scope, o Override) (*action, error) {
	agent := &messages.HookAgent{WakeMode: modeNow, Deliver: true, Name: defaultName}
	var channel, wait any = absent{}, absent{}
	if m.Action == actionAgent {
		agent.Message, agent.WakeMode = s.render(m.MessageTemplate), mode(m.WakeMode)
		if name := s.optional(m.Name); name != "" {
			agent.Name = name
		}
		agent.Agent, agent.SessionKey = trim(m.AgentID), s.optional(m.SessionKey)
		agent.To, agent.Model, agent.Thinking = s.optional(m.To), s.optional(m.Model), s.optional(m.Thinking)
		agent.Deliver = m.Deliver == nil || *m.Deliver
		if m.Channel != nil {
			channel = *m.Channel
		}
		if m.TimeoutSeconds != nil {
			wait = *m.TimeoutSeconds
		}
	}
	if text, ok := o["message"].(string); ok {
		agent.Message = text
	}
	if o["wakeMode"] == modeNext {
		agent.WakeMode = modeNext
	}
	if deliver, ok := o["deliver"].(bool); ok {
		agent.Deliver = deliver
	}
	for name, to := range map[string]*string{
		"name": &agent.Name, "agentId": &agent.Agent, "to": &agent.To, "model": &agent.Model, "thinking": &agent.Thinking,
	} {
		if given, ok := o.get(name); ok {
			*to = display(given)
		}
	}
	if trim(agent.Message) == "" {
		return nil, errMappedMessage
	}
	if given, ok := o.get("channel"); ok {
		channel = given
	}
	if given, ok := o.get("timeoutSeconds"); ok {
		wait = given
	}
	if given, ok := o.get("sessionKey"); ok {
		key, isText := given.(string)
		if !isText {
			return nil, fmt.Errorf("%w: sessionKey is not a text", errFailed)
		}
		agent.SessionKey = key
	}
	agent.TimeoutSeconds = seconds(wait)
	var err error
	agent.Channel, err = channelOf(channel)
	return &action{agent: agent}, err
}

// Override is the fields that a transform returned: texts, numbers and truth values.
type Override map[string]any

// get returns a field. A null value does not replace a field.
func (o Override) get(name string) (any, bool) {
	value, ok := o[name]
	return value, ok && value != nil
}

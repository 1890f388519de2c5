package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"equity/messages"
)

// The refusals of the policy. Their texts are part of the interface.
var (
	errSessionKey = errors.New("sessionKey is not accepted in requests: set hooks.allowRequestSessionKey to true to accept it")
	errAgent      = errors.New("agentId is not in hooks.allowedAgentIds")
	errPrefix     = errors.New("sessionKey must start with one of: ")
)

// defaultAgent is the agent of runs that name none or an unknown one.
const defaultAgent = "main"

// policy is the permitted agents and sessions.
type policy struct {
	requestKeys bool // requests may choose the session
	defaultKey  string
	prefixes    []string // in lower case; nil for all
	known       []string
	allowed     []string // agents; meaningful if restricted
	restricted  bool
}

func newPolicy(c *Config, profile string) (policy, error) {
	p := policy{requestKeys: profile != Strict, defaultKey: trim(c.DefaultSessionKey), known: []string{defaultAgent, "hooks"}}
	if c.AllowRequestSessionKey != nil {
		p.requestKeys = *c.AllowRequestSessionKey
	}
	for _, prefix := range c.AllowedSessionKeyPrefixes {
		if prefix = strings.ToLower(trim(prefix)); prefix != "" && !slices.Contains(p.prefixes, prefix) {
			p.prefixes = append(p.prefixes, prefix)
		}
	}
	for _, agent := range c.Agents {
		p.known = append(p.known, agentName(agent))
	}
	if c.AllowedAgentIDs != nil {
		for _, agent := range *c.AllowedAgentIDs {
			p.allowed = append(p.allowed, agentName(agent))
		}
		p.restricted = !slices.Contains(p.allowed, "*")
	}
	switch {
	case p.defaultKey != "" && !p.permits(p.defaultKey):
		return p, fmt.Errorf("%w: hooks.defaultSessionKey must start with one of hooks.allowedSessionKeyPrefixes", ErrConfig)
	case p.defaultKey == "" && !p.permits("hook:"):
		return p, fmt.Errorf("%w: hooks.allowedSessionKeyPrefixes must contain 'hook:' if hooks.defaultSessionKey is not set", ErrConfig)
	}
	return p, nil
}

// agentName returns the name of an agent in lower case.
func agentName(name string) string { return strings.ToLower(trim(name)) }

// permits reports whether the session key has an allowed prefix.
func (p *policy) permits(key string) bool {
	key = strings.ToLower(key)
	return p.prefixes == nil || slices.ContainsFunc(p.prefixes, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
}

// apply checks the agent and the session key of a run, and sets the defaults of both. Requested reports that the request itself
// chose the key, not a mapping.
func (p *policy) apply(agent *messages.HookAgent, requested bool, newID func() string) error {
	named := agentName(agent.Agent)
	if named != "" && !slices.Contains(p.known, named) {
		named = defaultAgent
	}
	if p.restricted && !slices.Contains(p.allowed, cmp.Or(named, defaultAgent)) {
		return errAgent
	}
	agent.Agent = named
	key := trim(agent.SessionKey)
	switch {
	case key == "" && p.defaultKey != "":
		key = p.defaultKey
	case key == "":
		key = "hook:" + newID()
	case requested && !p.requestKeys:
		return errSessionKey
	case !p.permits(key):
		return fmt.Errorf("%w%s", errPrefix, strings.Join(p.prefixes, ", "))
	}
	if named != "" { // the key of a session of the same agent
		if rest, ok := strings.CutPrefix(key, "agent:"+named+":"); ok && rest != "" {
			key = rest
		}
	}
	agent.SessionKey = key
	return nil
}

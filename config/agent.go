package config

import (
	"regexp"
	"strings"
)

// Agent are the settings of the assistant.
type Agent struct {
	// Enabled is "", "true" or "false".
	Enabled  string
	Provider AgentProvider
	APIKey   Secret
	// URL is the base address of the API, without trailing slash; empty for that of the provider.
	URL, Model string
	// Models are further models that hooks may select.
	Models                                                  []string
	MaxOutputTokens                                         int
	ToolCallsPerMinute, WritesPerMinute, DestructivePerHour int
	ConfirmWrites                                           string
	// RedirectSchemes are private schemes of the redirect addresses of programs.
	RedirectSchemes                                             []string
	MonthlyTokens, AccountMonthlyTokens, AnonymousMonthlyTokens int
}

// AgentProvider is the provider of the language model.
type AgentProvider string

// The providers.
const (
	AgentOpenAI    AgentProvider = "openai"
	AgentAnthropic AgentProvider = "anthropic"
	AgentEmbedded  AgentProvider = "embedded"
)

func agentSettings() []Setting {
	const group = "Assistant"
	return []Setting{
		define(group, "AGENT_ENABLED", "true", oneOf("true", "false"),
			func(c *Config) *string { return &c.Agent.Enabled },
			"Whether the assistant, MCP and onboarding are available. They also need AGENT_API_KEY or AGENT_PROVIDER=embedded."),
		define(group, "AGENT_PROVIDER", string(AgentOpenAI), oneOf(AgentOpenAI, AgentAnthropic, AgentEmbedded),
			func(c *Config) *AgentProvider { return &c.Agent.Provider },
			"Provider of the language model. openai is any service with chat completions. embedded understands a fixed set of commands and calls no service."),
		define(group, "AGENT_API_KEY", "", secretText(),
			func(c *Config) *Secret { return &c.Agent.APIKey },
			"Key of the provider."),
		define(group, "AGENT_URL", "", webAddress(),
			func(c *Config) *string { return &c.Agent.URL },
			"Base address of the provider's API, such as https://models.example.com/v1. Default: the address of the provider."),
		define(group, "AGENT_MODEL", "", text(),
			func(c *Config) *string { return &c.Agent.Model },
			"Name of the language model. Required for openai and anthropic."),
		define(group, "AGENT_MODELS", "", texts(),
			func(c *Config) *[]string { return &c.Agent.Models },
			"Further models, separated by commas, that a hook may select."),
		define(group, "OAUTH_REDIRECT_SCHEMES", "", schemes(),
			func(c *Config) *[]string { return &c.Agent.RedirectSchemes },
			"Private URL schemes, separated by commas, to which programs may be redirected after the user permitted their access, such as myapp. "+
				"Reversed domains (com.example.app) and the schemes of known programs are permitted without it."),
		define(group, "AGENT_MAX_OUTPUT_TOKENS", "4096", number(16, 1_000_000),
			func(c *Config) *int { return &c.Agent.MaxOutputTokens },
			"Maximum number of tokens of one message of the language model."),
		define(group, "AGENT_MAX_TOOL_CALLS_PER_MINUTE", "30", number(0, 1_000_000),
			func(c *Config) *int { return &c.Agent.ToolCallsPerMinute },
			"Maximum number of tool calls of an organization in one minute, through the assistant, MCP and hooks together."),
		define(group, "AGENT_MAX_WRITE_OPS_PER_MINUTE", "10", number(0, 1_000_000),
			func(c *Config) *int { return &c.Agent.WritesPerMinute },
			"Maximum number of writing tool calls of an organization in one minute."),
		define(group, "AGENT_MAX_DESTRUCTIVE_PER_HOUR", "5", number(0, 1_000_000),
			func(c *Config) *int { return &c.Agent.DestructivePerHour },
			"Maximum number of destructive tool calls of an organization in one hour."),
		define(group, "AGENT_CONFIRM_WRITE_OPERATIONS", "true", oneOf("true", "false"),
			func(c *Config) *string { return &c.Agent.ConfirmWrites },
			"Whether the user confirms each writing tool call. Destructive ones need a confirmation in any case: two with true, one with false. "+
				"Those that give authority are always confirmed by a person."),
		define(group, "AGENT_MONTHLY_TOKENS", "0", number(0, 2_000_000_000),
			func(c *Config) *int { return &c.Agent.MonthlyTokens },
			"Maximum number of tokens of the language model that an organization uses in a month, for the assistant and hooks together. 0: unlimited."),
		define(group, "AGENT_ACCOUNT_MONTHLY_TOKENS", "0", number(0, 2_000_000_000),
			func(c *Config) *int { return &c.Agent.AccountMonthlyTokens },
			"Maximum number of tokens that an account uses in a month, over all its organizations and onboardings, and a network for onboardings without an account. "+
				"0: as AGENT_MONTHLY_TOKENS."),
		define(group, "AGENT_ANONYMOUS_MONTHLY_TOKENS", "0", number(0, 2_000_000_000),
			func(c *Config) *int { return &c.Agent.AnonymousMonthlyTokens },
			"Maximum number of tokens of all onboardings without an account in a month. 0: ten times that of an account."),
	}
}

// AccountTokens returns the maximum number of tokens of an account in a month; 0 for no limit.
func (a Agent) AccountTokens() int {
	if a.AccountMonthlyTokens == 0 {
		return a.MonthlyTokens
	}
	return a.AccountMonthlyTokens
}

// AnonymousTokens returns the maximum number of tokens of all onboardings without an account in a month; 0 for no limit.
func (a Agent) AnonymousTokens() int64 {
	const accounts = 10
	if a.AnonymousMonthlyTokens == 0 {
		return accounts * int64(a.AccountTokens())
	}
	return int64(a.AnonymousMonthlyTokens)
}

// HasAgent reports whether the assistant is available.
func (c Config) HasAgent() bool {
	return c.Agent.Enabled != "false" && (c.Agent.APIKey != "" || c.Agent.Provider == AgentEmbedded)
}

// agentProblems returns the problems of the settings of the assistant.
func (c Config) agentProblems() (problems SettingsError) {
	if !c.HasAgent() || c.Agent.Provider == AgentEmbedded {
		return nil
	}
	if c.Agent.Model == "" {
		problems = append(problems, Problem{"AGENT_MODEL", "is not set, but is required with AGENT_API_KEY"})
	}
	if c.Environment == Production && strings.HasPrefix(c.Agent.URL, "http://") {
		problems = append(problems, Problem{"AGENT_URL", "must start with https:// in production; otherwise records and the key would be readable on the network"})
	}
	return problems
}

// schemes is the kind of a list of private URL schemes.
func schemes() kind[[]string] {
	valid := regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)
	return kind[[]string]{
		expected: "names of URL schemes in lower case, separated by commas",
		parse: func(text string) ([]string, bool) {
			return list(text, func(part string) (string, bool) { return part, valid.MatchString(part) })
		},
	}
}

// texts is the kind of a list of texts.
func texts() kind[[]string] {
	return kind[[]string]{
		expected: "texts separated by commas",
		parse: func(text string) ([]string, bool) {
			return list(text, func(part string) (string, bool) { return part, part != "" })
		},
	}
}

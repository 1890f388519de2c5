package config_test

import (
	"strings"
	"testing"
)

func TestAssistantIsOnWithAKeyOrTheEmbeddedProvider(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		environment variables
		on          bool
	}{
		"off without settings":        {variables{}, false},
		"on with a key":               {variables{"AGENT_API_KEY": "k", "AGENT_MODEL": "m"}, true},
		"on with the embedded one":    {variables{"AGENT_PROVIDER": "embedded"}, true},
		"switched off with a key":     {variables{"AGENT_API_KEY": "k", "AGENT_MODEL": "m", "AGENT_ENABLED": "false"}, false},
		"switched off when embedded":  {variables{"AGENT_PROVIDER": "embedded", "AGENT_ENABLED": "false"}, false},
		"several models can be named": {variables{"AGENT_PROVIDER": "embedded", "AGENT_MODELS": "a, b"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := load(one.environment)
			if err != nil {
				t.Fatal(err)
			}
			if c.HasAgent() != one.on {
				t.Errorf("HasAgent is %t", c.HasAgent())
			}
		})
	}
}

func TestAssistantRefusesIncompleteSettings(t *testing.T) {
	t.Parallel()
	for setting, environment := range map[string]variables{
		"AGENT_MODEL":             {"AGENT_API_KEY": "k"},
		"AGENT_PROVIDER":          {"AGENT_PROVIDER": "oracle"},
		"AGENT_MAX_OUTPUT_TOKENS": {"AGENT_PROVIDER": "embedded", "AGENT_MAX_OUTPUT_TOKENS": "1"},
	} {
		_, err := load(environment)
		if err == nil || !strings.Contains(err.Error(), setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

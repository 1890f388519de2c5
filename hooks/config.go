package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The profiles.
const (
	// Compatible follows the first releases of the interface.
	Compatible = "compatible"
	// Strict refuses tokens in addresses, and session keys that the configuration does not allow.
	Strict = "strict"
)

// The defaults of a configuration.
const (
	defaultPath = "/hooks"
	defaultBody = 256 << 10 // bytes
)

// The refusals of a configuration.
var (
	// ErrNoToken reports an enabled gateway without a token.
	ErrNoToken = errors.New("hooks.enabled requires hooks.token")
	// ErrRootPath reports a gateway that would receive every path.
	ErrRootPath = errors.New("hooks.path may not be '/'")
	// ErrConfig reports a configuration that cannot be read or contradicts itself.
	ErrConfig = errors.New("the hooks configuration is not valid")
)

// Config is the object "hooks" of the configuration.
type Config struct {
	Enabled bool   `json:"enabled"`
	Token   string `json:"token"`
	// Path is the address below which hooks are received.
	Path string `json:"path"`
	// MaxBodyBytes bounds the body of a request. Zero and negative numbers select the default, 262,144.
	MaxBodyBytes int64     `json:"maxBodyBytes"`
	Presets      []string  `json:"presets"`
	Mappings     []Mapping `json:"mappings"`
	// TransformsDir is the folder of the modules of mappings. It is relative to the folder of the configuration.
	TransformsDir string `json:"transformsDir"`
	// DefaultSessionKey is that of runs without one; a random key if it is empty.
	DefaultSessionKey string `json:"defaultSessionKey"`
	// AllowRequestSessionKey permits requests to choose the session. The default depends on the profile.
	AllowRequestSessionKey    *bool    `json:"allowRequestSessionKey"`
	AllowedSessionKeyPrefixes []string `json:"allowedSessionKeyPrefixes"`
	// AllowedAgentIDs are the agents that requests and mappings may choose; nil or "*" for all.
	AllowedAgentIDs *[]string `json:"allowedAgentIds"`
	// Agents are known agents beside main and hooks.
	Agents []string `json:"agents"`
}

// Mapping translates the requests of a path.
type Mapping struct {
	ID              string     `json:"id"`
	Match           Match      `json:"match"`
	Action          string     `json:"action"`
	WakeMode        string     `json:"wakeMode"`
	Name            string     `json:"name"`
	AgentID         string     `json:"agentId"`
	SessionKey      string     `json:"sessionKey"`
	MessageTemplate string     `json:"messageTemplate"`
	TextTemplate    string     `json:"textTemplate"`
	Deliver         *bool      `json:"deliver"`
	Channel         *string    `json:"channel"`
	To              string     `json:"to"`
	Model           string     `json:"model"`
	Thinking        string     `json:"thinking"`
	TimeoutSeconds  *float64   `json:"timeoutSeconds"`
	Transform       *Transform `json:"transform"`
}

// Match selects the requests of a mapping. An empty field selects all.
type Match struct {
	Path   string `json:"path"`
	Source string `json:"source"`
}

// Transform names a module that computes the action of a mapping.
type Transform struct {
	Module string `json:"module"`
	// Export is the name of the exported function; the default export or "transform" if it is empty.
	Export string `json:"export"`
}

// ParseConfig reads the object "hooks", or an object with it as its field "hooks".
func ParseConfig(text []byte) (Config, error) {
	var file struct {
		Hooks json.RawMessage `json:"hooks"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Config{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if len(file.Hooks) > 0 {
		text = file.Hooks
	}
	var c Config
	if err := json.Unmarshal(text, &c); err != nil {
		return Config{}, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return c, nil
}

// basePath returns the path below which hooks are received, without a slash at the end.
func (c *Config) basePath() (string, error) {
	path := trim(c.Path)
	if path == "" {
		path = defaultPath
	}
	path = strings.TrimRight("/"+strings.TrimPrefix(path, "/"), "/")
	if path == "" {
		return "", ErrRootPath
	}
	return path, nil
}

// checkMappings returns the first contradiction of the mappings.
func (c *Config) checkMappings() error {
	for i := range c.Mappings {
		m := &c.Mappings[i]
		switch {
		case !slices.Contains([]string{"", actionAgent, actionWake}, m.Action):
			return fmt.Errorf("%w: hooks.mappings[%d].action must be wake or agent", ErrConfig, i)
		case !slices.Contains([]string{"", modeNow, modeNext}, m.WakeMode):
			return fmt.Errorf("%w: hooks.mappings[%d].wakeMode must be now or next-heartbeat", ErrConfig, i)
		case m.Transform != nil && trim(m.Transform.Module) == "":
			return fmt.Errorf("%w: hooks.mappings[%d].transform.module is required", ErrConfig, i)
		}
	}
	return nil
}

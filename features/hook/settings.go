package hook

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/google/uuid"

	"equity/config"
	"equity/hooks"
)

// tokenSetting is the name of the setting with the token of the operator.
const tokenSetting = "HOOKS_TOKEN"

// settings are those of the operator.
type settings struct {
	// enabled is "true" if hooks are received, "false" if not, and "" for the value in the file.
	enabled string
	token   config.Secret // "" for the value in the file
	path    string        // "" for the value in the file, or /hooks
	// listen is host:port of the command gateway.
	listen string
	// organization is the UUID of the organization to which token leads; "" if absent.
	organization string
	file         string // "" if absent
	profile      string // compatible or strict
}

func describedSettings() []config.Setting {
	const group = "Inbound hooks"
	return []config.Setting{
		config.Define(group, "HOOKS_ENABLED", "", config.OneOf("false", "true"),
			func(s *settings) *string { return &s.enabled },
			"Whether inbound hooks are received. Default: the value in HOOKS_FILE, or false."),
		config.Define(group, tokenSetting, "", config.SecretText(),
			func(s *settings) *config.Secret { return &s.token },
			"Token of hooks for HOOKS_ORGANIZATION. It must differ from all other tokens. Default: the value in HOOKS_FILE.").
			Unless(unusableToken),
		config.Define(group, "HOOKS_PATH", "", config.Path(),
			func(s *settings) *string { return &s.path },
			"Path below which hooks are received. Default: the value in HOOKS_FILE, or /hooks.").
			Unless(rootPath),
		config.Define(group, "HOOKS_LISTEN", "127.0.0.1:8081", config.ListenAddress(),
			func(s *settings) *string { return &s.listen },
			"Address of the command 'equity gateway', which receives hooks in a process of its own. The server receives them at LISTEN."),
		config.Define(group, "HOOKS_ORGANIZATION", "", identifier(),
			func(s *settings) *string { return &s.organization },
			"Id of the organization that receives the hooks with HOOKS_TOKEN. Other organizations create tokens of their own."),
		config.Define(group, "HOOKS_FILE", "", config.Path(),
			func(s *settings) *string { return &s.file },
			"JSON file with the object hooks: mappings, presets, transforms and policies. A relative transformsDir is relative to its folder."),
		config.Define(group, "HOOKS_PROFILE", "compatible", config.OneOf("compatible", "strict"),
			func(s *settings) *string { return &s.profile },
			"Rules of hooks. strict refuses tokens in addresses, and session keys in requests unless HOOKS_FILE allows them."),
	}
}

// identifier is the kind of a UUID.
func identifier() config.Kind[string] {
	return config.Parsed("a UUID", func(text string) (string, bool) {
		id, err := uuid.Parse(text)
		return id.String(), err == nil && len(text) == len(id.String())
	})
}

// unusableToken returns the problem of a missing token, or of one that authorizes other callers too.
func unusableToken(c config.Config) string {
	s := config.Of[settings](c)
	if s.enabled == "true" && s.file == "" && strings.TrimSpace(s.token.Reveal()) == "" {
		return "is not set, but hooks.enabled requires hooks.token"
	}
	if name := c.SameToken(tokenSetting, s.token.Reveal()); name != "" {
		return "has the value of " + name + ", but must be different"
	}
	return ""
}

// rootPath returns the problem of a path that contains all others.
func rootPath(c config.Config) string {
	if s := config.Of[settings](c); s.path != "" && strings.Trim(s.path, "/ ") == "" {
		return "hooks.path may not be '/'"
	}
	return ""
}

var (
	errOff   = errors.New("inbound hooks are off: set HOOKS_ENABLED=true and HOOKS_TOKEN")
	errToken = errors.New("hooks.token must differ from")
)

// load returns the configuration of hooks. Settings take precedence over the file.
func load(c config.Config) (loaded hooks.Config, err error) {
	s := config.Of[settings](c)
	if s.file != "" {
		text, err := os.ReadFile(s.file)
		if err != nil {
			return loaded, fmt.Errorf("HOOKS_FILE: %w", err)
		}
		if loaded, err = hooks.ParseConfig(text); err != nil {
			return loaded, fmt.Errorf("HOOKS_FILE: %w", err)
		}
	}
	if s.enabled != "" {
		loaded.Enabled = s.enabled == "true"
	}
	loaded.Token = cmp.Or(s.token.Reveal(), loaded.Token)
	loaded.Path = cmp.Or(s.path, loaded.Path)
	if !loaded.Enabled {
		return loaded, nil
	}
	if name := c.SameToken(tokenSetting, loaded.Token); name != "" {
		return loaded, fmt.Errorf("%w %s", errToken, name)
	}
	return loaded, nil
}

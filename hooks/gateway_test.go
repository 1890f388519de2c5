package hooks_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/hooks"
	"equity/messages"
	"equity/organization"
)

func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, target, token, body string
		status                      int
		text                        string
	}{
		"path outside":                       {"POST", "/other", "hook-secret", "", 404, "Not Found"},
		"path with the same beginning":       {"POST", "/hooksx/wake", "hook-secret", "", 404, "Not Found"},
		"token before method":                {"GET", "/hooks/wake", "wrong", "", 401, "Unauthorized"},
		"token before path":                  {"POST", "/hooks", "wrong", "", 401, "Unauthorized"},
		"method before empty path":           {"PUT", "/hooks/", "hook-secret", "", 405, "Method Not Allowed"},
		"method OPTIONS":                     {"OPTIONS", "/hooks/wake", "hook-secret", "", 405, "Method Not Allowed"},
		"empty path":                         {"POST", "/hooks", "hook-secret", "{", 404, "Not Found"},
		"only slashes":                       {"POST", "/hooks///", "hook-secret", "{", 404, "Not Found"},
		"no mapping":                         {"POST", "/hooks/unknown", "hook-secret", "{}", 404, "Not Found"},
		"wake with a slash is not wake":      {"POST", "/hooks/wake/", "hook-secret", `{"text":"a"}`, 404, "Not Found"},
		"wake is case-sensitive":             {"POST", "/hooks/Wake", "hook-secret", `{"text":"a"}`, 404, "Not Found"},
		"the path of the gateway is exact":   {"POST", "/Hooks/wake", "hook-secret", `{"text":"a"}`, 404, "Not Found"},
		"an escaped letter is another path":  {"POST", "/hooks/%77ake", "hook-secret", `{"text":"a"}`, 404, "Not Found"},
		"a path that leaves the gateway":     {"POST", "/hooks/../other", "hook-secret", "{}", 404, "Not Found"},
		"the token is case-sensitive":        {"POST", "/hooks/wake", "Hook-secret", "", 401, "Unauthorized"},
		"the beginning of a token is wrong":  {"POST", "/hooks/wake", "hook", "", 401, "Unauthorized"},
		"a token with more text is wrong":    {"POST", "/hooks/wake", "hook-secret2", "", 401, "Unauthorized"},
		"an unknown token of organizations":  {"POST", "/hooks/wake", "eqh_" + strings.Repeat("a", 43), "", 401, "Unauthorized"},
		"invalid body of an unknown mapping": {"POST", "/hooks/unknown", "wrong", "{", 401, "Unauthorized"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t, plainConfig, hooks.Options{})
			plainly(t, b.anonymous(c.method, c.target, c.body, "Authorization: Bearer "+c.token), c.status, c.text)
			if len(b.events) > 0 {
				t.Error("the request had an effect")
			}
		})
	}
}

func TestHeadIsRefusedWithAllow(t *testing.T) {
	t.Parallel()
	w := start(t, plainConfig, hooks.Options{}).send(http.MethodHead, "/hooks/wake", "")
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "POST" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

func TestFirstNonEmptyTokenDecides(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target  string
		headers []string
		status  int
	}{
		"bearer in any case":                  {"/hooks/wake", []string{"Authorization: bEaReR   hook-secret "}, 200},
		"basic is skipped":                    {"/hooks/wake", []string{"Authorization: Basic abc", "x-service-token: hook-secret"}, 200},
		"empty bearer is skipped":             {"/hooks/wake", []string{"Authorization: Bearer  ", "X-Service-Token: hook-secret"}, 200},
		"header with spaces":                  {"/hooks/wake", []string{"x-service-token:  hook-secret "}, 200},
		"blank header is skipped":             {"/hooks/wake?token=hook-secret", []string{"x-service-token:  "}, 200},
		"query":                               {"/hooks/wake?token=hook-secret", nil, 200},
		"query with plus":                     {"/hooks/wake?token=+hook-secret+", nil, 200},
		"the first token of a query decides":  {"/hooks/wake?token=wrong&token=hook-secret", nil, 401},
		"empty query":                         {"/hooks/wake?token=", nil, 401},
		"a wrong bearer hides a right header": {"/hooks/wake", []string{"Authorization: Bearer wrong", "x-service-token: hook-secret"}, 401},
		"a wrong header hides a right query":  {"/hooks/wake?token=hook-secret", []string{"x-service-token: wrong"}, 401},
		"a bare authorization is no token":    {"/hooks/wake", []string{"Authorization: hook-secret"}, 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, plainConfig, hooks.Options{}).anonymous(http.MethodPost, c.target, `{"text":"a"}`, c.headers...)
			if w.Code != c.status {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, c.status)
			}
		})
	}
}

func TestPathsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	for path, target := range map[string]string{
		"": "/hooks/wake", "hooks///": "/hooks/wake", " /in/ ": "/in/wake", "a/b": "/a/b/wake", "/hooks": "/hooks//wake", "/h": "/h/./x/../wake",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			b := start(t, `{"enabled":true,"token":" hook-secret ","path":"`+path+`"}`, hooks.Options{})
			if w := b.post(target, `{"text":"a"}`); w.Code != http.StatusOK {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

func TestRefusedConfigurations(t *testing.T) {
	t.Parallel()
	for config, text := range map[string]string{
		`{"enabled":true}`:                                                                              "hooks.enabled requires hooks.token",
		`{"enabled":true,"token":"\t"}`:                                                                 "hooks.enabled requires hooks.token",
		`{"enabled":true,"token":"a","path":"/"}`:                                                       "hooks.path may not be '/'",
		`{"enabled":true,"token":"a","path":"////"}`:                                                    "hooks.path may not be '/'",
		`{"enabled":true,"token":"a","mappings":[{"action":"run"}]}`:                                    "action must be wake or agent",
		`{"enabled":true,"token":"a","mappings":[{"wakeMode":"later"}]}`:                                "wakeMode must be",
		`{"enabled":true,"token":"a","mappings":[{"transform":{"module":"../a.js"}}]}`:                  "below hooks.transformsDir",
		`{"enabled":true,"token":"a","mappings":[{"transform":{"module":"/etc/passwd"}}]}`:              "below hooks.transformsDir",
		`{"enabled":true,"token":"a","mappings":[{"transform":{"module":" "}}]}`:                        "module is required",
		`{"enabled":true,"token":"a","allowedSessionKeyPrefixes":["agent:"]}`:                           "must contain 'hook:'",
		`{"enabled":true,"token":"a","allowedSessionKeyPrefixes":["hook:"],"defaultSessionKey":"main"}`: "defaultSessionKey must start",
	} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			parsed, err := hooks.ParseConfig([]byte(config))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = hooks.New(parsed, &recorder{}, hooks.Options{}); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("got %v, want %s", err, text)
			}
		})
	}
}

func TestDisabledGatewayHandlesNoPath(t *testing.T) {
	t.Parallel()
	b := start(t, `{"token":"hook-secret"}`, hooks.Options{})
	plainly(t, b.post("/hooks/wake", `{"text":"a"}`), http.StatusNotFound, "Not Found")
}

func TestFailedTokensAreLimited(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	wrong := func() int { return b.anonymous(http.MethodPost, "/hooks/wake", "", "x-service-token: wrong").Code }
	for i := range 20 {
		if code := wrong(); code != http.StatusUnauthorized {
			t.Fatalf("attempt %d: %d", i+1, code)
		}
	}
	b.now = b.now.Add(10 * time.Second)
	w := b.anonymous(http.MethodPost, "/hooks/wake", "")
	plainly(t, w, http.StatusTooManyRequests, "Too Many Requests")
	if got := w.Header().Get("Retry-After"); got != "50" {
		t.Errorf("Retry-After %q", got)
	}
	if w := b.post("/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
		t.Errorf("the right token: %d", w.Code)
	}
	if code := wrong(); code != http.StatusUnauthorized {
		t.Errorf("after a success: %d", code)
	}
	for range 20 {
		wrong()
	}
	b.now = b.now.Add(time.Minute)
	if code := wrong(); code != http.StatusUnauthorized {
		t.Errorf("after the window: %d", code)
	}
}

func TestClientsAreLimitedSeparately(t *testing.T) {
	t.Parallel()
	client := "a"
	b := start(t, plainConfig, hooks.Options{Client: func(*http.Request) string { return client }})
	for range 25 {
		b.anonymous(http.MethodPost, "/hooks/wake", "")
	}
	client = "b"
	if w := b.anonymous(http.MethodPost, "/hooks/wake", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("another client: %d", w.Code)
	}
}

func TestBodyOfExactlyTheLimitPasses(t *testing.T) {
	t.Parallel()
	const limit = 262_144
	b := start(t, plainConfig, hooks.Options{})
	fill := func(size int) string {
		const frame = `{"text":""}`
		return `{"text":"` + strings.Repeat("a", size-len(frame)) + `"}`
	}
	if w := b.post("/hooks/wake", fill(limit)); w.Code != http.StatusOK {
		t.Errorf("the limit: %d", w.Code)
	}
	refused(t, b.post("/hooks/wake", fill(limit+1)), http.StatusRequestEntityTooLarge, "payload too large")
}

func TestConfiguredBodyLimit(t *testing.T) {
	t.Parallel()
	b := start(t, `{"enabled":true,"token":"hook-secret","maxBodyBytes":10}`, hooks.Options{})
	refused(t, b.post("/hooks/wake", `{"text":"a"}`), http.StatusRequestEntityTooLarge, "payload too large")
}

func TestTokenInAnAddressIsNotLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	b := start(t, plainConfig, hooks.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	b.anonymous(http.MethodPost, "/hooks/wake?token=hook-secret", `{"text":"a"}`)
	b.anonymous(http.MethodPost, "/hooks/wake?token=other-secret", `{"text":"a"}`)
	if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "deprecated") {
		t.Error(log.String())
	}
}

func TestRefusalsOfTheDispatcher(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	b.err = &messages.CallLimitError{After: 1500 * time.Millisecond}
	w := b.post("/hooks/agent", `{"message":"a"}`)
	refused(t, w, http.StatusTooManyRequests, "rate limited")
	if got := w.Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q", got)
	}
	b.err = messages.ErrHookToken
	plainly(t, b.post("/hooks/wake", `{"text":"a"}`), http.StatusUnauthorized, "Unauthorized")
	b.err = errors.New("the store is down")
	if w := b.post("/hooks/wake", `{"text":"a"}`); w.Code != http.StatusServiceUnavailable {
		t.Errorf("%d", w.Code)
	}
}

// tokens has one token of an organization.
type tokens struct {
	hash   [sha256.Size]byte
	source messages.HookSource
}

func (s tokens) Source(_ context.Context, hash [sha256.Size]byte) (messages.HookSource, bool, error) {
	return s.source, hash == s.hash, nil
}

func TestEachTokenLeadsToItsOrganization(t *testing.T) {
	t.Parallel()
	token := "eqh_" + strings.Repeat("b", 43)
	theirs := messages.HookSource{Organization: organization.ID{2}, Token: organization.HookTokenID{3}}
	b := start(t, plainConfig, hooks.Options{Organization: organization.ID{1}, Tokens: tokens{sha256.Sum256([]byte(token)), theirs}})
	b.post("/hooks/wake", `{"text":"a"}`)
	b.anonymous(http.MethodPost, "/hooks/wake", `{"text":"a"}`, "x-service-token: "+token)
	if len(b.wakes) != 2 || b.wakes[0].Organization != (organization.ID{1}) || b.wakes[1].HookSource != theirs {
		t.Errorf("%+v", b.wakes)
	}
}

func TestRepetitions(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	body := `{"message":"a","name":"n"}`
	of := func(target, body string, headers ...string) [32]byte {
		if w := b.post(target, body, headers...); w.Code != http.StatusAccepted {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return b.last(t).Repetition
	}
	first := of("/hooks/agent", body, "Idempotency-Key: k")
	if first == ([32]byte{}) || of("/hooks/agent", `{"name":"n", "message":" a "}`, "Idempotency-Key: k") != first {
		t.Error("a repetition is not recognized")
	}
	if of("/hooks/agent", body, "x-service-idempotency-key:  k ") != first || of("/hooks/agent", `{"message":"a","name":"n","idempotencyKey":"k"}`) != first {
		t.Error("the forms of the key differ")
	}
	for name, other := range map[string][32]byte{
		"another key":     of("/hooks/agent", body, "Idempotency-Key: l"),
		"another message": of("/hooks/agent", `{"message":"b","name":"n"}`, "Idempotency-Key: k"),
	} {
		if other == first || other == ([32]byte{}) {
			t.Errorf("%s is a repetition", name)
		}
	}
	if of("/hooks/agent", body) != ([32]byte{}) || of("/hooks/agent", body, "Idempotency-Key: "+strings.Repeat("k", 257)) != ([32]byte{}) {
		t.Error("a request without a usable key is a repetition")
	}
	if of("/hooks/agent", body, "Idempotency-Key: "+strings.Repeat("k", 256)) == ([32]byte{}) {
		t.Error("a key of 256 characters is ignored")
	}
}

func TestStrictProfile(t *testing.T) {
	t.Parallel()
	strict := func(t *testing.T, config string) *bundle {
		t.Helper()
		return start(t, config, hooks.Options{Profile: hooks.Strict})
	}
	t.Run("a token in the address is refused before all other checks", func(t *testing.T) {
		t.Parallel()
		b := strict(t, plainConfig)
		for _, w := range []int{
			b.anonymous(http.MethodGet, "/hooks?token=", "").Code, b.post("/hooks/wake?token=hook-secret", `{"text":"a"}`).Code,
		} {
			if w != http.StatusBadRequest {
				t.Errorf("%d", w)
			}
		}
		w := b.post("/hooks/wake?token=hook-secret", "")
		if !strings.Contains(w.Body.String(), "query parameters are not allowed") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s", w.Body)
		}
	})
	t.Run("the session key of a request is refused by default", func(t *testing.T) {
		t.Parallel()
		w := strict(t, plainConfig).post("/hooks/agent", `{"message":"a","sessionKey":"hook:x"}`)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "hooks.allowRequestSessionKey") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	const keys = `{"enabled":true,"token":"hook-secret","allowRequestSessionKey":true,"allowedSessionKeyPrefixes":["Hook:"," x: "],"defaultSessionKey":"hook:in",
		"mappings":[{"match":{"path":"ok"},"messageTemplate":"m","sessionKey":"hook:{{id}}"},{"match":{"path":"bad"},"messageTemplate":"m","sessionKey":"main"}]}`
	t.Run("a session key without an allowed prefix is refused", func(t *testing.T) {
		t.Parallel()
		b := strict(t, keys)
		refused(t, b.post("/hooks/agent", `{"message":"a","sessionKey":"main"}`), 400, "sessionKey must start with one of: hook:, x:")
		refused(t, b.post("/hooks/bad", `{}`), 400, "sessionKey must start with one of: hook:, x:")
		for body, want := range map[string]string{`{"message":"a"}`: "hook:in", `{"message":"a","sessionKey":" HOOK:a "}`: "HOOK:a"} {
			if b.post("/hooks/agent", body); b.last(t).SessionKey != want {
				t.Errorf("%s: %q", body, b.last(t).SessionKey)
			}
		}
		if b.post("/hooks/ok", `{"id":4}`); b.last(t).SessionKey != "hook:4" {
			t.Errorf("%q", b.last(t).SessionKey)
		}
	})
	t.Run("an agent that is not allowed is refused", func(t *testing.T) {
		t.Parallel()
		b := strict(t, `{"enabled":true,"token":"hook-secret","allowedAgentIds":["hooks"],"mappings":[{"agentId":"main","messageTemplate":"m"}]}`)
		for _, body := range []string{`{"message":"a"}`, `{"message":"a","agentId":"main"}`, `{"message":"a","agentId":"unknown"}`} {
			w := b.post("/hooks/agent", body)
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "hooks.allowedAgentIds") {
				t.Errorf("%s: %d %s", body, w.Code, w.Body)
			}
		}
		if w := b.post("/hooks/mapped", `{}`); w.Code != http.StatusBadRequest {
			t.Errorf("mapping: %d", w.Code)
		}
		if b.post("/hooks/agent", `{"message":"a","agentId":" Hooks "}`); b.last(t).Agent != "hooks" {
			t.Errorf("%q", b.last(t).Agent)
		}
		everyone := strict(t, `{"enabled":true,"token":"hook-secret","allowedAgentIds":["*"]}`)
		if w := everyone.post("/hooks/agent", `{"message":"a"}`); w.Code != http.StatusAccepted {
			t.Errorf("*: %d", w.Code)
		}
	})
}

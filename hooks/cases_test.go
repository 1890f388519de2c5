package hooks_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"equity/hooks"
	"equity/messages"
)

// example is one case of the shared file.
type example struct {
	ID      int    `json:"id"`
	Title   string `json:"title"`
	Profile string `json:"profile"`
	Config  struct {
		Hooks map[string]any `json:"hooks"`
	} `json:"config"`
	Request struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	} `json:"request"`
	AgentRun  *messages.HookResult `json:"agent_run"`
	Transform *struct {
		Behaviour string `json:"behaviour"`
	} `json:"transform"`
	Expect map[string]any `json:"expect"`
}

// TestCasesOfTheInterface replays the cases of the shared file, and those of this repository without it.
func TestCasesOfTheInterface(t *testing.T) {
	t.Parallel()
	path := "testdata/cases.json"
	if folder := os.Getenv("SHARED"); folder != "" {
		path = filepath.Join(folder, "cases/hooks/cases.json")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []example `json:"cases"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatal("the file has no cases")
	}
	for _, c := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", c.ID, c.Title), func(t *testing.T) {
			t.Parallel()
			c.replay(t)
		})
	}
}

func (c *example) replay(t *testing.T) {
	t.Helper()
	options := hooks.Options{Profile: hooks.Compatible, Folder: t.TempDir()}
	if c.Profile == "later" {
		options.Profile = hooks.Strict
	}
	if c.Transform != nil {
		c.write(t, options.Folder)
	}
	config, err := json.Marshal(c.Config)
	if err != nil {
		t.Fatal(err)
	}
	if want, ok := c.Expect["config_error"]; ok {
		parsed, err := hooks.ParseConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = hooks.New(parsed, &recorder{}, options); err == nil || err.Error() != want {
			t.Errorf("got %v, want %v", err, want)
		}
		return
	}
	b := start(t, string(config), options)
	if c.AgentRun != nil {
		b.result = *c.AgentRun
	}
	r := httptest.NewRequest(c.Request.Method, c.Request.Path, strings.NewReader(c.Request.Body))
	for name, value := range c.Request.Headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.gateway.ServeHTTP(w, r)
	c.compare(t, b, w)
}

// write writes the module of the transform.
func (c *example) write(t *testing.T, folder string) {
	t.Helper()
	if c.Transform.Behaviour != "returns null" {
		t.Fatalf("unknown behaviour %q", c.Transform.Behaviour)
	}
	for _, m := range c.Config.Hooks["mappings"].([]any) {
		if named, ok := m.(map[string]any)["transform"].(map[string]any); ok {
			path := filepath.Join(folder, named["module"].(string))
			if err := os.WriteFile(path, []byte("export default () => null;"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// compare compares the answer and its effects with the expectations.
func (c *example) compare(t *testing.T, b *bundle, w *httptest.ResponseRecorder) {
	t.Helper()
	run := map[string]any{}
	if len(b.agents) > 0 {
		packed, err := json.Marshal(b.agents[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(packed, &run); err != nil {
			t.Fatal(err)
		}
	}
	var body map[string]any
	_ = json.Unmarshal(w.Body.Bytes(), &body)
	events := make([]any, len(b.events))
	for i, event := range b.events {
		events[i] = event
	}
	for key, want := range c.Expect {
		switch key {
		case "status":
			match(t, key, want, float64(w.Code))
		case "content_type":
			match(t, key, want, w.Header().Get("Content-Type"))
		case "text":
			match(t, key, want, w.Body.String())
		case "headers":
			for name, value := range want.(map[string]any) {
				match(t, name, value, w.Header().Get(name))
			}
		case "json":
			for name, value := range want.(map[string]any) {
				match(t, name, value, body[name])
			}
		case "dispatch":
			for name, value := range want.(map[string]any) {
				match(t, name, value, run[name])
			}
		case "main_events":
			match(t, key, want, events)
		case "heartbeat_requested":
			match(t, key, want, b.heartbeat)
		case "agent_dispatched":
			match(t, key, want, len(b.agents) > 0)
		default:
			t.Errorf("unknown expectation %s", key)
		}
	}
	if c.Request.Method != http.MethodPost && len(b.events) > 0 {
		t.Error("a request without POST had an effect")
	}
}

// match compares a value with an expectation. An object is a matcher, of which all keys must hold.
func match(t *testing.T, name string, want, got any) {
	t.Helper()
	matcher, ok := want.(map[string]any)
	if !ok {
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		return
	}
	text, _ := got.(string)
	for kind, value := range matcher {
		holds := false
		switch kind {
		case "equals":
			holds = reflect.DeepEqual(value, got)
		case "matches":
			holds = regexp.MustCompile(value.(string)).MatchString(text)
		case "type":
			_, isText := got.(string)
			holds = value == "string" && isText
		case "starts_with":
			holds = strings.HasPrefix(text, value.(string))
		case "contains":
			holds = strings.Contains(text, value.(string))
		}
		if !holds {
			t.Errorf("%s: got %v, want %s %v", name, got, kind, value)
		}
	}
}

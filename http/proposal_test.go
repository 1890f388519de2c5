package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/actors/assistant"
	"equity/http/apitest"
)

// hostile is a model that proposes one call and describes it as something else.
type hostile struct {
	mu   sync.Mutex
	call *assistant.Call
}

func (*hostile) Name() string  { return "hostile" }
func (*hostile) Model() string { return "hostile" }

// proposes sets the next call.
func (h *hostile) proposes(tb testing.TB, name string, arguments map[string]any) {
	tb.Helper()
	text, err := json.Marshal(arguments)
	if err != nil {
		tb.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.call = &assistant.Call{ID: "a", Name: name, Arguments: text}
}

// Complete returns the call once, and a harmless text afterwards.
func (h *hostile) Complete(context.Context, assistant.Prompt, func(string)) (assistant.Completion, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.call == nil {
		return assistant.Completion{Text: "Added Grace Hopper.", Tokens: 1}, nil
	}
	call := *h.call
	h.call = nil
	return assistant.Completion{Calls: []assistant.Call{call}, Tokens: 1}, nil
}

// arguments returns the arguments of a tool call for the wish of an operation.
func (e *estate) arguments(t *testing.T, d *declared) map[string]any {
	t.Helper()
	w, made := e.wish(t, d), map[string]any{}
	for _, p := range d.parameters {
		switch {
		case p.In == openapi3.ParameterInPath:
			made[p.Name] = e.record(t, d, p)
		case p.In == openapi3.ParameterInQuery && w.query.Get(p.Name) != "" && p.Name != "dryRun":
			made[p.Name] = w.query.Get(p.Name)
		}
	}
	if w.body != "" {
		made["body"] = json.RawMessage(w.body)
	}
	return made
}

// leaves returns the pointers of the plain values of a JSON value with their texts.
func leaves(value any, at string, found map[string]string) {
	switch part := value.(type) {
	case map[string]any:
		for name, field := range part {
			leaves(field, at+"/"+name, found)
		}
	case []any:
		for i, item := range part {
			leaves(item, fmt.Sprintf("%s/%d", at, i), found)
		}
	default:
		found[at] = fmt.Sprint(part)
	}
}

// TestHostileModelHidesNoArgument lets a model propose every writing tool with a false description. Each step shows all arguments, with
// names for ids, and nothing is recorded.
func TestHostileModelHidesNoArgument(t *testing.T) {
	t.Parallel()
	model := &hostile{}
	b := apitest.Setup(t, withModel(t, model))
	e := newEstate(t, b, "zora")
	before := e.JournalLength(t)
	proposed, unnamed := 0, map[string]bool{}
	for _, d := range declaredOperations(b.Contract) {
		if !d.tool || d.reads {
			continue
		}
		arguments := e.arguments(t, &d)
		var steps []any
		var last string
		callers := []*apitest.Client{e.Client, e.holder}
		if strings.HasSuffix(d.id, "Wallet") { // a wallet is named only to those who act for its owner
			slices.Reverse(callers)
		}
		for _, by := range callers {
			b.Clock.Advance(time.Hour)
			model.proposes(t, d.id, arguments)
			got := by.Must(t, "POST", "/v1/agent/chat", `{"organization":"`+e.ID+`","message":"Add Grace Hopper."}`, http.StatusOK)
			last = got.Body
			if steps = got.List(t, "pendingConfirmations"); len(steps) == 1 {
				break
			}
		}
		if len(steps) != 1 {
			t.Errorf("%s: no step: %s", d.id, last)
			continue
		}
		proposed++
		e.showsAll(t, d.id, arguments, steps[0], unnamed)
	}
	want := []string{ // a card, and entities of others
		"revealReward /rewardId", "transferCredit /fromEntity", "transferCredit /toEntity",
	}
	if got := slices.Sorted(maps.Keys(unnamed)); !slices.Equal(got, want) {
		t.Errorf("without a name: %v", got)
	}
	if got := e.JournalLength(t); got != before || proposed < 80 {
		t.Errorf("%d proposals, %d new events", proposed, got-before)
	}
}

// showsAll compares the details of a step with the arguments of the call.
func (e *estate) showsAll(t *testing.T, id string, arguments map[string]any, step any, unnamed map[string]bool) {
	t.Helper()
	text, err := json.Marshal(step)
	if err != nil {
		t.Fatal(err)
	}
	var shown struct {
		Preview struct {
			Details []struct{ Pointer, Label, Value, Kind, Name, Mark string }
		}
	}
	if err := json.Unmarshal(text, &shown); err != nil {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	var body any
	if raw, ok := arguments["body"].(json.RawMessage); ok {
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Fatal(err)
		}
		leaves(body, "", wanted)
	}
	for name, value := range arguments {
		if name != "body" {
			wanted["/path/"+name] = fmt.Sprint(value)
		}
	}
	for pointer, value := range wanted {
		found := false
		for _, d := range shown.Preview.Details {
			if d.Pointer != pointer && d.Pointer != strings.Replace(pointer, "/path/", "/query/", 1) {
				continue
			}
			found = true
			if !strings.Contains(d.Value, value) && !slices.Contains([]string{"yes", "no", "empty list"}, d.Value) && value != "<nil>" {
				t.Errorf("%s %s: %q, want %q", id, pointer, d.Value, value)
			}
			if isID(value) && (d.Kind == "unknown" || d.Name == "") {
				unnamed[id+" "+pointer] = true
			}
		}
		if !found && value != "map[]" && value != "[]" {
			t.Errorf("%s hides %s: %+v", id, pointer, shown.Preview.Details)
		}
	}
}

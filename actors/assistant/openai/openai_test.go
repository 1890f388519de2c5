package openai_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"equity/actors/assistant"
	"equity/actors/assistant/openai"
	"equity/messages"
)

// serve answers with the stream and returns a provider for it. The body of the last request is written to the target.
func serve(t *testing.T, status int, stream string, request *string) *openai.Provider {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if request != nil {
			*request = r.URL.Path + " " + r.Header.Get("Authorization") + " " + string(body)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, stream)
	}))
	t.Cleanup(server.Close)
	return openai.New(openai.Settings{Key: "k", Model: "m", URL: server.URL})
}

const streamed = `data: {"choices":[{"index":0,"delta":{"content":"Let me "}}]}

data: {"choices":[{"index":0,"delta":{"content":"look."}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"listMembers","arguments":"{\"li"}}]}}]}

data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"mit\":2}"}}]}}]}

data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"total_tokens":42}}

data: [DONE]

`

func TestPartsOfAStreamBecomeOneMessage(t *testing.T) {
	t.Parallel()
	var parts []string
	made, err := serve(t, http.StatusOK, streamed, nil).Complete(t.Context(), assistant.Prompt{}, func(part string) { parts = append(parts, part) })
	if err != nil || made.Text != "Let me look." || strings.Join(parts, "|") != "Let me |look." || made.Tokens != 42 {
		t.Fatalf("%v %+v %q", err, made, parts)
	}
	if len(made.Calls) != 1 || made.Calls[0].ID != "c1" || made.Calls[0].Name != "listMembers" || string(made.Calls[0].Arguments) != `{"limit":2}` {
		t.Errorf("%+v", made.Calls)
	}
}

func TestPromptsHaveTheFormOfTheService(t *testing.T) {
	t.Parallel()
	var request string
	provider := serve(t, http.StatusOK, streamed, &request)
	_, err := provider.Complete(t.Context(), assistant.Prompt{
		System: "rules", MaxTokens: 7, Tools: []messages.Tool{{Name: "listMembers", InputSchema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []assistant.Message{
			{Role: messages.RoleUser, Text: "hello"},
			{Role: messages.RoleAssistant, Calls: []assistant.Call{{ID: "c1", Name: "listMembers", Arguments: json.RawMessage(`{broken`)}}},
			{Role: messages.RoleUser, Results: []assistant.Result{{ID: "c1", Text: "none"}}},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"/chat/completions Bearer k ", `"model":"m"`, `{"role":"system","content":"rules"}`, `{"role":"user","content":"hello"}`,
		`"arguments":"{}"`, `{"role":"tool","content":"none","tool_call_id":"c1"}`, `"max_completion_tokens":7`, `"parameters":{"type":"object"}`,
	} {
		if !strings.Contains(request, part) {
			t.Errorf("no %s in %s", part, request)
		}
	}
}

func TestFailuresOfTheServiceAreErrors(t *testing.T) {
	t.Parallel()
	for claim, one := range map[string]struct {
		status int
		stream string
	}{
		"too many requests":     {http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`},
		"overloaded":            {529, ``},
		"a broken stream":       {http.StatusOK, streamed[:strings.Index(streamed, "look")]},
		"a stream without end":  {http.StatusOK, `data: {"choices":[{"index":0,"delta":{"content":"Let me"}}]}` + "\n\n"},
		"an answer of no model": {http.StatusOK, "<html>"},
	} {
		if _, err := serve(t, one.status, one.stream, nil).Complete(t.Context(), assistant.Prompt{}, nil); !errors.Is(err, assistant.ErrProvider) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

func TestErrorsOfTheServiceAreStatusAndType(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"error":{"type":"invalid_request_error","message":"the prompt of Ada Lovelace is too long"}}`: "language model: status 400, type invalid_request_error",
		`<p>the prompt of Ada Lovelace</p>`: "language model: status 400",
	} {
		_, err := serve(t, http.StatusBadRequest, text, nil).Complete(t.Context(), assistant.Prompt{}, nil)
		if err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}

func TestRedirectOfTheServiceIsNotFollowed(t *testing.T) {
	t.Parallel()
	var stolen atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { stolen.Store(true) }))
	t.Cleanup(thief.Close)
	server := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusPermanentRedirect))
	t.Cleanup(server.Close)
	_, err := openai.New(openai.Settings{Key: "k", Model: "m", URL: server.URL}).Complete(t.Context(), assistant.Prompt{System: "a secret"}, nil)
	if err == nil || stolen.Load() {
		t.Errorf("%v, the prompt reached another host: %t", err, stolen.Load())
	}
}

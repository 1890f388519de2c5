package anthropic_test

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
	"equity/actors/assistant/anthropic"
	"equity/messages"
)

// serve answers with the stream and returns a provider for it. The body of the last request is written to the target.
func serve(t *testing.T, status int, stream string, request *string) *anthropic.Provider {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if request != nil {
			*request = strings.Join([]string{r.URL.Path, r.Header.Get("X-Api-Key"), r.Header.Get("Anthropic-Version"), string(body)}, " ")
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, stream)
	}))
	t.Cleanup(server.Close)
	return anthropic.New(anthropic.Settings{Key: "k", Model: "m", URL: server.URL})
}

const streamed = `event: message_start
data: {"type":"message_start","message":{"usage":{"input_tokens":30,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me look."}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"listMembers","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"li"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"mit\":2}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":12}}

event: message_stop
data: {"type":"message_stop"}

`

func TestPartsOfAStreamBecomeOneMessage(t *testing.T) {
	t.Parallel()
	var parts []string
	made, err := serve(t, http.StatusOK, streamed, nil).Complete(t.Context(), assistant.Prompt{}, func(part string) { parts = append(parts, part) })
	if err != nil || made.Text != "Let me look." || strings.Join(parts, "|") != "Let me look." || made.Tokens != 42 {
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
			{Role: messages.RoleAssistant, Calls: []assistant.Call{{ID: "c1", Name: "listMembers", Arguments: json.RawMessage(`[1]`)}}},
			{Role: messages.RoleUser, Results: []assistant.Result{{ID: "c1", Text: "none", Failed: true}}},
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"/messages k 2023-06-01 ", `"model":"m"`, `"system":"rules"`, `"max_tokens":7`, `"input_schema":{"type":"object"}`,
		`{"type":"tool_use","id":"c1","name":"listMembers","input":{}}`, `{"type":"tool_result","tool_use_id":"c1","content":"none","is_error":true}`,
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
		"too many requests":    {http.StatusTooManyRequests, `{"type":"error"}`},
		"overloaded":           {529, ``},
		"a broken stream":      {http.StatusOK, streamed[:strings.Index(streamed, "mit")]},
		"an error event":       {http.StatusOK, "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"later\"}}\n\n"},
		"a stream without end": {http.StatusOK, streamed[:strings.Index(streamed, "event: message_stop")]},
	} {
		if _, err := serve(t, one.status, one.stream, nil).Complete(t.Context(), assistant.Prompt{}, nil); !errors.Is(err, assistant.ErrProvider) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

func TestErrorsOfTheServiceAreStatusAndType(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"type":"error","error":{"type":"invalid_request_error","message":"the prompt of Ada Lovelace is too long"}}`: "language model: status 400, type invalid_request_error",
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
	_, err := anthropic.New(anthropic.Settings{Key: "k", Model: "m", URL: server.URL}).Complete(t.Context(), assistant.Prompt{System: "a secret"}, nil)
	if err == nil || !strings.Contains(err.Error(), "status 308") || stolen.Load() {
		t.Errorf("%v, the prompt reached another host: %t", err, stolen.Load())
	}
}

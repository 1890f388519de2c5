package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
)

// toolUser is a program that speaks the protocol.
type toolUser struct {
	*bundle
	token string
}

func (b *bundle) toolUser(t *testing.T, scopes string) toolUser {
	t.Helper()
	return toolUser{b, b.person(t, "ada@example.com").program(t, scopes).token}
}

func (u toolUser) post(t *testing.T, version, body string) answer {
	t.Helper()
	return u.raw(t, body, "Authorization", "Bearer "+u.token, "Mcp-Protocol-Version", version)
}

// batch returns the number of messages, with different ids.
func batch(messages int, message string) string {
	texts := make([]string, messages)
	for i := range texts {
		texts[i] = fmt.Sprintf(message, i+1)
	}
	return "[" + strings.Join(texts, ",") + "]"
}

const listTools = `{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`

func TestRequestsBeyondTheLimitsOfMCPAreRefused(t *testing.T) {
	t.Parallel()
	u := setup(t).toolUser(t, `"read"`)
	deep := strings.Repeat("[", 64)
	for claim, c := range map[string]struct{ body, message string }{
		"messages": {batch(21, listTools), "A batch has at most 20 messages. This one has 21: send them in several requests."},
		"levels":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + deep, "A request has at most 64 levels of objects and arrays."},
		"bytes":    {`{"a":"` + strings.Repeat("x", 1<<20), "A request has at most 1024 KB."},
	} {
		got := u.post(t, "2025-03-26", c.body)
		if got.status != http.StatusBadRequest || got.text(t, "error", "message") != c.message {
			t.Errorf("%s: %d %.300s", claim, got.status, got.body)
		}
	}
	for claim, body := range map[string]string{
		"20 messages":                 batch(20, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`),
		"commas and brackets in text": `[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"` + strings.Repeat(`[{\",`, 100) + `"}}}]`,
	} {
		if got := u.post(t, "2025-03-26", body); got.status != http.StatusOK {
			t.Errorf("%s: %d %.300s", claim, got.status, got.body)
		}
	}
}

func TestLargeBatchTakesLittleMemory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	u := setup(t).toolUser(t, `"read","write","destructive"`)
	u.post(t, "2025-03-26", batch(1, listTools))
	grown := heapGrowth(func() { u.post(t, "2025-03-26", batch(8000, listTools)) })
	if grown > 16<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
}

func TestAnswerOfMCPIsBounded(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("<", 1<<20)
	u := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Replace = map[string]api.Handler{"listOrganizations": func(context.Context, *api.Call) (api.Answer, error) {
			return api.Answer{Record: map[string]string{"name": large}}, nil
		}, "listReceivedInvitations": func(context.Context, *api.Call) (api.Answer, error) {
			return api.Answer{Record: map[string]string{"name": large + large + large + large + large}}, nil
		}}
	}).toolUser(t, `"read","write","destructive"`)
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"TOOL","arguments":{}}}`
	got := u.post(t, "2025-03-26", batch(20, strings.Replace(call, "TOOL", "listOrganizations", 1)))
	if strings.Count(got.body, "at most 16 MB.") != 2*19 || len(got.body) > 17<<20 || !json.Valid([]byte(got.body)) {
		t.Errorf("%d: %d bytes %.1000s", got.status, len(got.body), got.body)
	}
	got = u.post(t, "2025-11-25", fmt.Sprintf(strings.Replace(call, "TOOL", "listReceivedInvitations", 1), 1))
	if !strings.Contains(got.body, "The answer of a tool has at most 4 MB.") {
		t.Errorf("%d: %.1000s", got.status, got.body)
	}
	got = u.post(t, "2025-03-26", batch(20, listTools))
	if strings.Count(got.body, `"tools":[{`) != 20 || len(got.body) > 17<<20 || !json.Valid([]byte(got.body)) {
		t.Errorf("%d: %d bytes", got.status, len(got.body))
	}
}

func TestMCPKeepsNoStreamOfAnnouncements(t *testing.T) {
	t.Parallel()
	u := setup(t).toolUser(t, `"read"`)
	got := u.raw(t, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true}}}`,
		"Authorization", "Bearer "+u.token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	if got.status != http.StatusNotFound || !strings.Contains(got.body, "method not found") {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}

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
	"equity/http/apitest"
)

// toolUser is a program that speaks the protocol.
type toolUser struct {
	*apitest.Server
	token string
}

func newToolUser(t *testing.T, b *apitest.Server, scopes string) toolUser {
	t.Helper()
	return toolUser{b, newProgram(t, b.NewPerson(t, "ada@example.com"), scopes).token}
}

func (u toolUser) post(t *testing.T, version, body string) apitest.Answer {
	t.Helper()
	return sendMCP(t, u.Server, body, "Authorization", "Bearer "+u.token, "Mcp-Protocol-Version", version)
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
	u := newToolUser(t, apitest.Setup(t), `"read"`)
	deep := strings.Repeat("[", 64)
	for claim, c := range map[string]struct{ body, message string }{
		"messages": {batch(21, listTools), "A batch has at most 20 messages. This one has 21: send them in several requests."},
		"levels":   {`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + deep, "A request has at most 64 levels of objects and arrays."},
		"bytes":    {`{"a":"` + strings.Repeat("x", 1<<20), "A request has at most 1024 KB."},
	} {
		got := u.post(t, "2025-03-26", c.body)
		if got.Status != http.StatusBadRequest || got.Text(t, "error", "message") != c.message {
			t.Errorf("%s: %d %.300s", claim, got.Status, got.Body)
		}
	}
	for claim, body := range map[string]string{
		"20 messages":                 batch(20, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`),
		"commas and brackets in text": `[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"` + strings.Repeat(`[{\",`, 100) + `"}}}]`,
	} {
		if got := u.post(t, "2025-03-26", body); got.Status != http.StatusOK {
			t.Errorf("%s: %d %.300s", claim, got.Status, got.Body)
		}
	}
}

func TestLargeBatchTakesLittleMemory(t *testing.T) { //nolint:paralleltest // it measures the memory of the process
	u := newToolUser(t, apitest.Setup(t), `"read","write","destructive"`)
	u.post(t, "2025-03-26", batch(1, listTools))
	grown := heapGrowth(func() { u.post(t, "2025-03-26", batch(8000, listTools)) })
	if grown > 16<<20 {
		t.Errorf("the heap grew by %d MB", grown>>20)
	}
}

func TestAnswerOfMCPIsBounded(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("<", 1<<20)
	u := newToolUser(t, apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		s.Replace = map[string]api.Handler{"listOrganizations": func(context.Context, *api.Call) (api.Answer, error) {
			return api.Answer{Record: map[string]string{"name": large}}, nil
		}, "listReceivedInvitations": func(context.Context, *api.Call) (api.Answer, error) {
			return api.Answer{Record: map[string]string{"name": large + large + large + large + large}}, nil
		}}
	}), `"read","write","destructive"`)
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"TOOL","arguments":{}}}`
	got := u.post(t, "2025-03-26", batch(20, strings.Replace(call, "TOOL", "listOrganizations", 1)))
	if strings.Count(got.Body, "at most 16 MB.") != 2*19 || len(got.Body) > 17<<20 || !json.Valid([]byte(got.Body)) {
		t.Errorf("%d: %d bytes %.1000s", got.Status, len(got.Body), got.Body)
	}
	got = u.post(t, "2025-11-25", fmt.Sprintf(strings.Replace(call, "TOOL", "listReceivedInvitations", 1), 1))
	if !strings.Contains(got.Body, "The answer of a tool has at most 4 MB.") {
		t.Errorf("%d: %.1000s", got.Status, got.Body)
	}
	got = u.post(t, "2025-03-26", batch(20, listTools))
	if strings.Count(got.Body, `"tools":[{`) != 20 || len(got.Body) > 17<<20 || !json.Valid([]byte(got.Body)) {
		t.Errorf("%d: %d bytes", got.Status, len(got.Body))
	}
}

func TestMCPKeepsNoStreamOfAnnouncements(t *testing.T) {
	t.Parallel()
	u := newToolUser(t, apitest.Setup(t), `"read"`)
	got := sendMCP(t, u.Server, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"toolsListChanged":true}}}`,
		"Authorization", "Bearer "+u.token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	if got.Status != http.StatusNotFound || !strings.Contains(got.Body, "method not found") {
		t.Errorf("%d %v %s", got.Status, got.Header, got.Body)
	}
}

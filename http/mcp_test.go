package http_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	equityhttp "equity/http"
	"equity/persistence/storetest"
)

// sending adds a bearer token to requests.
type sending struct{ token string }

func (s sending) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// connect returns a session of the SDK's client over HTTP.
func (b *bundle) connect(t *testing.T, token string) *mcp.ClientSession {
	t.Helper()
	server := httptest.NewServer(b.server)
	storetest.Cleanup(t, server.Close)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: sending{token}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = session.Close() })
	return session
}

// calls requests a tool and returns its result as an object.
func calls(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any, failed bool) answer {
	t.Helper()
	got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := got.Content[0].(*mcp.TextContent)
	if got.IsError != failed {
		t.Fatalf("%s: %v %s", name, got.IsError, text.Text)
	}
	return answer{body: text.Text}
}

func TestClientListsAndCallsToolsOfTheCaller(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		o := f.registeredClient(t)
		access, _ := o.tokens(t, "organization", f.id)
		for name, token := range map[string]string{
			"API token": f.program(t, `"read"`, `"organization":"`+f.id+`"`).token, "access token": access,
		} {
			session := b.connect(t, token)
			if got := session.InitializeResult(); got.ServerInfo.Name != "equity" || got.ProtocolVersion < "2025-03-26" {
				t.Errorf("%+v", got)
			}
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(listed.Tools) < 20 {
				t.Errorf("%s: %d tools", name, len(listed.Tools))
			}
			for _, tool := range listed.Tools {
				if !tool.Annotations.ReadOnlyHint {
					t.Errorf("%s changes records", tool.Name)
				}
			}
			got := calls(t, session, "getOrganization", map[string]any{"organization": f.id}, false)
			if got.text(t, "name") != "Analytical Engines" {
				t.Error(got.body)
			}
			if got := calls(
				t, session, "createRole", map[string]any{"body": map[string]any{"name": "X", "permissions": []string{"viewSelf"}}}, true,
			); got.text(t, "code") != "scopeMissing" {
				t.Error(got.body)
			}
			calls(t, session, "createToken", map[string]any{"body": map[string]any{"name": "X", "scopes": []string{"read"}}}, true)
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "equity://organization/" + f.id + "/captable"})
			if err != nil || !strings.Contains(read.Contents[0].Text, "Common Stock") {
				t.Errorf("%v %+v", err, read)
			}
			resources, err := session.ListResources(t.Context(), nil)
			if err != nil || len(resources.Resources) != 3 {
				t.Errorf("%v %+v", err, resources)
			}
			for _, foreign := range []string{"equity://organization/" + last(b.company(t)) + "/captable", "equity://organization/x/journal", "file:///etc/passwd"} {
				if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: foreign}); err == nil {
					t.Errorf("%s was read", foreign)
				}
			}
		}
	})
}

// company creates an organization of another user.
func (b *bundle) company(t *testing.T) string {
	t.Helper()
	return b.person(t, strings.ToLower(rand.Text())+"@example.com").company(t)
}

func TestChangeThroughMCPNeedsItsConfirmation(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "ada@example.com")
		writer, other := f.program(t, `"read","write"`), f.program(t, `"read","write"`)
		session, foreign := b.connect(t, writer.token), b.connect(t, other.token)
		before := f.journalLength(t)
		proposed := calls(t, session, "createLegend", map[string]any{
			"organization": f.id, "body": map[string]any{"name": "Observer", "text": "Not registered."},
		}, false)
		if proposed.text(t, "status") != "confirmationRequired" || f.journalLength(t) != before || !strings.Contains(proposed.body, "Observer") {
			t.Fatal(proposed.body)
		}
		step := map[string]any{"stepId": proposed.text(t, "stepId")}
		calls(t, foreign, "confirmStep", step, true) // another token of the same user
		eve := b.firm(t, "eve@example.com")
		if got := calls(t, b.connect(t, eve.program(t, `"read","write"`).token), "confirmStep", step, true); got.text(t, "code") != "resourceNotFound" {
			t.Error(got.body)
		}
		if got := calls(t, session, "confirmStep", step, false); got.text(t, "status") != "executed" {
			t.Error(got.body)
		}
		calls(t, session, "confirmStep", step, false) // a repetition
		if got := f.journalLength(t); got != before+1 {
			t.Errorf("%d events", got-before)
		}
		if got := f.origins(t, "limit=1"); got != "legendCreated assistant" {
			t.Error(got)
		}
		late := calls(t, session, "createLegend", map[string]any{
			"organization": f.id, "body": map[string]any{"name": "Late", "text": "Not registered."},
		}, false)
		b.clock.advance(15 * time.Minute)
		if got := calls(t, session, "confirmStep", map[string]any{"stepId": late.text(t, "stepId")}, true); got.text(t, "code") != "expired" {
			t.Error(got.body)
		}
		calls(t, session, "confirmStep", map[string]any{"stepId": "x"}, true)
	})
}

// raw sends a message of the protocol.
func (b *bundle) raw(t *testing.T, body string, headers ...string) answer {
	t.Helper()
	return b.anonymous().send(t, "POST", "/mcp", body, append([]string{"Accept", "application/json, text/event-stream"}, headers...)...)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

func TestMCPRequiresATokenOfItsOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	token := ada.program(t, `"read"`).token
	message := strings.Replace(initialize, "VERSION", "2025-06-18", 1)
	for name, headers := range map[string][]string{
		"no token": nil, "a cookie": {"Cookie", ada.cookie}, "an invented token": {"Authorization", "Bearer x"},
	} {
		got := b.raw(t, message, headers...)
		if got.status != http.StatusUnauthorized || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), `Bearer resource_metadata="`+issuer+`/.well-known/oauth-protected-resource/mcp"`) {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
	if got := b.raw(t, message, "Authorization", "Bearer "+token, "Origin", "https://evil.example.com"); got.status != http.StatusForbidden {
		t.Errorf("a malicious origin: %d", got.status)
	}
	if got := b.anonymous().send(
		t, "GET", "/mcp", "", "Authorization", "Bearer "+token, "Accept", "text/event-stream",
	); got.status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", got.status)
	}
	for asked, want := range map[string]string{
		"2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		got := b.raw(t, strings.Replace(initialize, "VERSION", asked, 1), "Authorization", "Bearer "+token)
		if got.status != http.StatusOK || got.text(t, "result", "protocolVersion") != want || !strings.HasPrefix(
			got.header.Get("Content-Type"), "application/json",
		) {
			t.Errorf("%s: %d %s", asked, got.status, got.body)
		}
	}
	off := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.ToolChanges = nil })
	if got := off.raw(t, message); got.status != http.StatusNotFound {
		t.Errorf("off: %d", got.status)
	}
}

func TestToolListIsPrivate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.person(t, "ada@example.com").program(t, `"read","write","destructive"`).token
	got := b.raw(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, "Authorization", "Bearer "+token, "Mcp-Protocol-Version", "2025-11-25")
	if got.status != http.StatusOK || !strings.Contains(got.body, `"confirmStep"`) || strings.Contains(got.body, `"cacheScope":"public"`) {
		t.Errorf("%d %.300s", got.status, got.body)
	}
	if !strings.Contains(got.body, `"destructiveHint":true`) || !json.Valid([]byte(got.body)) {
		t.Errorf("%.300s", got.body)
	}
}

func TestBatchListsTheToolsOfEachRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.person(t, "ada@example.com").program(t, `"read"`).token
	got := b.raw(t, `[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`,
		"Authorization", "Bearer "+token, "Mcp-Protocol-Version", "2025-03-26")
	var answers []struct {
		Result struct {
			Tools []map[string]any `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(got.body), &answers); err != nil || len(answers) != 2 {
		t.Fatalf("%v: %d %.300s", err, got.status, got.body)
	}
	if len(answers[0].Result.Tools) == 0 || !reflect.DeepEqual(answers[0], answers[1]) {
		t.Error("the lists differ")
	}
}

func BenchmarkToolList(b *testing.B) {
	s := setup(b)
	token := s.person(b, "ada@example.com").program(b, `"read","write","destructive"`).token
	for b.Loop() {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		w := httptest.NewRecorder()
		if s.server.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// TestPreparedToolsEqualTheDeclaredOnes compares the kept texts of tools, of callers with different tools in turn, with the tools of the assistant.
func TestPreparedToolsEqualTheDeclaredOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	declared := map[string]any{}
	for _, tool := range f.must(t, "GET", f.home+"/agent/tools", "", http.StatusOK).list(t, "data") {
		declared[field(tool, "name")] = tool
	}
	for _, scopes := range []string{`"read"`, `"read","write","destructive"`, `"read"`, `"write"`} {
		session := b.connect(t, f.program(t, scopes, `"organization":"`+f.id+`"`).token)
		listed, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, tool := range listed.Tools {
			if declared[tool.Name] == nil && slices.Contains([]string{"confirmStep", "findTools", "callTool"}, tool.Name) {
				continue
			}
			want, _ := declared[tool.Name].(map[string]any)
			got := map[string]any{"name": tool.Name, "title": tool.Title, "description": tool.Description, "inputSchema": tool.InputSchema}
			for name, value := range got {
				if !reflect.DeepEqual(value, want[name]) {
					t.Errorf("%s of %s: %v, not %v", name, tool.Name, value, want[name])
				}
			}
			if class := want["class"]; !strings.Contains(scopes, field(want, "class")) || tool.Annotations.ReadOnlyHint != (class == "read") ||
				*tool.Annotations.DestructiveHint != (class == "destructive") {
				t.Errorf("%s has the class %v", tool.Name, class)
			}
			count++
		}
		if count == 0 {
			t.Errorf("no tools of %s", scopes)
		}
	}
}

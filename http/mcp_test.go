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
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// sending adds a bearer token to requests.
type sending struct{ token string }

func (s sending) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+s.token)
	return http.DefaultTransport.RoundTrip(r)
}

// connectMCP returns a session of the SDK's client over HTTP.
func connectMCP(t *testing.T, b *apitest.Server, token string) *mcp.ClientSession {
	t.Helper()
	server := httptest.NewServer(b.HTTP)
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
func calls(t *testing.T, session *mcp.ClientSession, name string, arguments map[string]any, failed bool) apitest.Answer {
	t.Helper()
	got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := got.Content[0].(*mcp.TextContent)
	if got.IsError != failed {
		t.Fatalf("%s: %v %s", name, got.IsError, text.Text)
	}
	return apitest.Answer{Body: text.Text}
}

func TestClientListsAndCallsToolsOfTheCaller(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		o := newOAuthClient(t, f.Client)
		access, _ := o.tokens(t, "organization", f.ID)
		for name, token := range map[string]string{
			"API token": newProgram(t, f.Client, `"read"`, `"organization":"`+f.ID+`"`).token, "access token": access,
		} {
			session := connectMCP(t, b, token)
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
			got := calls(t, session, "getOrganization", map[string]any{"organization": f.ID}, false)
			if got.Text(t, "name") != "Analytical Engines" {
				t.Error(got.Body)
			}
			if got := calls(
				t, session, "createRole", map[string]any{"body": map[string]any{"name": "X", "permissions": []string{"viewSelf"}}}, true,
			); got.Text(t, "code") != "scopeMissing" {
				t.Error(got.Body)
			}
			calls(t, session, "createToken", map[string]any{"body": map[string]any{"name": "X", "scopes": []string{"read"}}}, true)
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "equity://organization/" + f.ID + "/captable"})
			if err != nil || !strings.Contains(read.Contents[0].Text, "Common Stock") {
				t.Errorf("%v %+v", err, read)
			}
			resources, err := session.ListResources(t.Context(), nil)
			if err != nil || len(resources.Resources) != 3 {
				t.Errorf("%v %+v", err, resources)
			}
			for _, foreign := range []string{"equity://organization/" + apitest.IDOf(companyOverMCP(t, b)) + "/captable", "equity://organization/x/journal", "file:///etc/passwd"} {
				if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: foreign}); err == nil {
					t.Errorf("%s was read", foreign)
				}
			}
		}
	})
}

// companyOverMCP creates an organization of another user.
func companyOverMCP(t *testing.T, b *apitest.Server) string {
	t.Helper()
	return b.NewPerson(t, strings.ToLower(rand.Text())+"@example.com").NewOrganization(t)
}

func TestChangeThroughMCPNeedsItsConfirmation(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "ada@example.com")
		writer, other := newProgram(t, f.Client, `"read","write"`), newProgram(t, f.Client, `"read","write"`)
		session, foreign := connectMCP(t, b, writer.token), connectMCP(t, b, other.token)
		before := f.JournalLength(t)
		proposed := calls(t, session, "createLegend", map[string]any{
			"organization": f.ID, "body": map[string]any{"name": "Observer", "text": "Not registered."},
		}, false)
		if proposed.Text(t, "status") != "confirmationRequired" || f.JournalLength(t) != before || !strings.Contains(proposed.Body, "Observer") {
			t.Fatal(proposed.Body)
		}
		step := map[string]any{"stepId": proposed.Text(t, "stepId")}
		calls(t, foreign, "confirmStep", step, true) // another token of the same user
		eve := b.NewFirm(t, "eve@example.com")
		if got := calls(t, connectMCP(t, b, newProgram(t, eve.Client, `"read","write"`).token), "confirmStep", step, true); got.Text(t, "code") != "resourceNotFound" {
			t.Error(got.Body)
		}
		if got := calls(t, session, "confirmStep", step, false); got.Text(t, "status") != "executed" {
			t.Error(got.Body)
		}
		calls(t, session, "confirmStep", step, false) // a repetition
		if got := f.JournalLength(t); got != before+1 {
			t.Errorf("%d events", got-before)
		}
		if got := originsOf(t, f, "limit=1"); got != "legendCreated assistant" {
			t.Error(got)
		}
		late := calls(t, session, "createLegend", map[string]any{
			"organization": f.ID, "body": map[string]any{"name": "Late", "text": "Not registered."},
		}, false)
		b.Clock.Advance(15 * time.Minute)
		if got := calls(t, session, "confirmStep", map[string]any{"stepId": late.Text(t, "stepId")}, true); got.Text(t, "code") != "expired" {
			t.Error(got.Body)
		}
		calls(t, session, "confirmStep", map[string]any{"stepId": "x"}, true)
	})
}

// sendMCP sends a message of the protocol.
func sendMCP(t *testing.T, b *apitest.Server, body string, headers ...string) apitest.Answer {
	t.Helper()
	return b.Anonymous().Send(t, "POST", "/mcp", body, append([]string{"Accept", "application/json, text/event-stream"}, headers...)...)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

func TestMCPRequiresATokenOfItsOwn(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	token := newProgram(t, ada, `"read"`).token
	message := strings.Replace(initialize, "VERSION", "2025-06-18", 1)
	for name, headers := range map[string][]string{
		"no token": nil, "a cookie": {"Cookie", ada.Cookie}, "an invented token": {"Authorization", "Bearer x"},
	} {
		got := sendMCP(t, b, message, headers...)
		if got.Status != http.StatusUnauthorized || !strings.HasPrefix(got.Header.Get("WWW-Authenticate"), `Bearer resource_metadata="`+issuer+`/.well-known/oauth-protected-resource/mcp"`) {
			t.Errorf("%s: %d %v", name, got.Status, got.Header)
		}
	}
	if got := sendMCP(t, b, message, "Authorization", "Bearer "+token, "Origin", "https://evil.example.com"); got.Status != http.StatusForbidden {
		t.Errorf("a malicious origin: %d", got.Status)
	}
	if got := b.Anonymous().Send(
		t, "GET", "/mcp", "", "Authorization", "Bearer "+token, "Accept", "text/event-stream",
	); got.Status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", got.Status)
	}
	for asked, want := range map[string]string{
		"2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		got := sendMCP(t, b, strings.Replace(initialize, "VERSION", asked, 1), "Authorization", "Bearer "+token)
		if got.Status != http.StatusOK || got.Text(t, "result", "protocolVersion") != want || !strings.HasPrefix(
			got.Header.Get("Content-Type"), "application/json",
		) {
			t.Errorf("%s: %d %s", asked, got.Status, got.Body)
		}
	}
	off := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.ToolChanges = nil })
	if got := sendMCP(t, off, message); got.Status != http.StatusNotFound {
		t.Errorf("off: %d", got.Status)
	}
}

func TestToolListIsPrivate(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	token := newProgram(t, b.NewPerson(t, "ada@example.com"), `"read","write","destructive"`).token
	got := sendMCP(t, b, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, "Authorization", "Bearer "+token, "Mcp-Protocol-Version", "2025-11-25")
	if got.Status != http.StatusOK || !strings.Contains(got.Body, `"confirmStep"`) || strings.Contains(got.Body, `"cacheScope":"public"`) {
		t.Errorf("%d %.300s", got.Status, got.Body)
	}
	if !strings.Contains(got.Body, `"destructiveHint":true`) || !json.Valid([]byte(got.Body)) {
		t.Errorf("%.300s", got.Body)
	}
}

func TestBatchListsTheToolsOfEachRequest(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	token := newProgram(t, b.NewPerson(t, "ada@example.com"), `"read"`).token
	got := sendMCP(t, b, `[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]`,
		"Authorization", "Bearer "+token, "Mcp-Protocol-Version", "2025-03-26")
	var answers []struct {
		Result struct {
			Tools []map[string]any `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(got.Body), &answers); err != nil || len(answers) != 2 {
		t.Fatalf("%v: %d %.300s", err, got.Status, got.Body)
	}
	if len(answers[0].Result.Tools) == 0 || !reflect.DeepEqual(answers[0], answers[1]) {
		t.Error("the lists differ")
	}
}

func BenchmarkToolList(b *testing.B) {
	s := apitest.Setup(b)
	token := newProgram(b, s.NewPerson(b, "ada@example.com"), `"read","write","destructive"`).token
	for b.Loop() {
		r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		w := httptest.NewRecorder()
		if s.HTTP.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// TestPreparedToolsEqualTheDeclaredOnes compares the kept texts of tools, of callers with different tools in turn, with the tools of the assistant.
func TestPreparedToolsEqualTheDeclaredOnes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	declared := map[string]any{}
	for _, tool := range f.Must(t, "GET", f.Home+"/agent/tools", "", http.StatusOK).List(t, "data") {
		declared[apitest.Field(tool, "name")] = tool
	}
	for _, scopes := range []string{`"read"`, `"read","write","destructive"`, `"read"`, `"write"`} {
		session := connectMCP(t, b, newProgram(t, f.Client, scopes, `"organization":"`+f.ID+`"`).token)
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
			if class := want["class"]; !strings.Contains(scopes, apitest.Field(want, "class")) || tool.Annotations.ReadOnlyHint != (class == "read") ||
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

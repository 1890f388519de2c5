package http_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"equity/http/apitest"
)

// toolFaults returns the parts of a tool that clients refuse: references, and texts of more than 1,024 characters.
func toolFaults(part any) (faults []string) {
	switch part := part.(type) {
	case []any:
		for _, one := range part {
			faults = append(faults, toolFaults(one)...)
		}
	case map[string]any:
		for name, value := range part {
			text, _ := value.(string)
			if name == "$ref" || name == "description" && utf8.RuneCountInString(text) > 1024 {
				faults = append(faults, name+" "+text)
			}
			faults = append(faults, toolFaults(value)...)
		}
	}
	return faults
}

func TestToolListFitsTheLimitsOfClients(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	token := newProgram(t, f.Client, `"read","write","destructive"`).token
	got := sendMCP(t, f.Server, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "Authorization", "Bearer "+token)
	var listed struct {
		Result struct {
			Tools []any `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(got.Body), &listed); err != nil || len(listed.Result.Tools) < 20 || len(listed.Result.Tools) > 40 {
		t.Fatalf("%v: %d tools", err, len(listed.Result.Tools))
	}
	if len(got.Body) > 60_000 {
		t.Errorf("the list has %d bytes", len(got.Body))
	}
	if faults := toolFaults(listed.Result.Tools); len(faults) > 0 {
		t.Errorf("%.2000q", faults)
	}
}

func TestAllToolsFitTheLimitsOfClients(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	for _, tool := range f.Must(t, "GET", f.Home+"/agent/tools", "", http.StatusOK).List(t, "data") {
		if faults := toolFaults(tool); len(faults) > 0 {
			t.Errorf("%s: %.500q", apitest.Field(tool, "name"), faults)
		}
	}
}

func TestJSONAloneIsAcceptedByMCP(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	token := newProgram(t, b.NewPerson(t, "ada@example.com"), `"read"`).token
	for _, accept := range []string{"application/json", "*/*", "application/json; q=0.9"} {
		got := b.Anonymous().Send(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "Accept", accept, "Authorization", "Bearer "+token)
		if got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %.300s", accept, got.Status, got.Body)
		}
	}
}

func TestSearchFindsToolsOfTheScopes(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	for scopes, want := range map[string]bool{`"read"`: false, `"read","write"`: false, `"destructive"`: true} {
		session := connectMCP(t, f.Server, newProgram(t, f.Client, scopes).token)
		got := calls(t, session, "findTools", map[string]any{"query": "void shareholding"}, false)
		found := got.List(t, "tools")
		if strings.Contains(got.Body, `"voidShareholding"`) != want || len(found) == 0 || len(found) > 8 || len(got.Body) > 60_000 {
			t.Errorf("%s: %d tools in %d bytes: %.300s", scopes, len(found), len(got.Body), got.Body)
		}
		for _, invalid := range []map[string]any{{}, {"query": " "}, {"query": 1}, {"query": "shares", "limit": 1}} {
			calls(t, session, "findTools", invalid, true)
		}
	}
}

func TestFoundToolIsCalledByItsName(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	reader, writer := connectMCP(t, f.Server, newProgram(t, f.Client, `"read"`).token),
		connectMCP(t, f.Server, newProgram(t, f.Client, `"read","write"`).token)
	reading := map[string]any{"name": "listLegends", "arguments": map[string]any{"organization": f.ID}}
	if got := calls(t, reader, "callTool", reading, false); len(got.List(t, "data")) != 0 {
		t.Error(got.Body)
	}
	legend := map[string]any{"name": "createLegend", "arguments": map[string]any{
		"organization": f.ID, "body": map[string]any{"name": "Observer", "text": "Not registered."},
	}}
	if got := calls(t, reader, "callTool", legend, true); got.Text(t, "code") != "scopeMissing" {
		t.Error(got.Body)
	}
	before := f.JournalLength(t)
	proposed := calls(t, writer, "callTool", legend, false)
	if proposed.Text(t, "status") != "confirmationRequired" || f.JournalLength(t) != before {
		t.Error(proposed.Body)
	}
	calls(t, writer, "confirmStep", map[string]any{"stepId": proposed.Text(t, "stepId")}, false)
	if got := f.JournalLength(t); got != before+1 {
		t.Errorf("%d events", got-before)
	}
	for _, invalid := range []map[string]any{{}, {"name": "listLegends", "body": 1}, {"name": "findTools", "arguments": map[string]any{}}} {
		calls(t, reader, "callTool", invalid, true)
	}
}

func TestStatusNamesTheAddressOfMCP(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	if got := b.NewPerson(t, "ada@example.com").Must(t, "GET", "/v1/agent/status", "", http.StatusOK); got.Text(t, "mcp") != issuer+"/mcp" {
		t.Error(got.Body)
	}
}

package http_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
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
	f := setup(t).firm(t, "ada@example.com")
	token := f.program(t, `"read","write","destructive"`).token
	got := f.bundle.raw(t, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "Authorization", "Bearer "+token)
	var listed struct {
		Result struct {
			Tools []any `json:"tools"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(got.body), &listed); err != nil || len(listed.Result.Tools) < 20 || len(listed.Result.Tools) > 40 {
		t.Fatalf("%v: %d tools", err, len(listed.Result.Tools))
	}
	if len(got.body) > 60_000 {
		t.Errorf("the list has %d bytes", len(got.body))
	}
	if faults := toolFaults(listed.Result.Tools); len(faults) > 0 {
		t.Errorf("%.2000q", faults)
	}
}

func TestAllToolsFitTheLimitsOfClients(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	for _, tool := range f.must(t, "GET", f.home+"/agent/tools", "", http.StatusOK).list(t, "data") {
		if faults := toolFaults(tool); len(faults) > 0 {
			t.Errorf("%s: %.500q", field(tool, "name"), faults)
		}
	}
}

func TestJSONAloneIsAcceptedByMCP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.person(t, "ada@example.com").program(t, `"read"`).token
	for _, accept := range []string{"application/json", "*/*", "application/json; q=0.9"} {
		got := b.anonymous().send(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`, "Accept", accept, "Authorization", "Bearer "+token)
		if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %.300s", accept, got.status, got.body)
		}
	}
}

func TestSearchFindsToolsOfTheScopes(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	for scopes, want := range map[string]bool{`"read"`: false, `"read","write"`: false, `"destructive"`: true} {
		session := f.bundle.connect(t, f.program(t, scopes).token)
		got := calls(t, session, "findTools", map[string]any{"query": "void shareholding"}, false)
		found := got.list(t, "tools")
		if strings.Contains(got.body, `"voidShareholding"`) != want || len(found) == 0 || len(found) > 8 || len(got.body) > 60_000 {
			t.Errorf("%s: %d tools in %d bytes: %.300s", scopes, len(found), len(got.body), got.body)
		}
		for _, invalid := range []map[string]any{{}, {"query": " "}, {"query": 1}, {"query": "shares", "limit": 1}} {
			calls(t, session, "findTools", invalid, true)
		}
	}
}

func TestFoundToolIsCalledByItsName(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	reader, writer := f.bundle.connect(t, f.program(t, `"read"`).token), f.bundle.connect(t, f.program(t, `"read","write"`).token)
	reading := map[string]any{"name": "listLegends", "arguments": map[string]any{"organization": f.id}}
	if got := calls(t, reader, "callTool", reading, false); len(got.list(t, "data")) != 0 {
		t.Error(got.body)
	}
	legend := map[string]any{"name": "createLegend", "arguments": map[string]any{
		"organization": f.id, "body": map[string]any{"name": "Observer", "text": "Not registered."},
	}}
	if got := calls(t, reader, "callTool", legend, true); got.text(t, "code") != "scopeMissing" {
		t.Error(got.body)
	}
	before := f.journalLength(t)
	proposed := calls(t, writer, "callTool", legend, false)
	if proposed.text(t, "status") != "confirmationRequired" || f.journalLength(t) != before {
		t.Error(proposed.body)
	}
	calls(t, writer, "confirmStep", map[string]any{"stepId": proposed.text(t, "stepId")}, false)
	if got := f.journalLength(t); got != before+1 {
		t.Errorf("%d events", got-before)
	}
	for _, invalid := range []map[string]any{{}, {"name": "listLegends", "body": 1}, {"name": "findTools", "arguments": map[string]any{}}} {
		calls(t, reader, "callTool", invalid, true)
	}
}

func TestStatusNamesTheAddressOfMCP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.person(t, "ada@example.com").must(t, "GET", "/v1/agent/status", "", http.StatusOK); got.text(t, "mcp") != issuer+"/mcp" {
		t.Error(got.body)
	}
}

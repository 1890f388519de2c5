package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// reads returns the status and the body of a tool that a run of the token calls.
func (f *firm) reads(t *testing.T, token, operation, arguments string) (int, string) {
	t.Helper()
	source := messages.HookSource{Organization: organizationID(t, f.id)}
	if token != "" {
		id, err := captable.ParseID[organization.HookToken](token)
		if err != nil {
			t.Fatal(err)
		}
		source.Token = id
	}
	got := f.server.HookTools(source, "run").Call(t.Context(), messages.ToolCall{
		Operation: operation, Arguments: []byte(arguments), Mode: messages.ToolReads,
	})
	return got.Status, string(got.Body)
}

func TestRunOfAHookReadsWithTheRightsOfItsToken(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	editor, member := f.editor(t, "")
	f.put(t, f.home, "Open.txt", "x")
	hidden := textOf(f.put(t, f.home, "Hidden.txt", "x"), "id")
	f.must(t, "PUT", f.home+"/document/"+hidden+"/access", `{"mode":"restricted","roles":["Auditor"]}`, http.StatusOK)
	theirs := editor.must(t, "POST", f.home+"/hook-token", `{"name":"Theirs"}`, http.StatusCreated).text(t, "id")
	owners := f.must(t, "POST", f.home+"/hook-token", `{"name":"Owner"}`, http.StatusCreated).text(t, "id")
	expect := func(claim, token, operation string, want int) {
		t.Helper()
		if status, body := f.reads(t, token, operation, `{}`); status != want {
			t.Errorf("%s: %s %d %s", claim, operation, status, body)
		}
	}
	expect("an editor", theirs, "exportCapTable", http.StatusForbidden)
	expect("an editor", theirs, "getOrganization", http.StatusOK)
	expect("an Owner", owners, "exportCapTable", http.StatusOK)
	expect("the operator", "", "exportCapTable", http.StatusOK)
	if _, body := f.reads(t, "", "listDocuments", `{}`); !strings.Contains(body, "Open.txt") || strings.Contains(body, "Hidden.txt") {
		t.Errorf("the operator: %s", body)
	}
	if _, body := f.reads(t, owners, "listDocuments", `{}`); !strings.Contains(body, "Hidden.txt") {
		t.Errorf("an Owner: %s", body)
	}
	f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["Owner"]}`, http.StatusOK)
	expect("a creator who became Owner", theirs, "exportCapTable", http.StatusForbidden)
	expect("a user's own operation", owners, "listOrganizations", http.StatusUnauthorized)
	f.must(t, "DELETE", f.home+"/member/"+member, "", http.StatusOK)
	expect("a former member", theirs, "getOrganization", http.StatusForbidden)
	expect("a revoked token", "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", "getOrganization", http.StatusForbidden)
}

func TestAgentSessionShowsRunsOnlyWithTheirRights(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	editor, member := f.editor(t, "")
	theirs := editor.must(t, "POST", f.home+"/hook-token", `{"name":"Theirs"}`, http.StatusCreated).text(t, "token")
	for _, one := range []string{"hook-secret", token, theirs} {
		if w := send(one, "/hooks/agent", `{"message":"Read all","name":"Hidden"}`); w.Code != http.StatusAccepted {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	shown := func(c *client) (texts, withheld int) {
		body := c.must(t, "GET", f.home+"/agent/session", "", http.StatusOK).body
		return strings.Count(body, `"Read all"`), strings.Count(body, `"withheld":true`)
	}
	f.eventually(t, "the runs end", func() bool {
		return strings.Count(f.must(t, "GET", f.home+"/agent/session", "", http.StatusOK).body, "Hook Hidden: done") == 3
	})
	if texts, withheld := shown(f.client); texts != 3 || withheld != 0 {
		t.Errorf("the owner: %d texts, %d withheld", texts, withheld)
	}
	if texts, withheld := shown(editor); texts != 1 || withheld != 4 {
		t.Errorf("an editor: %d texts, %d withheld", texts, withheld)
	}
	f.must(t, "POST", f.home+"/role", `{"name":"Less","permissions":["editOrganizationDetails","viewSelf"]}`, http.StatusCreated)
	f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["Less"]}`, http.StatusOK)
	if texts, _ := shown(editor); texts != 0 {
		t.Errorf("an editor without the role of then: %d texts", texts)
	}
}

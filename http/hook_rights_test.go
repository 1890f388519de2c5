package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/captable"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// readByRun returns the status and the body of a tool that a run of the token calls.
func readByRun(t *testing.T, f *apitest.Firm, token, operation, arguments string) (int, string) {
	t.Helper()
	source := messages.HookSource{Organization: apitest.OrganizationID(t, f.ID)}
	if token != "" {
		id, err := captable.ParseID[organization.HookToken](token)
		if err != nil {
			t.Fatal(err)
		}
		source.Token = id
	}
	got := f.HTTP.HookTools(source, "run").Call(t.Context(), messages.ToolCall{
		Operation: operation, Arguments: []byte(arguments), Mode: messages.ToolReads,
	})
	return got.Status, string(got.Body)
}

func TestRunOfAHookReadsWithTheRightsOfItsToken(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	editor, member := f.NewEditor(t, "")
	f.PutDocument(t, f.Home, "Open.txt", "x")
	hidden := apitest.TextOf(f.PutDocument(t, f.Home, "Hidden.txt", "x"), "id")
	f.Must(t, "PUT", f.Home+"/document/"+hidden+"/access", `{"mode":"restricted","roles":["Auditor"]}`, http.StatusOK)
	theirs := editor.Must(t, "POST", f.Home+"/hook-token", `{"name":"Theirs"}`, http.StatusCreated).Text(t, "id")
	owners := f.Must(t, "POST", f.Home+"/hook-token", `{"name":"Owner"}`, http.StatusCreated).Text(t, "id")
	expect := func(claim, token, operation string, want int) {
		t.Helper()
		if status, body := readByRun(t, f, token, operation, `{}`); status != want {
			t.Errorf("%s: %s %d %s", claim, operation, status, body)
		}
	}
	expect("an editor", theirs, "exportCapTable", http.StatusForbidden)
	expect("an editor", theirs, "getOrganization", http.StatusOK)
	expect("an Owner", owners, "exportCapTable", http.StatusOK)
	expect("the operator", "", "exportCapTable", http.StatusOK)
	if _, body := readByRun(t, f, "", "listDocuments", `{}`); !strings.Contains(body, "Open.txt") || strings.Contains(body, "Hidden.txt") {
		t.Errorf("the operator: %s", body)
	}
	if _, body := readByRun(t, f, owners, "listDocuments", `{}`); !strings.Contains(body, "Hidden.txt") {
		t.Errorf("an Owner: %s", body)
	}
	f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["Owner"]}`, http.StatusOK)
	expect("a creator who became Owner", theirs, "exportCapTable", http.StatusForbidden)
	expect("a user's own operation", owners, "listOrganizations", http.StatusUnauthorized)
	f.Must(t, "DELETE", f.Home+"/member/"+member, "", http.StatusOK)
	expect("a former member", theirs, "getOrganization", http.StatusForbidden)
	expect("a revoked token", "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", "getOrganization", http.StatusForbidden)
}

func TestAgentSessionShowsRunsOnlyWithTheirRights(t *testing.T) {
	t.Parallel()
	f, token, send := hookedFirm(t)
	editor, member := f.NewEditor(t, "")
	theirs := editor.Must(t, "POST", f.Home+"/hook-token", `{"name":"Theirs"}`, http.StatusCreated).Text(t, "token")
	for _, one := range []string{"hook-secret", token, theirs} {
		if w := send(one, "/hooks/agent", `{"message":"Read all","name":"Hidden"}`); w.Code != http.StatusAccepted {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	shown := func(c *apitest.Client) (texts, withheld int) {
		body := c.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK).Body
		return strings.Count(body, `"Read all"`), strings.Count(body, `"withheld":true`)
	}
	f.Eventually(t, "the runs end", func() bool {
		return strings.Count(f.Must(t, "GET", f.Home+"/agent/session", "", http.StatusOK).Body, "Hook Hidden: done") == 3
	})
	if texts, withheld := shown(f.Client); texts != 3 || withheld != 0 {
		t.Errorf("the owner: %d texts, %d withheld", texts, withheld)
	}
	if texts, withheld := shown(editor); texts != 1 || withheld != 4 {
		t.Errorf("an editor: %d texts, %d withheld", texts, withheld)
	}
	f.Must(t, "POST", f.Home+"/role", `{"name":"Less","permissions":["editOrganizationDetails","viewSelf"]}`, http.StatusCreated)
	f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["Less"]}`, http.StatusOK)
	if texts, _ := shown(editor); texts != 0 {
		t.Errorf("an editor without the role of then: %d texts", texts)
	}
}

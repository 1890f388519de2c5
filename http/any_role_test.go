package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// anyRole maps the operations that every role may run to the answer for a member with viewSelf alone and without holdings: the fields that are
// not empty, or the status. It is a statement of the test, like rights: the contract describes an answer for all callers and has no mark for the
// part that a caller without further permissions may see.
func anyRole() map[string]string {
	return map[string]string{
		"chatWithAgent": "conversationId response", "getAgentContext": "capabilities counts limits organization user version", "listAgentTools": "data",
		"listAgentConversations": "", "deleteAgentConversations": "204", "getAgentConversation": "404", "deleteAgentConversation": "404",
		"getDashboard": "asOf counts currency sequence",
		"listAuthors":  "data", "listDocuments": "", "getDocumentContent": "404", "getDocumentContentNamed": "404",
		"getDocumentPreview": "404", "listDocumentVersions": "404",
		"getDriveStatus": "connected", "listDriveFolders": "", "listSyncHistory": "", "getImportTemplate": "file", "streamEvents": "stream",
		"listOptions":     "",
		"getOrganization": "createdAt currency features id legalName name permissions plan roles sequence storage type updatedAt version",
		"listPlans":       "", "getPlan": "404", "getPlanDashboard": "404", "getPools": "asOf sequence totals", "listRoles": "data",
		"getRole":        "createdAt id name organization permissions updatedAt version",
		"listSecurities": "", "getSecurity": "404", "getVestingSchedule": "404", "listWebhooks": "",
	}
}

// TestAnyRoleShowsAGuestOnlyWhatIsListed runs every operation with the guard canViewOrganization as a Guest without holdings.
func TestAnyRoleShowsAGuestOnlyWhatIsListed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	guest, listed := e.member(t, "guest", "Guest"), anyRole()
	for _, d := range declaredOperations(b.Contract) {
		if d.permission != "canViewOrganization" {
			continue
		}
		want, known := listed[d.id]
		delete(listed, d.id)
		if !known {
			t.Errorf("%s: list in anyRole what it shows to a Guest", d.id)
			continue
		}
		if want == "stream" || want == "file" {
			continue // the stream of a Guest: TestLiveEventsOmitHiddenDocuments; the template has no records
		}
		got := e.wish(t, &d).as(t, guest)
		if shown := shownFields(got); shown != want {
			t.Errorf("%s shows %q, want %q: %s", d.id, shown, want, got.Body)
		}
		for _, secret := range []string{"example.com/events", "drive.example", e.name + " folder", e.name + ".txt"} {
			if strings.Contains(got.Body, secret) {
				t.Errorf("%s shows %s: %s", d.id, secret, got.Body)
			}
		}
	}
	for id := range listed {
		t.Errorf("%s has no longer the guard canViewOrganization", id)
	}
}

// shownFields returns the names of the fields that are not empty, or the status without a body or of a refusal.
func shownFields(a apitest.Answer) string {
	if a.Status != http.StatusOK {
		return map[int]string{http.StatusNoContent: "204", http.StatusNotFound: "404", http.StatusForbidden: "403"}[a.Status]
	}
	var record map[string]json.RawMessage
	if json.Unmarshal([]byte(a.Body), &record) != nil {
		return strings.Trim(strings.TrimSpace(a.Body), "[]")
	}
	names := []string{}
	for name, value := range record {
		if !slices.Contains([]string{"null", "[]", "{}", `""`, "0", `"0"`, "false"}, string(value)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestGuestReadsNothingInTheOfficeSuite(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := inOfficeSuite(t, b.NewFirm(t, "owner@example.com"))
	guest, auditor := b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, guest, "Guest")
	f.Join(t, f.Home, auditor, "Auditor")
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "the plan"), "id")
	auditor.Must(t, "GET", at+"/content", "", http.StatusOK)
	for _, path := range []string{"/content", "/content/Plan.txt", "/preview"} {
		guest.Must(t, "GET", at+path, "", http.StatusNotFound)
	}
	if list := guest.Must(t, "GET", f.Home+"/document", "", http.StatusOK); strings.TrimSpace(list.Body) != "[]" {
		t.Error(list.Body)
	}
}

func TestAddressesAreForMembersWhoMayChangeThem(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	investor := e.member(t, "investor", "Investor")
	for _, path := range []string{
		"/webhook", "/cloud-drive/status", "/cloud-drive/folders", "/cloud-drive/sync-history", "/journal?limit=200", "/journal/proof",
	} {
		got := investor.Must(t, "GET", e.Home+path, "", http.StatusOK)
		for _, secret := range []string{"https://example.com", "drive.example", `"/` + e.name + `"`, `"driveFolderName":"`} {
			if strings.Contains(got.Body, secret) {
				t.Errorf("%s shows %s: %s", path, secret, got.Body)
			}
		}
	}
	if got := e.Must(t, "GET", e.Home+"/journal?limit=200", "", http.StatusOK); !strings.Contains(got.Body, `"driveFolderName":"`) {
		t.Error("the Owner does not see the folder of the drive")
	}
}

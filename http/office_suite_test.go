package http_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/actors/office/officetest"
	equityhttp "equity/http"
	"equity/http/apitest"
)

// suite returns a company with documents in the office suite.
func suite(t *testing.T) *apitest.Firm {
	t.Helper()
	return inOfficeSuite(t, apitest.Setup(t).NewFirm(t, "owner@example.com"))
}

// officeItem returns the listed item with the name.
func officeItem(t *testing.T, f *apitest.Firm, name string) map[string]any {
	t.Helper()
	items, _ := f.Must(t, "GET", f.Home+"/document", "", http.StatusOK).Get(t).([]any)
	for _, each := range items {
		if record, _ := each.(map[string]any); apitest.TextOf(record, "name") == name {
			return record
		}
	}
	t.Fatalf("%s is not listed", name)
	return nil
}

func TestItemsOfTheOfficeSuiteKeepTheirIDs(t *testing.T) {
	t.Parallel()
	f := suite(t)
	outside := f.Office.Put(officeFolder(t, f), "Minutes.docx", "text")
	first := officeItem(t, f, "Minutes.docx")
	f.Office.Move(outside, officeFolder(t, f), "Final minutes.docx")
	second := officeItem(t, f, "Final minutes.docx")
	if apitest.TextOf(first, "id") != apitest.TextOf(second, "id") || apitest.TextOf(first, "createdBy") != "system:officeSuite" {
		t.Errorf("%v %v", first, second)
	}
	if got := f.Must(t, "GET", f.Home+"/document/"+apitest.TextOf(first, "id")+"/content", "", http.StatusOK); got.Body != "text" {
		t.Errorf("%q", got.Body)
	}
}

func TestItemsOfAllFoldersOfTheOfficeSuiteAreListed(t *testing.T) {
	t.Parallel()
	f := suite(t)
	folder := f.NewFolder(t, f.Home, "Legal", "")
	f.Upload(t, f.Home+"/document", http.StatusCreated, []apitest.File{{Name: "Plan.txt", Content: "x"}}, "parentFolder", folder)
	if all, root := listDocuments(t, f.Client, f.Home, ""), listDocuments(t, f.Client, f.Home, "?parentFolder=root"); all != "Legal Plan.txt" || root != "Legal" {
		t.Errorf("all %s, root %s", all, root)
	}
}

func TestItemThatLeftTheFolderOfTheOrganizationIsUnknown(t *testing.T) {
	t.Parallel()
	f := suite(t)
	other := inOfficeSuite(t, f.NewFirm(t, "other@example.com"))
	record := f.PutDocument(t, f.Home, "Plan.txt", "secret")
	key := f.Office.Find("equity", f.ID, "Plan.txt")
	f.Office.Move(key, officeFolder(t, other), "Plan.txt")
	f.Must(t, "GET", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusNotFound)
	if id := apitest.TextOf(officeItem(t, other, "Plan.txt"), "id"); id == apitest.TextOf(record, "id") {
		t.Errorf("the id %s belongs to two organizations", id)
	}
	f.Office.Move(key, officetest.Root, "Plan.txt")
	other.Must(t, "DELETE", other.Home+"/document/"+apitest.TextOf(record, "id"), "", http.StatusNotFound)
}

func TestNamesThatTheOfficeSuiteRefusesAreInvalid(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	for _, name := range []string{"a:b.txt", "~$lock.docx", "a|b", "what?", "end.", "CON"} {
		f.Upload(t, f.Home+"/document", http.StatusBadRequest, []apitest.File{{Name: name, Content: "x"}})
		f.Must(t, "POST", f.Home+"/folder", `{"name":`+apitest.Quoted(t, name)+`,"parentFolder":null}`, http.StatusBadRequest)
		f.Must(t, "POST", at+"/move", `{"name":`+apitest.Quoted(t, name)+`}`, http.StatusBadRequest)
	}
	if names := listDocuments(t, f.Client, f.Home, ""); names != "Plan.txt" {
		t.Errorf("listed: %s", names)
	}
}

func TestFailedUploadToTheOfficeSuiteLeavesNothing(t *testing.T) {
	t.Parallel()
	f := suite(t)
	f.PutDocument(t, f.Home, "B.txt", "first")
	before := f.JournalLength(t)
	f.Upload(t, f.Home+"/document/many", http.StatusConflict, []apitest.File{{Name: "A.txt", Content: "A"}, {Name: "B.txt", Content: "B"}}, "onConflict", "refuse")
	if names := listDocuments(t, f.Client, f.Home, ""); names != "B.txt" || f.JournalLength(t) != before {
		t.Errorf("listed: %s", names)
	}
}

func TestUnavailableOfficeSuiteRefusesOnlyDocuments(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	f.Office.Break(officetest.Faults{Status: http.StatusBadGateway})
	f.MustFail(t, "GET", at+"/content", "", http.StatusServiceUnavailable, "unavailable")
	f.MustFail(t, "GET", f.Home+"/document", "", http.StatusServiceUnavailable, "unavailable")
	f.Upload(t, f.Home+"/document", http.StatusServiceUnavailable, []apitest.File{{Name: "New.txt", Content: "x"}})
	f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
}

func TestFunctionsOfTheDataRoomAreNotInTheOfficeSuite(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	const code = "notInOfficeSuite"
	f.MustFail(t, "GET", at+"/version", "", http.StatusConflict, code)
	f.MustFail(t, "POST", at+"/restore", "", http.StatusConflict, code)
	f.MustFail(t, "PUT", at+"/access", `{"mode":"inherit"}`, http.StatusConflict, code)
	f.MustFail(t, "POST", at+"/share", `{"email":"guest@example.com"}`, http.StatusConflict, code)
	f.MustFail(t, "GET", at+"/content?versionNumber=1", "", http.StatusConflict, code)
}

func TestPreviewIsAReading(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.docx", "x"), "id")
	if got := f.Must(t, "GET", at+"/preview", "", http.StatusOK); !strings.HasPrefix(got.Text(t, "url"), "http") || got.Text(t, "expiresAt") == "" {
		t.Errorf("%s", got.Body)
	}
	f.Must(t, "GET", at+"/content", "", http.StatusOK)
	var kinds []string
	for _, each := range f.Must(t, "GET", at+"/view", "", http.StatusOK).List(t, "data") {
		record, _ := each.(map[string]any)
		kinds = append(kinds, apitest.TextOf(record, "kind"))
	}
	if !slices.Equal(kinds, []string{"download", "view"}) {
		t.Errorf("%v", kinds)
	}
}

func TestLiveEventsOfTheOfficeSuiteNameTheirItems(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := inOfficeSuite(t, b.NewFirm(t, "owner@example.com"))
	investor := b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	auditor := b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	stream := auditor.Follow(t, b.Listen(t), f.Home, "")
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	end := f.JournalLength(t)
	named := false
	for {
		event, ok := stream.Block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if strings.Contains(event.Text, "Plan.txt") {
			t.Errorf("a name is sent: %s", event.Text)
		}
		named = named || strings.Contains(event.Text, `{"kind":"document","id":"`+id+`"}`)
		if int(event.ID) == end {
			break
		}
	}
	if !named {
		t.Error("the document is not named")
	}
	if journal := investor.Must(t, "GET", f.Home+"/journal", "", http.StatusOK); strings.Contains(journal.Body, "Plan.txt") {
		t.Error("the journal shows the name")
	}
}

func TestMalwareInTheOfficeSuiteIsNotServed(t *testing.T) {
	t.Parallel()
	f := suite(t)
	record := f.PutDocument(t, f.Home, "Plan.txt", "x")
	f.Office.Infect(f.Office.Find("equity", f.ID, "Plan.txt"))
	f.MustFail(t, "GET", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusConflict, "infected")
}

func TestStorageWithDocumentsStays(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	room, inSuite := b.NewFirm(t, "room@example.com"), inOfficeSuite(t, b.NewFirm(t, "suite@example.com"))
	room.PutDocument(t, room.Home, "Plan.txt", "x")
	room.MustFail(t, "PATCH", room.Home, `{"storage":"officeSuite"}`, http.StatusConflict, "storageInUse")
	at := inSuite.Home + "/document/" + apitest.TextOf(inSuite.PutDocument(t, inSuite.Home, "Plan.txt", "x"), "id")
	inSuite.MustFail(t, "PATCH", inSuite.Home, `{"storage":"dataRoom"}`, http.StatusConflict, "storageInUse")
	inSuite.Must(t, "DELETE", at, "", http.StatusNoContent)
	inSuite.Must(t, "PATCH", inSuite.Home, `{"storage":"dataRoom"}`, http.StatusOK)
}

func TestServerWithoutAnOfficeSuiteRefusesTheStorage(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Suite = nil }).NewFirm(t, "owner@example.com")
	f.MustFail(t, "PATCH", f.Home, `{"storage":"officeSuite"}`, http.StatusBadRequest, "notConfigured")
	f.Must(t, "PATCH", f.Home, `{"storage":"dataRoom"}`, http.StatusOK)
}

func TestFolderOfTheOfficeSuiteMayHaveAnotherCase(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	f.Office.Folder(officetest.Root, "Equity")
	inOfficeSuite(t, f)
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x", "path", "Legal"), "id")
	f.Must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestDeletedFolderOfTheOrganizationIsCreatedAgain(t *testing.T) {
	t.Parallel()
	f := suite(t)
	old := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	f.Office.Delete(officeFolder(t, f))
	if names := listDocuments(t, f.Client, f.Home, ""); names != "" {
		t.Errorf("listed: %s", names)
	}
	f.PutDocument(t, f.Home, "New.txt", "x")
	f.Must(t, "GET", f.Home+"/document/"+old+"/content", "", http.StatusNotFound)
}

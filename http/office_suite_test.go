package http_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"equity/actors/office/officetest"
	equityhttp "equity/http"
)

// suite returns a company with documents in the office suite.
func suite(t *testing.T) *firm {
	t.Helper()
	return setup(t).firm(t, "owner@example.com").inOfficeSuite(t)
}

// itemOf returns the listed item with the name.
func (f *firm) itemOf(t *testing.T, name string) map[string]any {
	t.Helper()
	items, _ := f.must(t, "GET", f.home+"/document", "", http.StatusOK).get(t).([]any)
	for _, each := range items {
		if record, _ := each.(map[string]any); textOf(record, "name") == name {
			return record
		}
	}
	t.Fatalf("%s is not listed", name)
	return nil
}

func TestItemsOfTheOfficeSuiteKeepTheirIDs(t *testing.T) {
	t.Parallel()
	f := suite(t)
	outside := f.office.Put(f.officeFolder(t), "Minutes.docx", "text")
	first := f.itemOf(t, "Minutes.docx")
	f.office.Move(outside, f.officeFolder(t), "Final minutes.docx")
	second := f.itemOf(t, "Final minutes.docx")
	if textOf(first, "id") != textOf(second, "id") || textOf(first, "createdBy") != "system:officeSuite" {
		t.Errorf("%v %v", first, second)
	}
	if got := f.must(t, "GET", f.home+"/document/"+textOf(first, "id")+"/content", "", http.StatusOK); got.body != "text" {
		t.Errorf("%q", got.body)
	}
}

func TestItemsOfAllFoldersOfTheOfficeSuiteAreListed(t *testing.T) {
	t.Parallel()
	f := suite(t)
	folder := f.folder(t, f.home, "Legal", "")
	f.store(t, f.home+"/document", http.StatusCreated, []upload{{"Plan.txt", "x"}}, "parentFolder", folder)
	if all, root := f.listed(t, f.home, ""), f.listed(t, f.home, "?parentFolder=root"); all != "Legal Plan.txt" || root != "Legal" {
		t.Errorf("all %s, root %s", all, root)
	}
}

func TestItemThatLeftTheFolderOfTheOrganizationIsUnknown(t *testing.T) {
	t.Parallel()
	f := suite(t)
	other := f.firm(t, "other@example.com").inOfficeSuite(t)
	record := f.put(t, f.home, "Plan.txt", "secret")
	key := f.office.Find("equity", f.id, "Plan.txt")
	f.office.Move(key, other.officeFolder(t), "Plan.txt")
	f.must(t, "GET", f.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusNotFound)
	if id := textOf(other.itemOf(t, "Plan.txt"), "id"); id == textOf(record, "id") {
		t.Errorf("the id %s belongs to two organizations", id)
	}
	f.office.Move(key, officetest.Root, "Plan.txt")
	other.must(t, "DELETE", other.home+"/document/"+textOf(record, "id"), "", http.StatusNotFound)
}

func TestNamesThatTheOfficeSuiteRefusesAreInvalid(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	for _, name := range []string{"a:b.txt", "~$lock.docx", "a|b", "what?", "end.", "CON"} {
		f.store(t, f.home+"/document", http.StatusBadRequest, []upload{{name, "x"}})
		f.must(t, "POST", f.home+"/folder", `{"name":`+quoted(t, name)+`,"parentFolder":null}`, http.StatusBadRequest)
		f.must(t, "POST", at+"/move", `{"name":`+quoted(t, name)+`}`, http.StatusBadRequest)
	}
	if names := f.listed(t, f.home, ""); names != "Plan.txt" {
		t.Errorf("listed: %s", names)
	}
}

func TestFailedUploadToTheOfficeSuiteLeavesNothing(t *testing.T) {
	t.Parallel()
	f := suite(t)
	f.put(t, f.home, "B.txt", "first")
	before := f.journalLength(t)
	f.store(t, f.home+"/document/many", http.StatusConflict, []upload{{"A.txt", "A"}, {"B.txt", "B"}}, "onConflict", "refuse")
	if names := f.listed(t, f.home, ""); names != "B.txt" || f.journalLength(t) != before {
		t.Errorf("listed: %s", names)
	}
}

func TestUnavailableOfficeSuiteRefusesOnlyDocuments(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	f.office.Break(officetest.Faults{Status: http.StatusBadGateway})
	f.fails(t, "GET", at+"/content", "", http.StatusServiceUnavailable, "unavailable")
	f.fails(t, "GET", f.home+"/document", "", http.StatusServiceUnavailable, "unavailable")
	f.store(t, f.home+"/document", http.StatusServiceUnavailable, []upload{{"New.txt", "x"}})
	f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
}

func TestFunctionsOfTheDataRoomAreNotInTheOfficeSuite(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	const code = "notInOfficeSuite"
	f.fails(t, "GET", at+"/version", "", http.StatusConflict, code)
	f.fails(t, "POST", at+"/restore", "", http.StatusConflict, code)
	f.fails(t, "PUT", at+"/access", `{"mode":"inherit"}`, http.StatusConflict, code)
	f.fails(t, "POST", at+"/share", `{"email":"guest@example.com"}`, http.StatusConflict, code)
	f.fails(t, "GET", at+"/content?versionNumber=1", "", http.StatusConflict, code)
}

func TestPreviewIsAReading(t *testing.T) {
	t.Parallel()
	f := suite(t)
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.docx", "x"), "id")
	if got := f.must(t, "GET", at+"/preview", "", http.StatusOK); !strings.HasPrefix(got.text(t, "url"), "http") || got.text(t, "expiresAt") == "" {
		t.Errorf("%s", got.body)
	}
	f.must(t, "GET", at+"/content", "", http.StatusOK)
	var kinds []string
	for _, each := range f.must(t, "GET", at+"/view", "", http.StatusOK).list(t, "data") {
		record, _ := each.(map[string]any)
		kinds = append(kinds, textOf(record, "kind"))
	}
	if !slices.Equal(kinds, []string{"download", "view"}) {
		t.Errorf("%v", kinds)
	}
}

// Each event has the record as the answer to its request shows it.
func TestWebhookEventsOfTheOfficeSuite(t *testing.T) {
	t.Parallel()
	f := suite(t)
	url, received := receiver(t, http.StatusOK)
	f.must(t, "POST", f.home+"/webhook", `{"url":"`+url+`","events":["document.uploaded","document.moved","document.deleted","folder.created"]}`, http.StatusCreated)
	expect := func(event string, want any) {
		t.Helper()
		var got sent
		if body := next(t, received).body; json.Unmarshal([]byte(body), &got) != nil || got.Type != event || !reflect.DeepEqual(
			any(got.Data.Object), want,
		) {
			t.Fatalf("%s\nwant %s %v", body, event, want)
		}
	}
	folder := f.must(t, "POST", f.home+"/folder", `{"name":"Legal","parentFolder":null}`, http.StatusCreated)
	expect("folder.created", folder.get(t))
	record := f.put(t, f.home, "Plan.txt", "One")
	expect("document.uploaded", any(record))
	expect("document.uploaded", any(f.put(t, f.home, "Plan.txt", "Two")))
	at := f.home + "/document/" + textOf(record, "id")
	moved := f.must(t, "POST", at+"/move", `{"parentFolder":`+quoted(t, folder.text(t, "id"))+`}`, http.StatusOK)
	expect("document.moved", moved.get(t))
	f.must(t, "DELETE", at, "", http.StatusNoContent)
	expect("document.deleted", moved.get(t))
}

func TestLiveEventsOfTheOfficeSuiteNameTheirItems(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com").inOfficeSuite(t)
	investor := b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	auditor := b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	stream := auditor.follow(t, b.listening(t), f.home, "")
	id := textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	end := f.journalLength(t)
	named := false
	for {
		event, ok := stream.block()
		if !ok {
			t.Fatal("the stream ended")
		}
		if strings.Contains(event.text, "Plan.txt") {
			t.Errorf("a name is sent: %s", event.text)
		}
		named = named || strings.Contains(event.text, `{"kind":"document","id":"`+id+`"}`)
		if int(event.id) == end {
			break
		}
	}
	if !named {
		t.Error("the document is not named")
	}
	if journal := investor.must(t, "GET", f.home+"/journal", "", http.StatusOK); strings.Contains(journal.body, "Plan.txt") {
		t.Error("the journal shows the name")
	}
}

func TestMalwareInTheOfficeSuiteIsNotServed(t *testing.T) {
	t.Parallel()
	f := suite(t)
	record := f.put(t, f.home, "Plan.txt", "x")
	f.office.Infect(f.office.Find("equity", f.id, "Plan.txt"))
	f.fails(t, "GET", f.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusConflict, "infected")
}

func TestStorageWithDocumentsStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	room, inSuite := b.firm(t, "room@example.com"), b.firm(t, "suite@example.com").inOfficeSuite(t)
	room.put(t, room.home, "Plan.txt", "x")
	room.fails(t, "PATCH", room.home, `{"storage":"officeSuite"}`, http.StatusConflict, "storageInUse")
	at := inSuite.home + "/document/" + textOf(inSuite.put(t, inSuite.home, "Plan.txt", "x"), "id")
	inSuite.fails(t, "PATCH", inSuite.home, `{"storage":"dataRoom"}`, http.StatusConflict, "storageInUse")
	inSuite.must(t, "DELETE", at, "", http.StatusNoContent)
	inSuite.must(t, "PATCH", inSuite.home, `{"storage":"dataRoom"}`, http.StatusOK)
}

func TestServerWithoutAnOfficeSuiteRefusesTheStorage(t *testing.T) {
	t.Parallel()
	f := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Suite = nil }).firm(t, "owner@example.com")
	f.fails(t, "PATCH", f.home, `{"storage":"officeSuite"}`, http.StatusBadRequest, "notConfigured")
	f.must(t, "PATCH", f.home, `{"storage":"dataRoom"}`, http.StatusOK)
}

func TestFolderOfTheOfficeSuiteMayHaveAnotherCase(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	f.office.Folder(officetest.Root, "Equity")
	f.inOfficeSuite(t)
	at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x", "path", "Legal"), "id")
	f.must(t, "GET", at+"/content", "", http.StatusOK)
}

func TestDeletedFolderOfTheOrganizationIsCreatedAgain(t *testing.T) {
	t.Parallel()
	f := suite(t)
	old := textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	f.office.Delete(f.officeFolder(t))
	if names := f.listed(t, f.home, ""); names != "" {
		t.Errorf("listed: %s", names)
	}
	f.put(t, f.home, "New.txt", "x")
	f.must(t, "GET", f.home+"/document/"+old+"/content", "", http.StatusNotFound)
}

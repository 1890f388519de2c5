package webhook_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

// shownDocument returns the item with the id as the list of the folder shows it.
func shownDocument(tb testing.TB, c *apitest.Client, home, query, id string) map[string]any {
	tb.Helper()
	items, _ := c.Must(tb, "GET", home+"/document"+query, "", http.StatusOK).Get(tb).([]any)
	for _, item := range items {
		if record, _ := item.(map[string]any); apitest.TextOf(record, "id") == id {
			return record
		}
	}
	tb.Fatalf("the list has no item %s", id)
	return nil
}

// documentEvents are the types of webhook events of the data room.
func documentEvents() []string {
	return []string{"document.uploaded", "document.moved", "document.deleted", "folder.created"}
}

// Each event of the data room has the record as the list shows it, once.
func TestWebhookEventsOfTheDataRoom(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	url, received := webhooktest.Receiver(t, http.StatusOK)
	webhooktest.New(t, f.Client, f.Home, url, strings.Join(documentEvents(), `","`))
	expect := func(event string, want map[string]any) {
		t.Helper()
		var got sent
		if body := webhooktest.Next(t, received).Body; json.Unmarshal([]byte(body), &got) != nil || got.Type != event || !reflect.DeepEqual(got.Data.Object, want) {
			t.Fatalf("%s\nwant %s %v", body, event, want)
		}
	}
	folder := f.NewFolder(t, f.Home, "Legal", "")
	expect("folder.created", shownDocument(t, f.Client, f.Home, "", folder))
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "One"), "id")
	expect("document.uploaded", shownDocument(t, f.Client, f.Home, "", id))
	f.PutDocument(t, f.Home, "Plan.txt", "Two")
	expect("document.uploaded", shownDocument(t, f.Client, f.Home, "", id))
	f.Must(t, "POST", f.Home+"/document/"+id+"/move", `{"parentFolder":"`+folder+`"}`, http.StatusOK)
	expect("document.moved", shownDocument(t, f.Client, f.Home, "?parentFolder="+folder, id))
	f.Must(t, "DELETE", f.Home+"/document/"+id, "", http.StatusNoContent)
	expect("document.deleted", shownDocument(t, f.Client, f.Home, "?deleted=true", id))
	var stored map[string]any
	made := f.Upload(t, f.Home+"/file", http.StatusCreated, []apitest.File{{Name: "logo.png", Content: "png"}})
	if err := json.Unmarshal([]byte(made.Body), &stored); err != nil {
		t.Fatal(err)
	}
	expect("document.uploaded", stored)
}

// Each event has the record as the answer to its request shows it.
func TestWebhookEventsOfTheOfficeSuite(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	f.Must(t, "PATCH", f.Home, `{"storage":"officeSuite"}`, http.StatusOK)
	url, received := webhooktest.Receiver(t, http.StatusOK)
	f.Must(t, "POST", f.Home+"/webhook", `{"url":"`+url+`","events":["document.uploaded","document.moved","document.deleted","folder.created"]}`, http.StatusCreated)
	expect := func(event string, want any) {
		t.Helper()
		var got sent
		if body := webhooktest.Next(t, received).Body; json.Unmarshal([]byte(body), &got) != nil || got.Type != event || !reflect.DeepEqual(
			any(got.Data.Object), want,
		) {
			t.Fatalf("%s\nwant %s %v", body, event, want)
		}
	}
	folder := f.Must(t, "POST", f.Home+"/folder", `{"name":"Legal","parentFolder":null}`, http.StatusCreated)
	expect("folder.created", folder.Get(t))
	record := f.PutDocument(t, f.Home, "Plan.txt", "One")
	expect("document.uploaded", any(record))
	expect("document.uploaded", any(f.PutDocument(t, f.Home, "Plan.txt", "Two")))
	at := f.Home + "/document/" + apitest.TextOf(record, "id")
	moved := f.Must(t, "POST", at+"/move", `{"parentFolder":`+apitest.Quoted(t, folder.Text(t, "id"))+`}`, http.StatusOK)
	expect("document.moved", moved.Get(t))
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
	expect("document.deleted", moved.Get(t))
}

package http_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// shown returns the item with the id as the list of the folder shows it.
func (c *client) shown(tb testing.TB, home, query, id string) map[string]any {
	tb.Helper()
	items, _ := c.must(tb, "GET", home+"/document"+query, "", http.StatusOK).get(tb).([]any)
	for _, item := range items {
		if record, _ := item.(map[string]any); textOf(record, "id") == id {
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
	f := setup(t).firm(t, "owner@example.com")
	url, received := receiver(t, http.StatusOK)
	f.hook(t, f.home, url, strings.Join(documentEvents(), `","`))
	expect := func(event string, want map[string]any) {
		t.Helper()
		var got sent
		if body := next(t, received).body; json.Unmarshal([]byte(body), &got) != nil || got.Type != event || !reflect.DeepEqual(got.Data.Object, want) {
			t.Fatalf("%s\nwant %s %v", body, event, want)
		}
	}
	folder := f.folder(t, f.home, "Legal", "")
	expect("folder.created", f.shown(t, f.home, "", folder))
	id := textOf(f.put(t, f.home, "Plan.txt", "One"), "id")
	expect("document.uploaded", f.shown(t, f.home, "", id))
	f.put(t, f.home, "Plan.txt", "Two")
	expect("document.uploaded", f.shown(t, f.home, "", id))
	f.must(t, "POST", f.home+"/document/"+id+"/move", `{"parentFolder":"`+folder+`"}`, http.StatusOK)
	expect("document.moved", f.shown(t, f.home, "?parentFolder="+folder, id))
	f.must(t, "DELETE", f.home+"/document/"+id, "", http.StatusNoContent)
	expect("document.deleted", f.shown(t, f.home, "?deleted=true", id))
	var stored map[string]any
	made := f.store(t, f.home+"/file", http.StatusCreated, []upload{{"logo.png", "png"}})
	if err := json.Unmarshal([]byte(made.body), &stored); err != nil {
		t.Fatal(err)
	}
	expect("document.uploaded", stored)
}

// The names of items that the present access hides stay hidden in past views.
func TestPastViewsKeepThePresentAccess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, auditor := b.firm(t, "owner@example.com"), b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	id := textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	got := f.must(t, "PUT", f.home+"/document/"+id+"/access", `{"mode":"restricted","roles":["Legal"]}`, http.StatusOK)
	version, _ := got.get(t, "version").(float64)
	earlier := "?knownAt=" + strconv.Itoa(int(version)-1)
	if names := auditor.listed(t, f.home, earlier); names != "" {
		t.Errorf("the auditor sees %s", names)
	}
	auditor.must(t, "GET", f.home+"/document/"+id+"/version"+earlier, "", http.StatusNotFound)
	if names := f.listed(t, f.home, earlier); names != "Plan.txt" {
		t.Errorf("the owner sees %s", names)
	}
}

package http_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// editor returns a member with the permissions beside that to edit the organization.
func (f *firm) editor(t *testing.T, permissions string) (editor *client, member string) {
	t.Helper()
	const name = "Editor"
	editor = f.person(t, "editor@example.com")
	f.must(t, "POST", f.home+"/role", `{"name":"`+name+`","permissions":["editOrganizationDetails"`+permissions+`]}`, http.StatusCreated)
	return editor, f.join(t, f.home, editor, name)
}

// rename causes the event organization.updated, which everybody may read.
func (f *firm) rename(t *testing.T, website string) {
	t.Helper()
	f.must(t, "PATCH", f.home, `{"website":"https://`+website+`.example"}`, http.StatusOK)
}

// until returns the bodies until all texts were received. The order of deliveries is not defined.
func until(t *testing.T, received <-chan webhookRequest, texts ...string) (bodies string) {
	t.Helper()
	for {
		bodies += next(t, received).body + "\n"
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(bodies, text) }) {
			return bodies
		}
	}
}

func TestWebhookSendsOnlyWhatItsAuthorMayRead(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	editor, _ := f.editor(t, "")
	url, received := receiver(t, http.StatusOK)
	made := editor.must(t, "POST", f.home+"/webhook", `{"url":"`+url+`","events":["*","journal.memberAdded","journal.shareholdingIssued","journal.webhookCreated"]}`, http.StatusCreated)
	if !strings.Contains(made.text(t, "limitation"), "lacks viewCapTable, viewDocuments, viewMembers, editBilling") || made.text(t, "actsFor") == "" {
		t.Error(made.body)
	}
	f.issue(t, f.holder(t, "Hidden"), "777")
	f.put(t, f.home, "Hidden.txt", "x")
	f.rename(t, "first")
	live := until(t, received, "https://first.example")
	editor.must(t, "POST", made.header.Get("Location")+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	replayed := until(t, received, "https://first.example", `"organization.created"`)
	for _, secret := range []string{"Hidden", "777", `"shareholding.created"`, "owner@example.com", `"email"`, `"by"`} {
		if strings.Contains(live+replayed, secret) {
			t.Errorf("%s was sent: %s", secret, live+replayed)
		}
	}
}

func TestWebhookNamesRestrictedDocumentsOnlyToReaders(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	editor, _ := f.editor(t, `,"viewDocuments"`)
	url, received := receiver(t, http.StatusOK)
	at, _ := editor.hook(t, f.home, url, "*")
	id := textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
	if !strings.Contains(next(t, received).body, "Plan.txt") {
		t.Error("a visible document was not sent")
	}
	f.must(t, "PUT", f.home+"/document/"+id+"/access", `{"mode":"restricted"}`, http.StatusOK)
	f.must(t, "DELETE", f.home+"/document/"+id, "", http.StatusNoContent)
	f.rename(t, "first")
	sent := until(t, received, "https://first.example")
	editor.must(t, "POST", at+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	sent += until(t, received, "https://first.example")
	if strings.Contains(sent, "Plan.txt") || strings.Contains(sent, id) {
		t.Error(sent)
	}
}

func TestWebhookKeepsTheBoundOfItsCreation(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	editor, member := f.editor(t, "")
	url, received := receiver(t, http.StatusOK)
	at, _ := editor.hook(t, f.home, url, "*")
	f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["Owner"]}`, http.StatusOK)
	f.issue(t, f.holder(t, "Hidden"), "777")
	f.rename(t, "first")
	if sent := until(t, received, "https://first.example"); strings.Contains(sent, "Hidden") || strings.Contains(sent, "shareholding") {
		t.Error(sent)
	}
	if took := f.must(t, "PATCH", at, `{"description":"Taken over"}`, http.StatusOK); took.text(t, "actsFor") == "" || strings.Contains(took.body, "limitation") {
		t.Error(took.body)
	}
	f.issue(t, f.holder(t, "Shown"), "778")
	f.rename(t, "second")
	until(t, received, "https://second.example", "Shown", "shareholding.created")
}

func TestWebhookOfAFormerMemberIsTurnedOff(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	editor, member := f.editor(t, `,"viewOrganization"`)
	url, received := receiver(t, http.StatusOK)
	at, _ := editor.hook(t, f.home, url, "organization.updated")
	f.must(t, "DELETE", f.home+"/member/"+member, "", http.StatusOK)
	f.rename(t, "first")
	f.eventually(t, "the webhook is off", func() bool { return f.must(t, "GET", at, "", http.StatusOK).get(t, "active") == false })
	if off := f.must(t, "GET", at, "", http.StatusOK); !strings.Contains(off.text(t, "disabledReason"), "no member of the organization any more") {
		t.Error(off.body)
	}
	f.must(t, "PATCH", at, `{"active":true}`, http.StatusOK)
	f.rename(t, "second")
	if sent := until(t, received, `"website":"https://second.example"`); strings.Count(sent, "\n") != 1 {
		t.Error(sent)
	}
}

func TestScheduledDeliveryEndsWithTheRightToReadItsRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	editor, member := f.editor(t, `,"viewMembers"`)
	url, _ := receiver(t, http.StatusInternalServerError)
	at, _ := editor.hook(t, f.home, url, "member.added")
	f.holder(t, "Hidden")
	first := func() map[string]any {
		list := f.must(t, "GET", at+"/delivery", "", http.StatusOK).list(t, "data")
		if len(list) == 0 {
			return map[string]any{}
		}
		found, _ := list[0].(map[string]any)
		return found
	}
	f.eventually(t, "the first attempt", func() bool { return first()["status"] == "retrying" })
	f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["Guest"]}`, http.StatusOK)
	b.clock.advance(time.Hour)
	f.must(t, "POST", f.home+"/integration/"+strings.TrimPrefix(at, f.home+"/webhook/")+"/retry", "", http.StatusAccepted)
	f.eventually(t, "the delivery ends", func() bool { return first()["status"] == "failed" })
	if got := first(); !strings.Contains(textOf(got, "failure"), "may not read the record") || got["attempts"] != 1.0 {
		t.Error(got)
	}
}

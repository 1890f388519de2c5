package webhook_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

// changeWebsite causes the event organization.updated, which everybody may read.
func changeWebsite(t *testing.T, f *apitest.Firm, website string) {
	t.Helper()
	f.Must(t, "PATCH", f.Home, `{"website":"https://`+website+`.example"}`, http.StatusOK)
}

// until returns the bodies until all texts were received. The order of deliveries is not defined.
func until(t *testing.T, received <-chan webhooktest.Request, texts ...string) (bodies string) {
	t.Helper()
	for {
		bodies += webhooktest.Next(t, received).Body + "\n"
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(bodies, text) }) {
			return bodies
		}
	}
}

func TestWebhookSendsOnlyWhatItsAuthorMayRead(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	editor, _ := f.NewEditor(t, "")
	url, received := webhooktest.Receiver(t, http.StatusOK)
	made := editor.Must(t, "POST", f.Home+"/webhook", `{"url":"`+url+`","events":["*","journal.memberAdded","journal.shareholdingIssued","journal.webhookCreated"]}`, http.StatusCreated)
	if !strings.Contains(made.Text(t, "limitation"), "lacks viewCapTable, viewDocuments, viewMembers, editBilling") || made.Text(t, "actsFor") == "" {
		t.Error(made.Body)
	}
	f.Issue(t, f.NewHolder(t, "Hidden"), "765432")
	f.PutDocument(t, f.Home, "Hidden.txt", "x")
	changeWebsite(t, f, "first")
	live := until(t, received, "https://first.example")
	editor.Must(t, "POST", made.Header.Get("Location")+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	replayed := until(t, received, "https://first.example", `"organization.created"`)
	for _, secret := range []string{"Hidden", `"765432"`, `"shareholding.created"`, "owner@example.com", `"email"`, `"by"`} {
		if strings.Contains(live+replayed, secret) {
			t.Errorf("%s was sent: %s", secret, live+replayed)
		}
	}
}

func TestWebhookNamesRestrictedDocumentsOnlyToReaders(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	editor, _ := f.NewEditor(t, `,"viewDocuments"`)
	url, received := webhooktest.Receiver(t, http.StatusOK)
	at, _ := webhooktest.New(t, editor, f.Home, url, "*")
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	if !strings.Contains(webhooktest.Next(t, received).Body, "Plan.txt") {
		t.Error("a visible document was not sent")
	}
	f.Must(t, "PUT", f.Home+"/document/"+id+"/access", `{"mode":"restricted"}`, http.StatusOK)
	f.Must(t, "DELETE", f.Home+"/document/"+id, "", http.StatusNoContent)
	changeWebsite(t, f, "first")
	sent := until(t, received, "https://first.example")
	editor.Must(t, "POST", at+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	sent += until(t, received, "https://first.example")
	if strings.Contains(sent, "Plan.txt") || strings.Contains(sent, id) {
		t.Error(sent)
	}
}

func TestWebhookKeepsTheBoundOfItsCreation(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	editor, member := f.NewEditor(t, "")
	url, received := webhooktest.Receiver(t, http.StatusOK)
	at, _ := webhooktest.New(t, editor, f.Home, url, "*")
	f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["Owner"]}`, http.StatusOK)
	f.Issue(t, f.NewHolder(t, "Hidden"), "777")
	changeWebsite(t, f, "first")
	if sent := until(t, received, "https://first.example"); strings.Contains(sent, "Hidden") || strings.Contains(sent, "shareholding") {
		t.Error(sent)
	}
	if took := f.Must(t, "PATCH", at, `{"description":"Taken over"}`, http.StatusOK); took.Text(t, "actsFor") == "" || strings.Contains(took.Body, "limitation") {
		t.Error(took.Body)
	}
	f.Issue(t, f.NewHolder(t, "Shown"), "778")
	changeWebsite(t, f, "second")
	until(t, received, "https://second.example", "Shown", "shareholding.created")
}

func TestWebhookOfAFormerMemberIsTurnedOff(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	editor, member := f.NewEditor(t, `,"viewOrganization"`)
	url, received := webhooktest.Receiver(t, http.StatusOK)
	at, _ := webhooktest.New(t, editor, f.Home, url, "organization.updated")
	f.Must(t, "DELETE", f.Home+"/member/"+member, "", http.StatusOK)
	changeWebsite(t, f, "first")
	f.Eventually(t, "the webhook is off", func() bool { return f.Must(t, "GET", at, "", http.StatusOK).Get(t, "active") == false })
	if off := f.Must(t, "GET", at, "", http.StatusOK); !strings.Contains(off.Text(t, "disabledReason"), "no member of the organization any more") {
		t.Error(off.Body)
	}
	f.Must(t, "PATCH", at, `{"active":true}`, http.StatusOK)
	changeWebsite(t, f, "second")
	if sent := until(t, received, `"website":"https://second.example"`); strings.Count(sent, "\n") != 1 {
		t.Error(sent)
	}
}

func TestScheduledDeliveryEndsWithTheRightToReadItsRecord(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	editor, member := f.NewEditor(t, `,"viewMembers"`)
	url, _ := webhooktest.Receiver(t, http.StatusInternalServerError)
	at, _ := webhooktest.New(t, editor, f.Home, url, "member.added")
	f.NewHolder(t, "Hidden")
	first := func() map[string]any {
		list := f.Must(t, "GET", at+"/delivery", "", http.StatusOK).List(t, "data")
		if len(list) == 0 {
			return map[string]any{}
		}
		found, _ := list[0].(map[string]any)
		return found
	}
	f.Eventually(t, "the first attempt", func() bool { return first()["status"] == "retrying" })
	f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["Guest"]}`, http.StatusOK)
	b.Clock.Advance(time.Hour)
	f.Must(t, "POST", f.Home+"/integration/"+strings.TrimPrefix(at, f.Home+"/webhook/")+"/retry", "", http.StatusAccepted)
	f.Eventually(t, "the delivery ends", func() bool { return first()["status"] == "failed" })
	if got := first(); !strings.Contains(apitest.TextOf(got, "failure"), "may not read the record") || got["attempts"] != 1.0 {
		t.Error(got)
	}
}

package webhooktest

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"equity/features/webhook"
	"equity/http/apitest"
)

// Room returns the room, whose webhooks may call loopback addresses.
func Room() apitest.Room {
	return apitest.Room{
		Room: webhook.Room(), Values: map[string]string{"WEBHOOK_ALLOW_PRIVATE": "true"}, Records: records, Lists: lists, Story: story,
	}
}

// New creates a webhook and returns its path and its secret.
func New(t *testing.T, c *apitest.Client, home, url, events string) (at, secret string) {
	t.Helper()
	made := c.Must(t, "POST", home+"/webhook", `{"url":"`+url+`","events":["`+events+`"]}`, http.StatusCreated)
	return made.Header.Get("Location"), made.Text(t, "secret")
}

// records creates a webhook that no event of the tests concerns, with one delivery.
func records(tb testing.TB, f *apitest.Firm, name string) map[string]string {
	tb.Helper()
	id := f.Must(tb, "POST", f.Home+"/webhook",
		`{"url":"http://127.0.0.1:1/events","events":["folder.created"],"description":"`+name+`"}`, http.StatusCreated).Text(tb, "id")
	delivery := webhook.Delivery{
		Webhook: id, EventID: "evt_" + name, EventType: "folder.created", Sequence: 1,
		State: webhook.DeliveryDelivered, Attempts: 1, CreatedAt: f.Clock.Now(), AttemptedAt: f.Clock.Now(),
	}
	store, home := webhook.NewStore(f.DB), apitest.OrganizationID(tb, f.ID)
	if err := store.Record(context.Background(), home, []webhook.Delivery{delivery}); err != nil {
		tb.Fatal(err)
	}
	return map[string]string{"webhook": id, "delivery": delivery.EventID}
}

// lists creates two webhooks.
func lists(t *testing.T, f *apitest.Firm) map[string]string {
	t.Helper()
	url, _ := Receiver(t, http.StatusOK)
	for _, name := range []string{"One", "Two"} {
		New(t, f.Client, f.Home, url+"/"+name, "role.created")
	}
	return map[string]string{"listWebhooks": f.Home + "/webhook"}
}

// story uses every operation.
func story(t *testing.T, f *apitest.Firm) {
	t.Helper()
	url, received := Receiver(t, http.StatusInternalServerError)
	at, _ := New(t, f.Client, f.Home, url, "role.created")
	f.Must(t, "GET", f.Home+"/webhook", "", http.StatusOK)
	f.Must(t, "GET", at, "", http.StatusOK)
	f.Must(t, "PATCH", at, `{"description":"Books"}`, http.StatusOK)
	f.Must(t, "POST", at+"/secret", "", http.StatusOK)
	f.Must(t, "POST", at+"/test", "", http.StatusOK)
	Next(t, received)
	f.Must(t, "POST", f.Home+"/role", `{"name":"Reader","permissions":["viewSelf"]}`, http.StatusCreated)
	Next(t, received)
	f.Eventually(t, "the failure is visible", func() bool {
		return strings.Contains(f.Must(t, "GET", f.Home+"/integration", "", http.StatusOK).Body, `"retrying"`)
	})
	delivered := f.Must(t, "GET", at+"/delivery", "", http.StatusOK).List(t, "data")
	f.Must(t, "POST", at+"/delivery/"+apitest.Field(delivered[0], "id")+"/replay", "", http.StatusAccepted)
	f.Must(t, "POST", at+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	f.Must(t, "POST", f.Home+"/integration/"+apitest.IDOf(at)+"/retry", "", http.StatusAccepted)
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
}

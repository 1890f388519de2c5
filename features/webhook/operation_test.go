package webhook_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"equity/features/webhook/endpoint"
	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

func TestWebhookReceivesSignedEvents(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		url, received := webhooktest.Receiver(t, http.StatusOK)
		made := owner.Must(t, "POST", home+"/webhook", `{"url":"`+url+`","events":["role.created"]}`, http.StatusCreated)
		owner.Must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
		request := webhooktest.Next(t, received)
		if !request.Signs(t, made.Text(t, "secret")) || !strings.Contains(request.Body, `"type":"role.created"`) {
			t.Errorf("%v %s", request.Header, request.Body)
		}
	})
}

func TestSecretOfAWebhookIsShownOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	made := owner.Must(t, "POST", home+"/webhook", `{"url":"https://example.com/events"}`, http.StatusCreated)
	secret := made.Text(t, "secret")
	if !strings.HasPrefix(secret, "whsec_") || !strings.HasPrefix(made.Text(t, "id"), "wh_") {
		t.Fatal(made.Body)
	}
	for _, path := range []string{made.Header.Get("Location"), home + "/webhook", home + "/journal"} {
		if got := owner.Must(t, "GET", path, "", http.StatusOK); strings.Contains(got.Body, secret) {
			t.Errorf("%s has the secret", path)
		}
	}
}

func TestRepeatedCreationOfAWebhookReturnsItsSecret(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	const body = `{"url":"https://example.com/events"}`
	first := owner.Must(t, "POST", home+"/webhook", body, http.StatusCreated, "Idempotency-Key", "k")
	second := owner.Must(t, "POST", home+"/webhook", body, http.StatusCreated, "Idempotency-Key", "k")
	if first.Text(t, "id") != second.Text(t, "id") || first.Text(t, "secret") != second.Text(t, "secret") {
		t.Errorf("%s, then %s", first.Body, second.Body)
	}
}

func TestReplacedSecretSignsBesideThePreviousOne(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	url, received := webhooktest.Receiver(t, http.StatusOK)
	made := owner.Must(t, "POST", home+"/webhook", `{"url":"`+url+`"}`, http.StatusCreated)
	at := made.Header.Get("Location")
	replaced := owner.Must(t, "POST", at+"/secret", "", http.StatusOK)
	owner.Must(t, "POST", at+"/test", "", http.StatusOK)
	request := webhooktest.Next(t, received)
	if !request.Signs(t, made.Text(t, "secret")) || !request.Signs(t, replaced.Text(t, "secret")) {
		t.Errorf("%v", request.Header)
	}
}

func TestWebhookOperations(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, guest, stranger := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com"),
		b.NewPerson(t, "stranger@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, guest, "Guest")
	url, received := webhooktest.Receiver(t, http.StatusOK)
	body := `{"url":"` + url + `","events":["role.created"],"description":"Books"}`
	owner.Must(t, "POST", home+"/webhook?dryRun=true", body, http.StatusOK)
	made := owner.Must(t, "POST", home+"/webhook", body, http.StatusCreated)
	at := made.Header.Get("Location")
	owner.Must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
	webhooktest.Next(t, received)
	b.Eventually(t, "the delivery is listed", func() bool {
		return strings.Contains(owner.Must(t, "GET", at, "", http.StatusOK).Body, `"lastDelivery":{"timestamp":`)
	})
	delivered := owner.Must(t, "GET", at+"/delivery", "", http.StatusOK)
	event := apitest.Field(delivered.List(t, "data")[0], "id")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a guest sees no webhooks", As: guest, Method: "GET", Path: home + "/webhook", Status: 200, Has: []string{`{"data":[]}`}},
		{Claim: "a guest may not create a webhook", As: guest, Method: "POST", Path: home + "/webhook", Body: body, Status: 403},
		{Claim: "a guest may not see deliveries", As: guest, Method: "GET", Path: at + "/delivery", Status: 403},
		{Claim: "strangers see nothing", As: stranger, Method: "GET", Path: home + "/webhook", Status: 403},
		{Claim: "a relative URL is refused", As: owner, Method: "POST", Path: home + "/webhook", Body: `{"url":"/events"}`, Status: 400, Has: []string{`"pointer":"/url"`}},
		{Claim: "an URL with a user is refused", As: owner, Method: "POST", Path: home + "/webhook", Body: `{"url":"https://a:b@example.com/"}`, Status: 400, Has: []string{`"pointer":"/url"`}},
		{Claim: "a missing URL is refused", As: owner, Method: "POST", Path: home + "/webhook", Body: `{}`, Status: 400, Has: []string{`"/url"`}},
		{
			Claim: "the refusal of an unknown event lists the known ones", As: owner, Method: "POST", Path: home + "/webhook",
			Body: `{"url":"https://example.com/","events":["x.y"]}`, Status: 400,
			Has: append([]string{`"pointer":"/events"`, `\"x.y\"`}, endpoint.EventTypes()...),
		},
		{Claim: "a change with a private field is refused", As: owner, Method: "PATCH", Path: at, Body: `{"secret":"x"}`, Status: 400},
		{Claim: "a delivery is sent again", As: owner, Method: "POST", Path: at + "/delivery/" + event + "/replay", Status: 202},
		{Claim: "an unknown delivery is not found", As: owner, Method: "POST", Path: at + "/delivery/evt_x/replay", Status: 404},
		{Claim: "events are sent again", As: owner, Method: "POST", Path: at + "/replay", Body: `{"fromSequence":1}`, Status: 202},
		{Claim: "a stale change is refused", As: owner, Method: "PATCH", Path: at, Body: `{"active":false}`, Headers: []string{"If-Match", `"1"`}, Status: 412},
		{Claim: "a webhook is turned off", As: owner, Method: "PATCH", Path: at, Body: `{"active":false}`, Status: 200, Has: []string{`"active":false`, `"lastDelivery"`}},
		{Claim: "a webhook that is off sends nothing again", As: owner, Method: "POST", Path: at + "/replay", Body: `{"fromSequence":1}`, Status: 409, Has: []string{`"conflict"`}},
		{Claim: "states of integrations are listed", As: owner, Method: "GET", Path: home + "/integration", Status: 200, Has: []string{`"id":"mail"`, `"name":"webhook"`}},
		{Claim: "an integration that works is not retried", As: owner, Method: "POST", Path: home + "/integration/mail/retry", Status: 409, Has: []string{`"conflict"`}},
		{Claim: "an integration that works skips nothing", As: owner, Method: "POST", Path: home + "/integration/mail/skip", Body: `{"sequence":1}`, Status: 409},
		{Claim: "a webhook is deleted", As: owner, Method: "DELETE", Path: at, Status: 204},
		{Claim: "a deleted webhook is not found", As: owner, Method: "GET", Path: at, Status: 404},
		{Claim: "an id of another form is refused", As: owner, Method: "GET", Path: home + "/webhook/1", Status: 400, Has: []string{`"/path/webhook"`}},
	})
}

func TestWebhooksAreLimited(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	for i := range 20 {
		owner.Must(t, "POST", home+"/webhook", fmt.Sprintf(`{"url":"https://example.com/%d"}`, i), http.StatusCreated)
	}
	got := owner.Must(t, "POST", home+"/webhook", `{"url":"https://example.com/20"}`, http.StatusConflict)
	if !strings.Contains(got.Body, `"limitReached"`) {
		t.Error(got.Body)
	}
}

func TestFailingWebhookIsRetriedOnRequest(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	url, received := webhooktest.Receiver(t, http.StatusInternalServerError)
	made := owner.Must(t, "POST", home+"/webhook", `{"url":"`+url+`"}`, http.StatusCreated)
	owner.Must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
	first := webhooktest.Next(t, received)
	b.Eventually(t, "the failure is visible", func() bool {
		return strings.Contains(owner.Must(t, "GET", home+"/integration", "", http.StatusOK).Body, `"state":"retrying"`)
	})
	owner.Must(t, "POST", home+"/integration/"+made.Text(t, "id")+"/retry", "", http.StatusAccepted)
	if second := webhooktest.Next(t, received); second.Header.Get("webhook-id") != first.Header.Get("webhook-id") {
		t.Errorf("%v, then %v", first.Header, second.Header)
	}
}

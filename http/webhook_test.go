package http_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/organization"
	"equity/persistence/storetest"
)

// webhookRequest is a request that a receiver of webhooks got.
type webhookRequest struct {
	header http.Header
	body   string
}

// receiver answers webhooks with the status and passes the requests on.
func receiver(t *testing.T, status int) (url string, received <-chan webhookRequest) {
	t.Helper()
	requests := make(chan webhookRequest, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requests <- webhookRequest{r.Header.Clone(), string(body)}
		w.WriteHeader(status)
	}))
	storetest.Cleanup(t, server.Close)
	return server.URL + "/events", requests
}

// next returns the next request of a receiver, after a comparison with the contract.
func next(t *testing.T, received <-chan webhookRequest) webhookRequest {
	t.Helper()
	select {
	case request := <-received:
		newContract(t).checkDelivery(t, request)
		return request
	case <-time.After(time.Minute):
		t.Fatal("the receiver got no request")
		return webhookRequest{}
	}
}

// signs reports whether the request has a Service-Signature with the secret.
func (r *webhookRequest) signs(t *testing.T, secret string) bool {
	t.Helper()
	parts := strings.Split(r.header.Get("Service-Signature"), ",")
	digest := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(digest, strings.TrimPrefix(parts[0], "t=")+"."+r.body)
	want := "v1=" + hex.EncodeToString(digest.Sum(nil))
	return slices.Contains(parts[1:], want)
}

func TestWebhookReceivesSignedEvents(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		url, received := receiver(t, http.StatusOK)
		made := owner.must(t, "POST", home+"/webhook", `{"url":"`+url+`","events":["role.created"]}`, http.StatusCreated)
		owner.must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
		request := next(t, received)
		if !request.signs(t, made.text(t, "secret")) || !strings.Contains(request.body, `"type":"role.created"`) {
			t.Errorf("%v %s", request.header, request.body)
		}
	})
}

func TestSecretOfAWebhookIsShownOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	made := owner.must(t, "POST", home+"/webhook", `{"url":"https://example.com/events"}`, http.StatusCreated)
	secret := made.text(t, "secret")
	if !strings.HasPrefix(secret, "whsec_") || !strings.HasPrefix(made.text(t, "id"), "wh_") {
		t.Fatal(made.body)
	}
	for _, path := range []string{made.header.Get("Location"), home + "/webhook", home + "/journal"} {
		if got := owner.must(t, "GET", path, "", http.StatusOK); strings.Contains(got.body, secret) {
			t.Errorf("%s has the secret", path)
		}
	}
}

func TestRepeatedCreationOfAWebhookReturnsItsSecret(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	const body = `{"url":"https://example.com/events"}`
	first := owner.must(t, "POST", home+"/webhook", body, http.StatusCreated, "Idempotency-Key", "k")
	second := owner.must(t, "POST", home+"/webhook", body, http.StatusCreated, "Idempotency-Key", "k")
	if first.text(t, "id") != second.text(t, "id") || first.text(t, "secret") != second.text(t, "secret") {
		t.Errorf("%s, then %s", first.body, second.body)
	}
}

func TestReplacedSecretSignsBesideThePreviousOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	url, received := receiver(t, http.StatusOK)
	made := owner.must(t, "POST", home+"/webhook", `{"url":"`+url+`"}`, http.StatusCreated)
	at := made.header.Get("Location")
	replaced := owner.must(t, "POST", at+"/secret", "", http.StatusOK)
	owner.must(t, "POST", at+"/test", "", http.StatusOK)
	request := next(t, received)
	if !request.signs(t, made.text(t, "secret")) || !request.signs(t, replaced.text(t, "secret")) {
		t.Errorf("%v", request.header)
	}
}

//nolint:tparallel // one scenario builds on another
func TestWebhookOperations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest, stranger := b.person(t, "owner@example.com"), b.person(t, "guest@example.com"), b.person(t, "stranger@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Guest")
	url, received := receiver(t, http.StatusOK)
	body := `{"url":"` + url + `","events":["role.created"],"description":"Books"}`
	owner.must(t, "POST", home+"/webhook?dryRun=true", body, http.StatusOK)
	made := owner.must(t, "POST", home+"/webhook", body, http.StatusCreated)
	at := made.header.Get("Location")
	owner.must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
	next(t, received)
	b.eventually(t, "the delivery is listed", func() bool {
		return strings.Contains(owner.must(t, "GET", at, "", http.StatusOK).body, `"lastDelivery":{"timestamp":`)
	})
	delivered := owner.must(t, "GET", at+"/delivery", "", http.StatusOK)
	event := quotedAfter(delivered.body, `"id":"`)
	run(t, []scenario{
		{claim: "a guest sees no webhooks", as: guest, method: "GET", path: home + "/webhook", status: 200, has: []string{`{"data":[]}`}},
		{claim: "a guest may not create a webhook", as: guest, method: "POST", path: home + "/webhook", body: body, status: 403},
		{claim: "a guest may not see deliveries", as: guest, method: "GET", path: at + "/delivery", status: 403},
		{claim: "strangers see nothing", as: stranger, method: "GET", path: home + "/webhook", status: 403},
		{claim: "a relative URL is refused", as: owner, method: "POST", path: home + "/webhook", body: `{"url":"/events"}`, status: 400, has: []string{`"pointer":"/url"`}},
		{claim: "an URL with a user is refused", as: owner, method: "POST", path: home + "/webhook", body: `{"url":"https://a:b@example.com/"}`, status: 400, has: []string{`"pointer":"/url"`}},
		{claim: "a missing URL is refused", as: owner, method: "POST", path: home + "/webhook", body: `{}`, status: 400, has: []string{`"/url"`}},
		{
			claim: "the refusal of an unknown event lists the known ones", as: owner, method: "POST", path: home + "/webhook",
			body: `{"url":"https://example.com/","events":["x.y"]}`, status: 400,
			has: append([]string{`"pointer":"/events"`, `\"x.y\"`}, organization.WebhookEvents()...),
		},
		{claim: "a change with a private field is refused", as: owner, method: "PATCH", path: at, body: `{"secret":"x"}`, status: 400},
		{claim: "a delivery is sent again", as: owner, method: "POST", path: at + "/delivery/" + event + "/replay", status: 202},
		{claim: "an unknown delivery is not found", as: owner, method: "POST", path: at + "/delivery/evt_x/replay", status: 404},
		{claim: "events are sent again", as: owner, method: "POST", path: at + "/replay", body: `{"fromSequence":1}`, status: 202},
		{claim: "a stale change is refused", as: owner, method: "PATCH", path: at, body: `{"active":false}`, headers: []string{"If-Match", `"1"`}, status: 412},
		{claim: "a webhook is turned off", as: owner, method: "PATCH", path: at, body: `{"active":false}`, status: 200, has: []string{`"active":false`, `"lastDelivery"`}},
		{claim: "a webhook that is off sends nothing again", as: owner, method: "POST", path: at + "/replay", body: `{"fromSequence":1}`, status: 409, has: []string{`"conflict"`}},
		{claim: "states of integrations are listed", as: owner, method: "GET", path: home + "/integration", status: 200, has: []string{`"id":"mail"`, `"name":"webhook"`}},
		{claim: "an integration that works is not retried", as: owner, method: "POST", path: home + "/integration/mail/retry", status: 409, has: []string{`"conflict"`}},
		{claim: "an integration that works skips nothing", as: owner, method: "POST", path: home + "/integration/mail/skip", body: `{"sequence":1}`, status: 409},
		{claim: "a webhook is deleted", as: owner, method: "DELETE", path: at, status: 204},
		{claim: "a deleted webhook is not found", as: owner, method: "GET", path: at, status: 404},
		{claim: "an id of another form is refused", as: owner, method: "GET", path: home + "/webhook/1", status: 400, has: []string{`"/path/webhook"`}},
	})
}

func TestWebhooksAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	for i := range 20 {
		owner.must(t, "POST", home+"/webhook", fmt.Sprintf(`{"url":"https://example.com/%d"}`, i), http.StatusCreated)
	}
	got := owner.must(t, "POST", home+"/webhook", `{"url":"https://example.com/20"}`, http.StatusConflict)
	if !strings.Contains(got.body, `"limitReached"`) {
		t.Error(got.body)
	}
}

func TestFailingWebhookIsRetriedOnRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	url, received := receiver(t, http.StatusInternalServerError)
	made := owner.must(t, "POST", home+"/webhook", `{"url":"`+url+`"}`, http.StatusCreated)
	owner.must(t, "POST", home+"/role", `{"name":"Observer","permissions":["viewSelf"]}`, http.StatusCreated)
	first := next(t, received)
	b.eventually(t, "the failure is visible", func() bool {
		return strings.Contains(owner.must(t, "GET", home+"/integration", "", http.StatusOK).body, `"state":"retrying"`)
	})
	owner.must(t, "POST", home+"/integration/"+made.text(t, "id")+"/retry", "", http.StatusAccepted)
	if second := next(t, received); second.header.Get("webhook-id") != first.header.Get("webhook-id") {
		t.Errorf("%v, then %v", first.header, second.header)
	}
}

// eventually waits for an outcome that the server reaches by itself.
func (*bundle) eventually(t *testing.T, claim string, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			t.Fatalf("not reached: %s", claim)
		}
		select { // polls the server, which announces no change
		case <-t.Context().Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// quotedAfter returns the text after the first occurrence of from, up to the following quotation mark.
func quotedAfter(text, from string) string {
	_, after, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(after, `"`)
	return found
}

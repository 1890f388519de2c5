package http_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"equity/persistence/storetest"
)

// hook creates a webhook and returns its path and its secret.
func (c *client) hook(t *testing.T, home, url, events string) (at, secret string) {
	t.Helper()
	made := c.must(t, "POST", home+"/webhook", `{"url":"`+url+`","events":["`+events+`"]}`, http.StatusCreated)
	return made.header.Get("Location"), made.text(t, "secret")
}

func TestRepeatedTestOfAWebhookSendsNothing(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		url, received := receiver(t, http.StatusOK)
		at, _ := owner.hook(t, home, url, "role.created")
		first := owner.must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "k")
		sent := next(t, received)
		second := owner.must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "k")
		if first.body != second.body || second.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s, then %s %v", first.body, second.body, second.header)
		}
		b.clock.advance(time.Second)
		owner.must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "l")
		if third := next(t, received); third.header.Get("webhook-id") == sent.header.Get("webhook-id") {
			t.Error("another key sent the same event")
		}
		other, _ := owner.hook(t, home, url, "role.created")
		owner.must(t, "POST", other+"/test", "", http.StatusConflict, "Idempotency-Key", "k")
		if len(received) > 0 {
			t.Error("a repetition sent an event")
		}
	})
}

func TestConcurrentTestsWithOneKeySendOneEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	arrived, release := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	storetest.Cleanup(t, server.Close)
	at, _ := owner.hook(t, home, server.URL, "role.created")
	done := make(chan answer)
	go func() { done <- owner.copy().send(t, "POST", at+"/test", "", "Idempotency-Key", "k") }()
	<-arrived
	owner.copy().must(t, "POST", at+"/test", "", http.StatusConflict, "Idempotency-Key", "k")
	close(release)
	if got := <-done; got.status != http.StatusOK || len(arrived) > 0 {
		t.Errorf("%d, %d further events", got.status, len(arrived))
	}
}

func TestRedirectOfAWebhookIsNotFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	target, received := receiver(t, http.StatusOK)
	server := httptest.NewServer(http.RedirectHandler(target, http.StatusTemporaryRedirect))
	storetest.Cleanup(t, server.Close)
	at, _ := owner.hook(t, home, server.URL, "role.created")
	got := owner.must(t, "POST", at+"/test", "", http.StatusOK)
	if got.text(t, "status") != "failed" || got.get(t, "statusCode") != float64(http.StatusTemporaryRedirect) || len(received) > 0 {
		t.Error(got.body)
	}
}

// The clock of the tests stands, so that all attempts begin at the same time.
func TestPagesOfDeliveriesHaveEachDeliveryOnce(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		hook, received := receiver(t, http.StatusOK)
		at, _ := owner.hook(t, home, hook, "role.created")
		const events = 7
		for i := range events {
			owner.must(t, "POST", home+"/role", `{"name":"Role `+strconv.Itoa(i)+`","permissions":["viewSelf"]}`, http.StatusCreated)
		}
		for range events {
			next(t, received)
		}
		b.eventually(t, "all deliveries are listed", func() bool {
			return len(owner.must(t, "GET", at+"/delivery", "", http.StatusOK).list(t, "data")) == events
		})
		seen := map[string]int{}
		for query := "?limit=2"; query != ""; {
			page := owner.must(t, "GET", at+"/delivery"+query, "", http.StatusOK)
			for _, one := range page.list(t, "data") {
				delivery, _ := one.(map[string]any)
				id, _ := delivery["id"].(string)
				seen[id]++
			}
			query = ""
			if cursor := quotedAfter(page.body, `"nextCursor":"`); cursor != "" {
				query = "?limit=2&cursor=" + url.QueryEscape(cursor)
			}
		}
		if len(seen) != events {
			t.Errorf("%d deliveries are listed", len(seen))
		}
		for id, times := range seen {
			if times != 1 {
				t.Errorf("%s is listed %d times", id, times)
			}
		}
		if got := owner.must(t, "GET", at+"/delivery?before=2026-03-02T10:00:00Z", "", http.StatusOK); len(got.list(t, "data")) > 0 {
			t.Error("deliveries of the time itself are before it")
		}
	})
}

func TestReplayRepeatsIdsAndBodies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	hook, received := receiver(t, http.StatusOK)
	at, _ := f.hook(t, f.home, hook, "*")
	from := f.journalLength(t) + 1
	held := f.issue(t, f.holder(t, "Ada"), "100")
	f.must(t, "PATCH", held, `{"certificate":"CS-77"}`, http.StatusOK)
	f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
	const events = 4
	first := map[string]string{}
	for range events {
		one := next(t, received)
		first[one.header.Get("webhook-id")] = one.body
	}
	b.eventually(t, "all deliveries are listed", func() bool {
		return len(f.must(t, "GET", at+"/delivery", "", http.StatusOK).list(t, "data")) == events
	})
	b.clock.advance(time.Hour)
	f.must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(from)+`}`, http.StatusAccepted)
	for range events {
		one := next(t, received)
		if body, known := first[one.header.Get("webhook-id")]; !known || body != one.body {
			t.Errorf("%s: %s, first %s", one.header.Get("webhook-id"), one.body, body)
		}
		delete(first, one.header.Get("webhook-id"))
	}
	f.must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(f.journalLength(t)+1)+`}`, http.StatusAccepted)
}

func TestReplayIsLimitedToTheLastEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	hook, received := receiver(t, http.StatusOK)
	at, _ := f.hook(t, f.home, hook, "role.created")
	const most = 10_000
	f.changeOften(t, most)
	first := f.journalLength(t) - most + 1
	got := f.must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(first-1)+`}`, http.StatusBadRequest)
	if got.fieldErrors(t) != "/fromSequence minimum" {
		t.Error(got.body)
	}
	f.must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(first)+`}`, http.StatusAccepted)
	if len(received) > 0 {
		t.Error("an event was sent that the webhook does not select")
	}
}

// A receiver with the public library accepts each delivery: with the first secret, with both during the rotation, and with the
// second one only after it.
func TestPublicLibraryVerifiesSignatures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	hook, received := receiver(t, http.StatusOK)
	at, old := owner.hook(t, home, hook, "role.created")
	deliver := func(name string) webhookRequest {
		owner.must(t, "POST", home+"/role", `{"name":"`+name+`","permissions":["viewSelf"]}`, http.StatusCreated)
		return next(t, received)
	}
	check := func(phase string, request webhookRequest, secret string, valid bool) {
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.VerifyIgnoringTimestamp([]byte(request.body), request.header); (err == nil) != valid {
			t.Errorf("%s: %v", phase, err)
		}
		if request.signs(t, secret) != valid {
			t.Errorf("%s: Service-Signature %s", phase, request.header.Get("Service-Signature"))
		}
		if err := verifier.VerifyIgnoringTimestamp([]byte(request.body+" "), request.header); err == nil {
			t.Errorf("%s: an altered body is valid", phase)
		}
	}
	check("before", deliver("First"), old, true)
	fresh := owner.must(t, "POST", at+"/secret", "", http.StatusOK).text(t, "secret")
	during := deliver("Second")
	check("during, old", during, old, true)
	check("during, new", during, fresh, true)
	b.clock.advance(24 * time.Hour)
	after := deliver("Third")
	check("after, old", after, old, false)
	check("after, new", after, fresh, true)
}

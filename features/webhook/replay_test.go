package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

func TestRepeatedTestOfAWebhookSendsNothing(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		url, received := webhooktest.Receiver(t, http.StatusOK)
		at, _ := webhooktest.New(t, owner, home, url, "role.created")
		first := owner.Must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "k")
		sent := webhooktest.Next(t, received)
		second := owner.Must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "k")
		if first.Body != second.Body || second.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s, then %s %v", first.Body, second.Body, second.Header)
		}
		b.Clock.Advance(time.Second)
		owner.Must(t, "POST", at+"/test", "", http.StatusOK, "Idempotency-Key", "l")
		if third := webhooktest.Next(t, received); third.Header.Get("webhook-id") == sent.Header.Get("webhook-id") {
			t.Error("another key sent the same event")
		}
		other, _ := webhooktest.New(t, owner, home, url, "role.created")
		owner.Must(t, "POST", other+"/test", "", http.StatusConflict, "Idempotency-Key", "k")
		if len(received) > 0 {
			t.Error("a repetition sent an event")
		}
	})
}

func TestConcurrentTestsWithOneKeySendOneEvent(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	arrived, release := make(chan struct{}, 2), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-release
	}))
	storetest.Cleanup(t, server.Close)
	at, _ := webhooktest.New(t, owner, home, server.URL, "role.created")
	done := make(chan apitest.Answer)
	go func() { done <- owner.Copy().Send(t, "POST", at+"/test", "", "Idempotency-Key", "k") }()
	<-arrived
	owner.Copy().Must(t, "POST", at+"/test", "", http.StatusConflict, "Idempotency-Key", "k")
	close(release)
	if got := <-done; got.Status != http.StatusOK || len(arrived) > 0 {
		t.Errorf("%d, %d further events", got.Status, len(arrived))
	}
}

func TestRedirectOfAWebhookIsNotFollowed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	target, received := webhooktest.Receiver(t, http.StatusOK)
	server := httptest.NewServer(http.RedirectHandler(target, http.StatusTemporaryRedirect))
	storetest.Cleanup(t, server.Close)
	at, _ := webhooktest.New(t, owner, home, server.URL, "role.created")
	got := owner.Must(t, "POST", at+"/test", "", http.StatusOK)
	if got.Text(t, "status") != "failed" || got.Get(t, "statusCode") != 307.0 || len(received) > 0 {
		t.Error(got.Body)
	}
}

// The clock of the tests stands, so that all attempts begin at the same time.
func TestPagesOfDeliveriesHaveEachDeliveryOnce(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		hook, received := webhooktest.Receiver(t, http.StatusOK)
		at, _ := webhooktest.New(t, owner, home, hook, "role.created")
		const events = 7
		for i := range events {
			owner.Must(t, "POST", home+"/role", `{"name":"Role `+strconv.Itoa(i)+`","permissions":["viewSelf"]}`, http.StatusCreated)
		}
		for range events {
			webhooktest.Next(t, received)
		}
		b.Eventually(t, "all deliveries are listed", func() bool {
			return len(owner.Must(t, "GET", at+"/delivery", "", http.StatusOK).List(t, "data")) == events
		})
		seen := map[string]int{}
		for query := "?limit=2"; query != ""; {
			page := owner.Must(t, "GET", at+"/delivery"+query, "", http.StatusOK)
			for _, one := range page.List(t, "data") {
				delivery, _ := one.(map[string]any)
				id, _ := delivery["id"].(string)
				seen[id]++
			}
			query = ""
			if cursor, more := page.Get(t, "nextCursor").(string); more {
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
		if got := owner.Must(t, "GET", at+"/delivery?before=2026-03-02T10:00:00Z", "", http.StatusOK); len(got.List(t, "data")) > 0 {
			t.Error("deliveries of the time itself are before it")
		}
	})
}

func TestReplayRepeatsIdsAndBodies(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	hook, received := webhooktest.Receiver(t, http.StatusOK)
	at, _ := webhooktest.New(t, f.Client, f.Home, hook, "*")
	from := f.JournalLength(t) + 1
	held := f.Issue(t, f.NewHolder(t, "Ada"), "100")
	f.Must(t, "PATCH", held, `{"certificate":"CS-77"}`, http.StatusOK)
	f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
	const events = 4
	first := map[string]string{}
	for range events {
		one := webhooktest.Next(t, received)
		first[one.Header.Get("webhook-id")] = one.Body
	}
	b.Eventually(t, "all deliveries are listed", func() bool {
		return len(f.Must(t, "GET", at+"/delivery", "", http.StatusOK).List(t, "data")) == events
	})
	b.Clock.Advance(time.Hour)
	f.Must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(from)+`}`, http.StatusAccepted)
	for range events {
		one := webhooktest.Next(t, received)
		if body, known := first[one.Header.Get("webhook-id")]; !known || body != one.Body {
			t.Errorf("%s: %s, first %s", one.Header.Get("webhook-id"), one.Body, body)
		}
		delete(first, one.Header.Get("webhook-id"))
	}
	f.Must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(f.JournalLength(t)+1)+`}`, http.StatusAccepted)
}

func TestReplayIsLimitedToTheLastEvents(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	hook, received := webhooktest.Receiver(t, http.StatusOK)
	at, _ := webhooktest.New(t, f.Client, f.Home, hook, "role.created")
	const most = 10_000
	apitest.ChangeOften(t, f, most)
	first := f.JournalLength(t) - most + 1
	got := f.Must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(first-1)+`}`, http.StatusBadRequest)
	if got.FieldErrors(t) != "/fromSequence minimum" {
		t.Error(got.Body)
	}
	f.Must(t, "POST", at+"/replay", `{"fromSequence":`+strconv.Itoa(first)+`}`, http.StatusAccepted)
	if len(received) > 0 {
		t.Error("an event was sent that the webhook does not select")
	}
}

// A receiver with the public library accepts each delivery: with the first secret, with both during the rotation, and with the
// second one only after it.
func TestPublicLibraryVerifiesSignatures(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	hook, received := webhooktest.Receiver(t, http.StatusOK)
	at, old := webhooktest.New(t, owner, home, hook, "role.created")
	deliver := func(name string) webhooktest.Request {
		owner.Must(t, "POST", home+"/role", `{"name":"`+name+`","permissions":["viewSelf"]}`, http.StatusCreated)
		return webhooktest.Next(t, received)
	}
	check := func(phase string, request webhooktest.Request, secret string, valid bool) {
		verifier, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifier.VerifyIgnoringTimestamp([]byte(request.Body), request.Header); (err == nil) != valid {
			t.Errorf("%s: %v", phase, err)
		}
		if request.Signs(t, secret) != valid {
			t.Errorf("%s: Service-Signature %s", phase, request.Header.Get("Service-Signature"))
		}
		if err := verifier.VerifyIgnoringTimestamp([]byte(request.Body+" "), request.Header); err == nil {
			t.Errorf("%s: an altered body is valid", phase)
		}
	}
	check("before", deliver("First"), old, true)
	fresh := owner.Must(t, "POST", at+"/secret", "", http.StatusOK).Text(t, "secret")
	during := deliver("Second")
	check("during, old", during, old, true)
	check("during, new", during, fresh, true)
	b.Clock.Advance(24 * time.Hour)
	after := deliver("Third")
	check("after, old", after, old, false)
	check("after, new", after, fresh, true)
}

// TestLostReplyToARepetitionOfEventsIsAnUnknownOutcome repeats the request, because the cut may hit a commit of a consumer instead.
func TestLostReplyToARepetitionOfEventsIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	url, _ := webhooktest.Receiver(t, http.StatusOK)
	webhook, _ := webhooktest.New(t, ada, ada.NewOrganization(t), url, "role.created")
	for range 20 {
		proxy.CutAtCommit("BATCH")
		got := ada.Send(t, "POST", webhook+"/replay", `{"fromSequence":1}`)
		switch {
		case got.Status == http.StatusServiceUnavailable && got.Text(t, "code") == "outcomeUnknown":
			return
		case got.Status != http.StatusAccepted:
			t.Fatalf("the reply was lost: %d %s", got.Status, got.Body)
		}
	}
	t.Error("no reply was lost")
}

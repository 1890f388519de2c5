package http_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// setupBehindProxy starts a server with a PostgreSQL connection that the test can cut.
func setupBehindProxy(t *testing.T) (*bundle, *storetest.Proxy) {
	t.Helper()
	address, err := url.Parse(storetest.PostgreSQL(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := storetest.NewProxy(t, address.Host)
	address.Host = proxy.Address()
	return setupOn(t, address.String()), proxy
}

// lostReply is a write that is committed but whose reply is lost.
type lostReply struct {
	command            string // the PostgreSQL command with the lost reply
	method, path, body string
	again              int    // the status of the repeated request
	key                string // the idempotency key; "" means no key
	repeat             bool   // the answer has Retry-After
}

// TestLostReplyIsAnUnknownOutcome covers the kinds of writes outside the journal. A repetition
// with the same key returns the stored outcome.
//
//nolint:tparallel // the cases share one connection that each of them cuts
func TestLostReplyIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
	from, to := ada.user.Entity.String(), bob.user.Entity.String()
	b.grant(t, from, 50)
	wallet := ada.must(t, "POST", "/v1/wallet", walletOf(from, "first"), http.StatusCreated).text(t, "id")
	other := ada.must(t, "POST", "/v1/wallet", walletOf(from, "second"), http.StatusCreated).text(t, "id")
	for name, lost := range map[string]lostReply{ //nolint:paralleltest // the cases share one connection that each of them cuts
		"a transfer of credit": {"BATCH", "POST", "/v1/credit/transfer", transferOf(from, to, "1"), http.StatusOK, "a", true},
		"a wallet":             {"BATCH", "POST", "/v1/wallet", walletOf(from, "third"), http.StatusCreated, "b", true},
		"a company":            {"BATCH", "POST", "/v1/referral/company", `{"name":"Acme","website":"https://acme.example","contactEmail":"cfo@acme.example"}`, http.StatusCreated, "c", true},
		"an invitation":        {"BATCH", "POST", "/v1/invitation/send", `{"email":"friend@example.com"}`, http.StatusCreated, "d", true},
		"a wallet's amendment": {"UPDATE", "PUT", "/v1/wallet/" + wallet, `{"label":"main"}`, http.StatusOK, "", true},
		"a wallet's removal":   {"DELETE", "DELETE", "/v1/entity/" + from + "/wallet/" + other, "", http.StatusNotFound, "", true},
		"a profile":            {"INSERT", "PATCH", "/v1/profile/" + from, `{"phone":"+1 555 0100"}`, http.StatusOK, "", true},
		"an address":           {"INSERT", "PATCH", "/v1/address/" + from, `{"city":"Paris"}`, http.StatusOK, "", true},
		"a wallet without key": {"INSERT", "POST", "/v1/wallet", walletOf(from, "fourth"), http.StatusConflict, "", false},
		"an account": {
			"BATCH", "POST", "/v1/user", `{"email":"new@example.com","username":"newcomer","password":"a quiet harbour at noon","firstName":"New","lastName":"Comer","acceptedTerms":true}`,
			http.StatusBadRequest, "", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			headers := []string{}
			if lost.key != "" {
				headers = []string{"Idempotency-Key", lost.key}
			}
			proxy.CutAtCommit(lost.command)
			got := ada.send(t, lost.method, lost.path, lost.body, headers...)
			if got.status != http.StatusServiceUnavailable || got.text(t, "code") != "outcomeUnknown" || !proxy.HasCut() {
				t.Fatalf("the reply was lost: %d %s", got.status, got.body)
			}
			if invited := got.header.Get("Retry-After") != ""; invited != lost.repeat {
				t.Errorf("Retry-After %q", got.header.Get("Retry-After"))
			}
			again := ada.send(t, lost.method, lost.path, lost.body, headers...)
			if again.status != lost.again || lost.key != "" && again.header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("repeated request: %d %s", again.status, again.body)
			}
		})
	}
	if balance := ada.must(t, "GET", "/v1/entity/"+from+"/history", "", http.StatusOK); strings.Count(balance.body, `"kind":"transfer"`) != 1 {
		t.Errorf("the credit was not transferred exactly once: %s", balance.body)
	}
}

// TestLostReplyToARepetitionOfEventsIsAnUnknownOutcome repeats the request, because the cut may hit a commit of a consumer instead.
func TestLostReplyToARepetitionOfEventsIsAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	url, _ := receiver(t, http.StatusOK)
	webhook, _ := ada.hook(t, ada.company(t), url, "role.created")
	for range 20 {
		proxy.CutAtCommit("BATCH")
		got := ada.send(t, "POST", webhook+"/replay", `{"fromSequence":1}`)
		switch {
		case got.status == http.StatusServiceUnavailable && got.text(t, "code") == "outcomeUnknown":
			return
		case got.status != http.StatusAccepted:
			t.Fatalf("the reply was lost: %d %s", got.status, got.body)
		}
	}
	t.Error("no reply was lost")
}

func walletOf(entity, address string) string {
	return `{"entity":"` + entity + `","network":"testnet","address":"` + address + `"}`
}

func TestWriteThatCannotBeSentIsUnavailable(t *testing.T) {
	t.Parallel()
	b, proxy := setupBehindProxy(t)
	ada := b.person(t, "ada@example.com")
	proxy.Refuse(true)
	got := ada.send(t, "POST", "/v1/wallet", walletOf(ada.user.Entity.String(), "first"))
	if got.status != http.StatusServiceUnavailable || got.text(t, "code") != "unavailable" || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", got.status, got.body)
	}
	proxy.Refuse(false)
}

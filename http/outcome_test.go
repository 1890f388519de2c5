package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

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
	b, proxy := apitest.SetupBehindProxy(t)
	ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
	from, to := ada.User.Entity.String(), bob.User.Entity.String()
	grantCredit(t, b, from, 50)
	wallet := ada.Must(t, "POST", "/v1/wallet", walletOf(from, "first"), http.StatusCreated).Text(t, "id")
	other := ada.Must(t, "POST", "/v1/wallet", walletOf(from, "second"), http.StatusCreated).Text(t, "id")
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
			got := ada.Send(t, lost.method, lost.path, lost.body, headers...)
			if got.Status != http.StatusServiceUnavailable || got.Text(t, "code") != "outcomeUnknown" || !proxy.HasCut() {
				t.Fatalf("the reply was lost: %d %s", got.Status, got.Body)
			}
			if invited := got.Header.Get("Retry-After") != ""; invited != lost.repeat {
				t.Errorf("Retry-After %q", got.Header.Get("Retry-After"))
			}
			again := ada.Send(t, lost.method, lost.path, lost.body, headers...)
			if again.Status != lost.again || lost.key != "" && again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("repeated request: %d %s", again.Status, again.Body)
			}
		})
	}
	if balance := ada.Must(t, "GET", "/v1/entity/"+from+"/history", "", http.StatusOK); strings.Count(balance.Body, `"kind":"transfer"`) != 1 {
		t.Errorf("the credit was not transferred exactly once: %s", balance.Body)
	}
}

func walletOf(entity, address string) string {
	return `{"entity":"` + entity + `","network":"testnet","address":"` + address + `"}`
}

func TestWriteThatCannotBeSentIsUnavailable(t *testing.T) {
	t.Parallel()
	b, proxy := apitest.SetupBehindProxy(t)
	ada := b.NewPerson(t, "ada@example.com")
	proxy.Refuse(true)
	got := ada.Send(t, "POST", "/v1/wallet", walletOf(ada.User.Entity.String(), "first"))
	if got.Status != http.StatusServiceUnavailable || got.Text(t, "code") != "unavailable" || got.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	proxy.Refuse(false)
}

package http_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/people/credit"
	"equity/persistence"
)

// grant credits an entity from the house account.
func (b *bundle) grant(tb testing.TB, to string, whole int64) {
	tb.Helper()
	entity, err := captable.ParseID[captable.Entity](to)
	if err != nil {
		tb.Fatal(err)
	}
	booking := credit.Booking{
		ID: newID(), To: entity, Amount: credit.Credits(whole), Kind: string(credit.CardSignup), By: "test", At: b.clock.Now(),
	}
	if _, _, err := persistence.NewCredit(b.db).Book(context.Background(), messages.Once{}, booking); err != nil {
		tb.Fatal(err)
	}
}

// transferOf returns the body of a transfer.
func transferOf(from, to, amount string) string {
	return `{"fromEntity":"` + from + `","toEntity":"` + to + `","amount":` + amount + `}`
}

func TestTransferMovesCreditOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		from, to := ada.user.Entity.String(), bob.user.Entity.String()
		b.grant(t, from, 50)
		wish := transferOf(from, to, "12.5")
		got := ada.must(t, "POST", "/v1/credit/transfer", wish, http.StatusOK, "Idempotency-Key", "k")
		if got.text(t, "amount") != "12.50" || got.text(t, "balance") != "37.50" || got.text(t, "kind") != "transfer" {
			t.Errorf("%s", got.body)
		}
		again := ada.must(t, "POST", "/v1/credit/transfer", wish, http.StatusOK, "Idempotency-Key", "k")
		if again.body != got.body || again.header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("repeated transfer: %s", again.body)
		}
		ada.must(t, "POST", "/v1/credit/transfer", transferOf(from, to, "1"), http.StatusConflict, "Idempotency-Key", "k")
		refused := ada.must(t, "POST", "/v1/credit/transfer", transferOf(from, to, "37.51"), http.StatusConflict)
		if refused.text(t, "code") != "insufficientCredit" || refused.text(
			t, "details", "available",
		) != "37.50" || refused.text(t, "details", "requested") != "37.51" {
			t.Errorf("%s", refused.body)
		}
		first := ada.must(t, "GET", "/v1/entity/"+from+"/history?limit=1", "", http.StatusOK)
		rest := ada.must(t, "GET", "/v1/entity/"+from+"/history?cursor="+first.text(t, "nextCursor"), "", http.StatusOK)
		if !strings.Contains(first.body, `"amount":"12.50"`) || !strings.Contains(rest.body, `"kind":"signup"`) ||
			len(rest.list(t, "data")) != 1 || strings.Contains(rest.body, "fromEntity") {
			t.Errorf("%s %s", first.body, rest.body)
		}
		if got := bob.must(t, "GET", "/v1/entity/"+to+"/history", "", http.StatusOK); len(got.list(t, "data")) != 1 {
			t.Errorf("%s", got.body)
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestInvalidTransfersAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
	from, to := ada.user.Entity.String(), bob.user.Entity.String()
	b.grant(t, from, 50)
	refused := func(claim, body string, has ...string) scenario {
		return scenario{claim: claim, as: ada, method: "POST", path: "/v1/credit/transfer", body: body, status: 400, has: has}
	}
	run(t, []scenario{
		refused("an amount of zero is refused", transferOf(from, to, "0"), `"/amount","code":"notPositive"`),
		refused("a negative amount is refused", transferOf(from, to, "-1"), `"/amount","code":"notPositive"`),
		refused("a third decimal place is refused", transferOf(from, to, "0.001"), `"/amount","code":"invalidAmount"`),
		refused("an exponent is refused", transferOf(from, to, "1e1"), `"/amount","code":"invalidAmount"`),
		refused("an amount above the maximum is refused", transferOf(from, to, "1000000000.01"), `"/amount","code":"invalidAmount"`),
		refused("a string is refused", transferOf(from, to, `"5"`), `"/amount","code":"wrongType"`),
		refused("a transfer to the same entity with a wrong amount is refused", transferOf(from, from, "0.001"), `"/toEntity","code":"sameEntity"`, `"/amount"`),
		refused("an unknown recipient is refused", transferOf(from, "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", "5"), `"/toEntity","code":"unknownReference"`),
		refused("missing and unknown fields are named", `{"x":1}`, `"/fromEntity","code":"required"`, `"/toEntity"`, `"/amount"`, `"/x","code":"unknownField"`),
		{
			claim: "a transfer from another person's entity is forbidden", as: ada, method: "POST", path: "/v1/credit/transfer", status: 403,
			body: transferOf(to, from, "5"), has: []string{`"code":"forbidden"`},
		},
		{
			claim: "a transfer from the house is forbidden", as: ada, method: "POST", path: "/v1/credit/transfer", status: 403,
			body: transferOf("00000000-0000-0000-0000-000000000000", from, "5"),
		},
		{claim: "another person's history is not found", as: bob, method: "GET", path: "/v1/entity/" + from + "/history", status: 404},
		{
			claim: "the history of the house is not found", as: bob, method: "GET",
			path: "/v1/entity/00000000-0000-0000-0000-000000000000/history", status: 404,
		},
		{claim: "refused transfers leave no history", as: ada, method: "GET", path: "/v1/entity/" + from + "/history", status: 200, lacks: []string{`"transfer"`}},
	})
}

func TestOrganizationTransfersItsCredit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	own := f.user.Entity.String()
	b.grant(t, own, 10)
	f.must(t, "POST", "/v1/credit/transfer", transferOf(own, f.id, "10"), http.StatusOK)
	guest.must(t, "POST", "/v1/credit/transfer", transferOf(f.id, guest.user.Entity.String(), "10"), http.StatusForbidden)
	guest.must(t, "GET", "/v1/entity/"+f.id+"/history", "", http.StatusNotFound)
	f.must(t, "POST", "/v1/credit/transfer", transferOf(f.id, guest.user.Entity.String(), "10"), http.StatusOK)
}

func TestConcurrentMutualTransfersKeepTotals(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
		from, to := ada.user.Entity.String(), bob.user.Entity.String()
		b.grant(t, from, 10)
		b.grant(t, to, 10)
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { ada.copy().send(t, "POST", "/v1/credit/transfer", transferOf(from, to, "7")) })
			all.Go(func() { bob.copy().send(t, "POST", "/v1/credit/transfer", transferOf(to, from, "7")) })
		}
		all.Wait()
		books := persistence.NewCredit(b.db)
		one, err := books.Sums(t.Context(), ada.user.Entity)
		two, failed := books.Sums(t.Context(), bob.user.Entity)
		if err != nil || failed != nil || one.Balance() < 0 || two.Balance() < 0 || one.Balance()+two.Balance() != credit.Credits(20) {
			t.Errorf("%v %v %v %v", one, two, err, failed)
		}
	})
}

// copy returns a second client with the same session, like another browser window.
func (c *client) copy() *client { return &client{bundle: c.bundle, user: c.user, cookie: c.cookie} }

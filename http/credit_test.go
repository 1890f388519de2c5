package http_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"equity/captable"
	"equity/http/apitest"
	"equity/messages"
	"equity/people/credit"
	"equity/persistence"
)

// grantCredit credits an entity from the house account.
func grantCredit(tb testing.TB, b *apitest.Server, to string, whole int64) {
	tb.Helper()
	entity, err := captable.ParseID[captable.Entity](to)
	if err != nil {
		tb.Fatal(err)
	}
	booking := credit.Booking{
		ID: apitest.NewID(), To: entity, Amount: credit.Credits(whole), Kind: string(credit.CardSignup), By: "test", At: b.Clock.Now(),
	}
	if _, _, err := persistence.NewCredit(b.DB).Book(context.Background(), messages.Once{}, booking); err != nil {
		tb.Fatal(err)
	}
}

// transferOf returns the body of a transfer.
func transferOf(from, to, amount string) string {
	return `{"fromEntity":"` + from + `","toEntity":"` + to + `","amount":` + amount + `}`
}

func TestTransferMovesCreditOnce(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		from, to := ada.User.Entity.String(), bob.User.Entity.String()
		grantCredit(t, b, from, 50)
		wish := transferOf(from, to, "12.5")
		got := ada.Must(t, "POST", "/v1/credit/transfer", wish, http.StatusOK, "Idempotency-Key", "k")
		if got.Text(t, "amount") != "12.50" || got.Text(t, "balance") != "37.50" || got.Text(t, "kind") != "transfer" {
			t.Errorf("%s", got.Body)
		}
		again := ada.Must(t, "POST", "/v1/credit/transfer", wish, http.StatusOK, "Idempotency-Key", "k")
		if again.Body != got.Body || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("repeated transfer: %s", again.Body)
		}
		ada.Must(t, "POST", "/v1/credit/transfer", transferOf(from, to, "1"), http.StatusConflict, "Idempotency-Key", "k")
		refused := ada.Must(t, "POST", "/v1/credit/transfer", transferOf(from, to, "37.51"), http.StatusConflict)
		if refused.Text(t, "code") != "insufficientCredit" || refused.Text(
			t, "details", "available",
		) != "37.50" || refused.Text(t, "details", "requested") != "37.51" {
			t.Errorf("%s", refused.Body)
		}
		first := ada.Must(t, "GET", "/v1/entity/"+from+"/history?limit=1", "", http.StatusOK)
		rest := ada.Must(t, "GET", "/v1/entity/"+from+"/history?cursor="+first.Text(t, "nextCursor"), "", http.StatusOK)
		if !strings.Contains(first.Body, `"amount":"12.50"`) || !strings.Contains(rest.Body, `"kind":"signup"`) ||
			len(rest.List(t, "data")) != 1 || strings.Contains(rest.Body, "fromEntity") {
			t.Errorf("%s %s", first.Body, rest.Body)
		}
		if got := bob.Must(t, "GET", "/v1/entity/"+to+"/history", "", http.StatusOK); len(got.List(t, "data")) != 1 {
			t.Errorf("%s", got.Body)
		}
	})
}

func TestInvalidTransfersAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
	from, to := ada.User.Entity.String(), bob.User.Entity.String()
	grantCredit(t, b, from, 50)
	refused := func(claim, body string, has ...string) apitest.Scenario {
		return apitest.Scenario{Claim: claim, As: ada, Method: "POST", Path: "/v1/credit/transfer", Body: body, Status: 400, Has: has}
	}
	apitest.Run(t, []apitest.Scenario{
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
			Claim: "a transfer from another person's entity is forbidden", As: ada, Method: "POST", Path: "/v1/credit/transfer", Status: 403,
			Body: transferOf(to, from, "5"), Has: []string{`"code":"forbidden"`},
		},
		{
			Claim: "a transfer from the house is forbidden", As: ada, Method: "POST", Path: "/v1/credit/transfer", Status: 403,
			Body: transferOf("00000000-0000-0000-0000-000000000000", from, "5"),
		},
		{Claim: "another person's history is not found", As: bob, Method: "GET", Path: "/v1/entity/" + from + "/history", Status: 404},
		{
			Claim: "the history of the house is not found", As: bob, Method: "GET",
			Path: "/v1/entity/00000000-0000-0000-0000-000000000000/history", Status: 404,
		},
		{Claim: "refused transfers leave no history", As: ada, Method: "GET", Path: "/v1/entity/" + from + "/history", Status: 200, Lacks: []string{`"transfer"`}},
	})
}

func TestOrganizationTransfersItsCredit(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	own := f.User.Entity.String()
	grantCredit(t, b, own, 10)
	f.Must(t, "POST", "/v1/credit/transfer", transferOf(own, f.ID, "10"), http.StatusOK)
	guest.Must(t, "POST", "/v1/credit/transfer", transferOf(f.ID, guest.User.Entity.String(), "10"), http.StatusForbidden)
	guest.Must(t, "GET", "/v1/entity/"+f.ID+"/history", "", http.StatusNotFound)
	f.Must(t, "POST", "/v1/credit/transfer", transferOf(f.ID, guest.User.Entity.String(), "10"), http.StatusOK)
}

func TestConcurrentMutualTransfersKeepTotals(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
		from, to := ada.User.Entity.String(), bob.User.Entity.String()
		grantCredit(t, b, from, 10)
		grantCredit(t, b, to, 10)
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { ada.Copy().Send(t, "POST", "/v1/credit/transfer", transferOf(from, to, "7")) })
			all.Go(func() { bob.Copy().Send(t, "POST", "/v1/credit/transfer", transferOf(to, from, "7")) })
		}
		all.Wait()
		books := persistence.NewCredit(b.DB)
		one, err := books.Sums(t.Context(), ada.User.Entity)
		two, failed := books.Sums(t.Context(), bob.User.Entity)
		if err != nil || failed != nil || one.Balance() < 0 || two.Balance() < 0 || one.Balance()+two.Balance() != credit.Credits(20) {
			t.Errorf("%v %v %v %v", one, two, err, failed)
		}
	})
}

package http_test

import (
	"net/http"
	"testing"
)

func TestPlanRound(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada Lovelace")
		f.issue(t, ada, "800000")
		investor, guest := b.person(t, "investor@example.com"), b.person(t, "guest@example.com")
		f.join(t, f.home, investor, "Investor")
		f.join(t, f.home, guest, "Guest")
		path := f.home + "/scenario/round"
		body := `{"preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"pool":{"target":"0.1"},"security":{"name":"Series A"}`
		run(t, []scenario{
			{
				claim: "a round is solved over the shares that there are", as: f.client, method: "POST", path: path, body: body + "}", status: 200,
				has: []string{`"pricePerShare":"1.3125"`, `"name":"Ada Lovelace"`, `"percentAfter":"0.7`, `"increase":"114285"`, `"explanation":["Before the round`},
			},
			{claim: "so may who only looks", as: investor, method: "POST", path: path, body: body + `,"proRata":[{"entity":"` + ada + `"}]}`, status: 200, has: []string{`"proRata":true`}},
			{claim: "a guest may not", as: guest, method: "POST", path: path, body: body + "}", status: 403},
			{claim: "it is not of a day before there were shares", as: f.client, method: "POST", path: path, body: body + `,"date":"2025-01-01"}`, status: 400, has: []string{"noShares"}},
			{
				claim: "every wrong field of the form is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"preMoney":1,"newMoney":[{"amount":"-1"}],"convention":"fair","colour":1}`,
				has:  []string{"/preMoney", "/newMoney/0/investor", "/newMoney/0/amount", "/convention", "/colour", "/security"},
			},
			{
				claim: "and of the meaning", as: f.client, method: "POST", path: path, status: 400,
				body: `{"preMoney":"1","pricePerShare":"1","security":{"id":"` + f.id + `"},"convertibles":[{"holding":"` + f.id + `"}]}`,
				has:  []string{"/preMoney", "/security/id", "/convertibles/0/holding"},
			},
			{
				claim: "terms that contradict one another are named", as: f.client, method: "POST", path: path, status: 409,
				body: `{"preMoney":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"1"}],"pool":{"target":"0.5"},"security":{"name":"A"}}`,
				has:  []string{"the target of the pool claims, of the company after the round, 50 %", "the new money claims"},
			},
		})
		before := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body
		f.must(t, "POST", path, body+"}", http.StatusOK)
		if after := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body; after != before {
			t.Error("planning a round was recorded")
		}
	})
}

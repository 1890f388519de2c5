package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestPlanRoundSolvesTermsWithoutRecording(t *testing.T) {
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
				claim: "a round is solved over the current shares", as: f.client, method: "POST", path: path, body: body + "}", status: 200,
				has: []string{`"pricePerShare":"1.3125"`, `"name":"Ada Lovelace"`, `"percentAfter":"0.7`, `"increase":"114285"`, `"explanation":["Before the round`},
			},
			{claim: "an investor may plan a round", as: investor, method: "POST", path: path, body: body + `,"proRata":[{"entity":"` + ada + `"}]}`, status: 200, has: []string{`"proRata":true`}},
			{claim: "a guest may not plan a round", as: guest, method: "POST", path: path, body: body + "}", status: 403},
			{claim: "a date without shares is refused", as: f.client, method: "POST", path: path, body: body + `,"date":"2025-01-01"}`, status: 400, has: []string{"noShares"}},
			{
				claim: "every malformed field is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"preMoney":1,"newMoney":[{"amount":"-1"}],"convention":"fair","colour":1}`,
				has:  []string{"/preMoney", "/newMoney/0/investor", "/newMoney/0/amount", "/convention", "/colour", "/security"},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "POST", path: path, status: 400,
				body: `{"preMoney":"1","pricePerShare":"1","security":{"id":"` + f.id + `"},"convertibles":[{"holding":"` + f.id + `"}]}`,
				has:  []string{"/preMoney", "/security/id", "/convertibles/0/holding"},
			},
			{
				claim: "contradictory terms are refused", as: f.client, method: "POST", path: path, status: 409,
				body: `{"preMoney":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"1"}],"pool":{"target":"0.5"},"security":{"name":"A"}}`,
				has:  []string{"the target of the pool claims, of the company after the round, 50 %", "the new money claims"},
			},
		})
		before := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body
		f.must(t, "POST", path, body+"}", http.StatusOK)
		if after := f.must(t, "GET", f.home+"/journal", "", http.StatusOK).body; after != before {
			t.Error("planning a round changed the journal")
		}
	})
}

func TestCloseRoundIssuesThePlannedShares(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada Lovelace")
		f.issue(t, ada, "800000")
		investor := b.person(t, "investor@example.com")
		f.join(t, f.home, investor, "Investor")
		path := f.home + "/scenario/round"
		terms := `{"preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"pool":{"target":"0.1","newPlan":{"name":"2026 Plan","security":"` +
			f.common + `"}},"security":{"name":"Series A","seniority":1,"conversion":{"security":"` + f.common + `","ratio":"1"}}`
		confirm := f.must(t, "POST", path, terms+"}", http.StatusOK).text(t, "confirm")
		closing := terms + `,"block":{"kind":"seriesA"},"confirm":"` + confirm + `"}`
		run(t, []scenario{
			{claim: "an investor may not close a round", as: investor, method: "POST", path: path + "/close", body: closing, status: 403},
			{
				claim: "a round without confirmation is refused", as: f.client, method: "POST", path: path + "/close", body: terms + "}",
				status: 400, has: []string{"/confirm"},
			},
			{
				claim: "a wrong confirmation is refused", as: f.client, method: "POST", path: path + "/close", status: 409,
				body: terms + `,"confirm":"` + strings.Repeat("0", 64) + `"}`, has: []string{"Plan it again"},
			},
			{
				claim: "a dry run lists the events", as: f.client, method: "POST", path: path + "/close?dryRun=true", body: closing, status: 200,
				has: []string{"memberAdded", "securityCreated", "blockCreated", "shareholdingIssued", "planCreated", "valuationCreated"},
			},
			{
				claim: "the round is closed as planned", as: f.client, method: "POST", path: path + "/close", body: closing, status: 201,
				has: []string{`"name":"Series A"`, `"kind":"seriesA"`, `"amount":"300000"`},
			},
			{
				claim: "a closed round cannot be closed again", as: f.client, method: "POST", path: path + "/close", body: closing,
				status: 409, has: []string{"Plan the round again"},
			},
			{
				claim: "a new investor with the name of a holder is refused", as: f.client, method: "POST", path: path, status: 400,
				has:  []string{"/newMoney/0/investor/name", "taken"},
				body: `{"preMoney":"1","newMoney":[{"investor":{"name":"fund"},"amount":"3"}],"security":{"name":"Series B"}}`,
			},
			{claim: "the fund holds the purchased shares", as: f.client, method: "GET", path: f.home + "/captable", status: 200, has: []string{`"name":"Fund"`, `"shares":"228571"`}},
		})
	})
}

func TestConcurrentClosesOfOneRoundSucceedOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.issue(t, f.holder(t, "Ada Lovelace"), "500000")
		terms := `{"preMoney":"1000000","newMoney":[{"investor":{"entity":"` + f.holder(t, "Fund") + `"},"amount":"10"}],"security":{"id":"` + f.common + `"}`
		confirm := f.must(t, "POST", f.home+"/scenario/round", terms+"}", http.StatusOK).text(t, "confirm")
		var all sync.WaitGroup
		var closed atomic.Int32
		for n := range 6 {
			all.Go(func() {
				body := terms + `,"block":{"name":"Round ` + strconv.Itoa(n) + `"},"confirm":"` + confirm + `"}`
				if f.copy().send(t, "POST", f.home+"/scenario/round/close", body).status == http.StatusCreated {
					closed.Add(1)
				}
			})
		}
		all.Wait()
		if closed.Load() != 1 {
			t.Errorf("closed %d times", closed.Load())
		}
	})
}

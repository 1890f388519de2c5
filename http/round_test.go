package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/http/apitest"
)

func TestPlanRoundSolvesTermsWithoutRecording(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada Lovelace")
		f.Issue(t, ada, "800000")
		investor, guest := b.NewPerson(t, "investor@example.com"), b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, investor, "Investor")
		f.Join(t, f.Home, guest, "Guest")
		path := f.Home + "/scenario/round"
		body := `{"preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"pool":{"target":"0.1"},"security":{"name":"Series A"}`
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "a round is solved over the current shares", As: f.Client, Method: "POST", Path: path, Body: body + "}", Status: 200,
				Has: []string{`"pricePerShare":"1.3125"`, `"name":"Ada Lovelace"`, `"percentAfter":"0.7`, `"increase":"114285"`, `"explanation":["Before the round`},
			},
			{Claim: "an investor may plan a round", As: investor, Method: "POST", Path: path, Body: body + `,"proRata":[{"entity":"` + ada + `"}]}`, Status: 200, Has: []string{`"proRata":true`}},
			{Claim: "a guest may not plan a round", As: guest, Method: "POST", Path: path, Body: body + "}", Status: 403},
			{Claim: "a date without shares is refused", As: f.Client, Method: "POST", Path: path, Body: body + `,"date":"2025-01-01"}`, Status: 400, Has: []string{"noShares"}},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: `{"preMoney":1,"newMoney":[{"amount":"-1"}],"convention":"fair","colour":1}`,
				Has:  []string{"/preMoney", "/newMoney/0/investor", "/newMoney/0/amount", "/convention", "/colour", "/security"},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "POST", Path: path, Status: 400,
				Body: `{"preMoney":"1","pricePerShare":"1","security":{"id":"` + f.ID + `"},"convertibles":[{"holding":"` + f.ID + `"}]}`,
				Has:  []string{"/preMoney", "/security/id", "/convertibles/0/holding"},
			},
			{
				Claim: "contradictory terms are refused", As: f.Client, Method: "POST", Path: path, Status: 409,
				Body: `{"preMoney":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"1"}],"pool":{"target":"0.5"},"security":{"name":"A"}}`,
				Has:  []string{"the target of the pool claims, of the company after the round, 50 %", "the new money claims"},
			},
		})
		before := f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK).Body
		f.Must(t, "POST", path, body+"}", http.StatusOK)
		if after := f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK).Body; after != before {
			t.Error("planning a round changed the journal")
		}
	})
}

func TestCloseRoundIssuesThePlannedShares(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada Lovelace")
		f.Issue(t, ada, "800000")
		investor := b.NewPerson(t, "investor@example.com")
		f.Join(t, f.Home, investor, "Investor")
		path := f.Home + "/scenario/round"
		terms := `{"preMoney":"1200000","newMoney":[{"investor":{"name":"Fund"},"amount":"300000"}],"pool":{"target":"0.1","newPlan":{"name":"2026 Plan","security":"` +
			f.Common + `"}},"security":{"name":"Series A","seniority":1,"conversion":{"security":"` + f.Common + `","ratio":"1"}}`
		confirm := f.Must(t, "POST", path, terms+"}", http.StatusOK).Text(t, "confirm")
		closing := terms + `,"block":{"kind":"seriesA"},"confirm":"` + confirm + `"}`
		apitest.Run(t, []apitest.Scenario{
			{Claim: "an investor may not close a round", As: investor, Method: "POST", Path: path + "/close", Body: closing, Status: 403},
			{
				Claim: "a round without confirmation is refused", As: f.Client, Method: "POST", Path: path + "/close", Body: terms + "}",
				Status: 400, Has: []string{"/confirm"},
			},
			{
				Claim: "a wrong confirmation is refused", As: f.Client, Method: "POST", Path: path + "/close", Status: 409,
				Body: terms + `,"confirm":"` + strings.Repeat("0", 64) + `"}`, Has: []string{"Plan it again"},
			},
			{
				Claim: "a dry run lists the events", As: f.Client, Method: "POST", Path: path + "/close?dryRun=true", Body: closing, Status: 200,
				Has: []string{"memberAdded", "securityCreated", "blockCreated", "shareholdingIssued", "planCreated", "valuationCreated"},
			},
			{
				Claim: "the round is closed as planned", As: f.Client, Method: "POST", Path: path + "/close", Body: closing, Status: 201,
				Has: []string{`"name":"Series A"`, `"kind":"seriesA"`, `"amount":"300000"`},
			},
			{
				Claim: "a closed round cannot be closed again", As: f.Client, Method: "POST", Path: path + "/close", Body: closing,
				Status: 409, Has: []string{"Plan the round again"},
			},
			{
				Claim: "a new investor with the name of a holder is refused", As: f.Client, Method: "POST", Path: path, Status: 400,
				Has:  []string{"/newMoney/0/investor/name", "taken"},
				Body: `{"preMoney":"1","newMoney":[{"investor":{"name":"fund"},"amount":"3"}],"security":{"name":"Series B"}}`,
			},
			{Claim: "the fund holds the purchased shares", As: f.Client, Method: "GET", Path: f.Home + "/captable", Status: 200, Has: []string{`"name":"Fund"`, `"shares":"228571"`}},
		})
	})
}

func TestConcurrentClosesOfOneRoundSucceedOnce(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.Issue(t, f.NewHolder(t, "Ada Lovelace"), "500000")
		terms := `{"preMoney":"1000000","newMoney":[{"investor":{"entity":"` + f.NewHolder(t, "Fund") + `"},"amount":"10"}],"security":{"id":"` + f.Common + `"}`
		confirm := f.Must(t, "POST", f.Home+"/scenario/round", terms+"}", http.StatusOK).Text(t, "confirm")
		var all sync.WaitGroup
		var closed atomic.Int32
		for n := range 6 {
			all.Go(func() {
				body := terms + `,"block":{"name":"Round ` + strconv.Itoa(n) + `"},"confirm":"` + confirm + `"}`
				if f.Copy().Send(t, "POST", f.Home+"/scenario/round/close", body).Status == http.StatusCreated {
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

package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestPartialTransferSplitsShareholding(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		held := f.Issue(t, ada, "10")
		move := func(shares string) string {
			return `{"shareholding":"` + apitest.IDOf(held) + `","to":{"entity":"` + bob + `"},"shares":"` + shares + `","date":"2026-02-01","kind":"sale","pricePerShare":"3"}`
		}
		f.Must(t, "POST", f.Home+"/shareholding/transfer", move("11"), http.StatusConflict)
		got := f.Must(t, "POST", f.Home+"/shareholding/transfer", move("4"), http.StatusCreated)
		for _, want := range []struct{ part, field, value string }{
			{"from", "status", "transferred"},
			{"from", "shares", "10"},
			{"to", "entity", bob},
			{"to", "shares", "4"},
			{"to", "pricePerShare", "3"},
			{"to", "certificate", "CS-2"},
			{"balance", "entity", ada},
			{"balance", "shares", "6"},
			{"balance", "certificate", "CS-3"},
		} {
			if value := got.Text(t, want.part, want.field); value != want.value {
				t.Errorf("%s: %s is %q, want %q", want.part, want.field, value, want.value)
			}
		}
		if location := got.Header.Get("Location"); location != "/v1/shareholding/"+got.Text(t, "to", "id") {
			t.Errorf("Location is %q", location)
		}
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "transferred shares cannot be transferred again", As: f.Client, Method: "POST",
				Path: f.Home + "/shareholding/transfer", Body: move("1"), Status: 409,
			},
			{Claim: "a transfer keeps the totals", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"issued":"10"`}},
			{
				Claim: "the old shareholding names its results", As: f.Client, Method: "GET", Path: held, Status: 200,
				Has: []string{`"results":["` + got.Text(t, "to", "id") + `","` + got.Text(t, "balance", "id") + `"]`, `"by":"` + f.User.ID.String()},
			},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "POST", Path: f.Home + "/shareholding/transfer", Status: 400,
				Body: `{"shareholding":"x","to":{"member":"1","entity":"2"},"shares":4,"date":"2026-13-01","kind":"theft"}`,
				Has:  []string{"/shareholding", "/to/member", "/to/entity", "/shares", "/date", "/kind"},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "POST", Path: f.Home + "/shareholding/transfer", Status: 400,
				Body: `{"shareholding":"` + f.ID + `","to":{"entity":"` + f.ID + `"},"shares":"0","date":"2027-01-01","kind":"gift"}`,
				Has:  []string{"/shareholding", "/to/entity", "/shares", "dateInFuture"},
			},
			{
				Claim: "a transfer to the current holder is refused", As: f.Client, Method: "POST", Path: f.Home + "/shareholding/transfer",
				Status: 400,
				Body:   `{"shareholding":"` + got.Text(t, "to", "id") + `","to":{"entity":"` + bob + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`,
				Has:    []string{"sameHolder"},
			},
		})
		complete := f.Must(t, "POST", f.Home+"/shareholding/transfer", `{"shareholding":"`+got.Text(t, "balance", "id")+
			`","to":{"member":"`+got.Text(t, "to", "member")+`"},"shares":"6","date":"2026-02-02","kind":"inheritance"}`, http.StatusCreated)
		if complete.Get(t, "balance") != nil {
			t.Errorf("a complete transfer left a balance: %s", complete.Body)
		}
	})
}

func TestSharesAreCancelledConvertedAndRepurchased(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada")
		preferred := f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100","conversion":{"security":"`+f.Common+`","ratio":"1.5"}}`)
		accepted, senior := f.Issue(t, ada, "10"), f.Issue(t, ada, "3", `"security":"`+preferred+`"`)
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "shares are accepted", As: f.Client, Method: "POST", Path: accepted + "/accept", Status: 200, Body: `{"date":"2026-01-05"}`,
				Has: []string{`"status":"accepted"`, `"acceptedOn":"2026-01-05"`},
			},
			{Claim: "accepted shares cannot be accepted again", As: f.Client, Method: "POST", Path: accepted + "/accept", Status: 409},
			{
				Claim: "a part is cancelled", As: f.Client, Method: "POST", Path: accepted + "/cancel", Status: 200,
				Body: `{"shares":"4","date":"2026-02-01","reason":"Forfeited."}`, Has: []string{`"status":"cancelled"`, `"shares":"6"`, `"reason":"Forfeited."`},
			},
			{
				Claim: "cancelled shares cannot be cancelled again", As: f.Client, Method: "POST", Path: accepted + "/cancel", Status: 409,
				Body: `{"date":"2026-02-01","reason":"Forfeited."}`, Has: []string{`"code":"conflict"`},
			},
			{
				Claim: "shares convert and a fraction is paid in cash", As: f.Client, Method: "POST", Path: senior + "/convert", Status: 200,
				Body: `{"security":"` + f.Common + `","date":"2026-02-01"}`, Has: []string{`"status":"converted"`, `"shares":"4"`, `"cashFraction":"0.5"`},
			},
			{
				Claim: "a conversion into another class is refused", As: f.Client, Method: "POST", Path: f.Issue(t, ada, "1") + "/convert", Status: 409,
				Body: `{"security":"` + preferred + `","date":"2026-02-01"}`,
			},
			{Claim: "a cancellation requires a date and a reason", As: f.Client, Method: "POST", Path: accepted + "/cancel", Status: 400, Body: `{}`, Has: []string{"/date", "/reason"}},
		})
		treasury := f.Issue(t, ada, "10")
		got := f.Must(t, "POST", treasury+"/repurchase", `{"shares":"10","price":"2","date":"2026-02-01","toTreasury":true}`, 200)
		if got.Text(t, "from", "status") != "repurchased" || len(got.List(t, "results")) != 0 || got.Get(t, "balance") != nil {
			t.Errorf("repurchase: %s", got.Body)
		}
		class := f.Must(t, "GET", f.Home+"/security/"+f.Common, "", 200)
		if class.Text(t, "treasury") != "10" || class.Text(t, "issued") != "21" || class.Text(t, "outstanding") != "11" {
			t.Errorf("figures of the class: %s", class.Body)
		}
	})
}

func TestShareholdingIsAmendedCorrectedAndVoided(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		twice, parent, mistaken := f.Issue(t, ada, "10"), f.Issue(t, ada, "10"), f.Issue(t, ada, "1")
		f.Must(t, "POST", f.Home+"/shareholding/transfer",
			`{"shareholding":"`+apitest.IDOf(parent)+`","to":{"entity":"`+bob+`"},"shares":"10","date":"2026-02-01","kind":"gift"}`, 201)
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "clerical fields are amended", As: f.Client, Method: "PATCH", Path: twice, Status: 200,
				Body: `{"shareholderName":"Ada King","certificate":"OLD-7","consideration":{"cash":"5"}}`,
				Has:  []string{`"shareholderName":"Ada King"`, `"certificate":"OLD-7"`, `"cash":"5"`},
			},
			{Claim: "a patch with null clears a field", As: f.Client, Method: "PATCH", Path: twice, Status: 200, Body: `{"consideration":null}`, Lacks: []string{"consideration"}},
			{
				Claim: "fields that change totals cannot be amended", As: f.Client, Method: "PATCH", Path: twice, Status: 400, Body: `{"shares":"5","entity":"x","legends":["` + f.ID + `"]}`,
				Has: []string{"/shares", "/entity"},
			},
			{Claim: "a duplicate certificate is refused", As: f.Client, Method: "PATCH", Path: twice, Status: 409, Body: `{"certificate":"CS-2"}`},
			{
				Claim: "a correction requires a reason", As: f.Client, Method: "PUT", Path: twice, Status: 400,
				Body: f.IssuanceBody(ada, "5"),
				Has:  []string{"/reason"},
			},
			{
				Claim: "the shareholding is corrected", As: f.Client, Method: "PUT", Path: twice, Status: 200, Body: f.IssuanceBody(bob, "5", `"reason":"typo"`),
				Has: []string{`"shares":"5"`, `"entity":"` + bob, `"serialNumber":1`},
			},
			{
				Claim: "a correction beyond the authorized shares is refused", As: f.Client, Method: "PUT", Path: twice, Status: 409, Body: f.IssuanceBody(bob, "2000000", `"reason":"typo"`),
				Has: []string{`"code":"insufficientShares"`},
			},
			{Claim: "a shareholding with results cannot be voided", As: f.Client, Method: "DELETE", Path: parent, Status: 409, Has: []string{`"code":"hasResults"`}},
			{
				Claim: "a shareholding is voided", As: f.Client, Method: "DELETE", Path: twice + "?reason=Entered%20twice.", Status: 200,
				Has: []string{`"status":"voided"`, `"reason":"Entered twice."`, `"by":"` + f.User.ID.String()},
			},
			{Claim: "a voided shareholding cannot be voided again", As: f.Client, Method: "DELETE", Path: twice, Status: 409},
			{Claim: "a voided shareholding stays readable", As: f.Client, Method: "GET", Path: twice, Status: 200, Has: []string{`"status":"voided"`}},
			{Claim: "a voided shareholding cannot be amended", As: f.Client, Method: "PATCH", Path: twice, Status: 409, Body: `{"block":"x"}`},
			{Claim: "voided shares are excluded from the totals", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"issued":"11"`}},
			{Claim: "the reason may be in the body", As: f.Client, Method: "DELETE", Path: mistaken, Body: `{"reason":"By mistake."}`, Status: 200, Has: []string{"By mistake."}},
			{Claim: "an unknown shareholding is not found", As: f.Client, Method: "GET", Path: "/v1/shareholding/" + f.ID, Status: 404},
			{Claim: "an unknown shareholding cannot be voided", As: f.Client, Method: "DELETE", Path: "/v1/shareholding/" + f.ID, Status: 404},
		})
	})
}

func TestStaleShareholdingChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	path := f.Issue(t, ada, "10")
	stale := f.Must(t, "GET", path, "", 200).Header.Get("ETag")
	f.Must(t, "PATCH", path, `{"block":"x"}`, 200, "If-Match", stale)
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", path, `{"block":"y"}`},
		{"PUT", path, f.IssuanceBody(ada, "5", `"reason":"typo"`)},
		{"DELETE", path, ""},
		{"POST", path + "/accept", ""},
		{"POST", path + "/cancel", `{"date":"2026-02-01","reason":"x"}`},
		{"POST", path + "/repurchase", `{"shares":"1","price":"1","date":"2026-02-01"}`},
		{"POST", path + "/convert", `{"security":"` + f.Common + `","date":"2026-02-01"}`},
		{"POST", f.Home + "/shareholding/transfer", `{"shareholding":"` + apitest.IDOf(path) + `","to":{"entity":"` + bob + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`},
	} {
		if got := f.Must(t, c.method, c.path, c.body, http.StatusPreconditionFailed, "If-Match", stale); got.Text(t, "code") != "stale" {
			t.Errorf("%s %s: %s", c.method, c.path, got.Body)
		}
	}
	fresh := f.Must(t, "GET", path, "", 200, "If-None-Match", stale).Header.Get("ETag")
	f.Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", fresh)
	f.Must(t, "POST", path+"/accept", "", 200, "If-Match", fresh)
}

func TestShareholdingConfigurationIsReplaced(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		path := f.Home + "/shareholding/config"
		first := f.Must(t, "GET", path, "", 200)
		tag := first.Header.Get("ETag")
		body := `{"equityName":"units","fractional":true,"certificateSignatories":[{"name":"Ada Lovelace","title":"President"}],` +
			`"numbering":"perSecurity","operatingAgreement":{"date":"2025-01-01"},"capitalAccounts":true}`
		changed := f.Must(t, "PUT", path, body, 200, "If-Match", tag)
		f.Must(t, "PUT", path, body, http.StatusPreconditionFailed, "If-Match", tag)
		read := f.Must(t, "GET", path, "", 200)
		if read.Body != changed.Body || read.Text(t, "equityName") != "units" || first.Text(t, "equityName") != "shares" {
			t.Errorf("read %s, answered %s, first %s", read.Body, changed.Body, first.Body)
		}
		f.Must(t, "PUT", path, body, 200, "If-Match", changed.Header.Get("ETag"))
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "every wrong field is named", As: f.Client, Method: "PUT", Path: path, Status: 400,
				Body: `{"equityName":"coins","fractional":"no","certificateSignatories":[{"name":""}],"numbering":"random","capitalAccounts":1}`,
				Has: []string{
					"/equityName", "/fractional", "/certificateSignatories/0/name", "/certificateSignatories/0/title", "/numbering",
					"/capitalAccounts",
				},
			},
			{
				Claim: "more than four signatories are refused", As: f.Client, Method: "PUT", Path: path, Status: 400,
				Body: `{"equityName":"units","fractional":true,"certificateSignatories":[{"name":"A","title":"B"},{"name":"A","title":"B"},{"name":"A","title":"B"},` +
					`{"name":"A","title":"B"},{"name":"A","title":"B"}],"numbering":"perSecurity","capitalAccounts":true}`,
				Has: []string{"/certificateSignatories", "tooMany"},
			},
		})
	})
}

package http_test

import (
	"net/http"
	"testing"
)

func TestPartialTransferSplitsShareholding(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		held := f.issue(t, ada, "10")
		move := func(shares string) string {
			return `{"shareholding":"` + last(held) + `","to":{"entity":"` + bob + `"},"shares":"` + shares + `","date":"2026-02-01","kind":"sale","pricePerShare":"3"}`
		}
		f.must(t, "POST", f.home+"/shareholding/transfer", move("11"), http.StatusConflict)
		got := f.must(t, "POST", f.home+"/shareholding/transfer", move("4"), http.StatusCreated)
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
			if value := got.text(t, want.part, want.field); value != want.value {
				t.Errorf("%s: %s is %q, want %q", want.part, want.field, value, want.value)
			}
		}
		if location := got.header.Get("Location"); location != "/v1/shareholding/"+got.text(t, "to", "id") {
			t.Errorf("Location is %q", location)
		}
		run(t, []scenario{
			{
				claim: "transferred shares cannot be transferred again", as: f.client, method: "POST",
				path: f.home + "/shareholding/transfer", body: move("1"), status: 409,
			},
			{claim: "a transfer keeps the totals", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"issued":"10"`}},
			{
				claim: "the old shareholding names its results", as: f.client, method: "GET", path: held, status: 200,
				has: []string{`"results":["` + got.text(t, "to", "id") + `","` + got.text(t, "balance", "id") + `"]`, `"by":"` + f.user.ID.String()},
			},
			{
				claim: "every malformed field is named", as: f.client, method: "POST", path: f.home + "/shareholding/transfer", status: 400,
				body: `{"shareholding":"x","to":{"member":"1","entity":"2"},"shares":4,"date":"2026-13-01","kind":"theft"}`,
				has:  []string{"/shareholding", "/to/member", "/to/entity", "/shares", "/date", "/kind"},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "POST", path: f.home + "/shareholding/transfer", status: 400,
				body: `{"shareholding":"` + f.id + `","to":{"entity":"` + f.id + `"},"shares":"0","date":"2027-01-01","kind":"gift"}`,
				has:  []string{"/shareholding", "/to/entity", "/shares", "dateInFuture"},
			},
			{
				claim: "a transfer to the current holder is refused", as: f.client, method: "POST", path: f.home + "/shareholding/transfer",
				status: 400,
				body:   `{"shareholding":"` + got.text(t, "to", "id") + `","to":{"entity":"` + bob + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`,
				has:    []string{"sameHolder"},
			},
		})
		complete := f.must(t, "POST", f.home+"/shareholding/transfer", `{"shareholding":"`+got.text(t, "balance", "id")+
			`","to":{"member":"`+got.text(t, "to", "member")+`"},"shares":"6","date":"2026-02-02","kind":"inheritance"}`, http.StatusCreated)
		if complete.get(t, "balance") != nil {
			t.Errorf("a complete transfer left a balance: %s", complete.body)
		}
	})
}

func TestSharesAreCancelledConvertedAndRepurchased(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada")
		preferred := f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100","conversion":{"security":"`+f.common+`","ratio":"1.5"}}`)
		accepted, senior := f.issue(t, ada, "10"), f.issue(t, ada, "3", `"security":"`+preferred+`"`)
		run(t, []scenario{
			{
				claim: "shares are accepted", as: f.client, method: "POST", path: accepted + "/accept", status: 200, body: `{"date":"2026-01-05"}`,
				has: []string{`"status":"accepted"`, `"acceptedOn":"2026-01-05"`},
			},
			{claim: "accepted shares cannot be accepted again", as: f.client, method: "POST", path: accepted + "/accept", status: 409},
			{
				claim: "a part is cancelled", as: f.client, method: "POST", path: accepted + "/cancel", status: 200,
				body: `{"shares":"4","date":"2026-02-01","reason":"Forfeited."}`, has: []string{`"status":"cancelled"`, `"shares":"6"`, `"reason":"Forfeited."`},
			},
			{
				claim: "cancelled shares cannot be cancelled again", as: f.client, method: "POST", path: accepted + "/cancel", status: 409,
				body: `{"date":"2026-02-01","reason":"Forfeited."}`, has: []string{`"code":"conflict"`},
			},
			{
				claim: "shares convert and a fraction is paid in cash", as: f.client, method: "POST", path: senior + "/convert", status: 200,
				body: `{"security":"` + f.common + `","date":"2026-02-01"}`, has: []string{`"status":"converted"`, `"shares":"4"`, `"cashFraction":"0.5"`},
			},
			{
				claim: "a conversion into another class is refused", as: f.client, method: "POST", path: f.issue(t, ada, "1") + "/convert", status: 409,
				body: `{"security":"` + preferred + `","date":"2026-02-01"}`,
			},
			{claim: "a cancellation requires a date and a reason", as: f.client, method: "POST", path: accepted + "/cancel", status: 400, body: `{}`, has: []string{"/date", "/reason"}},
		})
		treasury := f.issue(t, ada, "10")
		got := f.must(t, "POST", treasury+"/repurchase", `{"shares":"10","price":"2","date":"2026-02-01","toTreasury":true}`, 200)
		if got.text(t, "from", "status") != "repurchased" || len(got.list(t, "results")) != 0 || got.get(t, "balance") != nil {
			t.Errorf("repurchase: %s", got.body)
		}
		class := f.must(t, "GET", f.home+"/security/"+f.common, "", 200)
		if class.text(t, "treasury") != "10" || class.text(t, "issued") != "21" || class.text(t, "outstanding") != "11" {
			t.Errorf("figures of the class: %s", class.body)
		}
	})
}

func TestShareholdingIsAmendedCorrectedAndVoided(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		twice, parent, mistaken := f.issue(t, ada, "10"), f.issue(t, ada, "10"), f.issue(t, ada, "1")
		f.must(t, "POST", f.home+"/shareholding/transfer",
			`{"shareholding":"`+last(parent)+`","to":{"entity":"`+bob+`"},"shares":"10","date":"2026-02-01","kind":"gift"}`, 201)
		run(t, []scenario{
			{
				claim: "clerical fields are amended", as: f.client, method: "PATCH", path: twice, status: 200,
				body: `{"shareholderName":"Ada King","certificate":"OLD-7","consideration":{"cash":"5"}}`,
				has:  []string{`"shareholderName":"Ada King"`, `"certificate":"OLD-7"`, `"cash":"5"`},
			},
			{claim: "a patch with null clears a field", as: f.client, method: "PATCH", path: twice, status: 200, body: `{"consideration":null}`, lacks: []string{"consideration"}},
			{
				claim: "fields that change totals cannot be amended", as: f.client, method: "PATCH", path: twice, status: 400, body: `{"shares":"5","entity":"x","legends":["` + f.id + `"]}`,
				has: []string{"/shares", "/entity"},
			},
			{claim: "a duplicate certificate is refused", as: f.client, method: "PATCH", path: twice, status: 409, body: `{"certificate":"CS-2"}`},
			{
				claim: "a correction requires a reason", as: f.client, method: "PUT", path: twice, status: 400, body: f.issuance(ada, "5"),
				has: []string{"/reason"},
			},
			{
				claim: "the shareholding is corrected", as: f.client, method: "PUT", path: twice, status: 200, body: f.issuance(bob, "5", `"reason":"typo"`),
				has: []string{`"shares":"5"`, `"entity":"` + bob, `"serialNumber":1`},
			},
			{
				claim: "a correction beyond the authorized shares is refused", as: f.client, method: "PUT", path: twice, status: 409, body: f.issuance(bob, "2000000", `"reason":"typo"`),
				has: []string{`"code":"insufficientShares"`},
			},
			{claim: "a shareholding with results cannot be voided", as: f.client, method: "DELETE", path: parent, status: 409, has: []string{`"code":"hasResults"`}},
			{
				claim: "a shareholding is voided", as: f.client, method: "DELETE", path: twice + "?reason=Entered%20twice.", status: 200,
				has: []string{`"status":"voided"`, `"reason":"Entered twice."`, `"by":"` + f.user.ID.String()},
			},
			{claim: "a voided shareholding cannot be voided again", as: f.client, method: "DELETE", path: twice, status: 409},
			{claim: "a voided shareholding stays readable", as: f.client, method: "GET", path: twice, status: 200, has: []string{`"status":"voided"`}},
			{claim: "a voided shareholding cannot be amended", as: f.client, method: "PATCH", path: twice, status: 409, body: `{"block":"x"}`},
			{claim: "voided shares are excluded from the totals", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"issued":"11"`}},
			{claim: "the reason may be in the body", as: f.client, method: "DELETE", path: mistaken, body: `{"reason":"By mistake."}`, status: 200, has: []string{"By mistake."}},
			{claim: "an unknown shareholding is not found", as: f.client, method: "GET", path: "/v1/shareholding/" + f.id, status: 404},
			{claim: "an unknown shareholding cannot be voided", as: f.client, method: "DELETE", path: "/v1/shareholding/" + f.id, status: 404},
		})
	})
}

func TestStaleShareholdingChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	path := f.issue(t, ada, "10")
	stale := f.must(t, "GET", path, "", 200).header.Get("ETag")
	f.must(t, "PATCH", path, `{"block":"x"}`, 200, "If-Match", stale)
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", path, `{"block":"y"}`},
		{"PUT", path, f.issuance(ada, "5", `"reason":"typo"`)},
		{"DELETE", path, ""},
		{"POST", path + "/accept", ""},
		{"POST", path + "/cancel", `{"date":"2026-02-01","reason":"x"}`},
		{"POST", path + "/repurchase", `{"shares":"1","price":"1","date":"2026-02-01"}`},
		{"POST", path + "/convert", `{"security":"` + f.common + `","date":"2026-02-01"}`},
		{"POST", f.home + "/shareholding/transfer", `{"shareholding":"` + last(path) + `","to":{"entity":"` + bob + `"},"shares":"1","date":"2026-02-01","kind":"gift"}`},
	} {
		if got := f.must(t, c.method, c.path, c.body, http.StatusPreconditionFailed, "If-Match", stale); got.text(t, "code") != "stale" {
			t.Errorf("%s %s: %s", c.method, c.path, got.body)
		}
	}
	fresh := f.must(t, "GET", path, "", 200, "If-None-Match", stale).header.Get("ETag")
	f.must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", fresh)
	f.must(t, "POST", path+"/accept", "", 200, "If-Match", fresh)
}

func TestShareholdingConfigurationIsReplaced(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		path := f.home + "/shareholding/config"
		first := f.must(t, "GET", path, "", 200)
		tag := first.header.Get("ETag")
		body := `{"equityName":"units","fractional":true,"certificateSignatories":[{"name":"Ada Lovelace","title":"President"}],` +
			`"numbering":"perSecurity","operatingAgreement":{"date":"2025-01-01"},"capitalAccounts":true}`
		changed := f.must(t, "PUT", path, body, 200, "If-Match", tag)
		f.must(t, "PUT", path, body, http.StatusPreconditionFailed, "If-Match", tag)
		read := f.must(t, "GET", path, "", 200)
		if read.body != changed.body || read.text(t, "equityName") != "units" || first.text(t, "equityName") != "shares" {
			t.Errorf("read %s, answered %s, first %s", read.body, changed.body, first.body)
		}
		f.must(t, "PUT", path, body, 200, "If-Match", changed.header.Get("ETag"))
		run(t, []scenario{
			{
				claim: "every wrong field is named", as: f.client, method: "PUT", path: path, status: 400,
				body: `{"equityName":"coins","fractional":"no","certificateSignatories":[{"name":""}],"numbering":"random","capitalAccounts":1}`,
				has: []string{
					"/equityName", "/fractional", "/certificateSignatories/0/name", "/certificateSignatories/0/title", "/numbering",
					"/capitalAccounts",
				},
			},
			{
				claim: "more than four signatories are refused", as: f.client, method: "PUT", path: path, status: 400,
				body: `{"equityName":"units","fractional":true,"certificateSignatories":[{"name":"A","title":"B"},{"name":"A","title":"B"},{"name":"A","title":"B"},` +
					`{"name":"A","title":"B"},{"name":"A","title":"B"}],"numbering":"perSecurity","capitalAccounts":true}`,
				has: []string{"/certificateSignatories", "tooMany"},
			},
		})
	})
}

package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestSecurityLifecycle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada Lovelace")
		legend := f.legend(t, `{"name":"Act","text":"Not registered."}`)
		path := f.home + "/security/" + f.common
		run(t, []scenario{
			{
				claim: "a security is created with its figures", as: f.client, method: "POST", path: f.home + "/security", status: 201,
				body: `{"name":"Series A","shareClass":"A","shareType":"preferred","prefix":"PA-","authorizedShares":"50000","price":"2.5",` +
					`"parValue":{"amount":"0.01","currency":"EUR"},"seniority":1,"participation":"capped","participationCapMultiple":"3",` +
					`"liquidationPreferenceMultiple":"1","dividendRate":"0.08","conversion":{"security":"` + f.common + `","ratio":"1.5"},` +
					`"legends":["` + legend + `"],"externalId":"erp-1","comments":["first"],"votesPerShare":"1","boardApprovalDate":"2026-01-02"}`,
				has: []string{
					`"prefix":"PA"`, `"price":"2.5"`, `"parValue":{"amount":"0.01","currency":"EUR"}`, `"issued":"0"`, `"available":"50000"`,
					`"organization":"` + f.id + `"`, `"comments":["first"]`, `"outstanding":"0"`, `"dividendRate":"0.08"`,
				},
			},
			{
				claim: "a security may have unlimited shares", as: f.client, method: "POST", path: f.home + "/security", status: 201,
				body: `{"name":"Units","shareType":"unit","authorizedShares":"unlimited","fractionalShares":true}`, has: []string{`"available":"unlimited"`},
			},
			{
				claim: "securities are listed in order of creation", as: f.client, method: "GET", path: f.home + "/security", status: 200,
				has: []string{`"data":[{"id":"` + f.common}, lacks: []string{"nextCursor"},
			},
			{claim: "shares are issued", as: f.client, method: "POST", path: f.home + "/shareholding", status: 201, body: f.issuance(ada, "400")},
			{
				claim: "a security has its issued shares", as: f.client, method: "GET", path: path, status: 200,
				has: []string{`"issued":"400"`, `"available":"999600"`, `"serials":1`},
			},
			{
				claim: "its terms are replaced", as: f.client, method: "PUT", path: path, status: 200,
				body: `{"name":"Ordinary","shareType":"common","authorizedShares":"500"}`, has: []string{`"name":"Ordinary"`, `"available":"100"`}, lacks: []string{`"shareType":"common","authorizedShares":"500","parValue"`},
			},
			{
				claim: "authorized shares below the issued shares are refused", as: f.client, method: "PUT", path: path, status: 409,
				body: `{"name":"Ordinary","shareType":"common","authorizedShares":"399"}`, has: []string{`"code":"conflict"`, `"issued":"400"`},
			},
			{
				claim: "shares are added", as: f.client, method: "POST", path: path + "/shares", status: 200,
				body: `{"quantity":"500","effectiveDate":"2026-02-01","boardApprovalDate":"2026-01-20"}`, has: []string{`"authorizedShares":"1000"`, `"effectiveDate":"2026-02-01"`},
			},
			{
				claim: "the class is split", as: f.client, method: "POST", path: path + "/split", status: 200,
				body: `{"numerator":"3","denominator":"1","date":"2026-03-02"}`, has: []string{`"issued":"1200"`, `"authorizedShares":"3000"`, `"splits":[{"date":"2026-03-02"`},
			},
			{
				claim: "a date before the split has the old figures", as: f.client, method: "GET", path: path + "?asOf=2026-03-01", status: 200,
				has: []string{`"issued":"400"`, `"authorizedShares":"1000500"`}, lacks: []string{"splits"},
			},
			{
				claim: "a date before the issue has no issued shares", as: f.client, method: "GET",
				path: f.home + "/security?asOf=2025-12-31", status: 200,
				has: []string{`"issued":"0"`}, lacks: []string{`"issued":"400"`},
			},
			{claim: "a security with shares cannot be deleted", as: f.client, method: "DELETE", path: path, status: 409, has: []string{`"code":"inUse"`}},
			{claim: "an unknown security is not found", as: f.client, method: "GET", path: f.home + "/security/" + f.id, status: 404},
			{
				claim: "an unknown security cannot be replaced", as: f.client, method: "PUT", path: f.home + "/security/" + f.id, status: 404,
				body: `{"name":"X","shareType":"common","authorizedShares":"1"}`,
			},
			{claim: "an unknown security cannot be deleted", as: f.client, method: "DELETE", path: f.home + "/security/" + f.id, status: 404},
		})
		unused := f.security(t, `{"name":"Unused","shareType":"common","authorizedShares":"1"}`)
		f.must(t, "DELETE", f.home+"/security/"+unused, "", http.StatusNoContent)
		f.must(t, "GET", f.home+"/security/"+unused, "", http.StatusNotFound)
	})
}

//nolint:tparallel // one scenario builds on another
func TestInvalidSecuritiesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.must(t, "POST", f.home+"/security", `{"name":"B","shareType":"common","authorizedShares":"1","externalId":"x"}`, 201)
	before := f.journalLength(t)
	for claim, c := range map[string]struct {
		body  string
		wrong string
	}{
		"all contract violations": {
			`{"name":" ","shareType":"golden","authorizedShares":-5,"parValue":0.1,"price":{"amount":"1","currency":"dollars"},"seniority":1.5,` +
				`"dividendRate":"8","conversion":{"ratio":"1"},"boardApprovalDate":"2026-02-30","legends":["a"],"colour":"red"}`,
			"/name pattern\n/shareType enum\n/authorizedShares wrongType\n/parValue wrongType\n/price/currency pattern\n/seniority wrongType\n" +
				"/dividendRate range\n/conversion/security required\n/boardApprovalDate invalidDate\n/legends/0 invalidId\n/colour unknownField",
		},
		"all domain violations": {
			`{"name":"B","shareType":"common","authorizedShares":"1.5","conversion":{"security":"` + f.id + `","ratio":"0"},"legends":["` + f.id + `"]}`,
			"/authorizedShares notWhole\n/conversion/security unknownReference\n/conversion/ratio notPositive\n/legends/0 unknownReference",
		},
	} {
		if got := f.must(t, "POST", f.home+"/security", c.body, http.StatusBadRequest); got.fieldErrors(t) != c.wrong {
			t.Errorf("%s must be reported at once: got\n%s\nwant\n%s", claim, got.fieldErrors(t), c.wrong)
		}
	}
	run(t, []scenario{
		{
			claim: "a duplicate externalId is refused", as: f.client, method: "POST", path: f.home + "/security", status: 409,
			body: `{"name":"C","shareType":"common","authorizedShares":"1","externalId":"x"}`, has: []string{`"code":"conflict"`, `"externalId":"x"`},
		},
		{
			claim: "a duplicate name is refused", as: f.client, method: "POST", path: f.home + "/security", status: 409,
			body: `{"name":"common stock","shareType":"common","authorizedShares":"1"}`, has: []string{`"code":"conflict"`, `"security":"` + f.common + `"`},
		},
		{
			claim: "a rename to a duplicate name is refused", as: f.client, method: "PUT", path: f.home + "/security/" + f.common, status: 409,
			body: `{"name":"b","shareType":"common","authorizedShares":"1000000"}`, has: []string{`"code":"conflict"`, "Another security has this name."},
		},
		{
			claim: "an authorization in the future is refused", as: f.client, method: "POST",
			path: f.home + "/security/" + f.common + "/shares", status: 400,
			body: `{"quantity":"0.5","effectiveDate":"2027-01-01"}`, has: []string{"/effectiveDate", "dateInFuture", "/quantity", "notWhole"},
		},
		{
			claim: "a split by zero is refused", as: f.client, method: "POST", path: f.home + "/security/" + f.common + "/split", status: 400,
			body: `{"numerator":"0","denominator":"0","date":"2026-01-01"}`, has: []string{"/numerator", "/denominator"},
		},
		{
			claim: "a form body is refused", as: f.client, method: "POST", path: f.home + "/security", status: 415, body: `name=x`,
			headers: []string{"Content-Type", "application/x-www-form-urlencoded"},
		},
		{
			claim: "a body above the size limit is refused", as: f.client, method: "POST", path: f.home + "/security", status: 413,
			body: `{"name":"` + strings.Repeat("x", 1<<20) + `"}`,
		},
		{
			claim: "a malformed id in the path is refused", as: f.client, method: "GET", path: f.home + "/security/17", status: 400,
			has: []string{"/path/security"},
		},
		{
			claim: "an unknown parameter is refused", as: f.client, method: "GET", path: f.home + "/security?asof=2026-01-01", status: 400,
			has: []string{"/query/asof"},
		},
		{
			claim: "an impossible date is refused", as: f.client, method: "GET", path: f.home + "/security?asOf=2026-02-30&limit=201", status: 400,
			has: []string{"/query/asOf", "/query/limit"},
		},
		{
			claim: "an invalid cursor is refused", as: f.client, method: "GET", path: f.home + "/security?cursor=abc", status: 400,
			has: []string{"/query/cursor"},
		},
	})
	if after := f.journalLength(t); after != before {
		t.Errorf("refused requests added %d events", after-before)
	}
}

//nolint:tparallel // one scenario builds on another
func TestSecuritiesAreRestrictedByPermission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	other := f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100"}`)
	guest, signatory := b.person(t, "guest@example.com"), b.person(t, "signatory@example.com")
	f.join(t, f.home, guest, "Guest")
	f.join(t, f.home, signatory, "Signatory")
	f.issue(t, guest.holder, "10")
	run(t, []scenario{
		{
			claim: "a signatory lists every class without figures", as: signatory, method: "GET", path: f.home + "/security", status: 200,
			has: []string{f.common, other, `"authorizedShares":"100"`}, lacks: []string{"issued", "available", "authorizations"},
		},
		{
			claim: "a guest lists the classes of their own shares", as: guest, method: "GET", path: f.home + "/security", status: 200,
			has: []string{f.common}, lacks: []string{other, "issued", "outstanding"},
		},
		{
			claim: "a guest reads the class of their own shares", as: guest, method: "GET", path: f.home + "/security/" + f.common,
			status: 200, lacks: []string{"issued"},
		},
		{claim: "a guest does not find another class", as: guest, method: "GET", path: f.home + "/security/" + other, status: 404},
		{claim: "a guest may not delete a class", as: guest, method: "DELETE", path: f.home + "/security/" + other, status: 403},
	})
}

func TestStaleSecurityChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	path := f.home + "/security/" + f.common
	read := f.must(t, "GET", path, "", 200)
	tag := read.header.Get("ETag")
	if got := f.must(t, "GET", path, "", 304, "If-None-Match", tag); got.body != "" {
		t.Errorf("304 has a body: %s", got.body)
	}
	body := `{"name":"Ordinary","shareType":"common","authorizedShares":"500"}`
	f.must(t, "PUT", path, body, 200, "If-Match", tag)
	if got := f.must(t, "PUT", path, body, 412, "If-Match", tag); got.text(t, "code") != "stale" {
		t.Errorf("stale replacement: %s", got.body)
	}
	f.must(t, "POST", path+"/shares", `{"quantity":"5","effectiveDate":"2026-02-01"}`, 412, "If-Match", tag)
	f.must(t, "POST", path+"/split", `{"numerator":"5","denominator":"1","date":"2026-02-01"}`, 412, "If-Match", tag)
	f.must(t, "DELETE", path, "", 412, "If-Match", tag)
	f.must(t, "PUT", path, body, 400, "If-Match", "57")
	changed := f.must(t, "GET", path, "", 200, "If-None-Match", tag)
	f.must(t, "DELETE", path, "", 204, "If-Match", changed.header.Get("ETag"))
}

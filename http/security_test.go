package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestSecurityLifecycle(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada Lovelace")
		legend := f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
		path := f.Home + "/security/" + f.Common
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "a security is created with its figures", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 201,
				Body: `{"name":"Series A","shareClass":"A","shareType":"preferred","prefix":"PA-","authorizedShares":"50000","price":"2.5",` +
					`"parValue":{"amount":"0.01","currency":"EUR"},"seniority":1,"participation":"capped","participationCapMultiple":"3",` +
					`"liquidationPreferenceMultiple":"1","dividendRate":"0.08","conversion":{"security":"` + f.Common + `","ratio":"1.5"},` +
					`"legends":["` + legend + `"],"externalId":"erp-1","comments":["first"],"votesPerShare":"1","boardApprovalDate":"2026-01-02"}`,
				Has: []string{
					`"prefix":"PA"`, `"price":"2.5"`, `"parValue":{"amount":"0.01","currency":"EUR"}`, `"issued":"0"`, `"available":"50000"`,
					`"organization":"` + f.ID + `"`, `"comments":["first"]`, `"outstanding":"0"`, `"dividendRate":"0.08"`,
				},
			},
			{
				Claim: "a security may have unlimited shares", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 201,
				Body: `{"name":"Units","shareType":"unit","authorizedShares":"unlimited","fractionalShares":true}`, Has: []string{`"available":"unlimited"`},
			},
			{
				Claim: "securities are listed in order of creation", As: f.Client, Method: "GET", Path: f.Home + "/security", Status: 200,
				Has: []string{`"data":[{"id":"` + f.Common}, Lacks: []string{"nextCursor"},
			},
			{Claim: "shares are issued", As: f.Client, Method: "POST", Path: f.Home + "/shareholding", Status: 201, Body: f.IssuanceBody(ada, "400")},
			{
				Claim: "a security has its issued shares", As: f.Client, Method: "GET", Path: path, Status: 200,
				Has: []string{`"issued":"400"`, `"available":"999600"`, `"serials":1`},
			},
			{
				Claim: "its terms are replaced", As: f.Client, Method: "PUT", Path: path, Status: 200,
				Body: `{"name":"Ordinary","shareType":"common","authorizedShares":"500"}`, Has: []string{`"name":"Ordinary"`, `"available":"100"`}, Lacks: []string{`"shareType":"common","authorizedShares":"500","parValue"`},
			},
			{
				Claim: "authorized shares below the issued shares are refused", As: f.Client, Method: "PUT", Path: path, Status: 409,
				Body: `{"name":"Ordinary","shareType":"common","authorizedShares":"399"}`, Has: []string{`"code":"conflict"`, `"issued":"400"`},
			},
			{
				Claim: "shares are added", As: f.Client, Method: "POST", Path: path + "/shares", Status: 200,
				Body: `{"quantity":"500","effectiveDate":"2026-02-01","boardApprovalDate":"2026-01-20"}`, Has: []string{`"authorizedShares":"1000"`, `"effectiveDate":"2026-02-01"`},
			},
			{
				Claim: "the class is split", As: f.Client, Method: "POST", Path: path + "/split", Status: 200,
				Body: `{"numerator":"3","denominator":"1","date":"2026-03-02"}`, Has: []string{`"issued":"1200"`, `"authorizedShares":"3000"`, `"splits":[{"date":"2026-03-02"`},
			},
			{
				Claim: "a date before the split has the old figures", As: f.Client, Method: "GET", Path: path + "?asOf=2026-03-01", Status: 200,
				Has: []string{`"issued":"400"`, `"authorizedShares":"1000500"`}, Lacks: []string{"splits"},
			},
			{
				Claim: "a date before the issue has no issued shares", As: f.Client, Method: "GET",
				Path: f.Home + "/security?asOf=2025-12-31", Status: 200,
				Has: []string{`"issued":"0"`}, Lacks: []string{`"issued":"400"`},
			},
			{Claim: "a security with shares cannot be deleted", As: f.Client, Method: "DELETE", Path: path, Status: 409, Has: []string{`"code":"inUse"`}},
			{Claim: "an unknown security is not found", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.ID, Status: 404},
			{
				Claim: "an unknown security cannot be replaced", As: f.Client, Method: "PUT", Path: f.Home + "/security/" + f.ID, Status: 404,
				Body: `{"name":"X","shareType":"common","authorizedShares":"1"}`,
			},
			{Claim: "an unknown security cannot be deleted", As: f.Client, Method: "DELETE", Path: f.Home + "/security/" + f.ID, Status: 404},
		})
		unused := f.NewSecurity(t, `{"name":"Unused","shareType":"common","authorizedShares":"1"}`)
		f.Must(t, "DELETE", f.Home+"/security/"+unused, "", http.StatusNoContent)
		f.Must(t, "GET", f.Home+"/security/"+unused, "", http.StatusNotFound)
	})
}

func TestInvalidSecuritiesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Must(t, "POST", f.Home+"/security", `{"name":"B","shareType":"common","authorizedShares":"1","externalId":"x"}`, 201)
	before := f.JournalLength(t)
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
			`{"name":"B","shareType":"common","authorizedShares":"1.5","conversion":{"security":"` + f.ID + `","ratio":"0"},"legends":["` + f.ID + `"]}`,
			"/authorizedShares notWhole\n/conversion/security unknownReference\n/conversion/ratio notPositive\n/legends/0 unknownReference",
		},
	} {
		if got := f.Must(t, "POST", f.Home+"/security", c.body, http.StatusBadRequest); got.FieldErrors(t) != c.wrong {
			t.Errorf("%s must be reported at once: got\n%s\nwant\n%s", claim, got.FieldErrors(t), c.wrong)
		}
	}
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a duplicate externalId is refused", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 409,
			Body: `{"name":"C","shareType":"common","authorizedShares":"1","externalId":"x"}`, Has: []string{`"code":"conflict"`, `"externalId":"x"`},
		},
		{
			Claim: "a duplicate name is refused", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 409,
			Body: `{"name":"common stock","shareType":"common","authorizedShares":"1"}`, Has: []string{`"code":"conflict"`, `"security":"` + f.Common + `"`},
		},
		{
			Claim: "a rename to a duplicate name is refused", As: f.Client, Method: "PUT", Path: f.Home + "/security/" + f.Common, Status: 409,
			Body: `{"name":"b","shareType":"common","authorizedShares":"1000000"}`, Has: []string{`"code":"conflict"`, "Another security has this name."},
		},
		{
			Claim: "an authorization in the future is refused", As: f.Client, Method: "POST",
			Path: f.Home + "/security/" + f.Common + "/shares", Status: 400,
			Body: `{"quantity":"0.5","effectiveDate":"2027-01-01"}`, Has: []string{"/effectiveDate", "dateInFuture", "/quantity", "notWhole"},
		},
		{
			Claim: "a split by zero is refused", As: f.Client, Method: "POST", Path: f.Home + "/security/" + f.Common + "/split", Status: 400,
			Body: `{"numerator":"0","denominator":"0","date":"2026-01-01"}`, Has: []string{"/numerator", "/denominator"},
		},
		{
			Claim: "a form body is refused", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 415, Body: `name=x`,
			Headers: []string{"Content-Type", "application/x-www-form-urlencoded"},
		},
		{
			Claim: "a body above the size limit is refused", As: f.Client, Method: "POST", Path: f.Home + "/security", Status: 413,
			Body: `{"name":"` + strings.Repeat("x", 1<<20) + `"}`,
		},
		{
			Claim: "a malformed id in the path is refused", As: f.Client, Method: "GET", Path: f.Home + "/security/17", Status: 400,
			Has: []string{"/path/security"},
		},
		{
			Claim: "an unknown parameter is refused", As: f.Client, Method: "GET", Path: f.Home + "/security?asof=2026-01-01", Status: 400,
			Has: []string{"/query/asof"},
		},
		{
			Claim: "an impossible date is refused", As: f.Client, Method: "GET", Path: f.Home + "/security?asOf=2026-02-30&limit=201", Status: 400,
			Has: []string{"/query/asOf", "/query/limit"},
		},
		{
			Claim: "an invalid cursor is refused", As: f.Client, Method: "GET", Path: f.Home + "/security?cursor=abc", Status: 400,
			Has: []string{"/query/cursor"},
		},
	})
	if after := f.JournalLength(t); after != before {
		t.Errorf("refused requests added %d events", after-before)
	}
}

func TestSecuritiesAreRestrictedByPermission(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	other := f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100"}`)
	guest, signatory := b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "signatory@example.com")
	f.Join(t, f.Home, guest, "Guest")
	f.Join(t, f.Home, signatory, "Signatory")
	f.Issue(t, guest.Holder, "10")
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a signatory lists every class without figures", As: signatory, Method: "GET", Path: f.Home + "/security", Status: 200,
			Has: []string{f.Common, other, `"authorizedShares":"100"`}, Lacks: []string{"issued", "available", "authorizations"},
		},
		{
			Claim: "a guest lists the classes of their own shares", As: guest, Method: "GET", Path: f.Home + "/security", Status: 200,
			Has: []string{f.Common}, Lacks: []string{other, "issued", "outstanding"},
		},
		{
			Claim: "a guest reads the class of their own shares", As: guest, Method: "GET", Path: f.Home + "/security/" + f.Common,
			Status: 200, Lacks: []string{"issued"},
		},
		{Claim: "a guest does not find another class", As: guest, Method: "GET", Path: f.Home + "/security/" + other, Status: 404},
		{Claim: "a guest may not delete a class", As: guest, Method: "DELETE", Path: f.Home + "/security/" + other, Status: 403},
	})
}

func TestStaleSecurityChangesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	path := f.Home + "/security/" + f.Common
	read := f.Must(t, "GET", path, "", 200)
	tag := read.Header.Get("ETag")
	if got := f.Must(t, "GET", path, "", 304, "If-None-Match", tag); got.Body != "" {
		t.Errorf("304 has a body: %s", got.Body)
	}
	body := `{"name":"Ordinary","shareType":"common","authorizedShares":"500"}`
	f.Must(t, "PUT", path, body, 200, "If-Match", tag)
	if got := f.Must(t, "PUT", path, body, 412, "If-Match", tag); got.Text(t, "code") != "stale" {
		t.Errorf("stale replacement: %s", got.Body)
	}
	f.Must(t, "POST", path+"/shares", `{"quantity":"5","effectiveDate":"2026-02-01"}`, 412, "If-Match", tag)
	f.Must(t, "POST", path+"/split", `{"numerator":"5","denominator":"1","date":"2026-02-01"}`, 412, "If-Match", tag)
	f.Must(t, "DELETE", path, "", 412, "If-Match", tag)
	f.Must(t, "PUT", path, body, 400, "If-Match", "57")
	changed := f.Must(t, "GET", path, "", 200, "If-None-Match", tag)
	f.Must(t, "DELETE", path, "", 204, "If-Match", changed.Header.Get("ETag"))
}

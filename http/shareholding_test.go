package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

func TestIssuedShareholdingIsComplete(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, legend := f.NewHolder(t, "Ada Lovelace"), f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
		got := f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "400",
			`"pricePerShare":{"amount":"0.25","currency":"USD"}`, `"consideration":{"cash":"60","ip":"40"}`, `"issuanceType":"founders"`,
			`"legends":["`+legend+`"]`, `"vestingStart":"2026-01-01"`, `"boardApprovalDate":"2025-12-01"`, `"rule144Date":"2026-01-01"`,
			`"block":"Seed"`, `"externalId":"e-1"`, `"comments":["one"]`,
		), http.StatusCreated)
		for field, want := range map[string]string{
			"entity": ada, "security": f.Common, "shares": "400", "issueDate": "2026-01-01", "certificate": "CS-1", "shareholderName": "Ada Lovelace",
			"pricePerShare": "0.25", "status": "active", "organization": f.ID, "externalId": "e-1", "block": "Seed",
		} {
			if got.Text(t, field) != want {
				t.Errorf("%s is %q, want %q", field, got.Text(t, field), want)
			}
		}
		if got.Text(t, "member") == "" || got.Get(t, "serialNumber") != 1.0 {
			t.Errorf("the member or the serial number is missing: %s", got.Body)
		}
		location := got.Header.Get("Location")
		if location != "/v1/shareholding/"+got.Text(t, "id") {
			t.Errorf("Location is %q", location)
		}
		if read := f.Must(t, "GET", location, "", 200); read.Body != got.Body {
			t.Errorf("the stored record is\n%s\nthe answer was\n%s", read.Body, got.Body)
		}
		byMember := f.Must(t, "POST", f.Home+"/shareholding",
			`{"member":"`+got.Text(t, "member")+`","security":"`+f.Common+`","shares":"1","issueDate":"2026-01-01"}`, http.StatusCreated)
		if byMember.Text(t, "entity") != ada || byMember.Text(t, "certificate") != "CS-2" {
			t.Errorf("issue by member: %s", byMember.Body)
		}
	})
}

func TestInvalidIssuesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	ada, stranger := f.NewHolder(t, "Ada"), other.NewHolder(t, "Stranger")
	f.Issue(t, ada, "999000", `"externalId":"e-1"`)
	before := f.JournalLength(t)
	post := func(body string, status int) apitest.Answer {
		return f.Must(t, "POST", f.Home+"/shareholding", body, status)
	}

	malformed := post(`{"member":"x","entity":"`+ada+`","shares":1.5,"issueDate":"yesterday","pricePerShare":"-1",`+
		`"consideration":{"cash":12,"gold":"1"},"issuanceType":"gift","comments":"x","serialNumber":7}`, 400)
	want := "/member invalidId\n/shares wrongType\n/issueDate invalidDate\n/pricePerShare negative\n/consideration/cash wrongType\n" +
		"/consideration/gold unknownField\n/issuanceType enum\n/comments wrongType\n/serialNumber unknownField\n/security required\n/entity oneOf"
	if malformed.FieldErrors(t) != want {
		t.Errorf("malformed fields: got\n%s\nwant\n%s", malformed.FieldErrors(t), want)
	}
	invalid := post(`{"entity":"`+stranger+`","security":"`+other.Common+`","shares":"0","issueDate":"2026-03-04","legends":["`+f.ID+`"]}`, 400)
	if invalid.FieldErrors(t) != "/security unknownReference\n/entity unknownReference\n/shares notPositive\n/issueDate dateInFuture\n/legends/0 unknownReference" {
		t.Errorf("invalid values: got\n%s", invalid.FieldErrors(t))
	}
	if got := post(f.IssuanceBody(ada, "0.5"), 400); got.FieldErrors(t) != "/shares notWhole" {
		t.Errorf("a fractional share: %s", got.Body)
	}
	short := post(f.IssuanceBody(ada, "1001"), 409)
	if short.Text(t, "code") != "insufficientShares" || short.Text(
		t, "details", "available",
	) != "1000" || short.Text(t, "details", "requested") != "1001" {
		t.Errorf("too many shares: %s", short.Body)
	}
	if got := post(f.IssuanceBody(ada, "1", `"externalId":"e-1"`), 409); got.Text(t, "code") != "conflict" {
		t.Errorf("a duplicate externalId: %s", got.Body)
	}
	if got := post(f.IssuanceBody(ada, "1", `"certificate":"CS-1"`), 409); got.Text(t, "code") != "conflict" {
		t.Errorf("a duplicate certificate: %s", got.Body)
	}
	if after := f.JournalLength(t); after != before {
		t.Errorf("refused requests added %d events", after-before)
	}
	if next := f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "1"), 201); next.Text(t, "certificate") != "CS-2" {
		t.Errorf("a refused request used a certificate number: %s", next.Body)
	}
}

func TestRepeatedKeyReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		key := []string{"Idempotency-Key", "key-1"}
		first := f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "10"), http.StatusCreated, key...)
		f.Must(t, "PATCH", first.Header.Get("Location"), `{"block":"later"}`, 200)
		before := f.JournalLength(t)
		again := f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "10"), http.StatusCreated, key...)
		if again.Body != first.Body || again.Header.Get("Location") != first.Header.Get("Location") {
			t.Errorf("the second answer is\n%s\nthe first was\n%s", again.Body, first.Body)
		}
		if first.Header.Get("Idempotency-Replayed") != "" || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Error("Idempotency-Replayed must be set on the repeated answer only")
		}
		if got := f.Must(
			t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "11"), http.StatusConflict, key...,
		); got.Text(t, "code") != "idempotencyKeyReused" {
			t.Errorf("another body: %s", got.Body)
		}
		move := `{"shareholding":"` + first.Text(t, "id") + `","to":{"entity":"` + bob + `"},"shares":"4","date":"2026-02-01","kind":"gift"}`
		moved := f.Must(t, "POST", f.Home+"/shareholding/transfer", move, http.StatusCreated, "Idempotency-Key", "key-2")
		again = f.Must(t, "POST", f.Home+"/shareholding/transfer", move, http.StatusCreated, "Idempotency-Key", "key-2")
		if again.Body != moved.Body {
			t.Errorf("the repeated transfer is\n%s\nthe first was\n%s", again.Body, moved.Body)
		}
		if after := f.JournalLength(t); after != before+1 {
			t.Errorf("repeated requests added %d events", after-before-1)
		}
		manager := b.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, manager, "Manager")
		if got := manager.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "12"), http.StatusCreated, key...); got.Text(t, "shares") != "12" {
			t.Errorf("the same key of another user: %s", got.Body)
		}
	})
}

func TestDryRunsShowEventsAndChangeNoState(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	preferred := f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100","conversion":{"security":"`+f.Common+`","ratio":"2"}}`)
	held, senior := f.Issue(t, ada, "10"), f.Issue(t, ada, "10", `"security":"`+preferred+`"`)
	legend := f.Home + "/legend/" + f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	security, before := f.Home+"/security/"+f.Common, f.JournalLength(t)
	table := f.Must(t, "GET", f.Home+"/captable", "", 200).Body
	for claim, c := range map[string]struct{ method, path, body, event, record string }{
		"create a security":   {"POST", f.Home + "/security", `{"name":"B","shareType":"common","authorizedShares":"1"}`, "securityCreated", `"name":"B"`},
		"replace a security":  {"PUT", security, `{"name":"B","shareType":"common","authorizedShares":"50"}`, "securityChanged", `"available":"40"`},
		"delete a security":   {"DELETE", f.Home + "/security/" + f.NewSecurity(t, `{"name":"Z","shareType":"unit","authorizedShares":"1"}`), "", "securityDeleted", ""},
		"authorize shares":    {"POST", security + "/shares", `{"quantity":"5","effectiveDate":"2026-01-01"}`, "sharesAuthorized", `"authorizedShares":"1000005"`},
		"split a security":    {"POST", security + "/split", `{"numerator":"2","denominator":"1","date":"2026-03-02"}`, "securitySplit", `"issued":"20"`},
		"create a legend":     {"POST", f.Home + "/legend", `{"name":"B","text":"C"}`, "legendCreated", `"name":"B"`},
		"amend a legend":      {"PATCH", legend, `{"text":"C"}`, "legendChanged", `"text":"C"`},
		"delete a legend":     {"DELETE", legend, "", "legendDeleted", ""},
		"issue":               {"POST", f.Home + "/shareholding", f.IssuanceBody(ada, "5"), "shareholdingIssued", `"certificate":"CS-2"`},
		"amend":               {"PATCH", held, `{"block":"x"}`, "shareholdingAmended", `"block":"x"`},
		"correct":             {"PUT", held, f.IssuanceBody(ada, "5", `"reason":"typo"`), "shareholdingCorrected", `"shares":"5"`},
		"void":                {"DELETE", held, `{"reason":"twice"}`, "shareholdingVoided", `"status":"voided"`},
		"accept":              {"POST", held + "/accept", "", "shareholdingAccepted", `"status":"accepted"`},
		"cancel":              {"POST", held + "/cancel", `{"shares":"4","date":"2026-03-01","reason":"x"}`, "shareholdingCancelled", `"balance":{`},
		"repurchase":          {"POST", held + "/repurchase", `{"shares":"10","price":"1","date":"2026-03-01"}`, "shareholdingRepurchased", `"results":[]`},
		"convert":             {"POST", senior + "/convert", `{"security":"` + f.Common + `","date":"2026-03-01"}`, "shareholdingConverted", `"shares":"20"`},
		"transfer":            {"POST", f.Home + "/shareholding/transfer", `{"shareholding":"` + apitest.IDOf(held) + `","to":{"entity":"` + bob + `"},"shares":"4","date":"2026-03-01","kind":"sale"}`, "shareholdingTransferred", `"balance":{`},
		"change the settings": {"PUT", f.Home + "/shareholding/config", `{"equityName":"units","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","capitalAccounts":false}`, "configurationChanged", `"equityName":"units"`},
	} {
		if claim == "delete a security" {
			before, table = f.JournalLength(t), f.Must(t, "GET", f.Home+"/captable", "", 200).Body
		}
		got := f.Must(t, c.method, c.path+"?dryRun=true", c.body, http.StatusOK, "Idempotency-Key", "tried")
		if !strings.Contains(got.Body, `"type":"`+c.event+`"`) || !strings.Contains(got.Body, c.record) || got.Get(t, "dryRun") != true {
			t.Errorf("%s: unexpected preview %s", claim, got.Body)
		}
		if (got.Get(t, "record") == nil) != (c.record == "") {
			t.Errorf("%s: the record is %v", claim, got.Get(t, "record"))
		}
	}
	if after := f.JournalLength(t); after != before {
		t.Errorf("dry runs added %d events", after-before)
	}
	if again := f.Must(t, "GET", f.Home+"/captable", "", 200).Body; again != table {
		t.Errorf("dry runs changed the table to %s", again)
	}
	f.Must(t, "POST", f.Home+"/shareholding?dryRun=true", f.IssuanceBody(ada, "5000000"), http.StatusConflict)
	f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "5"), http.StatusCreated, "Idempotency-Key", "tried")
}

func TestShareholdingListIsFiltered(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		preferred := f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100"}`)
		first := f.Issue(t, ada, "10")
		f.Issue(t, bob, "20")
		f.Issue(t, ada, "30", `"security":"`+preferred+`"`, `"issueDate":"2026-02-01"`)
		f.Must(t, "POST", first+"/cancel", `{"shares":"4","date":"2026-02-10","reason":"left"}`, 200)
		shares := func(query string) string {
			var found []string
			for _, record := range f.Must(t, "GET", f.Home+"/shareholding"+query, "", 200).List(t, "data") {
				fields, _ := record.(map[string]any)
				found = append(found, fields["shares"].(string)+" "+fields["status"].(string))
			}
			return strings.Join(found, ", ")
		}
		for query, want := range map[string]string{
			"":                               "10 cancelled, 20 active, 30 active, 6 active",
			"?status=active":                 "20 active, 30 active, 6 active",
			"?entity=" + ada:                 "10 cancelled, 30 active, 6 active",
			"?security=" + preferred:         "30 active",
			"?asOf=2026-02-09":               "10 active, 20 active, 30 active",
			"?asOf=2026-01-31&status=active": "10 active, 20 active",
			"?asOf=2025-12-31":               "",
			"?entity=" + f.ID:                "",
			"?entity=" + ada + "&security=" + preferred + "&status=voided": "",
		} {
			if got := shares(query); got != want {
				t.Errorf("%q lists %s, want %s", query, got, want)
			}
		}
		f.Must(t, "GET", first+"?asOf=2025-12-31", "", http.StatusNotFound)
		if got := f.Must(t, "GET", first+"?asOf=2026-02-09", "", 200); got.Text(t, "status") != "active" || got.Get(t, "end") != nil {
			t.Errorf("the day before its end: %s", got.Body)
		}
	})
}

func TestPagesOfShareholdingsShowOneSequence(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada")
		for range 5 {
			f.Issue(t, ada, "10")
		}
		page := f.Must(t, "GET", f.Home+"/shareholding?limit=2&status=active", "", 200)
		var seen []string
		for {
			for _, record := range page.List(t, "data") {
				fields, _ := record.(map[string]any)
				seen = append(seen, fields["certificate"].(string)+fields["shares"].(string))
				f.Must(t, "DELETE", "/v1/shareholding/"+fields["id"].(string), "", 200)
			}
			f.Issue(t, ada, "99")
			next, more := page.Get(t, "nextCursor").(string)
			if !more {
				break
			}
			page = f.Must(t, "GET", f.Home+"/shareholding?limit=2&status=active&cursor="+next, "", 200)
		}
		if got := strings.Join(seen, " "); got != "CS-110 CS-210 CS-310 CS-410 CS-510" {
			t.Errorf("listed: %s", got)
		}
	})
}

func TestKnownAtReturnsTheEarlierState(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada := f.NewHolder(t, "Ada")
		issued := f.Must(t, "POST", f.Home+"/shareholding", f.IssuanceBody(ada, "10"), 201)
		path, moment := issued.Header.Get("Location"), b.Clock.Now().Add(time.Minute)
		b.Clock.Advance(time.Hour)
		f.Must(t, "PUT", path, f.IssuanceBody(ada, "7", `"reason":"typo"`), 200)
		for query, want := range map[string]string{
			"": "7", "?knownAt=" + issued.Version(t): "10", "?knownAt=" + moment.Format(time.RFC3339): "10",
			"?knownAt=" + moment.Add(2*time.Hour).Format(time.RFC3339Nano): "7",
		} {
			if got := f.Must(t, "GET", path+query, "", 200).Text(t, "shares"); got != want {
				t.Errorf("%q has %s shares, want %s", query, got, want)
			}
		}
		f.Must(t, "GET", path+"?knownAt=2020-01-01T00:00:00Z", "", http.StatusNotFound)
		f.Must(t, "GET", path+"?knownAt=2020-01-01", "", http.StatusBadRequest)
	})
}

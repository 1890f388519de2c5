package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestIssuedShareholdingIsComplete(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, legend := f.holder(t, "Ada Lovelace"), f.legend(t, `{"name":"Act","text":"Not registered."}`)
		got := f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "400",
			`"pricePerShare":{"amount":"0.25","currency":"USD"}`, `"consideration":{"cash":"60","ip":"40"}`, `"issuanceType":"founders"`,
			`"legends":["`+legend+`"]`, `"vestingStart":"2026-01-01"`, `"boardApprovalDate":"2025-12-01"`, `"rule144Date":"2026-01-01"`,
			`"block":"Seed"`, `"externalId":"e-1"`, `"comments":["one"]`,
		), http.StatusCreated)
		for field, want := range map[string]string{
			"entity": ada, "security": f.common, "shares": "400", "issueDate": "2026-01-01", "certificate": "CS-1", "shareholderName": "Ada Lovelace",
			"pricePerShare": "0.25", "status": "active", "organization": f.id, "externalId": "e-1", "block": "Seed",
		} {
			if got.text(t, field) != want {
				t.Errorf("%s is %q, want %q", field, got.text(t, field), want)
			}
		}
		if got.text(t, "member") == "" || got.get(t, "serialNumber") != 1.0 {
			t.Errorf("the member or the serial number is missing: %s", got.body)
		}
		location := got.header.Get("Location")
		if location != "/v1/shareholding/"+got.text(t, "id") {
			t.Errorf("Location is %q", location)
		}
		if read := f.must(t, "GET", location, "", 200); read.body != got.body {
			t.Errorf("the stored record is\n%s\nthe answer was\n%s", read.body, got.body)
		}
		byMember := f.must(t, "POST", f.home+"/shareholding",
			`{"member":"`+got.text(t, "member")+`","security":"`+f.common+`","shares":"1","issueDate":"2026-01-01"}`, http.StatusCreated)
		if byMember.text(t, "entity") != ada || byMember.text(t, "certificate") != "CS-2" {
			t.Errorf("issue by member: %s", byMember.body)
		}
	})
}

func TestInvalidIssuesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	ada, stranger := f.holder(t, "Ada"), other.holder(t, "Stranger")
	f.issue(t, ada, "999000", `"externalId":"e-1"`)
	before := f.journalLength(t)
	post := func(body string, status int) answer { return f.must(t, "POST", f.home+"/shareholding", body, status) }

	malformed := post(`{"member":"x","entity":"`+ada+`","shares":1.5,"issueDate":"yesterday","pricePerShare":"-1",`+
		`"consideration":{"cash":12,"gold":"1"},"issuanceType":"gift","comments":"x","serialNumber":7}`, 400)
	want := "/member invalidId\n/shares wrongType\n/issueDate invalidDate\n/pricePerShare negative\n/consideration/cash wrongType\n" +
		"/consideration/gold unknownField\n/issuanceType enum\n/comments wrongType\n/serialNumber unknownField\n/security required\n/entity oneOf"
	if malformed.fieldErrors(t) != want {
		t.Errorf("malformed fields: got\n%s\nwant\n%s", malformed.fieldErrors(t), want)
	}
	invalid := post(`{"entity":"`+stranger+`","security":"`+other.common+`","shares":"0","issueDate":"2026-03-04","legends":["`+f.id+`"]}`, 400)
	if invalid.fieldErrors(t) != "/security unknownReference\n/entity unknownReference\n/shares notPositive\n/issueDate dateInFuture\n/legends/0 unknownReference" {
		t.Errorf("invalid values: got\n%s", invalid.fieldErrors(t))
	}
	if got := post(f.issuance(ada, "0.5"), 400); got.fieldErrors(t) != "/shares notWhole" {
		t.Errorf("a fractional share: %s", got.body)
	}
	short := post(f.issuance(ada, "1001"), 409)
	if short.text(t, "code") != "insufficientShares" || short.text(
		t, "details", "available",
	) != "1000" || short.text(t, "details", "requested") != "1001" {
		t.Errorf("too many shares: %s", short.body)
	}
	if got := post(f.issuance(ada, "1", `"externalId":"e-1"`), 409); got.text(t, "code") != "conflict" {
		t.Errorf("a duplicate externalId: %s", got.body)
	}
	if got := post(f.issuance(ada, "1", `"certificate":"CS-1"`), 409); got.text(t, "code") != "conflict" {
		t.Errorf("a duplicate certificate: %s", got.body)
	}
	if after := f.journalLength(t); after != before {
		t.Errorf("refused requests added %d events", after-before)
	}
	if next := f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "1"), 201); next.text(t, "certificate") != "CS-2" {
		t.Errorf("a refused request used a certificate number: %s", next.body)
	}
}

func TestRepeatedKeyReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		key := []string{"Idempotency-Key", "key-1"}
		first := f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "10"), http.StatusCreated, key...)
		f.must(t, "PATCH", first.header.Get("Location"), `{"block":"later"}`, 200)
		before := f.journalLength(t)
		again := f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "10"), http.StatusCreated, key...)
		if again.body != first.body || again.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("the second answer is\n%s\nthe first was\n%s", again.body, first.body)
		}
		if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" {
			t.Error("Idempotency-Replayed must be set on the repeated answer only")
		}
		if got := f.must(
			t, "POST", f.home+"/shareholding", f.issuance(ada, "11"), http.StatusConflict, key...,
		); got.text(t, "code") != "idempotencyKeyReused" {
			t.Errorf("another body: %s", got.body)
		}
		move := `{"shareholding":"` + first.text(t, "id") + `","to":{"entity":"` + bob + `"},"shares":"4","date":"2026-02-01","kind":"gift"}`
		moved := f.must(t, "POST", f.home+"/shareholding/transfer", move, http.StatusCreated, "Idempotency-Key", "key-2")
		again = f.must(t, "POST", f.home+"/shareholding/transfer", move, http.StatusCreated, "Idempotency-Key", "key-2")
		if again.body != moved.body {
			t.Errorf("the repeated transfer is\n%s\nthe first was\n%s", again.body, moved.body)
		}
		if after := f.journalLength(t); after != before+1 {
			t.Errorf("repeated requests added %d events", after-before-1)
		}
		manager := b.person(t, "manager@example.com")
		f.join(t, f.home, manager, "Manager")
		if got := manager.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "12"), http.StatusCreated, key...); got.text(t, "shares") != "12" {
			t.Errorf("the same key of another user: %s", got.body)
		}
	})
}

func TestDryRunsShowEventsAndChangeNoState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	preferred := f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100","conversion":{"security":"`+f.common+`","ratio":"2"}}`)
	held, senior := f.issue(t, ada, "10"), f.issue(t, ada, "10", `"security":"`+preferred+`"`)
	legend := f.home + "/legend/" + f.legend(t, `{"name":"Act","text":"Not registered."}`)
	security, before := f.home+"/security/"+f.common, f.journalLength(t)
	table := f.must(t, "GET", f.home+"/captable", "", 200).body
	for claim, c := range map[string]struct{ method, path, body, event, record string }{
		"create a security":   {"POST", f.home + "/security", `{"name":"B","shareType":"common","authorizedShares":"1"}`, "securityCreated", `"name":"B"`},
		"replace a security":  {"PUT", security, `{"name":"B","shareType":"common","authorizedShares":"50"}`, "securityChanged", `"available":"40"`},
		"delete a security":   {"DELETE", f.home + "/security/" + f.security(t, `{"name":"Z","shareType":"unit","authorizedShares":"1"}`), "", "securityDeleted", ""},
		"authorize shares":    {"POST", security + "/shares", `{"quantity":"5","effectiveDate":"2026-01-01"}`, "sharesAuthorized", `"authorizedShares":"1000005"`},
		"split a security":    {"POST", security + "/split", `{"numerator":"2","denominator":"1","date":"2026-03-02"}`, "securitySplit", `"issued":"20"`},
		"create a legend":     {"POST", f.home + "/legend", `{"name":"B","text":"C"}`, "legendCreated", `"name":"B"`},
		"amend a legend":      {"PATCH", legend, `{"text":"C"}`, "legendChanged", `"text":"C"`},
		"delete a legend":     {"DELETE", legend, "", "legendDeleted", ""},
		"issue":               {"POST", f.home + "/shareholding", f.issuance(ada, "5"), "shareholdingIssued", `"certificate":"CS-2"`},
		"amend":               {"PATCH", held, `{"block":"x"}`, "shareholdingAmended", `"block":"x"`},
		"correct":             {"PUT", held, f.issuance(ada, "5", `"reason":"typo"`), "shareholdingCorrected", `"shares":"5"`},
		"void":                {"DELETE", held, `{"reason":"twice"}`, "shareholdingVoided", `"status":"voided"`},
		"accept":              {"POST", held + "/accept", "", "shareholdingAccepted", `"status":"accepted"`},
		"cancel":              {"POST", held + "/cancel", `{"shares":"4","date":"2026-03-01","reason":"x"}`, "shareholdingCancelled", `"balance":{`},
		"repurchase":          {"POST", held + "/repurchase", `{"shares":"10","price":"1","date":"2026-03-01"}`, "shareholdingRepurchased", `"results":[]`},
		"convert":             {"POST", senior + "/convert", `{"security":"` + f.common + `","date":"2026-03-01"}`, "shareholdingConverted", `"shares":"20"`},
		"transfer":            {"POST", f.home + "/shareholding/transfer", `{"shareholding":"` + last(held) + `","to":{"entity":"` + bob + `"},"shares":"4","date":"2026-03-01","kind":"sale"}`, "shareholdingTransferred", `"balance":{`},
		"change the settings": {"PUT", f.home + "/shareholding/config", `{"equityName":"units","fractional":false,"certificateSignatories":[],"numbering":"perSecurity","capitalAccounts":false}`, "configurationChanged", `"equityName":"units"`},
	} {
		if claim == "delete a security" {
			before, table = f.journalLength(t), f.must(t, "GET", f.home+"/captable", "", 200).body
		}
		got := f.must(t, c.method, c.path+"?dryRun=true", c.body, http.StatusOK, "Idempotency-Key", "tried")
		if !strings.Contains(got.body, `"type":"`+c.event+`"`) || !strings.Contains(got.body, c.record) || got.get(t, "dryRun") != true {
			t.Errorf("%s: unexpected preview %s", claim, got.body)
		}
		if (got.get(t, "record") == nil) != (c.record == "") {
			t.Errorf("%s: the record is %v", claim, got.get(t, "record"))
		}
	}
	if after := f.journalLength(t); after != before {
		t.Errorf("dry runs added %d events", after-before)
	}
	if again := f.must(t, "GET", f.home+"/captable", "", 200).body; again != table {
		t.Errorf("dry runs changed the table to %s", again)
	}
	f.must(t, "POST", f.home+"/shareholding?dryRun=true", f.issuance(ada, "5000000"), http.StatusConflict)
	f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "5"), http.StatusCreated, "Idempotency-Key", "tried")
}

func TestShareholdingListIsFiltered(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		preferred := f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"100"}`)
		first := f.issue(t, ada, "10")
		f.issue(t, bob, "20")
		f.issue(t, ada, "30", `"security":"`+preferred+`"`, `"issueDate":"2026-02-01"`)
		f.must(t, "POST", first+"/cancel", `{"shares":"4","date":"2026-02-10","reason":"left"}`, 200)
		shares := func(query string) string {
			var found []string
			for _, record := range f.must(t, "GET", f.home+"/shareholding"+query, "", 200).list(t, "data") {
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
			"?entity=" + f.id:                "",
			"?entity=" + ada + "&security=" + preferred + "&status=voided": "",
		} {
			if got := shares(query); got != want {
				t.Errorf("%q lists %s, want %s", query, got, want)
			}
		}
		f.must(t, "GET", first+"?asOf=2025-12-31", "", http.StatusNotFound)
		if got := f.must(t, "GET", first+"?asOf=2026-02-09", "", 200); got.text(t, "status") != "active" || got.get(t, "end") != nil {
			t.Errorf("the day before its end: %s", got.body)
		}
	})
}

func TestPagesOfShareholdingsShowOneSequence(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada")
		for range 5 {
			f.issue(t, ada, "10")
		}
		page := f.must(t, "GET", f.home+"/shareholding?limit=2&status=active", "", 200)
		var seen []string
		for {
			for _, record := range page.list(t, "data") {
				fields, _ := record.(map[string]any)
				seen = append(seen, fields["certificate"].(string)+fields["shares"].(string))
				f.must(t, "DELETE", "/v1/shareholding/"+fields["id"].(string), "", 200)
			}
			f.issue(t, ada, "99")
			next, more := page.get(t, "nextCursor").(string)
			if !more {
				break
			}
			page = f.must(t, "GET", f.home+"/shareholding?limit=2&status=active&cursor="+next, "", 200)
		}
		if got := strings.Join(seen, " "); got != "CS-110 CS-210 CS-310 CS-410 CS-510" {
			t.Errorf("listed: %s", got)
		}
	})
}

func TestKnownAtReturnsTheEarlierState(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada")
		issued := f.must(t, "POST", f.home+"/shareholding", f.issuance(ada, "10"), 201)
		path, moment := issued.header.Get("Location"), b.clock.Now().Add(time.Minute)
		b.clock.advance(time.Hour)
		f.must(t, "PUT", path, f.issuance(ada, "7", `"reason":"typo"`), 200)
		for query, want := range map[string]string{
			"": "7", "?knownAt=" + issued.version(t): "10", "?knownAt=" + moment.Format(time.RFC3339): "10",
			"?knownAt=" + moment.Add(2*time.Hour).Format(time.RFC3339Nano): "7",
		} {
			if got := f.must(t, "GET", path+query, "", 200).text(t, "shares"); got != want {
				t.Errorf("%q has %s shares, want %s", query, got, want)
			}
		}
		f.must(t, "GET", path+"?knownAt=2020-01-01T00:00:00Z", "", http.StatusNotFound)
		f.must(t, "GET", path+"?knownAt=2020-01-01", "", http.StatusBadRequest)
	})
}

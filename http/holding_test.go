package http_test

import (
	"net/http"
	"reflect"
	"slices"
	"testing"

	"equity/http/apitest"
)

func TestHoldingsAreIssuedAndListed(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
		safe := f.IssueHolding(t, "safe", bob, apitest.SafeTerms+`,"externalId":"s-1"`)
		warrant := f.IssueHolding(t, "warrant", bob, apitest.WarrantTerms+`,"security":"`+f.Common+`"`)
		list := f.Home + "/holding"
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "a note has its balance of today", As: f.Client, Method: "GET", Path: note, Status: 200,
				Has: []string{`"accruedInterest":"60"`, `"balance":"10060"`, `"dayCount":"actual365"`, `"member"`, f.ID},
			},
			{Claim: "a note has its balance of another date", As: f.Client, Method: "GET", Path: note + "?asOf=2026-01-11", Status: 200, Has: []string{`"balance":"10010"`}},
			{Claim: "a note is not found before its issue", As: f.Client, Method: "GET", Path: note + "?asOf=2025-12-31", Status: 404},
			{Claim: "a SAFE has a post-money cap by default", As: f.Client, Method: "GET", Path: safe, Status: 200, Has: []string{`"capBasis":"post"`, `"balance":"500000"`, `"externalId":"s-1"`}},
			{Claim: "a warrant reserves its shares", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"reserved":"1000"`}},
			{Claim: "a warrant has its remaining quantity", As: f.Client, Method: "GET", Path: warrant, Status: 200, Has: []string{`"left":"1000"`}, Lacks: []string{"balance", "account"}},
			{
				Claim: "all holdings are listed", As: f.Client, Method: "GET", Path: list, Status: 200,
				Has: []string{apitest.IDOf(note), apitest.IDOf(safe), apitest.IDOf(warrant)},
			},
			{
				Claim: "the list is filtered by kind", As: f.Client, Method: "GET", Path: list + "?kind=safe", Status: 200,
				Has: []string{apitest.IDOf(safe)}, Lacks: []string{apitest.IDOf(note), apitest.IDOf(warrant)},
			},
			{
				Claim: "the list is filtered by holder", As: f.Client, Method: "GET", Path: list + "?entity=" + ada, Status: 200,
				Has: []string{apitest.IDOf(note)}, Lacks: []string{apitest.IDOf(safe)},
			},
			{Claim: "the list is filtered by status", As: f.Client, Method: "GET", Path: list + "?status=voided", Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "the list of a past date", As: f.Client, Method: "GET", Path: list + "?asOf=2025-12-31", Status: 200, Has: []string{`{"data":[]}`}},
			{
				Claim: "the list is paged", As: f.Client, Method: "GET", Path: list + "?limit=2", Status: 200, Has: []string{"nextCursor"},
				Lacks: []string{apitest.IDOf(warrant)},
			},
			{Claim: "a duplicate externalId is refused", As: f.Client, Method: "POST", Path: "/v1/holding", Body: f.HoldingBody("safe", bob, apitest.SafeTerms+`,"externalId":"s-1"`), Status: 409, Has: []string{"conflict"}},
			{
				Claim: "an issue beyond the authorized shares is refused", As: f.Client, Method: "POST", Path: "/v1/holding", Status: 409,
				Body: f.HoldingBody("warrant", bob, `,"quantity":"999001","exercisePrice":"1","security":"`+f.Common+`"`), Has: []string{"insufficientShares", `"available":"998999"`},
			},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "POST", Path: "/v1/holding", Status: 400,
				Body: f.HoldingBody("iou", bob, `,"principal":{"amount":5,"currency":"USD"},"capBasis":"both","colour":1`), Has: []string{"/kind", "/principal/amount", "/capBasis", "/colour"},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "POST", Path: "/v1/holding", Status: 400,
				Body: f.HoldingBody("convertibleNote", bob, apitest.NoteTerms[:len(apitest.NoteTerms)-2]+`,{"rate":"0.1","from":"2026-02-01"}]},"maturityDate":"2025-01-01","quantity":"1"`),
				Has:  []string{"overlappingRates", "/interest/rates/1/from", "/maturityDate", "/quantity"},
			},
			{Claim: "a discount of 100% is refused", As: f.Client, Method: "POST", Path: "/v1/holding", Body: f.HoldingBody("safe", bob, apitest.SafeTerms+`,"discount":"1"`), Status: 400, Has: []string{"/discount", "notBelowOne"}},
			{Claim: "a dry run issues nothing", As: f.Client, Method: "POST", Path: "/v1/holding?dryRun=true", Body: f.HoldingBody("safe", bob, apitest.SafeTerms), Status: 200, Has: []string{`"dryRun":true`, `"holdingIssued"`}},
			{
				Claim: "a shareholding is not found as a holding", As: f.Client, Method: "GET",
				Path: "/v1/holding/" + apitest.IDOf(f.Issue(t, ada, "1")), Status: 404,
			},
			{Claim: "a holding is not found as a shareholding", As: f.Client, Method: "GET", Path: "/v1/shareholding/" + apitest.IDOf(safe), Status: 404},
		})
	})
}

func TestHoldingLifecycle(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
		safe := f.IssueHolding(t, "safe", bob, apitest.SafeTerms)
		guest := b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, guest, "Guest")
		theirs := f.IssueHolding(t, "safe", guest.Holder, apitest.SafeTerms)
		tag := f.Must(t, "GET", note, "", 200).Header.Get("ETag")
		f.Must(t, "GET", note, "", http.StatusNotModified, "If-None-Match", tag)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "terms are amended", As: f.Client, Method: "PATCH", Path: note, Body: `{"maturityDate":"2027-01-01","discount":null}`, Status: 200, Has: []string{`"maturityDate":"2027-01-01"`}, Lacks: []string{"discount"}},
			{Claim: "terms that change totals cannot be amended", As: f.Client, Method: "PATCH", Path: note, Body: `{"principal":{"amount":"1","currency":"USD"}}`, Status: 400, Has: []string{"/principal"}},
			{Claim: "a holding is corrected", As: f.Client, Method: "PUT", Path: note, Body: correctionBody(ada, apitest.NoteTerms), Status: 200, Has: []string{`"discount":"0.2"`}},
			{Claim: "a correction requires a reason", As: f.Client, Method: "PUT", Path: note, Body: correctionBody(ada, apitest.NoteTerms)[:40] + `}`, Status: 400},
			{Claim: "another holder may not accept it", As: guest, Method: "POST", Path: note + "/accept", Body: `{"date":"2026-01-02"}`, Status: 403},
			{Claim: "the holder accepts their own holding", As: guest, Method: "POST", Path: theirs + "/accept", Status: 200, Has: []string{`"status":"accepted"`}},
			{Claim: "an editor accepts a holding", As: f.Client, Method: "POST", Path: note + "/accept", Body: `{"date":"2026-01-02"}`, Status: 200, Has: []string{`"status":"accepted"`}},
			{Claim: "an accepted holding cannot be accepted again", As: f.Client, Method: "POST", Path: note + "/accept", Status: 409, Has: []string{`"acceptedOn":"2026-01-02"`}},
			{Claim: "a repayment is previewed", As: f.Client, Method: "POST", Path: note + "/repay?dryRun=true", Body: `{"amount":"1031","date":"2026-02-01","interestFirst":true}`, Status: 200, Has: []string{`"holdingRepaid"`}},
			{Claim: "a part is repaid", As: f.Client, Method: "POST", Path: note + "/repay", Body: `{"amount":{"amount":"1031","currency":"USD"},"date":"2026-02-01","interestFirst":true}`, Status: 200, Has: []string{`"accruedInterest":"26.1"`, `"balance":"9026.1"`}},
			{Claim: "a repayment beyond the balance is refused", As: f.Client, Method: "POST", Path: note + "/repay", Body: `{"amount":"9026.11","date":"2026-03-02"}`, Status: 409, Has: []string{`"balance":"9026.1"`, `"requested":"9026.11"`}},
			{Claim: "a SAFE cannot be repaid", As: f.Client, Method: "POST", Path: safe + "/repay", Body: `{"amount":"1","date":"2026-03-01"}`, Status: 409, Has: []string{`"kind":"safe"`}},
			{Claim: "a repayment before the last repayment is refused", As: f.Client, Method: "POST", Path: note + "/repay", Body: `{"amount":"1","date":"2026-01-31"}`, Status: 400, Has: []string{"/date", "datesOutOfOrder"}},
			{Claim: "the rest is repaid", As: f.Client, Method: "POST", Path: note + "/repay", Body: `{"amount":"9026.1","date":"2026-03-02"}`, Status: 200, Has: []string{`"status":"repaid"`, `"balance":"0"`}},
			{Claim: "a repaid note accepts no repayment", As: f.Client, Method: "POST", Path: note + "/repay", Body: `{"amount":"1","date":"2026-03-02"}`, Status: 409, Has: []string{`"status":"repaid"`}},
			{Claim: "a voided holding stays readable", As: f.Client, Method: "DELETE", Path: safe, Body: `{"reason":"Twice."}`, Status: 200, Has: []string{`"status":"voided"`, "Twice."}},
			{
				Claim: "the reason may be in the query", As: f.Client, Method: "DELETE",
				Path: f.IssueHolding(t, "safe", bob, apitest.SafeTerms) + "?reason=Thrice.", Status: 200, Has: []string{"Thrice."},
			},
			{Claim: "an earlier state is readable", As: f.Client, Method: "GET", Path: safe + "?knownAt=" + f.Must(t, "GET", safe, "", 200).Version(t), Status: 200, Has: []string{`"status"`}},
		})
		f.Must(t, "PATCH", note, `{"mfn":true}`, http.StatusPreconditionFailed, "If-Match", tag)
	})
}

// correctionBody returns the body of a correction of a convertible note with a reason.
func correctionBody(entity, more string) string {
	return `{"reason":"A typo.","kind":"convertibleNote","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

func TestPartialTransferSplitsNote(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	moved := f.Must(t, "POST", note+"/transfer", `{"to":{"entity":"`+bob+`"},"amount":"2500","date":"2026-01-11","kind":"sale","price":"2600"}`, http.StatusCreated)
	for _, want := range []struct{ part, field, value string }{
		{"from", "status", "transferred"},
		{"from", "balance", "0"},
		{"to", "entity", bob},
		{"to", "balance", "2515"},
		{"balance", "entity", ada},
		{"balance", "balance", "7545"},
	} {
		if got := moved.Text(t, want.part, want.field); got != want.value {
			t.Errorf("%s: %s is %q, want %q", want.part, want.field, got, want.value)
		}
	}
	if location := moved.Header.Get("Location"); location != "/v1/holding/"+moved.Text(t, "to", "id") {
		t.Errorf("Location is %q", location)
	}
	rest := "/v1/holding/" + moved.Text(t, "balance", "id")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a part is cancelled", As: f.Client, Method: "POST", Path: rest + "/cancel", Body: `{"amount":"500","date":"2026-03-01","reason":"Waived."}`, Status: 200, Has: []string{`"cancelled"`, `"amount":"7000"`}},
		{Claim: "a cancelled holding cannot be cancelled again", As: f.Client, Method: "POST", Path: rest + "/cancel", Body: `{"date":"2026-03-01","reason":"Waived."}`, Status: 409},
		{
			Claim: "a transferred holding cannot be voided", As: f.Client, Method: "DELETE", Path: moved.Header.Get("Location"),
			Status: 409, Has: []string{"hasResults"},
		},
		{Claim: "a transfer to the current holder is refused", As: f.Client, Method: "POST", Path: moved.Header.Get("Location") + "/transfer", Body: `{"to":{"entity":"` + bob + `"},"date":"2026-03-01","kind":"gift"}`, Status: 400, Has: []string{"sameHolder"}},
	})
}

func TestHolderSeesOnlyTheirOwnHoldings(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	own := f.IssueHolding(t, "safe", guest.Holder, apitest.SafeTerms)
	other := f.IssueHolding(t, "safe", f.NewHolder(t, "Bob"), apitest.SafeTerms)
	stranger := b.NewPerson(t, "stranger@example.com")
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a holder reads their own holding", As: guest, Method: "GET", Path: own, Status: 200},
		{Claim: "a holder may not read other holdings", As: guest, Method: "GET", Path: other, Status: 403},
		{
			Claim: "a holder lists their own holdings", As: guest, Method: "GET", Path: f.Home + "/holding", Status: 200,
			Has: []string{apitest.IDOf(own)}, Lacks: []string{apitest.IDOf(other)},
		},
		{Claim: "a holder may not change a holding", As: guest, Method: "PATCH", Path: own, Body: `{"mfn":true}`, Status: 403},
		{
			Claim: "a holder may not issue a holding", As: guest, Method: "POST", Path: "/v1/holding",
			Body: f.HoldingBody("safe", f.ID, apitest.SafeTerms), Status: 403,
		},
		{Claim: "a stranger finds no holding", As: stranger, Method: "GET", Path: own, Status: 404},
		{
			Claim: "a stranger may not issue a holding", As: stranger, Method: "POST", Path: "/v1/holding",
			Body: f.HoldingBody("safe", f.ID, apitest.SafeTerms), Status: 403,
		},
	})
}

func TestListsOfAHolderAgreeOnOptions(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, guest := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "guest@example.com")
	member := f.Join(t, f.Home, guest, "Holder")
	entity := f.Must(t, "GET", f.Home+"/member/"+member, "", http.StatusOK).Text(t, "entity")
	plan := f.NewPlan(t, "Grants", "1000").Header.Get("Location")
	note := f.IssueHolding(t, "convertibleNote", entity, apitest.NoteTerms)
	option := f.GrantOption(t, plan, entity, "100", "")
	safe := f.IssueHolding(t, "safe", entity, apitest.SafeTerms)
	f.GrantOption(t, plan, f.NewHolder(t, "Bob"), "100", "")
	own := guest.Must(t, "GET", "/v1/holding", "", http.StatusOK).List(t, "data")
	if len(own) != 3 {
		t.Fatalf("%d own holdings", len(own))
	}
	for i, id := range []string{note, option, safe} {
		if record, _ := own[i].(map[string]any); apitest.TextOf(record, "id") != apitest.IDOf(id) {
			t.Errorf("own holding %d is %v, want %s", i, record["id"], apitest.IDOf(id))
		}
	}
	list := f.Home + "/holding"
	for query, want := range map[string]any{
		"?entity=" + entity: own, "?kind=option&entity=" + entity: own[1:2], "?kind=safe,convertibleNote": []any{own[0], own[2]},
		"?limit=1&kind=option": own[1:2], "?status=voided": []any{},
	} {
		if got := f.Must(t, "GET", list+query, "", http.StatusOK).List(t, "data"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if got := guest.Must(t, "GET", list, "", http.StatusOK).List(t, "data"); !reflect.DeepEqual(got, any(own)) {
		t.Errorf("the holder sees %v", got)
	}
	if got := f.Must(t, "GET", "/v1/member/"+member+"/options", "", http.StatusOK).List(t, "data"); !reflect.DeepEqual(got, own[1:2]) {
		t.Errorf("the options of the member are %v", got)
	}
	cursor, ids := "", []string{}
	for range 4 {
		page := f.Must(t, "GET", list+"?limit=1"+cursor, "", http.StatusOK)
		for _, one := range page.List(t, "data") {
			record, _ := one.(map[string]any)
			ids = append(ids, apitest.TextOf(record, "id"))
		}
		cursor = "&cursor=" + quotedAfter(page.Body, `"nextCursor":"`)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 4 {
		t.Errorf("pages have %v", ids)
	}
}

func TestWarrantExpiresAfterItsLastDay(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		warrant := f.IssueHolding(t, "warrant", f.NewHolder(t, "Bob"), `,"quantity":"1000","exercisePrice":"1","expirationDate":"2026-01-31","security":"`+f.Common+`"`)
		list := f.Home + "/holding?status="
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a warrant is active on its last day", As: f.Client, Method: "GET", Path: warrant + "?asOf=2026-01-31", Status: 200, Has: []string{`"status":"active"`, `"left":"1000"`}},
			{Claim: "a warrant is expired after its last day", As: f.Client, Method: "GET", Path: warrant, Status: 200, Has: []string{`"status":"expired"`, `"left":"0"`, `"end":{"date":"2026-02-01"}`}},
			{Claim: "a warrant is expired on a date after its last day", As: f.Client, Method: "GET", Path: warrant + "?asOf=2026-02-01", Status: 200, Has: []string{`"status":"expired"`, `"left":"0"`}},
			{
				Claim: "an expired warrant is listed as expired", As: f.Client, Method: "GET", Path: list + "expired", Status: 200,
				Has: []string{apitest.IDOf(warrant)},
			},
			{
				Claim: "an expired warrant is not listed as active", As: f.Client, Method: "GET", Path: list + "active", Status: 200,
				Lacks: []string{apitest.IDOf(warrant)},
			},
			{
				Claim: "an expired warrant is among the expired holdings", As: f.Client, Method: "POST", Path: f.Home + "/option/expire", Status: 200,
				Has: []string{apitest.IDOf(warrant), `"status":"expired"`, `"left":"0"`},
			},
			{Claim: "an expired warrant reserves no shares", As: f.Client, Method: "GET", Path: f.Home + "/security/" + f.Common, Status: 200, Has: []string{`"reserved":"0"`}},
		})
	})
}

package http_test

import (
	"net/http"
	"reflect"
	"slices"
	"testing"
)

// holding returns the body of an issue to the entity on 2026-01-01. more holds additional
// fields.
func (f *firm) holding(kind, entity, more string) string {
	return `{"organization":"` + f.id + `","kind":"` + kind + `","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

// The note accrues interest of 1 per day.
const (
	noteTerms    = `,"principal":{"amount":"10000","currency":"USD"},"discount":"0.2","interest":{"rates":[{"rate":"0.0365","from":"2026-01-01"}]}`
	safeTerms    = `,"principal":{"amount":"500000","currency":"USD"},"valuationCap":"5000000"`
	warrantTerms = `,"quantity":"1000","exercisePrice":"1.5","expirationDate":"2030-12-31"`
)

// issueHolding issues a holding and returns its path.
func (f *firm) issueHolding(tb testing.TB, kind, entity, more string) string {
	tb.Helper()
	return f.must(tb, "POST", "/v1/holding", f.holding(kind, entity, more), http.StatusCreated).header.Get("Location")
}

func TestHoldingsAreIssuedAndListed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		note := f.issueHolding(t, "convertibleNote", ada, noteTerms)
		safe := f.issueHolding(t, "safe", bob, safeTerms+`,"externalId":"s-1"`)
		warrant := f.issueHolding(t, "warrant", bob, warrantTerms+`,"security":"`+f.common+`"`)
		list := f.home + "/holding"
		run(t, []scenario{
			{
				claim: "a note has its balance of today", as: f.client, method: "GET", path: note, status: 200,
				has: []string{`"accruedInterest":"60"`, `"balance":"10060"`, `"dayCount":"actual365"`, `"member"`, f.id},
			},
			{claim: "a note has its balance of another date", as: f.client, method: "GET", path: note + "?asOf=2026-01-11", status: 200, has: []string{`"balance":"10010"`}},
			{claim: "a note is not found before its issue", as: f.client, method: "GET", path: note + "?asOf=2025-12-31", status: 404},
			{claim: "a SAFE has a post-money cap by default", as: f.client, method: "GET", path: safe, status: 200, has: []string{`"capBasis":"post"`, `"balance":"500000"`, `"externalId":"s-1"`}},
			{claim: "a warrant reserves its shares", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"1000"`}},
			{claim: "a warrant has its remaining quantity", as: f.client, method: "GET", path: warrant, status: 200, has: []string{`"left":"1000"`}, lacks: []string{"balance", "account"}},
			{
				claim: "all holdings are listed", as: f.client, method: "GET", path: list, status: 200,
				has: []string{last(note), last(safe), last(warrant)},
			},
			{
				claim: "the list is filtered by kind", as: f.client, method: "GET", path: list + "?kind=safe", status: 200,
				has: []string{last(safe)}, lacks: []string{last(note), last(warrant)},
			},
			{
				claim: "the list is filtered by holder", as: f.client, method: "GET", path: list + "?entity=" + ada, status: 200,
				has: []string{last(note)}, lacks: []string{last(safe)},
			},
			{claim: "the list is filtered by status", as: f.client, method: "GET", path: list + "?status=voided", status: 200, has: []string{`{"data":[]}`}},
			{claim: "the list of a past date", as: f.client, method: "GET", path: list + "?asOf=2025-12-31", status: 200, has: []string{`{"data":[]}`}},
			{
				claim: "the list is paged", as: f.client, method: "GET", path: list + "?limit=2", status: 200, has: []string{"nextCursor"},
				lacks: []string{last(warrant)},
			},
			{claim: "a duplicate externalId is refused", as: f.client, method: "POST", path: "/v1/holding", body: f.holding("safe", bob, safeTerms+`,"externalId":"s-1"`), status: 409, has: []string{"conflict"}},
			{
				claim: "an issue beyond the authorized shares is refused", as: f.client, method: "POST", path: "/v1/holding", status: 409,
				body: f.holding("warrant", bob, `,"quantity":"999001","exercisePrice":"1","security":"`+f.common+`"`), has: []string{"insufficientShares", `"available":"998999"`},
			},
			{
				claim: "every malformed field is named", as: f.client, method: "POST", path: "/v1/holding", status: 400,
				body: f.holding("iou", bob, `,"principal":{"amount":5,"currency":"USD"},"capBasis":"both","colour":1`), has: []string{"/kind", "/principal/amount", "/capBasis", "/colour"},
			},
			{
				claim: "every invalid value is named", as: f.client, method: "POST", path: "/v1/holding", status: 400,
				body: f.holding("convertibleNote", bob, noteTerms[:len(noteTerms)-2]+`,{"rate":"0.1","from":"2026-02-01"}]},"maturityDate":"2025-01-01","quantity":"1"`),
				has:  []string{"overlappingRates", "/interest/rates/1/from", "/maturityDate", "/quantity"},
			},
			{claim: "a discount of 100% is refused", as: f.client, method: "POST", path: "/v1/holding", body: f.holding("safe", bob, safeTerms+`,"discount":"1"`), status: 400, has: []string{"/discount", "notBelowOne"}},
			{claim: "a dry run issues nothing", as: f.client, method: "POST", path: "/v1/holding?dryRun=true", body: f.holding("safe", bob, safeTerms), status: 200, has: []string{`"dryRun":true`, `"holdingIssued"`}},
			{
				claim: "a shareholding is not found as a holding", as: f.client, method: "GET",
				path: "/v1/holding/" + last(f.issue(t, ada, "1")), status: 404,
			},
			{claim: "a holding is not found as a shareholding", as: f.client, method: "GET", path: "/v1/shareholding/" + last(safe), status: 404},
		})
	})
}

func TestHoldingLifecycle(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		note := f.issueHolding(t, "convertibleNote", ada, noteTerms)
		safe := f.issueHolding(t, "safe", bob, safeTerms)
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		theirs := f.issueHolding(t, "safe", guest.holder, safeTerms)
		tag := f.must(t, "GET", note, "", 200).header.Get("ETag")
		f.must(t, "GET", note, "", http.StatusNotModified, "If-None-Match", tag)
		run(t, []scenario{
			{claim: "terms are amended", as: f.client, method: "PATCH", path: note, body: `{"maturityDate":"2027-01-01","discount":null}`, status: 200, has: []string{`"maturityDate":"2027-01-01"`}, lacks: []string{"discount"}},
			{claim: "terms that change totals cannot be amended", as: f.client, method: "PATCH", path: note, body: `{"principal":{"amount":"1","currency":"USD"}}`, status: 400, has: []string{"/principal"}},
			{claim: "a holding is corrected", as: f.client, method: "PUT", path: note, body: f.correction(ada, noteTerms), status: 200, has: []string{`"discount":"0.2"`}},
			{claim: "a correction requires a reason", as: f.client, method: "PUT", path: note, body: f.correction(ada, noteTerms)[:40] + `}`, status: 400},
			{claim: "another holder may not accept it", as: guest, method: "POST", path: note + "/accept", body: `{"date":"2026-01-02"}`, status: 403},
			{claim: "the holder accepts their own holding", as: guest, method: "POST", path: theirs + "/accept", status: 200, has: []string{`"status":"accepted"`}},
			{claim: "an editor accepts a holding", as: f.client, method: "POST", path: note + "/accept", body: `{"date":"2026-01-02"}`, status: 200, has: []string{`"status":"accepted"`}},
			{claim: "an accepted holding cannot be accepted again", as: f.client, method: "POST", path: note + "/accept", status: 409, has: []string{`"acceptedOn":"2026-01-02"`}},
			{claim: "a repayment is previewed", as: f.client, method: "POST", path: note + "/repay?dryRun=true", body: `{"amount":"1031","date":"2026-02-01","interestFirst":true}`, status: 200, has: []string{`"holdingRepaid"`}},
			{claim: "a part is repaid", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":{"amount":"1031","currency":"USD"},"date":"2026-02-01","interestFirst":true}`, status: 200, has: []string{`"accruedInterest":"26.1"`, `"balance":"9026.1"`}},
			{claim: "a repayment beyond the balance is refused", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"9026.11","date":"2026-03-02"}`, status: 409, has: []string{`"balance":"9026.1"`, `"requested":"9026.11"`}},
			{claim: "a SAFE cannot be repaid", as: f.client, method: "POST", path: safe + "/repay", body: `{"amount":"1","date":"2026-03-01"}`, status: 409, has: []string{`"kind":"safe"`}},
			{claim: "a repayment before the last repayment is refused", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"1","date":"2026-01-31"}`, status: 400, has: []string{"/date", "datesOutOfOrder"}},
			{claim: "the rest is repaid", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"9026.1","date":"2026-03-02"}`, status: 200, has: []string{`"status":"repaid"`, `"balance":"0"`}},
			{claim: "a repaid note accepts no repayment", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"1","date":"2026-03-02"}`, status: 409, has: []string{`"status":"repaid"`}},
			{claim: "a voided holding stays readable", as: f.client, method: "DELETE", path: safe, body: `{"reason":"Twice."}`, status: 200, has: []string{`"status":"voided"`, "Twice."}},
			{
				claim: "the reason may be in the query", as: f.client, method: "DELETE",
				path: f.issueHolding(t, "safe", bob, safeTerms) + "?reason=Thrice.", status: 200, has: []string{"Thrice."},
			},
			{claim: "an earlier state is readable", as: f.client, method: "GET", path: safe + "?knownAt=" + f.must(t, "GET", safe, "", 200).version(t), status: 200, has: []string{`"status"`}},
		})
		f.must(t, "PATCH", note, `{"mfn":true}`, http.StatusPreconditionFailed, "If-Match", tag)
	})
}

// correction returns the body of a correction of a convertible note with a reason.
func (f *firm) correction(entity, more string) string {
	return `{"reason":"A typo.","kind":"convertibleNote","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

//nolint:tparallel // one scenario builds on another
func TestPartialTransferSplitsNote(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	note := f.issueHolding(t, "convertibleNote", ada, noteTerms)
	moved := f.must(t, "POST", note+"/transfer", `{"to":{"entity":"`+bob+`"},"amount":"2500","date":"2026-01-11","kind":"sale","price":"2600"}`, http.StatusCreated)
	for _, want := range []struct{ part, field, value string }{
		{"from", "status", "transferred"},
		{"from", "balance", "0"},
		{"to", "entity", bob},
		{"to", "balance", "2515"},
		{"balance", "entity", ada},
		{"balance", "balance", "7545"},
	} {
		if got := moved.text(t, want.part, want.field); got != want.value {
			t.Errorf("%s: %s is %q, want %q", want.part, want.field, got, want.value)
		}
	}
	if location := moved.header.Get("Location"); location != "/v1/holding/"+moved.text(t, "to", "id") {
		t.Errorf("Location is %q", location)
	}
	rest := "/v1/holding/" + moved.text(t, "balance", "id")
	run(t, []scenario{
		{claim: "a part is cancelled", as: f.client, method: "POST", path: rest + "/cancel", body: `{"amount":"500","date":"2026-03-01","reason":"Waived."}`, status: 200, has: []string{`"cancelled"`, `"amount":"7000"`}},
		{claim: "a cancelled holding cannot be cancelled again", as: f.client, method: "POST", path: rest + "/cancel", body: `{"date":"2026-03-01","reason":"Waived."}`, status: 409},
		{
			claim: "a transferred holding cannot be voided", as: f.client, method: "DELETE", path: moved.header.Get("Location"),
			status: 409, has: []string{"hasResults"},
		},
		{claim: "a transfer to the current holder is refused", as: f.client, method: "POST", path: moved.header.Get("Location") + "/transfer", body: `{"to":{"entity":"` + bob + `"},"date":"2026-03-01","kind":"gift"}`, status: 400, has: []string{"sameHolder"}},
	})
}

//nolint:tparallel // one scenario builds on another
func TestHolderSeesOnlyTheirOwnHoldings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	own := f.issueHolding(t, "safe", guest.holder, safeTerms)
	other := f.issueHolding(t, "safe", f.holder(t, "Bob"), safeTerms)
	stranger := b.person(t, "stranger@example.com")
	run(t, []scenario{
		{claim: "a holder reads their own holding", as: guest, method: "GET", path: own, status: 200},
		{claim: "a holder may not read other holdings", as: guest, method: "GET", path: other, status: 403},
		{
			claim: "a holder lists their own holdings", as: guest, method: "GET", path: f.home + "/holding", status: 200,
			has: []string{last(own)}, lacks: []string{last(other)},
		},
		{claim: "a holder may not change a holding", as: guest, method: "PATCH", path: own, body: `{"mfn":true}`, status: 403},
		{
			claim: "a holder may not issue a holding", as: guest, method: "POST", path: "/v1/holding",
			body: f.holding("safe", f.id, safeTerms), status: 403,
		},
		{claim: "a stranger finds no holding", as: stranger, method: "GET", path: own, status: 404},
		{
			claim: "a stranger may not issue a holding", as: stranger, method: "POST", path: "/v1/holding",
			body: f.holding("safe", f.id, safeTerms), status: 403,
		},
	})
}

func TestListsOfAHolderAgreeOnOptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, guest := b.firm(t, "owner@example.com"), b.person(t, "guest@example.com")
	member := f.join(t, f.home, guest, "Holder")
	entity := f.must(t, "GET", f.home+"/member/"+member, "", http.StatusOK).text(t, "entity")
	plan := f.plan(t, "Grants", "1000").header.Get("Location")
	note := f.issueHolding(t, "convertibleNote", entity, noteTerms)
	option := f.option(t, plan, entity, "100", "")
	safe := f.issueHolding(t, "safe", entity, safeTerms)
	f.option(t, plan, f.holder(t, "Bob"), "100", "")
	own := guest.must(t, "GET", "/v1/holding", "", http.StatusOK).list(t, "data")
	if len(own) != 3 {
		t.Fatalf("%d own holdings", len(own))
	}
	for i, id := range []string{note, option, safe} {
		if record, _ := own[i].(map[string]any); textOf(record, "id") != last(id) {
			t.Errorf("own holding %d is %v, want %s", i, record["id"], last(id))
		}
	}
	list := f.home + "/holding"
	for query, want := range map[string]any{
		"?entity=" + entity: own, "?kind=option&entity=" + entity: own[1:2], "?kind=safe,convertibleNote": []any{own[0], own[2]},
		"?limit=1&kind=option": own[1:2], "?status=voided": []any{},
	} {
		if got := f.must(t, "GET", list+query, "", http.StatusOK).list(t, "data"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if got := guest.must(t, "GET", list, "", http.StatusOK).list(t, "data"); !reflect.DeepEqual(got, any(own)) {
		t.Errorf("the holder sees %v", got)
	}
	if got := f.must(t, "GET", "/v1/member/"+member+"/options", "", http.StatusOK).list(t, "data"); !reflect.DeepEqual(got, own[1:2]) {
		t.Errorf("the options of the member are %v", got)
	}
	cursor, ids := "", []string{}
	for range 4 {
		page := f.must(t, "GET", list+"?limit=1"+cursor, "", http.StatusOK)
		for _, one := range page.list(t, "data") {
			record, _ := one.(map[string]any)
			ids = append(ids, textOf(record, "id"))
		}
		cursor = "&cursor=" + quotedAfter(page.body, `"nextCursor":"`)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 4 {
		t.Errorf("pages have %v", ids)
	}
}

func TestWarrantExpiresAfterItsLastDay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		warrant := f.issueHolding(t, "warrant", f.holder(t, "Bob"), `,"quantity":"1000","exercisePrice":"1","expirationDate":"2026-01-31","security":"`+f.common+`"`)
		list := f.home + "/holding?status="
		run(t, []scenario{
			{claim: "a warrant is active on its last day", as: f.client, method: "GET", path: warrant + "?asOf=2026-01-31", status: 200, has: []string{`"status":"active"`, `"left":"1000"`}},
			{claim: "a warrant is expired after its last day", as: f.client, method: "GET", path: warrant, status: 200, has: []string{`"status":"expired"`, `"left":"0"`, `"end":{"date":"2026-02-01"}`}},
			{claim: "a warrant is expired on a date after its last day", as: f.client, method: "GET", path: warrant + "?asOf=2026-02-01", status: 200, has: []string{`"status":"expired"`, `"left":"0"`}},
			{
				claim: "an expired warrant is listed as expired", as: f.client, method: "GET", path: list + "expired", status: 200,
				has: []string{last(warrant)},
			},
			{
				claim: "an expired warrant is not listed as active", as: f.client, method: "GET", path: list + "active", status: 200,
				lacks: []string{last(warrant)},
			},
			{
				claim: "an expired warrant is among the expired holdings", as: f.client, method: "POST", path: f.home + "/option/expire", status: 200,
				has: []string{last(warrant), `"status":"expired"`, `"left":"0"`},
			},
			{claim: "an expired warrant reserves no shares", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"0"`}},
		})
	})
}

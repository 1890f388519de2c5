package http_test

import (
	"net/http"
	"testing"
)

// holding is the body of an issue to the entity on the first day of 2026; more are
// further fields.
func (f *firm) holding(kind, entity, more string) string {
	return `{"organization":"` + f.id + `","kind":"` + kind + `","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

// The terms of a note that bears 1 a day, and of others.
const (
	noteTerms    = `,"principal":{"amount":"10000","currency":"USD"},"discount":"0.2","interest":{"rates":[{"rate":"0.0365","from":"2026-01-01"}]}`
	safeTerms    = `,"principal":{"amount":"500000","currency":"USD"},"valuationCap":"5000000"`
	warrantTerms = `,"quantity":"1000","exercisePrice":"1.5","expirationDate":"2030-12-31"`
)

// right issues a holding and gives its path.
func (f *firm) right(tb testing.TB, kind, entity, more string) string {
	tb.Helper()
	return f.must(tb, "POST", "/v1/holding", f.holding(kind, entity, more), http.StatusCreated).header.Get("Location")
}

func TestHoldings(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		note := f.right(t, "convertibleNote", ada, noteTerms)
		safe := f.right(t, "safe", bob, safeTerms+`,"externalId":"s-1"`)
		warrant := f.right(t, "warrant", bob, warrantTerms+`,"security":"`+f.common+`"`)
		list := f.home + "/holding"
		run(t, []scenario{
			{
				claim: "a note is read with what is owed today", as: f.client, method: "GET", path: note, status: 200,
				has: []string{`"accruedInterest":"60"`, `"balance":"10060"`, `"dayCount":"actual365"`, `"member"`, f.id},
			},
			{claim: "and on another day", as: f.client, method: "GET", path: note + "?asOf=2026-01-11", status: 200, has: []string{`"balance":"10010"`}},
			{claim: "and before its issue not", as: f.client, method: "GET", path: note + "?asOf=2025-12-31", status: 404},
			{claim: "a SAFE has the standard cap", as: f.client, method: "GET", path: safe, status: 200, has: []string{`"capBasis":"post"`, `"balance":"500000"`, `"externalId":"s-1"`}},
			{claim: "a warrant reserves its shares", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"1000"`}},
			{claim: "and tells what it gives", as: f.client, method: "GET", path: warrant, status: 200, has: []string{`"left":"1000"`}, lacks: []string{"balance", "account"}},
			{claim: "all are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{last(note), last(safe), last(warrant)}},
			{claim: "of a kind", as: f.client, method: "GET", path: list + "?kind=safe", status: 200, has: []string{last(safe)}, lacks: []string{last(note), last(warrant)}},
			{claim: "of a holder", as: f.client, method: "GET", path: list + "?entity=" + ada, status: 200, has: []string{last(note)}, lacks: []string{last(safe)}},
			{claim: "in a state", as: f.client, method: "GET", path: list + "?status=voided", status: 200, has: []string{`{"data":[]}`}},
			{claim: "as of a day", as: f.client, method: "GET", path: list + "?asOf=2025-12-31", status: 200, has: []string{`{"data":[]}`}},
			{claim: "a page at a time", as: f.client, method: "GET", path: list + "?limit=2", status: 200, has: []string{"nextCursor"}, lacks: []string{last(warrant)}},
			{claim: "an externalId is used once", as: f.client, method: "POST", path: "/v1/holding", body: f.holding("safe", bob, safeTerms+`,"externalId":"s-1"`), status: 409, has: []string{"conflict"}},
			{
				claim: "more than is authorized is refused", as: f.client, method: "POST", path: "/v1/holding", status: 409,
				body: f.holding("warrant", bob, `,"quantity":"999001","exercisePrice":"1","security":"`+f.common+`"`), has: []string{"insufficientShares", `"available":"998999"`},
			},
			{
				claim: "every wrong field of the form is named", as: f.client, method: "POST", path: "/v1/holding", status: 400,
				body: f.holding("iou", bob, `,"principal":{"amount":5,"currency":"USD"},"capBasis":"both","colour":1`), has: []string{"/kind", "/principal/amount", "/capBasis", "/colour"},
			},
			{
				claim: "and of the meaning", as: f.client, method: "POST", path: "/v1/holding", status: 400,
				body: f.holding("convertibleNote", bob, noteTerms[:len(noteTerms)-2]+`,{"rate":"0.1","from":"2026-02-01"}]},"maturityDate":"2025-01-01","quantity":"1"`),
				has:  []string{"overlappingRates", "/interest/rates/1/from", "/maturityDate", "/quantity"},
			},
			{claim: "a discount of all is refused", as: f.client, method: "POST", path: "/v1/holding", body: f.holding("safe", bob, safeTerms+`,"discount":"1"`), status: 400, has: []string{"/discount", "notBelowOne"}},
			{claim: "a dry run issues nothing", as: f.client, method: "POST", path: "/v1/holding?dryRun=true", body: f.holding("safe", bob, safeTerms), status: 200, has: []string{`"dryRun":true`, `"holdingIssued"`}},
			{claim: "a shareholding is no holding", as: f.client, method: "GET", path: "/v1/holding/" + last(f.issue(t, ada, "1")), status: 404},
			{claim: "nor a holding a shareholding", as: f.client, method: "GET", path: "/v1/shareholding/" + last(safe), status: 404},
		})
	})
}

func TestHoldingChanges(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
		note := f.right(t, "convertibleNote", ada, noteTerms)
		safe := f.right(t, "safe", bob, safeTerms)
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		theirs := f.right(t, "safe", guest.holder, safeTerms)
		tag := f.must(t, "GET", note, "", 200).header.Get("ETag")
		f.must(t, "GET", note, "", http.StatusNotModified, "If-None-Match", tag)
		run(t, []scenario{
			{claim: "terms are amended", as: f.client, method: "PATCH", path: note, body: `{"maturityDate":"2027-01-01","discount":null}`, status: 200, has: []string{`"maturityDate":"2027-01-01"`}, lacks: []string{"discount"}},
			{claim: "what moves totals is not", as: f.client, method: "PATCH", path: note, body: `{"principal":{"amount":"1","currency":"USD"}}`, status: 400, has: []string{"/principal"}},
			{claim: "it is corrected", as: f.client, method: "PUT", path: note, body: f.correction("convertibleNote", ada, noteTerms), status: 200, has: []string{`"discount":"0.2"`}},
			{claim: "for a reason", as: f.client, method: "PUT", path: note, body: f.correction("convertibleNote", ada, noteTerms)[:40] + `}`, status: 400},
			{claim: "who holds something else accepts it not", as: guest, method: "POST", path: note + "/accept", body: `{"date":"2026-01-02"}`, status: 403},
			{claim: "its holder does", as: guest, method: "POST", path: theirs + "/accept", status: 200, has: []string{`"status":"accepted"`}},
			{claim: "it is accepted", as: f.client, method: "POST", path: note + "/accept", body: `{"date":"2026-01-02"}`, status: 200, has: []string{`"status":"accepted"`}},
			{claim: "once", as: f.client, method: "POST", path: note + "/accept", status: 409, has: []string{`"acceptedOn":"2026-01-02"`}},
			{claim: "a repayment is tried", as: f.client, method: "POST", path: note + "/repay?dryRun=true", body: `{"amount":"1031","date":"2026-02-01","interestFirst":true}`, status: 200, has: []string{`"holdingRepaid"`}},
			{claim: "it is repaid in part", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":{"amount":"1031","currency":"USD"},"date":"2026-02-01","interestFirst":true}`, status: 200, has: []string{`"accruedInterest":"26.1"`, `"balance":"9026.1"`}},
			{claim: "never past the balance", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"9026.11","date":"2026-03-02"}`, status: 409, has: []string{`"balance":"9026.1"`, `"requested":"9026.11"`}},
			{claim: "a SAFE is no debt", as: f.client, method: "POST", path: safe + "/repay", body: `{"amount":"1","date":"2026-03-01"}`, status: 409, has: []string{`"kind":"safe"`}},
			{claim: "nothing is repaid before the last repayment", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"1","date":"2026-01-31"}`, status: 400, has: []string{"/date", "datesOutOfOrder"}},
			{claim: "all is repaid", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"9026.1","date":"2026-03-02"}`, status: 200, has: []string{`"status":"repaid"`, `"balance":"0"`}},
			{claim: "then nothing is left to do", as: f.client, method: "POST", path: note + "/repay", body: `{"amount":"1","date":"2026-03-02"}`, status: 409, has: []string{`"status":"repaid"`}},
			{claim: "a voided one stays readable", as: f.client, method: "DELETE", path: safe, body: `{"reason":"Twice."}`, status: 200, has: []string{`"status":"voided"`, "Twice."}},
			{claim: "with its reason from the query too", as: f.client, method: "DELETE", path: f.right(t, "safe", bob, safeTerms) + "?reason=Thrice.", status: 200, has: []string{"Thrice."}},
			{claim: "as it was known", as: f.client, method: "GET", path: safe + "?knownAt=" + f.must(t, "GET", safe, "", 200).version(t), status: 200, has: []string{`"status"`}},
		})
		f.must(t, "PATCH", note, `{"mfn":true}`, http.StatusPreconditionFailed, "If-Match", tag)
	})
}

// correction restates a holding for a reason.
func (f *firm) correction(kind, entity, more string) string {
	return `{"reason":"A typo.","kind":"` + kind + `","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

//nolint:tparallel // one scenario builds on another
func TestHoldingTransfers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	note := f.right(t, "convertibleNote", ada, noteTerms)
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
			t.Errorf("%s: %s is %q, not %q", want.part, want.field, got, want.value)
		}
	}
	if location := moved.header.Get("Location"); location != "/v1/holding/"+moved.text(t, "to", "id") {
		t.Errorf("Location is %q", location)
	}
	rest := "/v1/holding/" + moved.text(t, "balance", "id")
	run(t, []scenario{
		{claim: "a part is cancelled", as: f.client, method: "POST", path: rest + "/cancel", body: `{"amount":"500","date":"2026-03-01","reason":"Waived."}`, status: 200, has: []string{`"cancelled"`, `"amount":"7000"`}},
		{claim: "once", as: f.client, method: "POST", path: rest + "/cancel", body: `{"date":"2026-03-01","reason":"Waived."}`, status: 409},
		{claim: "what came from another is not voided", as: f.client, method: "DELETE", path: moved.header.Get("Location"), status: 409, has: []string{"hasResults"}},
		{claim: "nothing goes to its holder", as: f.client, method: "POST", path: moved.header.Get("Location") + "/transfer", body: `{"to":{"entity":"` + bob + `"},"date":"2026-03-01","kind":"gift"}`, status: 400, has: []string{"sameHolder"}},
	})
}

//nolint:tparallel // one scenario builds on another
func TestHoldingsOfOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest := b.person(t, "guest@example.com")
	f.join(t, f.home, guest, "Guest")
	own := f.right(t, "safe", guest.holder, safeTerms)
	other := f.right(t, "safe", f.holder(t, "Bob"), safeTerms)
	stranger := b.person(t, "stranger@example.com")
	run(t, []scenario{
		{claim: "a holder reads what is theirs", as: guest, method: "GET", path: own, status: 200},
		{claim: "and nothing else", as: guest, method: "GET", path: other, status: 403},
		{claim: "and lists it", as: guest, method: "GET", path: f.home + "/holding", status: 200, has: []string{last(own)}, lacks: []string{last(other)}},
		{claim: "and changes nothing", as: guest, method: "PATCH", path: own, body: `{"mfn":true}`, status: 403},
		{claim: "nor issues", as: guest, method: "POST", path: "/v1/holding", body: f.holding("safe", f.id, safeTerms), status: 403},
		{claim: "a stranger finds nothing", as: stranger, method: "GET", path: own, status: 404},
		{claim: "and may not issue", as: stranger, method: "POST", path: "/v1/holding", body: f.holding("safe", f.id, safeTerms), status: 403},
	})
}

func TestWarrantsThatExpired(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		warrant := f.right(t, "warrant", f.holder(t, "Bob"), `,"quantity":"1000","exercisePrice":"1","expirationDate":"2026-01-31","security":"`+f.common+`"`)
		list := f.home + "/holding?status="
		run(t, []scenario{
			{claim: "are held on their last day", as: f.client, method: "GET", path: warrant + "?asOf=2026-01-31", status: 200, has: []string{`"status":"active"`, `"left":"1000"`}},
			{claim: "read as expired behind it", as: f.client, method: "GET", path: warrant, status: 200, has: []string{`"status":"expired"`, `"left":"0"`, `"end":{"date":"2026-02-01"}`}},
			{claim: "as of a day too", as: f.client, method: "GET", path: warrant + "?asOf=2026-02-01", status: 200, has: []string{`"status":"expired"`, `"left":"0"`}},
			{claim: "are listed as such", as: f.client, method: "GET", path: list + "expired", status: 200, has: []string{last(warrant)}},
			{claim: "and not as held", as: f.client, method: "GET", path: list + "active", status: 200, lacks: []string{last(warrant)}},
			{
				claim: "are among what lapses", as: f.client, method: "POST", path: f.home + "/option/expire", status: 200,
				has: []string{last(warrant), `"status":"expired"`, `"left":"0"`},
			},
			{claim: "give their shares back", as: f.client, method: "GET", path: f.home + "/security/" + f.common, status: 200, has: []string{`"reserved":"0"`}},
		})
	})
}

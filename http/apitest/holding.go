package apitest

import (
	"net/http"
	"testing"
)

// HoldingBody returns the body of an issue to the entity on 2026-01-01. more holds additional
// fields.
func (f *Firm) HoldingBody(kind, entity, more string) string {
	return `{"organization":"` + f.ID + `","kind":"` + kind + `","entity":"` + entity + `","issueDate":"2026-01-01"` + more + `}`
}

// The note accrues interest of 1 per day.
const (
	NoteTerms    = `,"principal":{"amount":"10000","currency":"USD"},"discount":"0.2","interest":{"rates":[{"rate":"0.0365","from":"2026-01-01"}]}`
	SafeTerms    = `,"principal":{"amount":"500000","currency":"USD"},"valuationCap":"5000000"`
	WarrantTerms = `,"quantity":"1000","exercisePrice":"1.5","expirationDate":"2030-12-31"`
)

// IssueHolding issues a holding and returns its path.
func (f *Firm) IssueHolding(tb testing.TB, kind, entity, more string) string {
	tb.Helper()
	return f.Must(tb, "POST", "/v1/holding", f.HoldingBody(kind, entity, more), http.StatusCreated).Header.Get("Location")
}

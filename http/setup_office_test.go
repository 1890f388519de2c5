package http_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/actors/office"
	"equity/actors/office/officetest"
	httpdocument "equity/http/document"
	"equity/persistence"
)

// newSuite returns the office suite of a test, which calls a fake.
func newSuite(tb testing.TB, b *bundle) httpdocument.Suite {
	tb.Helper()
	b.office = officetest.New(tb)
	client := office.NewClient(b.office.App(), consumer.NewBreakers(b.clock.Now), b.clock.Now, func(ctx context.Context, d time.Duration) error {
		b.clock.advance(d)
		return ctx.Err()
	})
	return office.NewEngine(client, persistence.NewOfficeItems(b.db), newID)
}

// inOfficeSuite stores the documents of the company in the office suite.
func (f *firm) inOfficeSuite(tb testing.TB) *firm {
	tb.Helper()
	f.must(tb, "PATCH", f.home, `{"storage":"officeSuite"}`, http.StatusOK)
	return f
}

// officeFolder returns the id of the company's folder at the fake.
func (f *firm) officeFolder(tb testing.TB) string {
	tb.Helper()
	f.must(tb, "GET", f.home+"/document", "", http.StatusOK) // creates it
	return f.office.Find("equity", f.id)
}

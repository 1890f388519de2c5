package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// inOfficeSuite stores the documents of the company in the office suite.
func inOfficeSuite(tb testing.TB, f *apitest.Firm) *apitest.Firm {
	tb.Helper()
	f.Must(tb, "PATCH", f.Home, `{"storage":"officeSuite"}`, http.StatusOK)
	return f
}

// officeFolder returns the id of the company's folder at the fake.
func officeFolder(tb testing.TB, f *apitest.Firm) string {
	tb.Helper()
	f.Must(tb, "GET", f.Home+"/document", "", http.StatusOK) // creates it
	return f.Office.Find("equity", f.ID)
}

package http_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// originsOf returns the distinct origins and types of the newest entries, newest first.
func originsOf(tb testing.TB, f *apitest.Firm, query string) string {
	tb.Helper()
	var found []string
	for _, entry := range f.Must(tb, "GET", f.Home+"/journal?"+query, "", http.StatusOK).List(tb, "data") {
		fields, _ := entry.(map[string]any)
		if data := fmt.Sprint(fields["data"]); strings.Contains(data, "$origin") {
			tb.Errorf("the data contains the origin: %s", data)
		}
		found = append(found, fmt.Sprint(fields["type"], " ", fields["origin"]))
	}
	return strings.Join(found, ", ")
}

func TestJournalReturnsAndFiltersOrigins(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.NewHolder(t, "Grace Hopper")
		rows := "holder,security,shares,issueDate\nGrace Hopper,Common Stock,5,2025-01-01\n"
		f.Must(t, "POST", f.Home+"/import?kind=shareholdings", rows, http.StatusCreated, "Content-Type", csvKind)
		exported := f.Must(t, "GET", f.Home+"/captable?format=ocf", "", http.StatusOK).Body
		confirmStep(t, f.Client, proposeStep(t, f, "add a member Ida Rhodes ida@example.com"), "true")
		if got := originsOf(t, f, "limit=3"); got != "memberAdded assistant, shareholdingIssued import, memberAdded request" {
			t.Error(got)
		}
		if got := originsOf(t, f, "origin=import"); got != "shareholdingIssued import" {
			t.Error(got)
		}
		if got := originsOf(t, f, "origin=assistant&type=memberAdded"); got != "memberAdded assistant" {
			t.Error(got)
		}
		if got := originsOf(t, f, "origin=system"); got != "" {
			t.Error(got)
		}
		f.Must(t, "GET", f.Home+"/journal?origin=mail", "", http.StatusBadRequest)
		shown := f.Must(t, "GET", f.Home+"/explain?figure=total/outstanding", "", http.StatusOK)
		if !strings.Contains(shown.Body, `"origin":"import","type":"shareholdingIssued"`) {
			t.Error(shown.Body)
		}
		other := firmWithoutClass(t, b, "other@example.com")
		other.Must(t, "POST", other.Home+"/import", exported, http.StatusCreated, "Content-Type", "application/zip")
		if got := originsOf(t, other, "origin=import"); !strings.Contains(got, "shareholdingIssued import") {
			t.Error(got)
		}
	})
}

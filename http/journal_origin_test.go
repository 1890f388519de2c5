package http_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// origins returns the distinct origins and types of the newest entries, newest first.
func (f *firm) origins(tb testing.TB, query string) string {
	tb.Helper()
	var found []string
	for _, entry := range f.must(tb, "GET", f.home+"/journal?"+query, "", http.StatusOK).list(tb, "data") {
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
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.holder(t, "Grace Hopper")
		rows := "holder,security,shares,issueDate\nGrace Hopper,Common Stock,5,2025-01-01\n"
		f.must(t, "POST", f.home+"/import?kind=shareholdings", rows, http.StatusCreated, "Content-Type", csvKind)
		exported := f.must(t, "GET", f.home+"/captable?format=ocf", "", http.StatusOK).body
		f.confirms(t, f.proposes(t, "add a member Ida Rhodes ida@example.com"), "true")
		if got := f.origins(t, "limit=3"); got != "memberAdded assistant, shareholdingIssued import, memberAdded request" {
			t.Error(got)
		}
		if got := f.origins(t, "origin=import"); got != "shareholdingIssued import" {
			t.Error(got)
		}
		if got := f.origins(t, "origin=assistant&type=memberAdded"); got != "memberAdded assistant" {
			t.Error(got)
		}
		if got := f.origins(t, "origin=system"); got != "" {
			t.Error(got)
		}
		f.must(t, "GET", f.home+"/journal?origin=mail", "", http.StatusBadRequest)
		shown := f.must(t, "GET", f.home+"/explain?figure=total/outstanding", "", http.StatusOK)
		if !strings.Contains(shown.body, `"origin":"import","type":"shareholdingIssued"`) {
			t.Error(shown.body)
		}
		other := b.empty(t, "other@example.com")
		other.must(t, "POST", other.home+"/import", exported, http.StatusCreated, "Content-Type", "application/zip")
		if got := other.origins(t, "origin=import"); !strings.Contains(got, "shareholdingIssued import") {
			t.Error(got)
		}
	})
}

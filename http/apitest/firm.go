package apitest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"equity/captable"
	"equity/organization"
)

// Firm is an organization with an owner and a class of common stock.
type Firm struct {
	*Client
	Home   string // the path of the organization
	ID     string
	Common string // the id of the class
}

// NewFirm creates an organization whose owner has the given address.
func (b *Server) NewFirm(tb testing.TB, email string) *Firm {
	tb.Helper()
	f := &Firm{Client: b.NewPerson(tb, email)}
	f.Home = f.NewOrganization(tb)
	f.ID = strings.TrimPrefix(f.Home, "/v1/organization/")
	f.Common = f.NewSecurity(tb, `{"name":"Common Stock","shareType":"common","prefix":"CS","authorizedShares":"1000000","parValue":"0.0001"}`)
	return f
}

// NewSecurity creates a class of securities and returns its id.
func (f *Firm) NewSecurity(tb testing.TB, body string) string {
	tb.Helper()
	return f.Must(tb, "POST", f.Home+"/security", body, http.StatusCreated).Text(tb, "id")
}

// NewLegend creates a legend and returns its id.
func (f *Firm) NewLegend(tb testing.TB, body string) string {
	tb.Helper()
	return f.Must(tb, "POST", f.Home+"/legend", body, http.StatusCreated).Text(tb, "id")
}

// NewHolder adds a member without an account and returns its entity.
func (f *Firm) NewHolder(tb testing.TB, name string) string {
	tb.Helper()
	return f.Must(tb, "POST", f.Home+"/member", `{"fullName":`+Quoted(tb, name)+`,"roles":[]}`, http.StatusCreated).Text(tb, "entity")
}

// Issue issues common stock on 2026-01-01 and returns the path of the shareholding.
func (f *Firm) Issue(tb testing.TB, entity, shares string, more ...string) string {
	tb.Helper()
	got := f.Must(tb, "POST", f.Home+"/shareholding", f.IssuanceBody(entity, shares, more...), http.StatusCreated)
	return got.Header.Get("Location")
}

// IssuanceBody returns the body of an issue. more holds additional fields.
func (f *Firm) IssuanceBody(entity, shares string, more ...string) string {
	fields := append([]string{`"entity":"` + entity + `"`, `"shares":"` + shares + `"`}, more...)
	if all := strings.Join(more, " "); !strings.Contains(all, `"security"`) {
		fields = append(fields, `"security":"`+f.Common+`"`)
	}
	if all := strings.Join(more, " "); !strings.Contains(all, `"issueDate"`) {
		fields = append(fields, `"issueDate":"2026-01-01"`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// JournalLength returns the number of events in the journal.
func (f *Firm) JournalLength(tb testing.TB) int {
	tb.Helper()
	got := f.Must(tb, "GET", f.Home+"/journal?limit=1", "", http.StatusOK)
	first, _ := got.List(tb, "data")[0].(map[string]any)
	sequence, _ := first["sequence"].(float64)
	return int(sequence)
}

// OrganizationID parses the id of an organization.
func OrganizationID(tb testing.TB, text string) organization.ID {
	tb.Helper()
	id, err := captable.ParseID[organization.Organization](text)
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

// ChangeOften changes the website of the organization the number of times, by concurrent requests.
func ChangeOften(tb testing.TB, f *Firm, times int) {
	tb.Helper()
	var group sync.WaitGroup
	const callers = 8
	for caller := range callers {
		group.Go(func() {
			for i := range times / callers {
				body := fmt.Sprintf(`{"website":"https://%d-%d.example.com"}`, caller, i)
				r := httptest.NewRequestWithContext(tb.Context(), http.MethodPatch, f.Home, strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Cookie", f.Cookie)
				w := httptest.NewRecorder()
				if f.HTTP.ServeHTTP(w, r); w.Code != http.StatusOK {
					tb.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
	}
	group.Wait()
}

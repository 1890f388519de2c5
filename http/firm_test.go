package http_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// onBoth runs a test on every database engine, each with a separate server.
func onBoth(t *testing.T, test func(t *testing.T, b *bundle)) {
	t.Helper()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, setupOn(t, factory(t)))
		})
	}
}

// firm is an organization with an owner and a class of common stock.
type firm struct {
	*client
	home, id string
	common   string
}

// firm creates an organization whose owner has the given address.
func (b *bundle) firm(tb testing.TB, email string) *firm {
	tb.Helper()
	f := &firm{client: b.person(tb, email)}
	f.home = f.company(tb)
	f.id = strings.TrimPrefix(f.home, "/v1/organization/")
	f.common = f.security(tb, `{"name":"Common Stock","shareType":"common","prefix":"CS","authorizedShares":"1000000","parValue":"0.0001"}`)
	return f
}

func (f *firm) security(tb testing.TB, body string) string {
	tb.Helper()
	return f.must(tb, "POST", f.home+"/security", body, http.StatusCreated).text(tb, "id")
}

func (f *firm) legend(tb testing.TB, body string) string {
	tb.Helper()
	return f.must(tb, "POST", f.home+"/legend", body, http.StatusCreated).text(tb, "id")
}

// holder adds a member without an account and returns its entity.
func (f *firm) holder(tb testing.TB, name string) string {
	tb.Helper()
	return f.must(tb, "POST", f.home+"/member", `{"fullName":`+quoted(tb, name)+`,"roles":[]}`, http.StatusCreated).text(tb, "entity")
}

// issue issues common stock on 2026-01-01 and returns the path of the shareholding.
func (f *firm) issue(tb testing.TB, entity, shares string, more ...string) string {
	tb.Helper()
	got := f.must(tb, "POST", f.home+"/shareholding", f.issuance(entity, shares, more...), http.StatusCreated)
	return got.header.Get("Location")
}

// issuance returns the body of an issue. more holds additional fields.
func (f *firm) issuance(entity, shares string, more ...string) string {
	fields := append([]string{`"entity":"` + entity + `"`, `"shares":"` + shares + `"`}, more...)
	if all := strings.Join(more, " "); !strings.Contains(all, `"security"`) {
		fields = append(fields, `"security":"`+f.common+`"`)
	}
	if all := strings.Join(more, " "); !strings.Contains(all, `"issueDate"`) {
		fields = append(fields, `"issueDate":"2026-01-01"`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// last returns the last segment of a path, the record's id.
func last(path string) string { return path[strings.LastIndex(path, "/")+1:] }

func quoted(tb testing.TB, text string) string {
	tb.Helper()
	written, err := json.Marshal(text)
	if err != nil {
		tb.Fatal(err)
	}
	return string(written)
}

// list returns the field as a list.
func (a answer) list(tb testing.TB, names ...string) []any {
	tb.Helper()
	list, ok := a.get(tb, names...).([]any)
	if !ok {
		tb.Fatalf("%v is not a list in %s", names, a.body)
	}
	return list
}

// journalLength returns the number of events in the journal.
func (f *firm) journalLength(tb testing.TB) int {
	tb.Helper()
	got := f.must(tb, "GET", f.home+"/journal?limit=1", "", http.StatusOK)
	first, _ := got.list(tb, "data")[0].(map[string]any)
	sequence, _ := first["sequence"].(float64)
	return int(sequence)
}

// fieldErrors returns the errors of an answer, each as "/pointer code".
func (a answer) fieldErrors(tb testing.TB) string {
	tb.Helper()
	var lines []string
	for _, fault := range a.list(tb, "errors") {
		fields, _ := fault.(map[string]any)
		pointer, _ := fields["pointer"].(string)
		code, _ := fields["code"].(string)
		lines = append(lines, pointer+" "+code)
	}
	return strings.Join(lines, "\n")
}

// version returns the journal sequence of the record's last change, as text.
func (a answer) version(tb testing.TB) string {
	tb.Helper()
	var record struct {
		Version json.Number `json:"version"`
	}
	if err := json.Unmarshal([]byte(a.body), &record); err != nil || record.Version == "" {
		tb.Fatalf("no version in %s: %v", a.body, err)
	}
	return record.Version.String()
}

package apitest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Answer is the response of the server.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Get returns the field of the JSON body at the path of names.
func (a Answer) Get(tb testing.TB, names ...string) any {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(a.Body), &value); err != nil {
		tb.Fatalf("%v: %s", err, a.Body)
	}
	for _, name := range names {
		object, ok := value.(map[string]any)
		if !ok {
			tb.Fatalf("no %s in %s", name, a.Body)
		}
		value = object[name]
	}
	return value
}

// Text returns a string field of the JSON body.
func (a Answer) Text(tb testing.TB, names ...string) string {
	tb.Helper()
	text, ok := a.Get(tb, names...).(string)
	if !ok {
		tb.Fatalf("%v is not a string in %s", names, a.Body)
	}
	return text
}

// List returns the field as a list.
func (a Answer) List(tb testing.TB, names ...string) []any {
	tb.Helper()
	list, ok := a.Get(tb, names...).([]any)
	if !ok {
		tb.Fatalf("%v is not a list in %s", names, a.Body)
	}
	return list
}

// FieldErrors returns the errors of an answer, each as "/pointer code".
func (a Answer) FieldErrors(tb testing.TB) string {
	tb.Helper()
	var lines []string
	for _, fault := range a.List(tb, "errors") {
		fields, _ := fault.(map[string]any)
		pointer, _ := fields["pointer"].(string)
		code, _ := fields["code"].(string)
		lines = append(lines, pointer+" "+code)
	}
	return strings.Join(lines, "\n")
}

// Version returns the journal sequence of the record's last change, as text.
func (a Answer) Version(tb testing.TB) string {
	tb.Helper()
	var record struct {
		Version json.Number `json:"version"`
	}
	if err := json.Unmarshal([]byte(a.Body), &record); err != nil || record.Version == "" {
		tb.Fatalf("no version in %s: %v", a.Body, err)
	}
	return record.Version.String()
}

// IDOf returns the last segment of a path, the record's id.
func IDOf(path string) string { return path[strings.LastIndex(path, "/")+1:] }

// Quoted returns the text as a JSON string.
func Quoted(tb testing.TB, text string) string {
	tb.Helper()
	written, err := json.Marshal(text)
	if err != nil {
		tb.Fatal(err)
	}
	return string(written)
}

// TextOf returns a string field of a record; empty if it is absent.
func TextOf(record map[string]any, name string) string {
	text, _ := record[name].(string)
	return text
}

// Field returns a string field of an object; empty if it is absent.
func Field(object any, name string) string {
	fields, _ := object.(map[string]any)
	text, _ := fields[name].(string)
	return text
}

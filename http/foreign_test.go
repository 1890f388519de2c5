package http_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
	"equity/messages"
)

// foreignRequest is a request with one id replaced by an id of another organization.
type foreignRequest struct {
	*wish
	where string // such as "path plan" or "body /to/entity"
	id    string // the other organization's record
}

// foreignRequests returns one request for each id parameter and id field of the operation's example.
func (e *estate) foreignRequests(tb testing.TB, d *declared, other *estate) []foreignRequest {
	tb.Helper()
	var requests []foreignRequest
	for _, p := range d.parameters {
		if p.Schema.Value.Format != "uuid" {
			continue
		}
		id, w := other.record(tb, d, p), e.wish(tb, d)
		if p.In == openapi3.ParameterInQuery {
			w.query.Set(p.Name, id)
		} else {
			w.path = strings.Replace(w.path, e.record(tb, d, p), id, 1)
		}
		requests = append(requests, foreignRequest{w, p.In + " " + p.Name, id})
	}
	if d.json() == nil {
		return requests
	}
	for _, pointer := range fieldsIn(d.json().Schema, "", map[*openapi3.Schema]bool{}, isIDField) {
		w, id := e.wish(tb, d), other.named(d, pointer)
		w.body = e.completed(tb, d, withID(tb, w.body, pointer, id))
		requests = append(requests, foreignRequest{w, "body " + pointer, id})
	}
	return requests
}

// named returns the record for a field of a body: a file for a field that the contract marks as one, a record of the kind that the name of
// the field or the last word of the name states, such as "entity" in "fromEntity", or else any record of the organization.
func (e *estate) named(d *declared, pointer string) string {
	if slices.Contains(d.fileFields(), pointer) {
		return e.ids["file"]
	}
	segments := slices.DeleteFunc(strings.Split(pointer, "/"), func(segment string) bool { return segment == "0" })
	name, of := segments[len(segments)-1], segments[len(segments)-2]
	if of == "" {
		of = d.tag
	}
	last := name[max(strings.LastIndexFunc(name, unicode.IsUpper), 0):]
	return cmp.Or(e.ids[d.id+"."+name], e.reference(of, name), e.ids[strings.ToLower(last)], e.ids["shareholding"])
}

// isIDField reports whether a field is an id.
func isIDField(field *openapi3.Schema) bool { return field.Format == "uuid" }

// fieldsIn returns the pointers to the fields of a body that match. A list contributes its first element.
func fieldsIn(ref *openapi3.SchemaRef, at string, within map[*openapi3.Schema]bool, match func(*openapi3.Schema) bool) (pointers []string) {
	if ref == nil || within[ref.Value] {
		return nil
	}
	if match(ref.Value) {
		return []string{at}
	}
	within[ref.Value] = true
	defer delete(within, ref.Value)
	for _, list := range []openapi3.SchemaRefs{ref.Value.AllOf, ref.Value.OneOf, ref.Value.AnyOf} {
		for _, one := range list {
			pointers = append(pointers, fieldsIn(one, at, within, match)...)
		}
	}
	for name, field := range ref.Value.Properties {
		pointers = append(pointers, fieldsIn(field, at+"/"+name, within, match)...)
	}
	return append(pointers, fieldsIn(ref.Value.Items, at+"/0", within, match)...)
}

// withID returns the body with the id at the pointer, without fields that identify the same record.
func withID(tb testing.TB, body, pointer, id string) string {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		tb.Fatalf("%v: %s", err, body)
	}
	text, err := json.Marshal(replaceAt(value, strings.Split(pointer[1:], "/"), id))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func replaceAt(into any, names []string, id string) any {
	if len(names) == 0 {
		return id
	}
	if names[0] == "0" {
		list, _ := into.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		list[0] = replaceAt(list[0], names[1:], id)
		return list
	}
	object, _ := into.(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	other := map[string]string{"member": "entity", "entity": "member"}[names[0]]
	if names[0] == "id" && len(object) == 1 { // id and name exclude each other
		other = "name"
	}
	delete(object, other)
	object[names[0]] = replaceAt(object[names[0]], names[1:], id)
	return object
}

// completed returns the body with the required fields of objects that the example does not contain.
func (e *estate) completed(tb testing.TB, d *declared, body string) string {
	tb.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		tb.Fatal(err)
	}
	e.complete(value, d.json().Schema.Value, d.tag)
	text, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// complete adds the required fields of objects below the value: the record for an id, and otherwise the example of the contract.
func (e *estate) complete(value any, schema *openapi3.Schema, of string) {
	if list, ok := value.([]any); ok && schema.Items != nil {
		for _, one := range list {
			e.complete(one, schema.Items.Value, of)
		}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for _, part := range slices.Concat(schema.AllOf, schema.AnyOf) {
		e.complete(value, part.Value, of)
	}
	for _, name := range schema.Required {
		field := schema.Properties[name]
		if _, present := object[name]; present || field == nil {
			continue
		}
		object[name] = e.reference(of, name)
		if object[name] == "" {
			object[name] = exampleOf(field.Value)
		}
	}
	for name, field := range schema.Properties {
		e.complete(object[name], field.Value, name)
	}
}

// exampleOf returns the example of a field, or that of the type that it refines.
func exampleOf(field *openapi3.Schema) any {
	for _, part := range field.AllOf {
		if field.Example == nil {
			return exampleOf(part.Value)
		}
	}
	return field.Example
}

// TestForeignIdsAreRefused puts an id of another organization's record into every id parameter
// and id field of every operation.
func TestForeignIdsAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ours, theirs := newEstate(t, b, "zenobia"), newEstate(t, b, "mallory")
	before := ours.JournalLength(t)
	for _, d := range declaredOperations(b.Contract) {
		if d.permission == "public" || d.permission == "canReadSite" {
			continue
		}
		for _, tried := range theirs.foreignRequests(t, &d, ours) {
			as := theirs.Client
			if d.permission == "session" {
				as = signInAs(t, theirs.Server, theirs.holder, messages.SignIn{})
			}
			got := tried.as(t, as)
			if !tried.refused(got) {
				t.Errorf("%s with an id in the %s: %d %s", d.id, tried.where, got.Status, got.Body)
			}
			if revealed := ours.reveals(got, tried.id); revealed != "" {
				t.Errorf("%s with an id in the %s reveals %s: %s", d.id, tried.where, revealed, got.Body)
			}
		}
	}
	if after := ours.JournalLength(t); after != before {
		t.Errorf("the requests added %d events to the other organization", after-before)
	}
}

// refused reports whether the answer is a refusal: not found, forbidden or an invalid id.
func (t *foreignRequest) refused(got apitest.Answer) bool {
	switch got.Status {
	case http.StatusNotFound, http.StatusForbidden:
		return true
	case http.StatusConflict:
		return strings.Contains(got.Body, `":"`+t.id+`"`) || strings.Contains(got.Body, `"code":"alreadyLinked"`) // as specified
	case http.StatusBadRequest: // the error must name the id
		pointer := strings.TrimPrefix(t.where, "body ")
		return strings.Contains(got.Body, `"pointer":"`+pointer+`"`)
	case http.StatusOK: // a filter by an id outside the organization matches no records
		return strings.HasPrefix(t.where, "query") && strings.HasPrefix(got.Body, `{"data":[]`)
	}
	return false
}

// reveals returns data of the estate that the answer contains, except for the id of the request.
func (e *estate) reveals(got apitest.Answer, sent string) string {
	for name, id := range e.ids {
		if id != sent && strings.Contains(got.Body, id) {
			return "its " + name
		}
	}
	if strings.Contains(got.Body, e.name) {
		return "its name"
	}
	return ""
}

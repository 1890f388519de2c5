package http_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

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
	if d.body == nil || d.body.Content["application/json"] == nil {
		return requests
	}
	for _, pointer := range fieldsIn(d.body.Content["application/json"].Schema, "", map[*openapi3.Schema]bool{}, isIDField) {
		if isFile(pointer) {
			continue
		}
		w, id := e.wish(tb, d), other.named(d, pointer)
		w.body = e.fill(withID(tb, w.body, pointer, id))
		requests = append(requests, foreignRequest{w, "body " + pointer, id})
	}
	return requests
}

// isFile reports whether the field names a file. The reference is checked when the file is read,
// with the permissions of the reader.
func isFile(pointer string) bool { return pointer == "/photo" }

// named returns the record for a field of a body.
func (e *estate) named(d *declared, pointer string) string {
	segments := strings.Split(pointer, "/")
	name := segments[len(segments)-1]
	if _, err := strconv.Atoi(name); err == nil {
		name = strings.TrimSuffix(segments[len(segments)-2], "s")
	}
	aliases := map[string]string{
		"fromEntity": "entity", "toEntity": "entity", "elects": "holding", "logo": "file",
		"amendCapitalChange/id": "capitalChange", "replacePlan/id": "pool", "putValuation/id": "valuation", "planRound/id": "security", "closeRound/id": "security",
	}
	for _, alias := range []string{aliases[d.id+"/"+name], aliases[name], name} {
		if e.ids[alias] != "" {
			return e.ids[alias]
		}
	}
	return e.ids["shareholding"] // any other record of the organization
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
	text, err := json.Marshal(replaceAt(value, "", strings.Split(pointer[1:], "/"), id))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func replaceAt(into any, of string, names []string, id string) any {
	if len(names) == 0 {
		return id
	}
	if names[0] == "0" {
		list, _ := into.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		list[0] = replaceAt(list[0], of, names[1:], id)
		return list
	}
	object, _ := into.(map[string]any)
	if object == nil {
		object = requiredFields(of)
	}
	other := map[string]string{"member": "entity", "entity": "member"}[names[0]]
	if names[0] == "id" && len(object) == 1 { // id and name exclude each other
		other = "name"
	}
	delete(object, other)
	object[names[0]] = replaceAt(object[names[0]], names[0], names[1:], id)
	return object
}

// requiredFields returns the other required fields of an object that the example does not contain.
func requiredFields(object string) map[string]any {
	switch object {
	case "of":
		return map[string]any{"plan": "{plan}", "pool": "{pool}"}
	case "fixedConversion":
		return map[string]any{"price": "1"}
	case "elections":
		return map[string]any{"holding": "{convertHolding.holding}", "elects": "{correctHolding.holding}"}
	case "newPlan":
		return map[string]any{"name": "Next"}
	case "conversion":
		return map[string]any{"ratio": "1"}
	default:
		return map[string]any{}
	}
}

// TestForeignIdsAreRefused puts an id of another organization's record into every id parameter
// and id field of every operation.
func TestForeignIdsAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.estate(t, "zenobia"), b.estate(t, "mallory")
	before := ours.journalLength(t)
	for _, d := range b.contract.all() {
		if d.permission == "public" || d.permission == "canReadSite" {
			continue
		}
		for _, tried := range theirs.foreignRequests(t, &d, ours) {
			as := theirs.client
			if d.permission == "session" {
				as = theirs.signIn(t, theirs.holder, messages.SignIn{})
			}
			got := tried.as(t, as)
			if !tried.refused(got) {
				t.Errorf("%s with an id in the %s: %d %s", d.id, tried.where, got.status, got.body)
			}
			if revealed := ours.reveals(got, tried.id); revealed != "" {
				t.Errorf("%s with an id in the %s reveals %s: %s", d.id, tried.where, revealed, got.body)
			}
		}
	}
	if after := ours.journalLength(t); after != before {
		t.Errorf("the requests added %d events to the other organization", after-before)
	}
}

// refused reports whether the answer is a refusal: not found, forbidden or an invalid id.
func (t *foreignRequest) refused(got answer) bool {
	switch got.status {
	case http.StatusNotFound, http.StatusForbidden:
		return true
	case http.StatusConflict:
		return strings.Contains(got.body, `":"`+t.id+`"`) || strings.Contains(got.body, `"code":"alreadyLinked"`) // as specified
	case http.StatusBadRequest: // the error must name the id
		pointer := strings.TrimPrefix(t.where, "body ")
		return strings.Contains(got.body, `"pointer":"`+pointer+`"`)
	case http.StatusOK: // a filter by an id outside the organization matches no records
		return strings.HasPrefix(t.where, "query") && strings.HasPrefix(got.body, `{"data":[]`)
	}
	return false
}

// reveals returns data of the estate that the answer contains, except for the id of the request.
func (e *estate) reveals(got answer, sent string) string {
	for name, id := range e.ids {
		if id != sent && strings.Contains(got.body, id) {
			return "its " + name
		}
	}
	if strings.Contains(got.body, e.name) {
		return "its name"
	}
	return ""
}

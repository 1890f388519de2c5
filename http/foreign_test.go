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

// trial is a request of somebody's own into which one id of another organization was put.
type trial struct {
	*wish
	where string // such as "path plan" or "body /to/entity"
	id    string // the other organization's record
}

// foreign makes of the operation's example one trial for every place that takes an id.
func (e *estate) foreign(tb testing.TB, d *declared, other *estate) []trial {
	tb.Helper()
	var trials []trial
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
		trials = append(trials, trial{w, p.In + " " + p.Name, id})
	}
	if d.body == nil || d.body.Content["application/json"] == nil {
		return trials
	}
	for _, pointer := range idsIn(d.body.Content["application/json"].Schema, "", map[*openapi3.Schema]bool{}) {
		if isFile(pointer) {
			continue
		}
		w, id := e.wish(tb, d), other.named(d, pointer)
		w.body = e.fill(put(tb, w.body, pointer, id))
		trials = append(trials, trial{w, "body " + pointer, id})
	}
	return trials
}

// isFile reports whether the field names a file. A file is looked for when it is read, by
// who reads it.
func isFile(pointer string) bool { return pointer == "/logo" || pointer == "/photo" }

// named is the record that stands for a field of a body.
func (e *estate) named(d *declared, pointer string) string {
	segments := strings.Split(pointer, "/")
	name := segments[len(segments)-1]
	if _, err := strconv.Atoi(name); err == nil {
		name = strings.TrimSuffix(segments[len(segments)-2], "s")
	}
	aliases := map[string]string{
		"fromEntity": "entity", "toEntity": "entity", "elects": "holding",
		"amendCapitalChange/id": "capitalChange", "replacePlan/id": "pool", "putValuation/id": "valuation", "planRound/id": "security", "closeRound/id": "security",
	}
	for _, alias := range []string{aliases[d.id+"/"+name], aliases[name], name} {
		if e.ids[alias] != "" {
			return e.ids[alias]
		}
	}
	return e.ids["shareholding"] // some record of theirs
}

// idsIn lists the pointers to the fields of a body that are ids; of a list, the first.
func idsIn(ref *openapi3.SchemaRef, at string, within map[*openapi3.Schema]bool) (pointers []string) {
	if ref == nil || within[ref.Value] {
		return nil
	}
	if ref.Value.Format == "uuid" {
		return []string{at}
	}
	within[ref.Value] = true
	defer delete(within, ref.Value)
	for _, list := range []openapi3.SchemaRefs{ref.Value.AllOf, ref.Value.OneOf, ref.Value.AnyOf} {
		for _, one := range list {
			pointers = append(pointers, idsIn(one, at, within)...)
		}
	}
	for name, field := range ref.Value.Properties {
		pointers = append(pointers, idsIn(field, at+"/"+name, within)...)
	}
	return append(pointers, idsIn(ref.Value.Items, at+"/0", within)...)
}

// put gives the body with the id at the pointer. What else would name the same goes.
func put(tb testing.TB, body, pointer, id string) string {
	tb.Helper()
	var whole any
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		tb.Fatalf("%v: %s", err, body)
	}
	text, err := json.Marshal(placed(whole, "", strings.Split(pointer[1:], "/"), id))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func placed(into any, of string, names []string, id string) any {
	if len(names) == 0 {
		return id
	}
	if names[0] == "0" {
		list, _ := into.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		list[0] = placed(list[0], of, names[1:], id)
		return list
	}
	object, _ := into.(map[string]any)
	if object == nil {
		object = needed(of)
	}
	other := map[string]string{"member": "entity", "entity": "member"}[names[0]]
	if names[0] == "id" && len(object) == 1 { // that is a name: the one or the other
		other = "name"
	}
	delete(object, other)
	object[names[0]] = placed(object[names[0]], names[0], names[1:], id)
	return object
}

// needed is what an object that is not in the example needs besides.
func needed(object string) map[string]any {
	switch object {
	case "of":
		return map[string]any{"plan": "{plan}", "pool": "{pool}"}
	case "newPlan":
		return map[string]any{"name": "Next"}
	case "conversion":
		return map[string]any{"ratio": "1"}
	default:
		return map[string]any{}
	}
}

// TestIdsOfOthersLeadNowhere puts the id of another organization's record into every
// place of every operation that takes one.
func TestIdsOfOthersLeadNowhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ours, theirs := b.estate(t, "zenobia"), b.estate(t, "mallory")
	before := ours.length(t)
	for _, d := range b.contract.all() {
		if d.permission == "public" || d.permission == "canReadSite" {
			continue
		}
		for _, tried := range theirs.foreign(t, &d, ours) {
			as := theirs.client
			if d.permission == "session" {
				as = theirs.signIn(t, theirs.holder, messages.SignIn{})
			}
			got := tried.as(t, as)
			if !tried.refused(got) {
				t.Errorf("%s with an id in the %s: %d %s", d.id, tried.where, got.status, got.body)
			}
			if told := ours.reveals(got, tried.id); told != "" {
				t.Errorf("%s with an id in the %s reveals %s: %s", d.id, tried.where, told, got.body)
			}
		}
	}
	if after := ours.length(t); after != before {
		t.Errorf("they left %d events in ours", after-before)
	}
}

// refused reports whether the answer is that there is no such thing, or no right to it.
func (t *trial) refused(got answer) bool {
	switch got.status {
	case http.StatusNotFound, http.StatusForbidden:
		return true
	case http.StatusConflict:
		return strings.Contains(got.body, `":"`+t.id+`"`)
	case http.StatusBadRequest: // and it says that the id is to blame
		pointer := strings.TrimPrefix(t.where, "body ")
		return strings.Contains(got.body, `"pointer":"`+pointer+`"`)
	case http.StatusOK: // a filter by what they do not have
		return strings.HasPrefix(t.where, "query") && strings.HasPrefix(got.body, `{"data":[]`)
	}
	return false
}

// reveals gives what the answer tells of the estate beside the id that was sent.
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

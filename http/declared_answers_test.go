package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/messages"
)

// damaged returns copies of a valid request, each with one fault.
func (w *wish) damaged() []wish {
	var list []wish
	unknown := *w
	unknown.query = map[string][]string{"nonsense": {"1"}}
	malformed := *w
	malformed.path += "?%zz="
	malformed.query = nil
	list = append(list, unknown, malformed)
	for segment := range strings.SplitSeq(w.path, "/") {
		if isID(segment) {
			other := *w
			other.path = strings.Replace(w.path, segment, "none", 1)
			list = append(list, other)
		}
	}
	for _, body := range []string{"{", "[]", "null", `{"nonsense":1}`, `{"a":1,"a":1}`, "\x00"} {
		if w.body != "" && w.kind == "" {
			other := *w
			other.body = body
			list = append(list, other)
		}
	}
	return list
}

// Every answer to a damaged request is declared by the contract for the operation, for
// members, strangers and callers without a session. The client checks each other answer
// against the contract itself.
func TestAnswersToDamagedRequestsAreDeclared(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	admin := b.NewPerson(t, "admin@example.com")
	for _, d := range declaredOperations(b.Contract) {
		right := e.wish(t, &d)
		for _, damaged := range right.damaged() {
			as := signInAs(t, e.Server, e.Client, messages.SignIn{})
			if d.permission == "canReadSite" {
				as = signInAs(t, e.Server, admin, messages.SignIn{SiteAdmin: true})
			}
			got := damaged.as(t, as)
			if got.Status >= http.StatusInternalServerError {
				t.Errorf("%s %s: %d %s", d.id, damaged.path, got.Status, got.Body)
			}
			damaged.as(t, b.Anonymous())
		}
	}
}

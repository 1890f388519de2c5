package http_test

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/persistence/storetest"
)

// twins are two servers over the same stores; one of them has no cache.
type twins struct {
	*estate
	uncached *equityhttp.Server
	callers  []caller
	reads    []declared
	ids      []string
	// bodies maps each ETag and address to its body.
	bodies map[string]string
	tags   []string
	random *rand.Rand
}

func newTwins(t *testing.T, store string, changes ...apitest.Change) *twins {
	t.Helper()
	var settings equityhttp.Settings
	var services equityhttp.Services
	b := apitest.SetupOn(t, store, append(changes, func(s *equityhttp.Settings, v *equityhttp.Services) {
		s.TagKey = []byte("the same key for both servers")
		settings, services = *s, *v
	})...)
	settings.RenderedBytes, services.Metrics = 1, nil
	uncached, err := equityhttp.NewServer(settings, services)
	if err != nil {
		t.Fatal(err)
	}
	w := &twins{estate: newEstate(t, b, "zenobia"), uncached: uncached, bodies: map[string]string{}, random: rand.New(rand.NewPCG(1, 2))}
	w.callers = append(w.estate.callers(t), w.owners(t)...)
	for _, d := range declaredOperations(b.Contract) {
		if d.reads {
			w.reads = append(w.reads, d)
		}
	}
	for _, id := range w.estate.ids {
		if isID(id) {
			w.ids = append(w.ids, id)
		}
	}
	slices.Sort(w.ids)
	return w
}

// owners returns two people with every permission and different numbers of shares.
func (w *twins) owners(t *testing.T) []caller {
	t.Helper()
	var list []caller
	for i, shares := range []string{"11", "22"} {
		person := w.member(t, "owner"+shares, "Owner")
		w.Issue(t, person.Holder, shares)
		list = append(list, caller{"owner " + strconv.Itoa(i), person, standing{signedIn: true, member: true}})
	}
	return list
}

// valuesOf returns valid and invalid values of a query parameter.
func (w *twins) valuesOf(p *openapi3.Parameter) []string {
	schema := p.Schema.Value
	list := []string{"?"}
	for _, value := range schema.Enum {
		text, _ := value.(string)
		list = append(list, text)
	}
	switch {
	case p.Name == "knownAt":
		list = append(list, "5", "12", "2026-03-02T10:00:00Z")
	case schema.Format == "date":
		list = append(list, "2024-01-01", "2024-06-30", "2026-03-01")
	case schema.Format == "uuid":
		list = append(list, w.ids...)
	case schema.Type.Is("integer"):
		list = append(list, "1", "2")
	case schema.Type.Is("boolean"):
		list = append(list, "true", "false")
	}
	for _, example := range []any{p.Example, schema.Example} {
		if text, ok := example.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// randomRequest returns a random request of the operation.
func (w *twins) randomRequest(tb testing.TB, d *declared) *wish {
	tb.Helper()
	made := w.wish(tb, d)
	for _, p := range d.parameters {
		switch {
		case p.In == openapi3.ParameterInQuery && w.random.IntN(3) == 0:
			made.query.Set(p.Name, pick(w.random, w.valuesOf(p)))
		case p.In == openapi3.ParameterInPath && p.Name != "organization" && w.random.IntN(10) == 0: // often an id of another kind of record
			made.path = strings.Replace(made.path, w.record(tb, d, p), pick(w.random, w.ids), 1)
		}
	}
	return made
}

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// sendUncached sends the request to the server without a cache.
func (w *twins) sendUncached(as *apitest.Client, wish *wish, headers ...string) apitest.Answer {
	target := wish.path
	if len(wish.query) > 0 {
		target += "?" + wish.query.Encode()
	}
	r := httptest.NewRequest(wish.method, target, strings.NewReader(wish.body))
	if wish.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Cookie", as.Cookie)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got := httptest.NewRecorder()
	w.uncached.ServeHTTP(got, r)
	return apitest.Answer{Status: got.Code, Header: got.Header(), Body: got.Body.String()}
}

// compare sends the request to both servers and expects equal answers.
func (w *twins) compare(tb testing.TB, as *caller, d *declared, wish *wish) {
	tb.Helper()
	want := w.sendUncached(as.Client, wish)
	if again := w.sendUncached(as.Client, wish); again.Body != want.Body { // differs on each request: a secret, a request id, a use count
		return
	}
	got := wish.as(tb, as.Copy())
	got.Body, want.Body = withoutClock(got.Body), withoutClock(want.Body)
	address := wish.path + "?" + wish.query.Encode()
	where := as.claim + " at " + d.id + " " + address
	if got.Status != want.Status || got.Body != want.Body {
		tb.Errorf("%s:\ncached   %d %s\nuncached %d %s", where, got.Status, got.Body, want.Status, want.Body)
	}
	for _, name := range []string{"ETag", "Content-Type", "Content-Disposition", "Cache-Control"} {
		if got.Header.Get(name) != want.Header.Get(name) {
			tb.Errorf("%s: %s %q, want %q", where, name, got.Header.Get(name), want.Header.Get(name))
		}
	}
	if tag := got.Header.Get("ETag"); tag != "" && got.Status == http.StatusOK {
		w.checkTag(tb, as, wish, where, tag, got.Body)
	}
}

// withoutClock removes the time of a session's last use, which follows the clock of the session store.
func withoutClock(body string) string {
	return regexp.MustCompile(`"seenAt":"[^"]*"`).ReplaceAllString(body, "")
}

// checkTag checks that a tag names one body at its address, and that only this tag causes 304.
func (w *twins) checkTag(tb testing.TB, as *caller, wish *wish, where, tag, body string) {
	tb.Helper()
	name := wish.method + " " + wish.path + "?" + wish.query.Encode() + " " + tag
	if before, known := w.bodies[name]; known && before != body {
		tb.Errorf("%s: two answers have the same ETag:\n%s\n%s", where, before, body)
	}
	w.bodies[name] = body
	w.tags = append(w.tags, tag)
	old := pick(w.random, w.tags)
	conditional := w.sendUncached(as.Client, wish, "If-None-Match", old)
	if wish.method == http.MethodGet && (conditional.Status == http.StatusNotModified) != (old == tag) {
		tb.Errorf("%s: status %d for the tag %s; the tag of the answer is %s", where, conditional.Status, old, tag)
	}
}

// A cached answer equals the computed one, for every read operation of the contract and
// any earlier caller. An ETag identifies one answer.
func TestCachedAnswersEqualUncachedAnswers(t *testing.T) {
	t.Parallel()
	apitest.OnAllStoresWith(t, func(t *testing.T, store string, changes ...apitest.Change) {
		t.Helper()
		w := newTwins(t, store, changes...)
		owners := w.callers[len(w.callers)-2:]
		for round := range 2 {
			for _, d := range w.reads {
				wishes := []*wish{w.wish(t, &d)}
				if round > 0 { // several of one sequence, whose answers differ by their parameters alone
					wishes = []*wish{w.randomRequest(t, &d), w.randomRequest(t, &d), w.randomRequest(t, &d)}
				}
				callers := append(slices.Clone(owners), pick(w.random, w.callers), pick(w.random, w.callers))
				w.random.Shuffle(len(callers), func(i, j int) { callers[i], callers[j] = callers[j], callers[i] })
				for _, wish := range wishes {
					for _, person := range callers {
						w.compare(t, &person, &d, wish)
					}
				}
			}
			w.Must(t, "PATCH", w.Home, `{"legalName":"Zenobia `+strconv.Itoa(round)+`"}`, http.StatusOK)
		}
	})
}

// question returns the request in the form of the query operation.
func (w *twins) question(tb testing.TB, d *declared, wish *wish) [2]string {
	tb.Helper()
	var parameters []string
	for _, p := range d.parameters {
		if p.In == openapi3.ParameterInPath {
			parameters = append(parameters, strconv.Quote(p.Name)+`:`+strconv.Quote(w.record(tb, d, p)))
		}
	}
	for name, values := range wish.query {
		parameters = append(parameters, strconv.Quote(name)+`:`+strconv.Quote(values[0]))
	}
	return [2]string{d.id, strings.Join(parameters, ",")}
}

// The query operation answers several questions as the server without a cache answers each
// one alone.
func TestBatchedAnswersEqualUncachedAnswers(t *testing.T) {
	t.Parallel()
	w := newTwins(t, storetest.SQLite(t))
	reads := slices.DeleteFunc(slices.Clone(w.reads), func(d declared) bool {
		return d.onlyFiles || d.body != nil || d.id == "streamEvents" || d.id == "diagnose" // its answer depends on the headers of the request
	})
	callers := slices.DeleteFunc(slices.Clone(w.callers), func(c caller) bool { return !c.signedIn || c.mustChange })
	for range 100 {
		var questions [][2]string
		var wishes []*wish
		for range 3 {
			d := pick(w.random, reads)
			made := w.wish(t, &d)
			for _, p := range d.parameters {
				if p.In == openapi3.ParameterInQuery && p.Name != "format" && w.random.IntN(3) == 0 {
					made.query.Set(p.Name, pick(w.random, w.valuesOf(p)))
				}
			}
			questions, wishes = append(questions, w.question(t, &d, made)), append(wishes, made)
		}
		person := pick(w.random, callers)
		for i, got := range askAll(t, person.Copy(), questions...) {
			want := w.sendUncached(person.Client, wishes[i])
			if w.sendUncached(person.Client, wishes[i]).Body != want.Body {
				continue
			}
			if got.Status != want.Status || string(got.Body) != strings.TrimSpace(want.Body) {
				t.Errorf("%s at %v: %d %s\nalone %d %s", person.claim, questions[i], got.Status, got.Body, want.Status, want.Body)
			}
		}
	}
}

// An ETag cannot be computed without the server's key. Two servers with the same key
// compute the same ETag.
func TestETagsDependOnTheKey(t *testing.T) {
	t.Parallel()
	var settings equityhttp.Settings
	var services equityhttp.Services
	b := apitest.Setup(t, func(s *equityhttp.Settings, v *equityhttp.Services) {
		s.TagKey = []byte("first")
		settings, services = *s, *v
	})
	f := b.NewFirm(t, "owner@example.com")
	services.Metrics = nil
	tag := func(key string) string {
		settings.TagKey = []byte(key)
		server, err := equityhttp.NewServer(settings, services)
		if err != nil {
			t.Fatal(err)
		}
		other := *b
		other.HTTP = server
		as := &apitest.Client{Server: &other, Cookie: f.Cookie}
		return as.Must(t, "GET", f.Home+"/captable", "", http.StatusOK).Header.Get("ETag")
	}
	own := f.Must(t, "GET", f.Home+"/captable", "", http.StatusOK).Header.Get("ETag")
	if same := tag("first"); same != own {
		t.Errorf("ETags with the same key differ: %s and %s", own, same)
	}
	if other, random := tag("second"), tag(""); other == own || random == own || random == other {
		t.Errorf("ETags with different keys are equal: %s, %s and %s", own, other, random)
	}
}

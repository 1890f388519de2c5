package http_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
)

// declared is an operation as the contract declares it.
type declared struct {
	id, method, path string
	permission       string
	session          string // x-session
	organization     string // x-organization
	agent            string // x-agent
	requires         string // x-requires: what a caller needs beyond the permission
	tag              string // the kind of its resource
	parameters       []*openapi3.Parameter
	body             *openapi3.RequestBody
	reads, onlyFiles bool
	// answersJSON reports that it can answer with JSON.
	answersJSON bool
	// tool reports an operation that the assistant offers.
	tool bool
	// factor reports that it requires a recent second factor.
	factor bool
	// own reports that the holder of the record may run it. stores reports that it stores uploaded files.
	own, stores bool
	// content reports an answer with the bytes of a stored file.
	content bool
}

// declaredOperations lists the operations of the contract, ordered by id.
func declaredOperations(c *apitest.Contract) []declared {
	var list []declared
	eachOperation(c, func(method, path string, item *openapi3.PathItem, operation *openapi3.Operation) {
		text := func(name string) string { value, _ := operation.Extensions[name].(string); return value }
		one := declared{
			id: operation.OperationID, method: method, path: path,
			permission: text("x-permission"), session: text("x-session"), organization: text("x-organization"),
			agent: text("x-agent"), requires: text("x-requires"), tag: operation.Tags[0],
			own: operation.Extensions["x-owner"] == true, stores: text("x-body") == "stream",
		}
		for _, ref := range slices.Concat(item.Parameters, operation.Parameters) {
			one.parameters = append(one.parameters, ref.Value)
		}
		if operation.RequestBody != nil {
			one.body = operation.RequestBody.Value
		}
		one.reads = method == "GET" && operation.Extensions["x-writes"] != true || one.agent == "read"
		one.factor = operation.Extensions["x-second-factor"] == true
		one.tool = one.agent != "" && one.id != "query" && (one.body == nil || one.body.Content["application/json"] != nil)
		if ok := operation.Responses.Value("200"); ok != nil {
			one.answersJSON = ok.Value.Content["application/json"] != nil
			one.content = operation.Extensions["x-answer"] == "stream"
			one.onlyFiles = len(ok.Value.Content) > 0 && ok.Value.Content["application/json"] == nil && !streams(operation)
		}
		one.tool = one.tool && !one.onlyFiles && !one.content
		list = append(list, one)
	})
	slices.SortFunc(list, func(a, b declared) int { return strings.Compare(a.id, b.id) })
	return list
}

// wish is a prepared request.
type wish struct {
	method, path, body, kind string
	query                    url.Values
}

// as sends the request as the given client. Headers are names and values in turn.
func (w *wish) as(tb testing.TB, c *apitest.Client, headers ...string) apitest.Answer {
	tb.Helper()
	address := w.path
	if len(w.query) > 0 {
		address += "?" + w.query.Encode()
	}
	if w.kind != "" {
		headers = append(headers, "Content-Type", w.kind)
	}
	return c.Send(tb, w.method, address, w.body, headers...)
}

// wish returns the contract's own example of the operation, applied to the estate's records.
// It sets only required parameters and requests a dry run where the operation has one.
func (e *estate) wish(tb testing.TB, d *declared) *wish {
	tb.Helper()
	w := &wish{method: d.method, path: "/v1" + d.path, query: url.Values{}}
	for _, p := range d.parameters {
		switch {
		case p.In == openapi3.ParameterInPath:
			w.path = strings.Replace(w.path, "{"+p.Name+"}", e.record(tb, d, p), 1)
		case p.In == openapi3.ParameterInQuery && p.Required:
			w.query.Set(p.Name, queryOf(p))
		case p.Name == "dryRun":
			w.query.Set("dryRun", "true")
		}
	}
	e.setBody(tb, d, w)
	return w
}

// record returns the id for a path parameter.
func (e *estate) record(tb testing.TB, d *declared, p *openapi3.Parameter) string {
	tb.Helper()
	locate, _ := p.Extensions["x-locate"].(string)
	for _, name := range []string{d.id + "." + p.Name, locate + "." + p.Name, p.Name} {
		if id := e.ids[name]; id != "" {
			return id
		}
	}
	tb.Fatalf("%s: the estate has no record for the parameter %s: add one in estate_test.go", d.id, p.Name)
	return ""
}

// queryOf returns the example of a required query parameter.
func queryOf(p *openapi3.Parameter) string {
	example := p.Example
	if example == nil {
		example = p.Schema.Value.Example
	}
	text, _ := example.(string)
	return text
}

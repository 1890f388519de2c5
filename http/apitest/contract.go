package apitest

import (
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/prometheus/client_golang/prometheus"

	equityhttp "equity/http"
	"equity/http/schema"
)

// Contract checks answers against the document in two independent ways: with our compiled
// schemas, which also refuse undeclared fields, and with kin-openapi.
type Contract struct {
	Doc *openapi3.T
	// compile returns the schema that checks an answer.
	compile func(*openapi3.SchemaRef) (*schema.Schema, error)
	mutex   sync.Mutex
	// Answered holds the operations that returned their success answer at least once.
	Answered map[string]bool
}

// document is read once, because that takes longer than most tests. No test changes it.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(equityhttp.Document())
})

// answerSchemas compiles each schema of the document once.
var answerSchemas = sync.OnceValue(func() func(*openapi3.SchemaRef) (*schema.Schema, error) {
	var mutex sync.Mutex
	compiler := &schema.Compiler{Closed: true}
	return func(ref *openapi3.SchemaRef) (*schema.Schema, error) {
		mutex.Lock()
		defer mutex.Unlock()
		return compiler.Compile(ref)
	}
})

// NewContract returns the contract with no answered operations.
func NewContract(tb testing.TB) *Contract {
	tb.Helper()
	doc, err := document()
	if err != nil {
		tb.Fatal(err)
	}
	return &Contract{Doc: doc, compile: answerSchemas(), Answered: map[string]bool{}}
}

// Operation returns the operation that serves the path, or nil.
func (c *Contract) Operation(method, path string) *openapi3.Operation {
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "/api"), "?")
	path, ours := strings.CutPrefix(path, "/v1")
	if !ours { // an address of a page
		return nil
	}
	path = strings.TrimSuffix(path, "/")
	var best *openapi3.PathItem
	literals := -1
	for template, item := range c.Doc.Paths.Map() {
		if n := matches(template, path); n > literals {
			best, literals = item, n
		}
	}
	if best == nil {
		return nil
	}
	return best.GetOperation(method)
}

// matches counts the literal segments of a template that fits the path; -1 when it
// does not fit.
func matches(template, path string) int {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return -1
	}
	literals := 0
	for i := range want {
		switch {
		case want[i] == got[i]:
			literals++
		case !strings.HasPrefix(want[i], "{"):
			return -1
		}
	}
	return literals
}

// check fails the test if the contract does not declare the answer.
func (c *Contract) check(tb testing.TB, method, path string, got Answer) {
	tb.Helper()
	operation := c.Operation(method, path)
	if operation == nil {
		c.checkError(tb, method, path, got)
		return
	}
	if (got.Status < http.StatusMultipleChoices || got.Status == http.StatusFound) && !isPreview(got) {
		c.mutex.Lock()
		c.Answered[operation.OperationID] = true
		c.mutex.Unlock()
	}
	promised := operation.Responses.Value(strconv.Itoa(got.Status))
	if promised == nil {
		tb.Errorf("%s %s: the contract does not declare status %d: %s", method, path, got.Status, got.Body)
		return
	}
	for name := range promised.Value.Headers {
		if got.Header.Get(name) == "" && got.Status < http.StatusBadRequest && !isPreview(got) {
			tb.Errorf("%s %s %d: header %s is missing", method, path, got.Status, name)
		}
	}
	if len(promised.Value.Content) == 0 {
		if got.Body != "" {
			tb.Errorf("%s %s %d: unexpected body: %s", method, path, got.Status, got.Body)
		}
		return
	}
	kind, _, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	media := promised.Value.Content.Get(kind)
	if err != nil || media == nil {
		tb.Errorf("%s %s %d: undeclared content type %q: %s", method, path, got.Status, kind, got.Body)
		return
	}
	if kind == "application/json" && promised.Value.Content[kind] != nil {
		c.CheckBody(tb, method+" "+path+" "+strconv.Itoa(got.Status), media.Schema, got.Body)
	}
}

// checkStatuses fails the test if a server has answered an operation with a status that the contract does not declare. It counts every
// answer, also those that no client of the tests checked.
func (c *Contract) checkStatuses(tb testing.TB, metrics prometheus.Gatherer) {
	tb.Helper()
	families, err := metrics.Gather()
	if err != nil {
		tb.Errorf("gather: %v", err)
	}
	for _, family := range families {
		if family.GetName() != "equity_http_requests_total" {
			continue
		}
		for _, series := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range series.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			c.checkStatus(tb, labels["method"], labels["route"], labels["status"])
		}
	}
}

func (c *Contract) checkStatus(tb testing.TB, method, route, status string) {
	tb.Helper()
	item := c.Doc.Paths.Value(route)
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if item == nil || item.GetOperation(method) == nil || status == "0" { // no operation, or the caller went away before the answer
		return
	}
	if item.GetOperation(method).Responses.Value(status) == nil {
		tb.Errorf("%s %s: the contract does not declare status %s", method, route, status)
	}
}

func isPreview(got Answer) bool { return strings.HasPrefix(got.Body, `{"dryRun":true`) }

// checkError checks an answer at an address without an operation.
func (c *Contract) checkError(tb testing.TB, method, path string, got Answer) {
	tb.Helper()
	if strings.HasPrefix(path, "/oauth/") || path == "/mcp" { // errors in the form of RFC 6749 or of the protocol
		return
	}
	if strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") && got.Status >= http.StatusBadRequest {
		c.CheckBody(tb, method+" "+path, c.Doc.Components.Schemas["Error"], got.Body)
	}
}

// CheckBody fails the test unless the JSON body satisfies the schema. The text where begins each message.
func (c *Contract) CheckBody(tb testing.TB, where string, ref *openapi3.SchemaRef, body string) {
	tb.Helper()
	compiled, err := c.compile(ref)
	if err != nil {
		tb.Fatal(err)
	}
	for _, fault := range compiled.Check([]byte(body)) {
		tb.Errorf("%s: %s %s: %s\n%s", where, fault.Pointer, fault.Code, fault.Message, body)
	}
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		tb.Errorf("%s: %v", where, err)
		return
	}
	if err := ref.Value.VisitJSON(value, openapi3.MultiErrors()); err != nil {
		tb.Errorf("%s: kin-openapi: %v\n%s", where, err, body)
	}
}

package http_test

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
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
	// tool reports an operation that the assistant offers.
	tool bool
	// factor reports that it requires a recent second factor.
	factor bool
	// own reports that the holder of the record may run it. stores reports that it stores uploaded files.
	own, stores bool
	// content reports an answer with the bytes of a stored file.
	content bool
}

// all lists the operations of the contract, ordered by id.
func (c *contract) all() []declared {
	var list []declared
	c.operations(func(method, path string, item *openapi3.PathItem, operation *openapi3.Operation) {
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
func (w *wish) as(tb testing.TB, c *client, headers ...string) answer {
	tb.Helper()
	address := w.path
	if len(w.query) > 0 {
		address += "?" + w.query.Encode()
	}
	if w.kind != "" {
		headers = append(headers, "Content-Type", w.kind)
	}
	return c.send(tb, w.method, address, w.body, headers...)
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

// setBody sets the body of the request: the contract's example with the estate's ids, or
// the entry of bodies if the example does not fit the estate.
func (e *estate) setBody(tb testing.TB, d *declared, w *wish) {
	tb.Helper()
	if d.body == nil {
		return
	}
	media := d.body.Content["application/json"]
	switch {
	case bodies()[d.id] != "":
		w.body = e.fill(bodies()[d.id])
	case media != nil:
		text, err := json.Marshal(e.localized(media.Example, d.id))
		if err != nil {
			tb.Fatal(err)
		}
		w.body = string(text)
	case d.id == "uploadOnboardingFile":
		w.body, w.kind = spreadsheet(tb, "holders.csv", "holder,shares\r\nAda,5\r\n")
	case d.stores: // a profile stores pictures only
		w.body, w.kind = spreadsheet(tb, e.name+" Next.png", pngHead)
	case d.body.Content["text/csv"] != nil:
		w.body, w.kind = e.fill("holder,security,shares,issueDate\r\n{name} Spare,Common Stock,5,2024-01-01\r\n"), "text/csv"
		w.query.Set("kind", "shareholdings")
	case d.body.Content["application/x-www-form-urlencoded"] != nil:
		w.body, w.kind = "credential=x&g_csrf_token=y", "application/x-www-form-urlencoded"
	default:
		w.body, w.kind = spreadsheet(tb, "people.csv", "fullName\r\nAda\r\n", "organization", e.id)
	}
}

// localized returns the example with its ids replaced by the estate's ids. The id of a field in the object or operation overrides the id of
// the field.
func (e *estate) localized(example any, of string) any {
	switch value := example.(type) {
	case map[string]any:
		local := make(map[string]any, len(value))
		for name, field := range value {
			local[name] = e.localized(field, name)
			if id := cmp.Or(e.ids[of+"."+name], e.ids[name]); id != "" && isID(field) {
				local[name] = id
			}
		}
		return local
	case []any:
		local := make([]any, len(value))
		for i, one := range value {
			local[i] = e.localized(one, of)
		}
		return local
	}
	return example
}

const idLength = 36

func isID(value any) bool {
	text, _ := value.(string)
	return len(text) == idLength && strings.Count(text, "-") == 4
}

// estateRound describes a round on the estate's cap table that converts the estate's holding.
const estateRound = `"date":"2026-03-01","preMoney":"12000000","newMoney":[{"investor":{"name":"Next"},"amount":"9000"}],"convertibles":[{"holding":"{holding}"}],"security":{"name":"Next"}`

// bodies maps operation ids to bodies, for operations whose example does not fit the estate: it has more permissions than a member who
// edits members, more shares than the estate, or names a record that only the estate has.
func bodies() map[string]string {
	const award = `"entity":"{entity}","security":"{security}","shares":"1","issueDate":"2024-03-15","plan":"{plan}","pool":"{pool}"`
	const converting = `{"name":"Next","shareType":"preferred","authorizedShares":"10","conversion":{"security":"{security}","ratio":"1"}}`
	return map[string]string{
		"chatWithAgent":        `{"organization":"{organization}","message":"help"}`,
		"acceptExercise":       `{"date":"2026-02-01","marketValue":"4.20"}`,
		"addMember":            `{"fullName":"Next","roles":[]}`,
		"inviteMembers":        `{"emails":["next@example.com"],"roles":[]}`,
		"closeRound":           `{` + estateRound + `,"confirm":"{confirm}"}`,
		"correctShareholding":  `{` + award + `,"reason":"A zero too many."}`,
		"createPlan":           `{"name":"Next","boardApprovalDate":"2024-01-01","pools":[{"name":"Next","security":"{security}","totalShares":"10","strikePrice":"1"}]}`,
		"createRole":           `{"name":"Next","permissions":["editMembers"]}`,
		"createSecurity":       converting,
		"exerciseOption":       `{"quantity":"5","date":"2026-02-01"}`,
		"issueShareholding":    `{` + award + `}`,
		"planRound":            "{" + estateRound + "}",
		"replacePlan":          `{"name":"Next","pools":[{"id":"{pool}","name":"Next","security":"{security}","totalShares":"9000","strikePrice":"1"}]}`,
		"replaceRole":          `{"name":"Next","permissions":["editMembers"]}`,
		"replaceSecurity":      converting,
		"requestExercise":      `{"quantity":"5"}`,
		"skipIntegrationEvent": `{"sequence":2}`,
	}
}

package http_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
)

// amountField is an amount in the body of an operation.
type amountField struct {
	schema *openapi3.Schema
	// form is the declared x-amount; empty for an amount whose handler reads both forms.
	form string
}

// amountFields returns the amounts of all JSON bodies by operation and pointer. The items of lists have the index 0.
func amountFields(c *apitest.Contract) map[string]amountField {
	found := map[string]amountField{}
	var walk func(at string, ref *openapi3.SchemaRef, depth int)
	walk = func(at string, ref *openapi3.SchemaRef, depth int) {
		const deepest = 8
		if ref == nil || ref.Value == nil || depth > deepest {
			return
		}
		schema := ref.Value
		money := schema.Properties["amount"] != nil && schema.Properties["currency"] != nil
		if mark := schema.Extensions["x-mark"]; mark == "money" || mark == "price" || money {
			form, within := "", schema
			for form == "" && within != nil {
				form, _ = within.Extensions["x-amount"].(string)
				if len(within.AllOf) != 1 {
					break
				}
				within = within.AllOf[0].Value
			}
			found[at] = amountField{schema, form}
			return
		}
		for _, part := range slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf) {
			walk(at, part, depth+1)
		}
		for name, field := range schema.Properties {
			walk(at+"/"+name, field, depth+1)
		}
		walk(at+"/0", schema.Items, depth+1)
	}
	for _, d := range declaredOperations(c) {
		if d.body != nil && d.body.Content["application/json"] != nil && d.body.Extensions["x-body"] != "raw" {
			walk(d.id+" ", d.body.Content["application/json"].Schema, 0)
		}
	}
	delete(found, "transferCredit /amount") // credit is no money, and a number in the interface
	return found
}

func TestAmountsOfRequestsAreAcceptedInBothForms(t *testing.T) {
	t.Parallel()
	fields := amountFields(apitest.Setup(t).Contract)
	const least = 60
	if len(fields) < least {
		t.Fatalf("only %d amounts were found", len(fields))
	}
	for at, field := range fields {
		for _, value := range []any{"1.5", map[string]any{"amount": "1.5", "currency": "USD"}} {
			if err := field.schema.VisitJSON(value); err != nil {
				t.Errorf("%s refuses %v: %v", at, value, err)
			}
		}
		if err := field.schema.VisitJSON(1.5); err == nil {
			t.Errorf("%s accepts a number", at)
		}
	}
}

// amountRequest is a request with an amount at each of its pointers.
type amountRequest struct {
	operation, method, path, body string
	// fields are the places of %s in the body.
	fields []string
	// amounts are valid ones. The default is 100, 200 and so on.
	amounts []string
	// confirmed requests name the outcome of the plan of a round.
	confirmed bool
}

// amountRequests returns requests with all amounts that have x-amount.
func amountRequests(t *testing.T, f *apitest.Firm) []amountRequest {
	t.Helper()
	ada := f.NewHolder(t, "Ada")
	block := f.Must(t, "POST", f.Home+"/block", `{"name":"Seed"}`, http.StatusCreated).Header.Get("Location")
	note, issued := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms), f.Issue(t, ada, "100000", `"pricePerShare":"5"`)
	capital := f.Must(t, "POST", "/v1/entity/"+ada+"/capitalChange", contributionBody(f, "1", ""), http.StatusCreated).Text(t, "id")
	consideration := func() (text string, fields []string) {
		var parts []string
		for _, name := range []string{"cash", "debtCancelled", "ip", "services", "other"} {
			parts, fields = append(parts, `"`+name+`":%s`), append(fields, "/consideration/"+name)
		}
		return `"consideration":{` + strings.Join(parts, ",") + "}", fields
	}
	paid, paidFields := consideration()
	investment := `"date":"2026-03-01","newMoney":[{"investor":{"name":"Fund"},"amount":%s}],"security":{"name":"Series A"}`
	money := []string{"/preMoney", "/raised"}
	round := func(name, amount string) amountRequest {
		return amountRequest{
			amounts:   []string{amount, "5000000"},
			operation: "planRound", method: "POST", path: f.Home + "/scenario/round", body: `{"` + name + `":%s,` + investment + `}`,
			fields: []string{"/" + name, "/newMoney/0/amount"},
		}
	}
	closing := func(name, amount string) amountRequest {
		r := round(name, amount)
		r.operation, r.path, r.confirmed = "closeRound", r.path+"/close", true
		return r
	}
	return []amountRequest{
		{operation: "createBlock", method: "POST", path: f.Home + "/block", body: `{"name":"A","preMoney":%s,"raised":%s}`, fields: money},
		{operation: "replaceBlock", method: "PUT", path: block, body: `{"name":"B","preMoney":%s,"raised":%s}`, fields: money},
		{
			operation: "changeCapital", method: "POST", path: "/v1/entity/" + ada + "/capitalChange", fields: []string{"/amount"},
			body: `{"organization":"` + f.ID + `","kind":"contribution","date":"2026-01-05","amount":%s}`,
		},
		{
			operation: "amendCapitalChange", method: "PATCH", path: "/v1/entity/" + ada + "/capitalChange", fields: []string{"/amount"},
			body: `{"organization":"` + f.ID + `","id":"` + capital + `","amount":%s}`,
		},
		{
			operation: "putValuation", method: "PUT", path: "/v1/valuation", fields: []string{"/pricePerShare", "/companyValue"},
			body: `{"organization":"` + f.ID + `","security":"` + f.Common + `","type":"board","effectiveDate":"2026-01-01","pricePerShare":%s,"companyValue":%s}`,
		},
		{operation: "createHolding", method: "POST", path: "/v1/holding", body: f.HoldingBody("safe", ada, `,"principal":%s`), fields: []string{"/principal"}},
		{operation: "correctHolding", method: "PUT", path: note, body: correctionBody(ada, `,"principal":%s`), fields: []string{"/principal"}},
		{operation: "issueShareholding", method: "POST", path: f.Home + "/shareholding", body: f.IssuanceBody(ada, "10", paid), fields: paidFields},
		{operation: "correctShareholding", method: "PUT", path: issued, body: f.IssuanceBody(ada, "10", paid, `"reason":"A typo."`), fields: paidFields},
		{operation: "amendShareholding", method: "PATCH", path: issued, body: "{" + paid + "}", fields: paidFields},
		round("preMoney", "20000000"), round("postMoney", "25000000"), round("pricePerShare", "5"),
		closing("preMoney", "20000000"), closing("postMoney", "25000000"), closing("pricePerShare", "5"),
		{operation: "planExit", method: "POST", path: f.Home + "/scenario/exit", body: `{"values":[%s],"costs":%s}`, fields: []string{"/values/0", "/costs"}},
		{
			operation: "planExit", method: "POST", path: f.Home + "/scenario/exit", body: `{"range":{"from":%s,"to":%s,"step":%s}}`,
			fields: []string{"/range/from", "/range/to", "/range/step"}, amounts: []string{"10", "20", "10"},
		},
	}
}

// with returns the body with the amounts in place of %s.
func (r amountRequest) with(amounts []string) string {
	body := r.body
	for _, amount := range amounts {
		body = strings.Replace(body, "%s", amount, 1)
	}
	return body
}

// dry sends the request as a dry run if the operation has one.
func (r amountRequest) dry(t *testing.T, f *apitest.Firm, amounts []string) apitest.Answer {
	t.Helper()
	path, body := r.path, r.with(amounts)
	if !strings.HasSuffix(path, "/round") && !strings.HasSuffix(path, "/exit") {
		path += "?dryRun=true"
	}
	if r.confirmed {
		plan := f.Must(t, "POST", f.Home+"/scenario/round", body, http.StatusOK)
		body = strings.TrimSuffix(body, "}") + `,"confirm":"` + plan.Text(t, "confirm") + `"}`
	}
	return f.Send(t, r.method, path, body)
}

// withoutIDs returns the body without ids, which are new in each dry run.
func withoutIDs(a apitest.Answer) string { return anyID.ReplaceAllString(a.Body, "") }

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|"requestId":"[0-9a-f]+"`)

func TestAmountsInBothFormsAreTheSameAmounts(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	sent := map[string]bool{}
	for _, r := range amountRequests(t, f) {
		plain, stated := make([]string, len(r.fields)), make([]string, len(r.fields))
		for i, field := range r.fields {
			sent[r.operation+" "+field] = true
			plain[i] = strconv.Quote(strconv.Itoa(100 * (i + 1)))
			if r.amounts != nil {
				plain[i] = strconv.Quote(r.amounts[i])
			}
			stated[i] = `{"amount":` + plain[i] + `,"currency":"USD"}`
		}
		first, second := r.dry(t, f, plain), r.dry(t, f, stated)
		one, other := withoutIDs(first), withoutIDs(second)
		if first.Status != http.StatusOK || one != other {
			t.Errorf("%s %s: as texts %d %s\nwith currencies %d %s", r.operation, r.fields, first.Status, one, second.Status, other)
		}
	}
	for at, field := range amountFields(f.Contract) {
		if field.form != "" && !sent[at] {
			t.Errorf("%s is in no request", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(sent)) {
		if amountFields(f.Contract)[at].form == "" {
			t.Errorf("%s is in a request and has no x-amount", at)
		}
	}
}

func TestAmountsOfNoFormAreRefusedByPointer(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	fields := amountFields(f.Contract)
	for _, r := range amountRequests(t, f) {
		r.confirmed = false
		wrong := map[string]string{`5`: "", `{"amount":"5"}`: "/currency", `{"currency":"USD"}`: "/amount", `"five"`: "", `{"amount":"5","currency":"usd"}`: "/currency"}
		if fields[r.operation+" "+r.fields[0]].form == "decimal" {
			wrong[`{"amount":"5","currency":"EUR"}`], wrong[`{"amount":"-5","currency":"USD"}`] = "/currency", "/amount"
		}
		for amount, part := range wrong {
			amounts := slices.Repeat([]string{`"5"`}, len(r.fields))
			for i, field := range r.fields {
				one := slices.Clone(amounts)
				one[i] = amount
				got := r.dry(t, f, one)
				if got.Status != http.StatusBadRequest || !strings.Contains(got.Body, `"pointer":"`+field+part+`"`) {
					t.Errorf("%s with %s at %s: %d %s", r.operation, amount, field, got.Status, got.Body)
				}
			}
		}
	}
}

func TestAmountsInTheCurrencyOfThePrincipalAreAcceptedInBothForms(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	euros := func(amount string) string { return `{"amount":"` + amount + `","currency":"EUR"}` }
	note := f.IssueHolding(t, "convertibleNote", ada, `,"principal":`+euros("10000")+`,"fixedConversion":{"security":"`+f.Common+`","price":`+euros("2")+`}`)
	apitest.Run(t, []apitest.Scenario{
		{Claim: "a fixed price is answered as a text", As: f.Client, Method: "GET", Path: note, Status: 200, Has: []string{`"price":"2"`}},
		{
			Claim: "a fixed price is amended", As: f.Client, Method: "PATCH", Path: note, Status: 200, Has: []string{`"price":"4"`},
			Body: `{"fixedConversion":{"security":"` + f.Common + `","price":` + euros("4") + `}}`,
		},
		{
			Claim: "a fixed price in another currency is refused", As: f.Client, Method: "PATCH", Path: note, Status: 400,
			Has:  []string{"/fixedConversion/price/currency"},
			Body: `{"fixedConversion":{"security":"` + f.Common + `","price":{"amount":"4","currency":"USD"}}}`,
		},
		{
			Claim: "a part in another currency is refused", As: f.Client, Method: "POST", Path: note + "/transfer", Status: 400,
			Has:  []string{"/amount/currency"},
			Body: `{"to":{"entity":"` + bob + `"},"amount":{"amount":"1","currency":"USD"},"date":"2026-01-11","kind":"sale"}`,
		},
		{
			Claim: "a part of the principal is transferred", As: f.Client, Method: "POST", Path: note + "/transfer", Status: 201, Has: []string{`"amount":"2500"`, `"price":"4"`},
			Body: `{"to":{"entity":"` + bob + `"},"amount":` + euros("2500") + `,"date":"2026-01-11","kind":"sale"}`,
		},
	})
}

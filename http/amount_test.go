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
)

// amountField is an amount in the body of an operation.
type amountField struct {
	schema *openapi3.Schema
	// form is the declared x-amount; empty for an amount whose handler reads both forms.
	form string
}

// amountFields returns the amounts of all JSON bodies by operation and pointer. The items of lists have the index 0.
func amountFields(c *contract) map[string]amountField {
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
	for _, d := range c.all() {
		if d.body != nil && d.body.Content["application/json"] != nil && d.body.Extensions["x-body"] != "raw" {
			walk(d.id+" ", d.body.Content["application/json"].Schema, 0)
		}
	}
	delete(found, "transferCredit /amount") // credit is no money, and a number in the interface
	return found
}

func TestAmountsOfRequestsAreAcceptedInBothForms(t *testing.T) {
	t.Parallel()
	fields := amountFields(setup(t).contract)
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
func (f *firm) amountRequests(t *testing.T) []amountRequest {
	t.Helper()
	ada := f.holder(t, "Ada")
	block := f.must(t, "POST", f.home+"/block", `{"name":"Seed"}`, http.StatusCreated).header.Get("Location")
	note, issued := f.issueHolding(t, "convertibleNote", ada, noteTerms), f.issue(t, ada, "100000", `"pricePerShare":"5"`)
	capital := f.must(t, "POST", "/v1/entity/"+ada+"/capitalChange", f.contribution("1", ""), http.StatusCreated).text(t, "id")
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
			operation: "planRound", method: "POST", path: f.home + "/scenario/round", body: `{"` + name + `":%s,` + investment + `}`,
			fields: []string{"/" + name, "/newMoney/0/amount"},
		}
	}
	closing := func(name, amount string) amountRequest {
		r := round(name, amount)
		r.operation, r.path, r.confirmed = "closeRound", r.path+"/close", true
		return r
	}
	return []amountRequest{
		{operation: "createBlock", method: "POST", path: f.home + "/block", body: `{"name":"A","preMoney":%s,"raised":%s}`, fields: money},
		{operation: "replaceBlock", method: "PUT", path: block, body: `{"name":"B","preMoney":%s,"raised":%s}`, fields: money},
		{
			operation: "changeCapital", method: "POST", path: "/v1/entity/" + ada + "/capitalChange", fields: []string{"/amount"},
			body: `{"organization":"` + f.id + `","kind":"contribution","date":"2026-01-05","amount":%s}`,
		},
		{
			operation: "amendCapitalChange", method: "PATCH", path: "/v1/entity/" + ada + "/capitalChange", fields: []string{"/amount"},
			body: `{"organization":"` + f.id + `","id":"` + capital + `","amount":%s}`,
		},
		{
			operation: "putValuation", method: "PUT", path: "/v1/valuation", fields: []string{"/pricePerShare", "/companyValue"},
			body: `{"organization":"` + f.id + `","security":"` + f.common + `","type":"board","effectiveDate":"2026-01-01","pricePerShare":%s,"companyValue":%s}`,
		},
		{operation: "createHolding", method: "POST", path: "/v1/holding", body: f.holding("safe", ada, `,"principal":%s`), fields: []string{"/principal"}},
		{operation: "correctHolding", method: "PUT", path: note, body: f.correction(ada, `,"principal":%s`), fields: []string{"/principal"}},
		{operation: "issueShareholding", method: "POST", path: f.home + "/shareholding", body: f.issuance(ada, "10", paid), fields: paidFields},
		{operation: "correctShareholding", method: "PUT", path: issued, body: f.issuance(ada, "10", paid, `"reason":"A typo."`), fields: paidFields},
		{operation: "amendShareholding", method: "PATCH", path: issued, body: "{" + paid + "}", fields: paidFields},
		round("preMoney", "20000000"), round("postMoney", "25000000"), round("pricePerShare", "5"),
		closing("preMoney", "20000000"), closing("postMoney", "25000000"), closing("pricePerShare", "5"),
		{operation: "planExit", method: "POST", path: f.home + "/scenario/exit", body: `{"values":[%s],"costs":%s}`, fields: []string{"/values/0", "/costs"}},
		{
			operation: "planExit", method: "POST", path: f.home + "/scenario/exit", body: `{"range":{"from":%s,"to":%s,"step":%s}}`,
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
func (r amountRequest) dry(t *testing.T, f *firm, amounts []string) answer {
	t.Helper()
	path, body := r.path, r.with(amounts)
	if !strings.HasSuffix(path, "/round") && !strings.HasSuffix(path, "/exit") {
		path += "?dryRun=true"
	}
	if r.confirmed {
		plan := f.must(t, "POST", f.home+"/scenario/round", body, http.StatusOK)
		body = strings.TrimSuffix(body, "}") + `,"confirm":"` + plan.text(t, "confirm") + `"}`
	}
	return f.send(t, r.method, path, body)
}

// withoutIDs returns the body without ids, which are new in each dry run.
func withoutIDs(a answer) string { return anyID.ReplaceAllString(a.body, "") }

var anyID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|"requestId":"[0-9a-f]+"`)

func TestAmountsInBothFormsAreTheSameAmounts(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	sent := map[string]bool{}
	for _, r := range f.amountRequests(t) {
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
		if first.status != http.StatusOK || one != other {
			t.Errorf("%s %s: as texts %d %s\nwith currencies %d %s", r.operation, r.fields, first.status, one, second.status, other)
		}
	}
	for at, field := range amountFields(f.contract) {
		if field.form != "" && !sent[at] {
			t.Errorf("%s is in no request", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(sent)) {
		if amountFields(f.contract)[at].form == "" {
			t.Errorf("%s is in a request and has no x-amount", at)
		}
	}
}

func TestAmountsOfNoFormAreRefusedByPointer(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	fields := amountFields(f.contract)
	for _, r := range f.amountRequests(t) {
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
				if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"pointer":"`+field+part+`"`) {
					t.Errorf("%s with %s at %s: %d %s", r.operation, amount, field, got.status, got.body)
				}
			}
		}
	}
}

//nolint:tparallel // one scenario builds on another
func TestAmountsInTheCurrencyOfThePrincipalAreAcceptedInBothForms(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	euros := func(amount string) string { return `{"amount":"` + amount + `","currency":"EUR"}` }
	note := f.issueHolding(t, "convertibleNote", ada, `,"principal":`+euros("10000")+`,"fixedConversion":{"security":"`+f.common+`","price":`+euros("2")+`}`)
	run(t, []scenario{
		{claim: "a fixed price is answered as a text", as: f.client, method: "GET", path: note, status: 200, has: []string{`"price":"2"`}},
		{
			claim: "a fixed price is amended", as: f.client, method: "PATCH", path: note, status: 200, has: []string{`"price":"4"`},
			body: `{"fixedConversion":{"security":"` + f.common + `","price":` + euros("4") + `}}`,
		},
		{
			claim: "a fixed price in another currency is refused", as: f.client, method: "PATCH", path: note, status: 400,
			has:  []string{"/fixedConversion/price/currency"},
			body: `{"fixedConversion":{"security":"` + f.common + `","price":{"amount":"4","currency":"USD"}}}`,
		},
		{
			claim: "a part in another currency is refused", as: f.client, method: "POST", path: note + "/transfer", status: 400,
			has:  []string{"/amount/currency"},
			body: `{"to":{"entity":"` + bob + `"},"amount":{"amount":"1","currency":"USD"},"date":"2026-01-11","kind":"sale"}`,
		},
		{
			claim: "a part of the principal is transferred", as: f.client, method: "POST", path: note + "/transfer", status: 201, has: []string{`"amount":"2500"`, `"price":"4"`},
			body: `{"to":{"entity":"` + bob + `"},"amount":` + euros("2500") + `,"date":"2026-01-11","kind":"sale"}`,
		},
	})
}

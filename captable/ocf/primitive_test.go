package ocf_test

import (
	"slices"
	"strings"
	"testing"

	"equity/captable/ocf"
)

func TestPrimitives(t *testing.T) {
	t.Parallel()
	for field, values := range map[string]map[string]string{ // a JSON value to its finding code
		"pro_rata": {
			`"0"`: "", `"1"`: "", `"-1.5"`: "", `"+007.10"`: "", `"9999999999999999999.9999999999"`: "", `""`: "", `null`: "",
			`1`: "invalidNumeric", `"1."`: "invalidNumeric", `".5"`: "invalidNumeric", `"1e3"`: "invalidNumeric", `"0x1"`: "invalidNumeric",
			`"1 000"`: "invalidNumeric", `"--1"`: "invalidNumeric", `"+-1"`: "invalidNumeric", `"NaN"`: "invalidNumeric", `true`: "invalidNumeric",
			`"0.00000000001"`: "invalidNumeric", `"10000000000000000000"`: "invalidNumeric", `{}`: "invalidNumeric",
		},
		"settlement_date": {
			`"2024-02-29"`: "", `"0001-01-01"`: "", `"9999-12-31"`: "", `null`: "", `""`: "",
			`"2023-02-29"`: "invalidDate", `"2024-13-01"`: "invalidDate", `"2024-1-1"`: "invalidDate", `"01.01.2024"`: "invalidDate",
			`"2024-01-01T00:00:00Z"`: "invalidDate", `20240101`: "invalidDate", `"0000-01-01"`: "invalidDate",
		},
		"rate": {
			`"0"`: "", `"1"`: "", `"0.05"`: "", `".05"`: "", `"1.0000000000"`: "", `""`: "",
			`"1.01"`: "invalidPercentage", `"-0.1"`: "invalidPercentage", `"5%"`: "invalidPercentage", `0.05`: "invalidPercentage",
			`"+0.5"`: "invalidPercentage", `"2"`: "invalidPercentage",
		},
		"exercise_price": {
			`{"amount":"1.50","currency":"USD"}`: "", `{"amount":"0","currency":"XAU"}`: "", `null`: "",
			`{"amount":"1.50","currency":"usd"}`: "invalidMonetary", `{"amount":"1.50","currency":"DOLLAR"}`: "invalidMonetary",
			`{"amount":1.50,"currency":"USD"}`: "invalidMonetary", `{"currency":"USD"}`: "invalidMonetary", `"1.50"`: "invalidMonetary", `[]`: "invalidMonetary",
		},
		"exit_multiple": {
			`{"numerator":"1","denominator":"3"}`: "", `{"numerator":"0.5","denominator":"1"}`: "",
			`{"numerator":"0","denominator":"1"}`: "invalidRatio", `{"numerator":"1","denominator":"0"}`: "invalidRatio",
			`{"numerator":"-1","denominator":"1"}`: "invalidRatio", `{"numerator":"1"}`: "invalidRatio", `"2:1"`: "invalidRatio",
		},
		"amount": {
			`"100"`: "", `{"amount":"1","currency":"EUR"}`: "", `{"amount":"1"}`: "invalidMonetary", `100`: "invalidNumeric",
		},
		"initial_shares_authorized": {
			`"1000"`: "", `"UNLIMITED"`: "", `"NOT APPLICABLE"`: "", `"unlimited"`: "invalidNumeric", `"N/A"`: "invalidNumeric",
		},
		"a field that is none of them": {`1`: "", `"x"`: "", `{"rate":"7"}`: "invalidPercentage", `[[{"rate":"7"}]]`: "invalidPercentage"},
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			for value, want := range values {
				p := sound()
				p.documents = []string{`{"id":"p","object_type":"DOCUMENT","` + field + `":` + value + `}`}
				_, findings := ocf.Read(p.files())
				var codes []string
				for _, refusal := range findings.Refusals() {
					codes = append(codes, refusal.Code)
				}
				equal(t, field+" "+value, strings.Join(codes, " "), want)
			}
		})
	}
}

func TestWalkIsBounded(t *testing.T) {
	t.Parallel()
	nested := `{"rate":"7"}`
	for range 26 {
		nested = `{"inner":` + nested + `}`
	}
	p := sound()
	p.documents = []string{`{"id":"p","object_type":"DOCUMENT","deep":` + nested + `}`}
	_, findings := ocf.Read(p.files())
	equal(t, "nobody looks that far", findings.Refused(), false)
}

func TestReferencesByField(t *testing.T) {
	t.Parallel()
	for field, named := range map[string]string{ // a field to an existing id
		"stakeholder_id": "ada", "stock_class_id": "common", "converts_to_stock_class_id": "preferred", "stock_plan_id": "plan",
		"vesting_terms_id": "terms", "issuer_id": "acme", "balance_security_id": "one", "resulting_security_id": "option",
		"stock_class_ids": "common", "include_stock_class_ids": "common", "include_stock_plans_ids": "plan", "include_security_ids": "one",
		"exclude_security_ids": "option", "security_ids": "one", "stock_legend_ids": "act",
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			for id, want := range map[string][]string{named: nil, "": nil, "someone else's": {"danglingReference"}} {
				value, pointer := `"`+id+`"`, "/"+field
				if field[len(field)-1] == 's' {
					value, pointer = `["`+named+`","`+id+`"]`, "/"+field+"/1"
					if id == "" {
						value = `[]`
					}
				}
				p := everything()
				p.documents = append(p.documents, `{"id":"x","object_type":"DOCUMENT","deep":[{"rules":{"`+field+`":`+value+`}}]}`)
				_, findings := ocf.Read(p.files())
				var got []string
				for _, refusal := range findings.Refusals() {
					got = append(got, refusal.Code)
					equal(t, "pointer", refusal.Pointer, "/DOCUMENT/x/deep/0/rules"+pointer)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", value, got, want)
				}
			}
			p := everything()
			p.documents = append(p.documents, `{"id":"x","object_type":"DOCUMENT","`+field+`":{"id":"`+named+`"}}`)
			_, findings := ocf.Read(p.files())
			equalLists(t, "no text", refusals(findings), []string{"DOCUMENT/x/" + field + " wrongType"})
		})
	}
}

package calc_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

func TestConversion(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ input, want string }{
		"a fraction is paid in cash": {
			`{"amount": "1000", "round_price": "3"}`,
			`{ "basis": "round_price", "price": "3", "shares": "333.3333333333", "whole_shares": 333, "cash_for_fraction": "1" }`,
		},
		"only a cap at maturity": {
			`{"amount": "1000", "round_price": null, "discount": "0.2", "cap": 5000, "cap_shares": 1000}`,
			`{ "basis": "cap", "price": "5", "shares": "200", "whole_shares": 200, "cash_for_fraction": "0" }`,
		},
		"a discount of everything": {
			`{"amount": "1000", "round_price": "3", "discount": "1"}`, `{ "refused": true, "why": "discount must be below 1" }`,
		},
		"no conversion price": {
			`{"amount": "1000"}`, `{ "refused": true, "why": "/price: Without a price and without a cap there is nothing to convert at." }`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "conversion", answer(t, "conversion", c.input), c.want)
		})
	}
}

// sale returns a case with 850 common shares, 100 options and two SAFEs, for 1000 and for 100,
// that together convert into a third of the company.
func sale(proceeds, more string) string {
	return fmt.Sprintf(`{"proceeds": %q, "common": 850, "options_granted": 100, "options_promised": 50, "pool_available": 1000, %s
		"safes": [{"id": "A", "amount": "1000", "cap": "4000"}, {"id": "B", "amount": "100", "cap": "1200"}]}`, proceeds, more)
}

func TestLiquidity(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ input, want string }{
		"both convert where the price is high": {
			sale("12000", ""), `"per_share": "8.4210526315789474", "as_converted_shares": { "A": 356, "B": 118 },
			"converts": { "A": true, "B": true }, "paid": { "A": "3000", "B": "1000" }`,
		},
		"one is paid out, and the other shares the remainder": {
			sale("3400", ""), `"per_share": "2.3157894736842105", "as_converted_shares": { "A": 356, "B": 118 },
			"converts": { "A": false, "B": true }, "paid": { "A": "1000", "B": "200" }`,
		},
		"no instrument converts if the proceeds do not cover the amounts": {
			sale("550", ""), `"per_share": "0", "as_converted_shares": { "A": 356, "B": 118 },
			"converts": { "A": false, "B": false }, "paid": { "A": "500", "B": "50" }`,
		},
		"promised options share when they are paid": {
			sale("12000", `"promised_options_paid": true,`), `"liquidity_capitalization_all_converting": "1500", "per_share": "8"`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got, want := answer(t, "liquidity", c.input), strings.Join(strings.Fields(c.want), " ")
			if !strings.Contains(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestLiquidityOfOtherTerms(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ safe, want string }{
		"a cap of before the money":    {`"cap": "1000", "cap_basis": "pre"`, `"as_converted_shares": { "A": 100 }`},
		"a discount only":              {`"discount": "0.5"`, `"converts": { "A": true }, "paid": { "A": "200" }`},
		"a multiple of the money":      {`"exit_multiple": 2`, `"converts": { "A": false }, "paid": { "A": "200" }`},
		"a SAFE that owns the company": {`"cap": "100"`, `"why": "investment must be less than the cap"`},
		"an unknown basis":             {`"cap": "1000", "cap_basis": "middle"`, `"why": "/safes/0/capBasis: `},
		"a multiple of less than no":   {`"exit_multiple": -1`, `"why": "/convertibles/0/cashOut: `},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got := answer(t, "liquidity", `{"proceeds": "2000", "common": 1000, "safes": [{"id": "A", "amount": "100", `+c.safe+`}]}`)
			if !strings.Contains(got, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	t.Run("too many instruments are refused", func(t *testing.T) {
		t.Parallel()
		many, err := json.Marshal(make([]struct{}, 201))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "answer", answer(t, "liquidity", `{"proceeds": "1", "common": 1, "safes": `+string(many)+`}`),
			`{ "refused": true, "why": "at most 200 instruments choose between cash and shares" }`)
	})
}

func TestOwnership(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ input, want string }{
		"several SAFEs own the sum": {
			`{"kind": "post_money_ownership", "safes": [{"amount": 1, "cap": 4}, {"amount": 1, "cap": 8}]}`, `{ "ownership": "0.375" }`,
		},
		"a round without pro rata rights": {
			`{"kind": "round_dilution", "new_investors": "0.2", "safes": "0.5"}`, `{ "round_dilution": "0.2", "safes_after": "0.4" }`,
		},
		"a cap that is reached": {
			`{"kind": "post_money_ownership", "safes": [{"amount": 4, "cap": 4}]}`, `{ "refused": true, "why": "investment must be less than the cap" }`,
		},
		"SAFEs for all of it": {
			`{"kind": "post_money_ownership", "safes": [{"amount": 1, "cap": 2}, {"amount": 2, "cap": 4}]}`, `{ "refused": true, "why": "the SAFEs own the whole company" }`,
		},
		"a round for all of it": {
			`{"kind": "round_dilution", "new_investors": "0.5", "pool_increase": "0.5"}`, `{ "refused": true, "why": "the round takes the whole company" }`,
		},
		"a part that is the whole": {
			`{"kind": "pro_rata_allocation", "new_investors": "0.5", "safes_with_pro_rata": "1"}`,
			`{ "refused": true, "why": "safes_with_pro_rata is a part of the company, from 0 to below 1" }`,
		},
		"a negative budget": {
			`{"kind": "max_safes_with_pro_rata", "new_investors": "0.5", "total_round": "0.4"}`,
			`{ "refused": true, "why": "the whole round is no less than what the new investors buy of it" }`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			equal(t, "ownership", answer(t, "ownership", c.input), c.want)
		})
	}
}

func TestUnusableConversions(t *testing.T) {
	t.Parallel()
	for kind, inputs := range map[string][]string{
		"interest":   {`{}`, `{"principal": 1, "on": "2024-01-01"}`, `{"principal": "much", "rates": [{}], "on": "2024-01-01"}`},
		"conversion": {`{}`, `[]`, `{"amount": "x"}`},
		"liquidity":  {`{}`, `{"proceeds": true}`},
		"ownership": {
			`{}`, `{"kind": "of_a_dog"}`, `{"kind": "post_money_ownership"}`, `{"kind": "post_money_ownership", "safes": "0.1"}`,
			`{"kind": "round_dilution"}`, `{"kind": "pro_rata_shares", "holder_before_new_money": "0.1"}`,
			`{"kind": "max_safes_with_pro_rata", "new_investors": "0.1"}`, `{"kind": "pro_rata_allocation"}`,
		},
	} {
		for _, input := range inputs {
			t.Run(kind+" "+input, func(t *testing.T) {
				t.Parallel()
				err := calc.Calculate(kind, strings.NewReader(input), nil)
				if err == nil || !strings.HasPrefix(err.Error(), calc.ErrUnusable.Error()) {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

package ocf_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

// promised returns a convertible of 1,000 dollars issued to Ada, with further fields.
func promised(security, date string, more ...string) string {
	fields := []string{`"convertible_type":"NOTE","investment_amount":{"amount":"1000","currency":"USD"},"seniority":1,"conversion_triggers":[` + noteTrigger + `]`}
	return object(`"id":"issue-`+security+`","object_type":"TX_CONVERTIBLE_ISSUANCE","date":"`+date+`","security_id":"`+security+`","custom_id":"`+security+
		`","stakeholder_id":"ada","security_law_exemptions":[]`, append(fields, more...))
}

// noteTrigger has interest of 10% a year and a maturity date.
const noteTrigger = `{"type":"AUTOMATIC_ON_DATE","trigger_id":"T.1","trigger_date":"2027-01-01","conversion_right":{"type":"CONVERTIBLE_CONVERSION_RIGHT",
	"converts_to_future_round":true,"conversion_mechanism":{"type":"CONVERTIBLE_NOTE_CONVERSION","interest_rates":[{"rate":"0.1","accrual_start_date":"2024-02-01"}],
	"day_count_convention":"30_360","interest_payout":"DEFERRED","interest_accrual_period":"SEMI_ANNUAL","compounding_type":"SIMPLE","conversion_discount":"0.2",
	"conversion_valuation_cap":{"amount":"5000000","currency":"USD"},"exit_multiple":{"numerator":"3","denominator":"2"},"conversion_mfn":true}}}`

const safeTrigger = `"convertible_type":"SAFE","pro_rata":"1","conversion_triggers":[{"type":"AUTOMATIC_ON_CONDITION","trigger_id":"T.1","trigger_condition":"A round.",
	"conversion_right":{"type":"CONVERTIBLE_CONVERSION_RIGHT","conversion_mechanism":{"type":"SAFE_CONVERSION","conversion_mfn":false,"conversion_timing":"PRE_MONEY",
	"conversion_valuation_cap":{"amount":"8000000","currency":"USD"}}}}]`

const fixedTriggers = `"convertible_type":"CONVERTIBLE_SECURITY","conversion_triggers":[{"type":"ELECTIVE_AT_WILL","trigger_id":"T.1","conversion_right":{"conversion_mechanism":
	{"type":"CUSTOM_CONVERSION","custom_conversion_description":"Tokens."}}},{"type":"UNSPECIFIED","trigger_id":"T.2","conversion_right":{"converts_to_stock_class_id":"common",
	"conversion_mechanism":{"type":"FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION","converts_to_percent":"0.05"}}}]`

// warranted returns a warrant issued to Ada, with further fields.
func warranted(security, date, quantity string, more ...string) string {
	fields := []string{
		`"quantity":"` + quantity + `","exercise_price":{"amount":"0.5","currency":"USD"},"purchase_price":{"amount":"0","currency":"USD"},"warrant_expiration_date":"2030-01-01"`,
		`"exercise_triggers":[{"type":"ELECTIVE_AT_WILL","trigger_id":"T.1","conversion_right":{"type":"WARRANT_CONVERSION_RIGHT","converts_to_stock_class_id":"common",
		"conversion_mechanism":{"type":"FIXED_AMOUNT_CONVERSION","converts_to_quantity":"` + quantity + `"}}}]`,
	}
	return object(`"id":"issue-`+security+`","object_type":"TX_WARRANT_ISSUANCE","date":"`+date+`","security_id":"`+security+`","custom_id":"`+security+
		`","stakeholder_id":"ada","security_law_exemptions":[]`, append(fields, more...))
}

// rights returns the kind, the status, and the balance or quantity of each convertible and
// warrant on a day, by external id.
func (w *world) rights(day string) map[string]string {
	all := map[string]string{}
	for i := range w.state.Instruments() {
		balance, _ := i.Balance(exact.MustDate(day))
		all[i.ExternalID] = strings.Join([]string{string(i.Kind), string(i.Status), balance.String(), i.LeftOn(exact.MustDate(day)).String()}, " ")
	}
	return all
}

func amountOf(amount string) string { return `"amount":{"amount":"` + amount + `","currency":"USD"}` }

func TestInstrumentsComeInAndGoOut(t *testing.T) {
	t.Parallel()
	const resulting, bobs = `"resulting_security_ids":["s"]`, `"stakeholder_id":"fund"`
	for claim, c := range map[string]struct {
		transactions []string
		want         map[string]string
	}{
		"a note": {
			[]string{promised("n", "2024-02-01"), tx("CONVERTIBLE_ACCEPTANCE", "n", "2024-02-02")},
			map[string]string{"n": "convertibleNote accepted 1100 0"},
		},
		"a SAFE": {[]string{promised("n", "2024-02-01", safeTrigger)}, map[string]string{"n": "safe active 1000 0"}},
		"one that is called a SAFE and bears interest": {
			[]string{promised("n", "2024-02-01", `"convertible_type":"SAFE"`)}, map[string]string{"n": "custom active 1100 0"},
		},
		"a custom agreement": {[]string{promised("n", "2024-02-01", fixedTriggers)}, map[string]string{"n": "custom active 1000 0"}},
		"one that was retracted": {
			[]string{promised("n", "2024-02-01"), tx("CONVERTIBLE_RETRACTION", "n", "2024-02-03", `"reason_text":"typo"`)},
			map[string]string{"n": "convertibleNote retracted 0 0"},
		},
		"one transferred in part, and cancelled": {
			[]string{
				promised("n", "2024-02-01"), tx("CONVERTIBLE_TRANSFER", "n", "2024-08-01", amountOf("400"), `"resulting_security_ids":["r"],"balance_security_id":"b"`),
				promised("r", "2024-08-01", amountOf("400"), `"investment_amount":{"amount":"400","currency":"USD"}`, bobs),
				promised("b", "2024-08-01", `"investment_amount":{"amount":"600","currency":"USD"}`),
				tx("CONVERTIBLE_CANCELLATION", "b", "2024-09-01", amountOf("600"), `"reason_text":"waived"`),
			}, map[string]string{"n": "convertibleNote transferred 0 0", "r": "convertibleNote active 440 0", "b": "convertibleNote cancelled 0 0"},
		},
		"one that became shares": {
			[]string{
				promised("n", "2024-02-01"), tx("CONVERTIBLE_CONVERSION", "n", "2025-02-01", resulting, `"trigger_id":"T.1","reason_text":"A round."`),
				issue("s", "2025-02-01", "ada", "preferred", "100"),
			}, map[string]string{"n": "convertibleNote converted 0 0"},
		},
		"one that became several shareholdings": {
			[]string{
				promised("n", "2024-02-01"), tx("CONVERTIBLE_CONVERSION", "n", "2025-02-01", `"resulting_security_ids":["s","r"],"trigger_id":"T.1","reason_text":"r"`),
				issue("s", "2025-02-01", "ada", "preferred", "100"), issue("r", "2025-02-01", "ada", "common", "10"),
			}, map[string]string{"n": "convertibleNote converted 0 0"},
		},
		"one of which a part became shares, and the rest later": {
			[]string{
				promised("n", "2024-02-01"), tx("CONVERTIBLE_CONVERSION", "n", "2024-08-01", `"resulting_security_ids":["s"],"balance_security_id":"b","trigger_id":"T.1","reason_text":"r","quantity_converted":"420"`),
				issue("s", "2024-08-01", "ada", "preferred", "100"), promised("b", "2024-08-01", `"investment_amount":{"amount":"600","currency":"USD"}`),
				tx("CONVERTIBLE_ACCEPTANCE", "b", "2024-09-02"),
				tx("CONVERTIBLE_CONVERSION", "b", "2025-03-01", `"resulting_security_ids":["r"],"trigger_id":"T.1","reason_text":"r"`), issue("r", "2025-03-01", "ada", "preferred", "10"),
			}, map[string]string{"n": "convertibleNote converted 0 0", "b": "convertibleNote converted 660 0"},
		},
		"a warrant": {
			[]string{warranted("w", "2024-02-01", "50"), tx("WARRANT_ACCEPTANCE", "w", "2024-02-02")},
			map[string]string{"w": "warrant accepted 0 50"},
		},
		"a warrant cancelled in part and exercised": {
			[]string{
				warranted("w", "2024-02-01", "50"), tx("WARRANT_CANCELLATION", "w", "2024-03-01", `"quantity":"10","reason_text":"r","balance_security_id":"b"`),
				warranted("b", "2024-03-01", "40"), tx("WARRANT_EXERCISE", "b", "2024-04-01", resulting, `"trigger_id":"T.1"`), issue("s", "2024-04-01", "ada", "common", "40"),
			}, map[string]string{"w": "warrant cancelled 0 0", "b": "warrant exercised 0 0"},
		},
		"a warrant of a number that was guessed": {
			[]string{
				warranted("w", "2024-02-01", "5000", `"quantity_source":"HUMAN_ESTIMATED"`), tx("WARRANT_EXERCISE", "w", "2024-04-01", resulting, `"trigger_id":"T.1"`),
				issue("s", "2024-04-01", "ada", "common", "12"),
			}, map[string]string{"w": "warrant exercised 0 0"},
		},
		"a warrant transferred and split": {
			[]string{
				warranted("w", "2024-02-01", "50"), tx("WARRANT_TRANSFER", "w", "2024-03-01", `"quantity":"50","resulting_security_ids":["r"]`), warranted("r", "2024-03-01", "50", bobs),
				object(`"id":"limit","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-03-02","stock_class_id":"common","new_shares_authorized":"9000"`, nil),
				object(`"id":"split","object_type":"TX_STOCK_CLASS_SPLIT","date":"2024-03-05","stock_class_id":"common","split_ratio":{"numerator":"2","denominator":"1"}`, nil),
			}, map[string]string{"w": "warrant transferred 0 0", "r": "warrant active 0 100"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, c.transactions...)
			w := setup(t)
			findings := w.take(p.files())
			equalLists(t, "refusals", refusals(findings), nil)
			got := w.rights("2025-02-01")
			equal(t, "how many", len(got), len(c.want))
			for id, want := range c.want {
				equal(t, id, got[id], want)
			}
			if faults := w.state.Audit(); len(faults) > 0 {
				t.Error(faults)
			}
			same(t, w.export("2026-01-01"), p.files())
		})
	}
}

func TestTermsOfInstrumentsComeIn(t *testing.T) {
	t.Parallel()
	p := sound()
	p.transactions = append(p.transactions, promised("n", "2024-02-01"), promised("s", "2024-02-01", safeTrigger, `"seniority":3`), promised("c", "2024-02-01", fixedTriggers, `"seniority":2`))
	p.financings = []string{`{"id":"seed","object_type":"FINANCING","name":"Seed","date":"2024-02-01","issuance_ids":["issue-n"]}`}
	w := setup(t)
	w.taken(p.files())
	terms := map[string]string{}
	for i := range w.state.Instruments() {
		read := i.ConvertibleTerms
		if fixed := read.FixedConversion; fixed != nil {
			security, _ := w.state.Security(fixed.Security)
			equal(t, "what it becomes", security.Name, "COMMON")
			read.FixedConversion = &captable.FixedConversion{Fraction: fixed.Fraction}
		}
		text, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		terms[i.ExternalID] = string(text)
		equal(t, "of the round", i.Block != "", i.ExternalID == "n")
	}
	equal(t, "note", terms["n"], `{"maturityDate":"2027-01-01","interest":{"rates":[{"rate":"0.1","from":"2024-02-01"}],"dayCount":"30_360","compounding":"simple",`+
		`"accrualPeriod":"semiAnnual","payout":"deferred"},"valuationCap":"5000000","capBasis":"pre","discount":"0.2","mfn":true,"exitMultiple":"1.5","seniority":3}`)
	equal(t, "SAFE", terms["s"], `{"valuationCap":"8000000","capBasis":"pre","proRata":true,"seniority":1}`)
	equal(t, "custom", terms["c"], `{"seniority":2,"fixedConversion":{"security":"","fraction":"0.05"},"conversionTerms":"Tokens."}`)
}

func TestInstrumentsThatAreCarried(t *testing.T) {
	t.Parallel()
	for claim, transactions := range map[string][]string{
		"a warrant without a price": {warranted("x", "2024-02-01", "50", `"exercise_price":null`), tx("WARRANT_ACCEPTANCE", "x", "2024-02-02")},
		"a note that became nothing that is named": {
			promised("x", "2024-02-01"), tx("CONVERTIBLE_CONVERSION", "x", "2025-02-01", `"resulting_security_ids":[],"trigger_id":"T.1","reason_text":"r"`),
		},
		"one of which nobody knows where it went": {
			promised("x", "2024-02-01"), tx("CONVERTIBLE_TRANSFER", "x", "2024-03-01", amountOf("1000"), `"resulting_security_ids":[]`),
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, transactions...)
			w := setup(t)
			findings := w.take(p.files())
			equalLists(t, "refusals", refusals(findings), nil)
			equal(t, "told", strings.Contains(strings.Join(warnings(findings), "\n"), "_ISSUANCE/issue-x carried"), true)
			equal(t, "instruments", len(w.rights("2026-01-01")), 0)
			same(t, w.export("2026-01-01"), p.files())
		})
	}
}

func TestSharesOfAnotherHolderAreReported(t *testing.T) {
	t.Parallel()
	p := sound()
	p.transactions = append(
		p.transactions, warranted("w", "2024-02-01", "40"),
		tx("WARRANT_EXERCISE", "w", "2024-04-01", `"resulting_security_ids":["s"],"trigger_id":"T.1"`), issue("s", "2024-04-01", "fund", "common", "40"),
	)
	w := setup(t)
	findings := w.take(p.files())
	equalLists(t, "refusals", refusals(findings), nil)
	reported := slices.ContainsFunc(findings, func(f ocf.Finding) bool {
		return f.Code == "otherHolder" && strings.HasSuffix(f.Pointer, "/stakeholder_id")
	})
	equal(t, "reported", reported, true)
}

func TestInstrumentsThatAreRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ transactions, want []string }{
		"a warrant past what is authorized": {
			[]string{warranted("w", "2024-02-01", "401")}, []string{"TX_WARRANT_ISSUANCE/issue-w/quantity insufficientShares"},
		},
		"parts that are not the whole": {
			[]string{
				promised("n", "2024-02-01"), tx("CONVERTIBLE_TRANSFER", "n", "2024-08-01", amountOf("400"), `"resulting_security_ids":["r"]`),
				promised("r", "2024-08-01", `"investment_amount":{"amount":"400","currency":"USD"}`),
			}, []string{"TX_CONVERTIBLE_TRANSFER/convertible_transfer-n wrongSum"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, c.transactions...)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), c.want)
		})
	}
}

func TestRatiosComeInAndGoOut(t *testing.T) {
	t.Parallel()
	const rights = `"conversion_rights":[{"type":"STOCK_CLASS_CONVERSION_RIGHT","converts_to_stock_class_id":"common","conversion_mechanism":{"type":"RATIO_CONVERSION",
		"ratio":{"numerator":"1","denominator":"1"},"conversion_price":{"amount":"1","currency":"USD"},"rounding_type":"FLOOR"}}]`
	const adjusted = `"date":"2024-06-01","new_ratio_conversion_mechanism":{"type":"RATIO_CONVERSION","ratio":{"numerator":"5","denominator":"4"},
		"conversion_price":{"amount":"0.8","currency":"USD"},"rounding_type":"FLOOR"}`
	diluted := func(w *world, day string) string {
		return w.state.TableOn(exact.MustDate(day), func(captable.EntityID) string { return "" }).Totals.FullyDiluted.String()
	}
	p := sound()
	p.classes = []string{class("common", "COMMON", "1000", "1"), class("preferred", "PREFERRED", "500", "2", rights)}
	p.transactions = append(p.transactions, issue("two", "2024-02-01", "ada", "preferred", "100"),
		object(`"id":"down","object_type":"TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT","stock_class_id":"preferred",`+adjusted, nil),
		object(`"id":"nothing","object_type":"TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT","stock_class_id":"common",`+adjusted, nil))
	w := setup(t)
	w.taken(p.files())
	equal(t, "before and after", diluted(w, "2024-05-31")+" "+diluted(w, "2024-06-01"), "700 725")
	same(t, w.export("2026-01-01"), p.files())

	t.Run("a ratio that was changed here goes out with its day", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		b.do(captable.IssueShareholding{
			HolderRef: holder(b.ada), Security: b.preferred, Shares: number("100"), IssueDate: exact.MustDate("2024-02-01"),
		})
		security, _ := b.state.Security(b.preferred)
		terms := security.SecurityTerms
		terms.Conversion = &captable.Conversion{Security: b.common, Ratio: number("2.5")}
		b.do(captable.ReplaceSecurity{ID: b.preferred, SecurityTerms: terms})
		valid(t, b.export("2026-03-01"))
		again := setup(t)
		again.taken(b.export("2026-03-01"))
		for _, day := range []string{"2026-02-28", "2026-03-01"} {
			equal(t, "fully diluted on "+day, diluted(again, day), diluted(b.world, day))
		}
	})
}

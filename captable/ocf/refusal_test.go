package ocf_test

import (
	"slices"
	"testing"

	"equity/fault"
)

// with adds transactions to the sound company.
func with(transactions ...string) func(*parcel) {
	return func(p *parcel) { p.transactions = append(p.transactions, transactions...) }
}

// TestRefusals adds one fault to the sound company in each case and checks all findings.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		change func(*parcel)
		want   []string
	}{
		"an unknown version": {func(p *parcel) { p.version = "9.9.9" }, []string{"Manifest.ocf.json/ocf_version unknownVersion"}},
		"no version":         {func(p *parcel) { p.version = "" }, []string{"Manifest.ocf.json/ocf_version unknownVersion"}},
		"a manifest without an issuer": {
			func(p *parcel) { p.manifest = `"as_of":"2024-01-01"` }, []string{"Manifest.ocf.json/issuer required"},
		},
		"an issuer without a name": {
			func(p *parcel) { p.manifest = `"issuer":{"id":"x","object_type":"ISSUER"}` }, []string{"ISSUER/x/legal_name required"},
		},
		"a day that does not exist": {
			func(p *parcel) {
				p.manifest = `"as_of":"2023-02-30","issuer":{"id":"x","object_type":"ISSUER","legal_name":"X"}`
			},
			[]string{"Manifest.ocf.json/as_of invalidDate"},
		},

		"a holder that is not there": {
			with(issue("two", "2024-01-02", "nobody", "common", "1")),
			[]string{"TX_STOCK_ISSUANCE/issue-two/stakeholder_id danglingReference"},
		},
		"a class that is not there": {
			with(issue("two", "2024-01-02", "ada", "none", "1")), []string{"TX_STOCK_ISSUANCE/issue-two/stock_class_id danglingReference"},
		},
		"a legend that is not there": {with(issue("two", "2024-01-02", "ada", "common", "1", `"stock_legend_ids":["act","x"]`)), []string{"TX_STOCK_ISSUANCE/issue-two/stock_legend_ids/1 danglingReference"}},
		"a plan that is not there":   {with(issue("two", "2024-01-02", "ada", "common", "1", `"stock_plan_id":"x"`)), []string{"TX_STOCK_ISSUANCE/issue-two/stock_plan_id danglingReference"}},
		"terms that are not there":   {with(issue("two", "2024-01-02", "ada", "common", "1", `"vesting_terms_id":"x"`)), []string{"TX_STOCK_ISSUANCE/issue-two/vesting_terms_id danglingReference"}},
		"a security that is not there": {
			with(tx("STOCK_ACCEPTANCE", "x", "2024-01-02")),
			[]string{"TX_STOCK_ACCEPTANCE/stock_acceptance-x/security_id danglingReference"},
		},
		"a result that is not there": {
			with(tx("STOCK_TRANSFER", "one", "2024-02-01", `"quantity":"600","resulting_security_ids":["x"]`)),
			[]string{"TX_STOCK_TRANSFER/stock_transfer-one/resulting_security_ids/0 danglingReference"},
		},
		"a balance that is not there": {
			with(tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"600","balance_security_id":"x","reason_text":"r"`)),
			[]string{"TX_STOCK_CANCELLATION/stock_cancellation-one/balance_security_id danglingReference"},
		},
		"a split that is not there": {
			with(tx("STOCK_REISSUANCE", "one", "2024-02-01", `"resulting_security_ids":["two"],"split_transaction_id":"x"`), issue("two", "2024-02-01", "ada", "common", "600")),
			[]string{"TX_STOCK_REISSUANCE/stock_reissuance-one/split_transaction_id danglingReference"},
		},
		"a class to convert into that is not there": {func(p *parcel) {
			p.classes[1] = class("preferred", "PREFERRED", "500", "2", right("x", "1", "1"))
		}, []string{"STOCK_CLASS/preferred/conversion_rights/0/converts_to_stock_class_id danglingReference"}},
		"references of what is only carried": {with(
			object(`"id":"note","object_type":"TX_CONVERTIBLE_ISSUANCE","date":"2024-01-01","security_id":"note","stakeholder_id":"nobody","seniority":1,
				"conversion_triggers":[{"trigger_id":"t","conversion_right":{"converts_to_stock_class_id":"x"}}]`, nil),
			object(`"id":"adjust","object_type":"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-01-01","issuer_id":"other","new_shares_authorized":"1"`, nil),
		), []string{
			"TX_CONVERTIBLE_ISSUANCE/note/stakeholder_id danglingReference",
			"TX_CONVERTIBLE_ISSUANCE/note/conversion_triggers/0/conversion_right/converts_to_stock_class_id danglingReference",
			"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT/adjust/issuer_id danglingReference",
		}},
		"a financing of issuances that are not there": {func(p *parcel) {
			p.financings = []string{`{"id":"f","object_type":"FINANCING","name":"F","date":"2024-01-01","issuance_ids":["issue-one","x"]}`}
		}, []string{"FINANCING/f/issuance_ids/1 danglingReference"}},
		"a parent that is not there": {func(p *parcel) {
			p.documents = []string{`{"id":"p","object_type":"DOCUMENT","stock_class_ids":["x"],"related":{"object_type":"STAKEHOLDER","object_id":"y"}}`}
		}, []string{"DOCUMENT/p/stock_class_ids/0 danglingReference", "DOCUMENT/p/related/object_id danglingReference"}},

		"more shares than are authorized": {
			with(issue("two", "2024-01-02", "ada", "common", "401")), []string{"TX_STOCK_ISSUANCE/issue-two/quantity insufficientShares"},
		},
		"more than are authorized, by what an option gave": {with(
			object(`"id":"grant","object_type":"TX_EQUITY_COMPENSATION_ISSUANCE","date":"2024-01-01","security_id":"option","stakeholder_id":"ada","quantity":"900",
				"exercise_price":{"amount":"1","currency":"USD"}`, nil),
			tx("EQUITY_COMPENSATION_EXERCISE", "option", "2024-06-01", `"quantity":"500","resulting_security_ids":["two"]`),
			issue("two", "2024-06-01", "ada", "common", "500"),
		), []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant/quantity insufficientShares"}},
		"a limit below what is issued": {
			with(object(`"id":"less","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-02-01","stock_class_id":"common","new_shares_authorized":"599"`, nil)),
			[]string{"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT/less/quantity conflict"},
		},
		"a conversion into more shares than there may be": {
			with(tx("STOCK_CONVERSION", "one", "2024-02-01", `"quantity_converted":"600","resulting_security_ids":["two"]`), issue("two", "2024-02-01", "ada", "preferred", "501")),
			[]string{"TX_STOCK_CONVERSION/stock_conversion-one/resulting_security_ids/0 insufficientShares"},
		},

		"results that are too few": {
			with(tx("STOCK_TRANSFER", "one", "2024-02-01", `"quantity":"600","resulting_security_ids":["two"]`), issue("two", "2024-02-01", "fund", "common", "599")),
			[]string{"TX_STOCK_TRANSFER/stock_transfer-one wrongSum"},
		},
		"a balance that is too much": {
			with(tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"100","balance_security_id":"two","reason_text":"r"`), issue("two", "2024-02-01", "ada", "common", "501")),
			[]string{"TX_STOCK_CANCELLATION/stock_cancellation-one wrongSum"},
		},
		"a part without a balance": {
			with(tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"100","reason_text":"r"`)),
			[]string{"TX_STOCK_CANCELLATION/stock_cancellation-one wrongSum"},
		},
		"a balance of another's": {
			with(tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"100","balance_security_id":"two","reason_text":"r"`), issue("two", "2024-02-01", "fund", "common", "500")),
			[]string{"TX_STOCK_CANCELLATION/stock_cancellation-one conflict"},
		},
		"more than the security has": {
			with(tx("STOCK_REPURCHASE", "one", "2024-02-01", `"quantity":"601","price":{"amount":"1","currency":"USD"}`)),
			[]string{"TX_STOCK_REPURCHASE/stock_repurchase-one insufficientShares"},
		},
		"a conversion for another holder": {
			with(tx("STOCK_CONVERSION", "one", "2024-02-01", `"quantity_converted":"600","resulting_security_ids":["two"]`), issue("two", "2024-02-01", "fund", "preferred", "10")),
			[]string{"TX_STOCK_CONVERSION/stock_conversion-one conflict"},
		},
		"a split that sums to nothing": {with(
			split("s", "common", "2024-02-01", "2", "1"), tx("STOCK_REISSUANCE", "one", "2024-02-01", `"resulting_security_ids":["two"],"split_transaction_id":"s"`),
			issue("two", "2024-02-01", "ada", "common", "1100"),
			object(`"id":"more","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-02-01","stock_class_id":"common","new_shares_authorized":"2000"`, nil),
		), []string{"TX_STOCK_REISSUANCE/stock_reissuance-one wrongSum"}},
		"a split without room": {
			with(split("s", "common", "2024-02-01", "2", "1"), limited("1000", "2024-02-01")),
			[]string{"TX_STOCK_CLASS_SPLIT/s insufficientShares"},
		},
		"a split of another class": {with(
			split("s", "preferred", "2024-02-01", "2", "1"), tx("STOCK_REISSUANCE", "one", "2024-02-01", `"resulting_security_ids":["two"],"split_transaction_id":"s"`),
			issue("two", "2024-02-01", "ada", "common", "1200"),
		), []string{"TX_STOCK_REISSUANCE/stock_reissuance-one/split_transaction_id otherClass"}},
		"a result that nothing has": {with(
			split("s", "common", "2024-02-01", "1", "2"), issue("two", "2024-02-01", "ada", "common", "300", `"split_transaction_id":"s"`),
		), []string{"TX_STOCK_ISSUANCE/issue-two/split_transaction_id resultWithoutTransaction"}},
		"a reissue before its split": {with(
			split("s", "common", "2024-03-01", "1", "2"), tx("STOCK_REISSUANCE", "one", "2024-02-01", `"resulting_security_ids":["two"],"split_transaction_id":"s"`),
			issue("two", "2024-02-01", "ada", "common", "300"),
		), []string{"TX_STOCK_REISSUANCE/stock_reissuance-one/date beforeSplit"}},

		"results of another day": {
			with(tx("STOCK_TRANSFER", "one", "2024-02-02", `"quantity":"600","resulting_security_ids":["two"]`), issue("two", "2024-02-01", "fund", "common", "600")),
			[]string{"TX_STOCK_TRANSFER/stock_transfer-one/resulting_security_ids/0 resultDate"},
		},
		"a transaction before the issue": {
			with(tx("STOCK_ACCEPTANCE", "one", "2023-12-31")), []string{"TX_STOCK_ACCEPTANCE/stock_acceptance-one/date beforeIssue"},
		},
		"two ends of one security":       {with(tx("STOCK_RETRACTION", "one", "2024-03-01", `"reason_text":"r"`), tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"600","reason_text":"r"`)), []string{"TX_STOCK_RETRACTION/stock_retraction-one/security_id endedTwice"}},
		"two acceptances":                {with(tx("STOCK_ACCEPTANCE", "one", "2024-02-01"), tx("STOCK_ACCEPTANCE", "one", "2024-03-01", `"id":"again"`)), []string{"TX_STOCK_ACCEPTANCE/again/security_id acceptedTwice"}},
		"an acceptance and a retraction": {with(tx("STOCK_ACCEPTANCE", "one", "2024-03-01"), tx("STOCK_RETRACTION", "one", "2024-03-01", `"reason_text":"r"`)), []string{"TX_STOCK_RETRACTION/stock_retraction-one/security_id acceptedAndRetracted"}},
		"an acceptance after the end":    {with(tx("STOCK_ACCEPTANCE", "one", "2024-03-01"), tx("STOCK_CANCELLATION", "one", "2024-02-01", `"quantity":"600","reason_text":"r"`)), []string{"TX_STOCK_ACCEPTANCE/stock_acceptance-one/security_id afterEnd"}},
		"one security made twice":        {with(issue("one", "2024-01-02", "ada", "common", "1", `"id":"again"`)), []string{"TX_STOCK_ISSUANCE/again/security_id duplicateSecurity"}},
		"one id twice":                   {with(issue("two", "2024-01-02", "ada", "common", "1", `"id":"issue-one"`)), []string{"TX_STOCK_ISSUANCE/issue-one/id duplicateId"}},
		"a result of two transactions": {with(
			issue("two", "2024-01-01", "ada", "common", "100"), issue("three", "2024-02-01", "fund", "common", "100"),
			tx("STOCK_TRANSFER", "two", "2024-02-01", `"quantity":"100","resulting_security_ids":["three"]`),
			tx("STOCK_TRANSFER", "one", "2024-02-01", `"quantity":"600","resulting_security_ids":["three"]`),
		), []string{"TX_STOCK_TRANSFER/stock_transfer-one/resulting_security_ids/0 resultTwice"}},
		"a security that comes of itself": {
			with(issue("two", "2024-02-01", "ada", "common", "1"), tx("STOCK_REISSUANCE", "two", "2024-02-01", `"resulting_security_ids":["two"]`)),
			[]string{"TX_STOCK_REISSUANCE/stock_reissuance-two/resulting_security_ids/0 selfReference"},
		},
		"securities that come of one another": {with(
			issue("two", "2024-02-01", "ada", "common", "1"), issue("three", "2024-02-01", "ada", "common", "1"),
			tx("STOCK_REISSUANCE", "two", "2024-02-01", `"resulting_security_ids":["three"]`), tx("STOCK_REISSUANCE", "three", "2024-02-01", `"resulting_security_ids":["two"]`),
		), []string{"TX_STOCK_REISSUANCE/stock_reissuance-three circularReference"}},
		"a consolidation that names one twice": {
			with(object(`"id":"c","object_type":"TX_STOCK_CONSOLIDATION","date":"2024-02-01","security_ids":["one","one"],"resulting_security_id":"two"`, nil), issue("two", "2024-02-01", "ada", "common", "600")),
			[]string{"TX_STOCK_CONSOLIDATION/c/security_ids duplicateReference"},
		},
		"a warrant's end of a stock": {with(tx("WARRANT_CANCELLATION", "one", "2024-02-01", `"quantity":"1","reason_text":"r"`)), []string{"TX_WARRANT_CANCELLATION/warrant_cancellation-one/security_id otherKind"}},
		"a note among a stock's results": {with(
			object(`"id":"n","object_type":"TX_CONVERTIBLE_ISSUANCE","date":"2024-02-01","security_id":"note","stakeholder_id":"ada"`, nil),
			tx("STOCK_TRANSFER", "one", "2024-02-01", `"quantity":"600","resulting_security_ids":["note"]`),
		), []string{"TX_STOCK_TRANSFER/stock_transfer-one/resulting_security_ids/0 otherKind"}},
		"a warrant that ended twice": {with(
			object(`"id":"w","object_type":"TX_WARRANT_ISSUANCE","date":"2024-01-10","security_id":"w","stakeholder_id":"ada"`, nil),
			tx("WARRANT_CANCELLATION", "w", "2024-02-01", `"quantity":"1"`), tx("WARRANT_EXERCISE", "w", "2024-03-01", `"resulting_security_ids":[]`),
		), []string{"TX_WARRANT_EXERCISE/warrant_exercise-w/security_id endedTwice"}},

		"a number that is none": {
			with(issue("two", "2024-01-02", "ada", "common", "many")), []string{"TX_STOCK_ISSUANCE/issue-two/quantity invalidNumeric"},
		},
		"a number as a float": {with(issue("two", "2024-01-02", "ada", "common", "1", `"quantity":1.5`)), []string{"TX_STOCK_ISSUANCE/issue-two/quantity invalidNumeric"}},
		"a number with eleven places": {
			with(issue("two", "2024-01-02", "ada", "common", "0.12345678901")),
			[]string{"TX_STOCK_ISSUANCE/issue-two/quantity invalidNumeric"},
		},
		"no shares": {
			with(issue("two", "2024-01-02", "ada", "common", "0")), []string{"TX_STOCK_ISSUANCE/issue-two/quantity notPositive"},
		},
		"less than no shares": {
			with(issue("two", "2024-01-02", "ada", "common", "-1")), []string{"TX_STOCK_ISSUANCE/issue-two/quantity notPositive"},
		},
		"a date that is none":      {with(issue("two", "2024-1-2", "ada", "common", "1")), []string{"TX_STOCK_ISSUANCE/issue-two/date invalidDate"}},
		"a date to come":           {with(issue("two", "2999-01-01", "ada", "common", "1")), []string{"TX_STOCK_ISSUANCE/issue-two/date dateInFuture"}},
		"money without a currency": {with(issue("two", "2024-01-02", "ada", "common", "1", `"share_price":{"amount":"1"}`)), []string{"TX_STOCK_ISSUANCE/issue-two/share_price invalidMonetary"}},
		"money without an amount":  {with(issue("two", "2024-01-02", "ada", "common", "1", `"share_price":{"amount":1,"currency":"USD"}`)), []string{"TX_STOCK_ISSUANCE/issue-two/share_price invalidMonetary"}},
		"a ratio by nothing":       {with(split("s", "common", "2024-02-01", "1", "0")), []string{"TX_STOCK_CLASS_SPLIT/s/split_ratio invalidRatio"}},
		"a percentage above one": {
			with(object(`"id":"n","object_type":"TX_CONVERTIBLE_ISSUANCE","date":"2024-02-01","security_id":"note","stakeholder_id":"ada","terms":[{"conversion_discount":"1.2"}]`, nil)),
			[]string{"TX_CONVERTIBLE_ISSUANCE/n/terms/0/conversion_discount invalidPercentage"},
		},
		"a field that is missing":   {with(`{"id":"two","object_type":"TX_STOCK_ACCEPTANCE","security_id":"one"}`), []string{"TX_STOCK_ACCEPTANCE/two/date required"}},
		"a type that is unknown":    {with(`{"id":"two","object_type":"TX_STOCK_GIFT","date":"2024-01-01"}`), []string{"TX_STOCK_GIFT/two/object_type unknownObjectType"}},
		"an object without an id":   {with(`{"object_type":"TX_STOCK_ACCEPTANCE"}`), []string{"TX_STOCK_ACCEPTANCE//items/1 required"}},
		"something that is none":    {with(`"two"`), []string{"Transactions.ocf.json/items/1 wrongType"}},
		"a class in the wrong file": {with(class("third", "COMMON", "1", "1")), []string{"STOCK_CLASS/third/object_type wrongFile"}},
		"a kind of class that is none": {
			func(p *parcel) { p.classes[1] = class("preferred", "GOLDEN", "1", "1") }, []string{"STOCK_CLASS/preferred/class_type enum"},
		},
		"a holder without a name": {func(p *parcel) {
			p.stakeholders[1] = `{"id":"fund","object_type":"STAKEHOLDER","name":{"legal_name":" "},"stakeholder_type":"INSTITUTION"}`
		}, []string{"STAKEHOLDER/fund/name/legal_name required"}},
		"two classes of one name": {func(p *parcel) { p.classes[1] = class("preferred", "PREFERRED", "1", "1", `"name":"Common"`) }, []string{"STOCK_CLASS/preferred conflict"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			c.change(p)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), c.want)
		})
	}
}

func right(class, numerator, denominator string) string {
	return `"conversion_rights":[{"type":"STOCK_CLASS_CONVERSION_RIGHT","converts_to_stock_class_id":"` + class + `","conversion_mechanism":{"type":"RATIO_CONVERSION",
		"rounding_type":"FLOOR","conversion_price":{"amount":"1","currency":"USD"},"ratio":{"numerator":"` + numerator + `","denominator":"` + denominator + `"}}}]`
}

func split(id, class, date, numerator, denominator string) string {
	return object(`"id":"`+id+`","object_type":"TX_STOCK_CLASS_SPLIT","date":"`+date+`","stock_class_id":"`+class+`",
		"split_ratio":{"numerator":"`+numerator+`","denominator":"`+denominator+`"}`, nil)
}

func TestEveryFindingIsListed(t *testing.T) {
	t.Parallel()
	p := sound()
	p.version = "3.0.0"
	p.transactions = append(p.transactions,
		issue("dangling", "2024-01-02", "nobody", "common", "1"),
		tx("STOCK_ACCEPTANCE", "dangling", "2024-01-03"), // causes no finding of its own
		tx("STOCK_TRANSFER", "dangling", "2024-01-04", `"quantity":"1","resulting_security_ids":["never"]`),
		issue("never", "2024-01-04", "ada", "common", "1"),
		issue("over", "2024-01-02", "fund", "common", "500"),
		issue("sums", "2024-01-02", "fund", "common", "100"),
		tx("STOCK_TRANSFER", "sums", "2024-02-02", `"quantity":"100","resulting_security_ids":["less"]`),
		issue("less", "2024-02-02", "ada", "common", "99"),
		issue("late", "2024-03-01", "ada", "common", "1"),
		tx("STOCK_ACCEPTANCE", "late", "2024-02-01"),
		issue("float", "2024-03-01", "ada", "common", "1", `"quantity":3`),
	)
	equalLists(t, "refusals", refusals(setup(t).take(p.files())), []string{
		"Manifest.ocf.json/ocf_version unknownVersion",
		"TX_STOCK_ISSUANCE/issue-dangling/stakeholder_id danglingReference",
		"TX_STOCK_ISSUANCE/issue-over/quantity insufficientShares",
		"TX_STOCK_TRANSFER/stock_transfer-sums wrongSum",
		"TX_STOCK_ACCEPTANCE/stock_acceptance-late/date beforeIssue",
		"TX_STOCK_ISSUANCE/issue-float/quantity invalidNumeric",
	})
}

func TestFindingsAreSentences(t *testing.T) {
	t.Parallel()
	p := sound()
	p.transactions = append(p.transactions, issue("two", "2024-01-02", "ada", "common", "401"))
	findings := setup(t).take(p.files())
	last := findings[len(findings)-1]
	equal(t, "type and id", last.ObjectType+" "+last.ObjectID, "TX_STOCK_ISSUANCE issue-two")
	equal(t, "message", last.Message, "400 shares are available on 2024-01-02; 401 were requested.")
	equal(t, "as an error", last.FieldError(), fault.Field{Pointer: "/TX_STOCK_ISSUANCE/issue-two/quantity", Code: last.Code, Message: last.Message})
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		change func(*parcel)
		want   []string
	}{
		"nothing":          {func(*parcel) {}, nil},
		"an unknown field": {with(tx("STOCK_ACCEPTANCE", "one", "2024-01-01", `"mood":"good"`)), []string{"TX_STOCK_ACCEPTANCE/stock_acceptance-one/mood unknownField"}},
		"a certificate's number that came before": {
			with(issue("two", "2024-01-02", "ada", "common", "1", `"custom_id":"ONE"`), issue("three", "2024-01-03", "ada", "common", "1", `"custom_id":"ONE"`)),
			[]string{"TX_STOCK_ISSUANCE/issue-two/custom_id certificateRepeated", "TX_STOCK_ISSUANCE/issue-three/custom_id certificateRepeated"},
		},
		"a seniority between others": {func(p *parcel) { p.classes = append(p.classes, class("between", "PREFERRED", "1", "1.5")) }, []string{
			"STOCK_CLASS/common/seniority seniorityRanked", "STOCK_CLASS/preferred/seniority seniorityRanked",
			"STOCK_CLASS/between/seniority seniorityRanked",
		}},
		"classes that convert in a circle": {func(p *parcel) {
			p.classes = []string{
				class("common", "COMMON", "1000", "1", right("preferred", "1", "1")),
				class("preferred", "PREFERRED", "500", "2", right("common", "1", "1")),
			}
		}, []string{"STOCK_CLASS/common/conversion_rights conversionIgnored"}},
		"a field that the schema wants": {with(`{"id":"two","object_type":"TX_STOCK_RETRACTION","date":"2024-01-02","security_id":"one"}`), []string{"TX_STOCK_RETRACTION/two/reason_text missingField"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			c.change(p)
			w := setup(t)
			findings := w.take(p.files())
			equalLists(t, "warnings", warnings(findings), c.want)
			equalLists(t, "refusals", refusals(findings), nil)
			same(t, w.export("2026-01-01"), p.files()) // tolerated deviations are exported unchanged
		})
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for version, known := range map[string]bool{
		"1.0.0": true, "1.1.0": true, "1.2.0": true, "1.1.1-alpha": true, "1.1.1-alpha+main": true, "1.2.1-alpha+main": true,
		"1.2.1-alpha.3+main.ab12": true, "~~~ SAMPLE ~~~": true,
		"1.2.1": false, "1.3.0": false, "2.0.0": false, "1.2.1-alphabet": false, "1.2": false, "latest": false,
	} {
		p := sound()
		p.version = version
		found := slices.Contains(refusals(setup(t).take(p.files())), "Manifest.ocf.json/ocf_version unknownVersion")
		equal(t, version+" is known", !found, known)
	}
}

package ocf_test

import (
	"maps"
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

func TestSamplePackages(t *testing.T) {
	t.Parallel()
	t.Run("the test company has the outstanding shares of its transactions", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		findings := w.take(sample(t, "test-company"))
		equalLists(t, "refusals", refusals(findings), nil)
		equalLists(t, "warnings", warnings(findings), []string{
			"Stakeholders.ocf.json staleChecksum", "StockClasses.ocf.json staleChecksum", "Transactions.ocf.json staleChecksum",
			"TX_STOCK_ISSUANCE/sib_4/split_transaction_id unknownField", "TX_STOCK_REPURCHASE/stock_repurchase_01/consideration_text kept",
		})
		want := map[string]string{"Ordinary A": "145000", "Ordinary B": "50000", "Preferred": "15000"}
		if got := w.outstanding(); !maps.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("the test company has the outstanding shares of each day", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(sample(t, "test-company"))
		for day, want := range map[string]string{
			"2021-12-31": "0", "2022-06-15": "1000000", "2022-06-30": "830000", "2022-07-01": "780000", "2022-09-01": "680000",
			"2023-01-01": "765000", "2023-02-28": "165000", "2023-03-01": "190000", "2023-06-01": "210000",
		} {
			table := w.state.TableOn(exact.MustDate(day), func(captable.EntityID) string { return "" })
			equal(t, "outstanding on "+day, table.Totals.Outstanding.String(), want)
		}
	})
	t.Run("the quickstart has 5,000 preferred shares despite its renamed files", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		findings := w.take(sample(t, "quickstart"))
		equal(t, "preferred", w.outstanding()["Preferred Shares"], "5000")
		equal(t, "refused", findings.Refused(), false)
		if !slices.Contains(warnings(findings), "Stakeholders.json fileRenamed") {
			t.Errorf("nobody is warned of the renamed file: %v", warnings(findings))
		}
	})
	t.Run("all faults of the samples are found", func(t *testing.T) {
		t.Parallel()
		p, findings := ocf.Read(sample(t, "samples"))
		codes := map[string]int{}
		for _, refusal := range findings.Refusals() {
			codes[refusal.Code]++
		}
		want := map[string]int{
			"acceptedTwice": 1, "afterEnd": 2, "beforeIssue": 5, "danglingReference": 129, "duplicateSecurity": 9, "endedTwice": 1, "otherKind": 29,
		}
		if !maps.Equal(codes, want) {
			t.Errorf("got %v, want %v", codes, want)
		}
		equal(t, "objects", p.Objects, 101)
	})
}

func TestRoundTripOfSamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"test-company", "quickstart"} {
		t.Run(name+" goes out as it came in", func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			w.taken(sample(t, name))
			out := w.export("2026-01-01")
			same(t, out, sample(t, name))
			again := setup(t)
			again.taken(out)
			second := again.export("2026-01-01")
			for file, content := range out {
				equal(t, file, string(second[file].Data), string(content.Data))
			}
		})
	}
	t.Run("carried objects of every kind go out as they came in", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(everything().files())
		same(t, w.export("2026-01-01"), everything().files())
	})
	t.Run("the quickstart is written to the schemas unless its own version is asked for", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(sample(t, "quickstart"))
		archive, err := w.exporter.Package(ocf.Cover{AsOf: exact.MustDate("2026-01-01"), GeneratedAt: w.now})
		if err != nil {
			t.Fatal(err)
		}
		files := folder(archive)
		manifest := decoded(t, files, "Manifest.ocf.json")
		equal(t, "version", manifest["ocf_version"].(string), ocf.Version)
		delete(files, "Manifest.ocf.json") // its issuer keeps a field that is not in the schema
		valid(t, files)
	})
}

// everything returns a company with plans, options, vesting, personal particulars, and
// objects that the cap table carries unchanged.
func everything() *parcel {
	p := sound()
	p.stakeholders = append(p.stakeholders, `{"id":"eve","object_type":"STAKEHOLDER","name":{"legal_name":"Eve","first_name":"E"},"stakeholder_type":"INDIVIDUAL",
		"issuer_assigned_id":"E-1","current_relationships":["BOARD_MEMBER","FOUNDER"],"current_status":"ACTIVE",
		"comments":["first"],"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"eve@example.com"}]},
		"addresses":[{"address_type":"LEGAL","country":"US"}],"tax_ids":[{"tax_id":"1","country":"US"}]}`)
	p.plans = []string{`{"id":"plan","object_type":"STOCK_PLAN","plan_name":"2024 Plan","initial_shares_reserved":"100","stock_class_ids":["common"]}`}
	p.vesting = []string{`{"id":"terms","object_type":"VESTING_TERMS","name":"4/1","description":"d","allocation_type":"CUMULATIVE_ROUNDING",
		"vesting_conditions":[{"id":"start","quantity":"0","trigger":{"type":"VESTING_START_DATE"},"next_condition_ids":[]}]}`}
	p.financings = []string{`{"id":"seed","object_type":"FINANCING","name":"Seed","date":"2024-01-01","issuance_ids":["issue-one","grant"]}`}
	p.valuations = []string{`{"id":"409a","object_type":"VALUATION","provider":"Appraisers","valuation_type":"409A","stock_class_id":"common",
		"effective_date":"2024-01-10","board_approval_date":"2024-01-12","price_per_share":{"amount":"0.10","currency":"USD"}}`}
	p.transactions = append(p.transactions,
		object(`"id":"grant","object_type":"TX_EQUITY_COMPENSATION_ISSUANCE","date":"2024-02-01","security_id":"option","custom_id":"O-1","stakeholder_id":"eve",
			"stock_plan_id":"plan","stock_class_id":"common","compensation_type":"OPTION_NSO","quantity":"50","exercise_price":{"amount":"0.10","currency":"USD"},
			"vesting_terms_id":"terms","expiration_date":null,"termination_exercise_windows":[],"security_law_exemptions":[]`, nil),
		tx("VESTING_START", "option", "2024-01-15", `"vesting_condition_id":"start"`),
		tx("EQUITY_COMPENSATION_EXERCISE", "option", "2024-06-01", `"quantity":"10","resulting_security_ids":["exercised"]`),
		issue("exercised", "2024-06-01", "eve", "common", "10"),
		object(`"id":"pool","object_type":"TX_STOCK_PLAN_POOL_ADJUSTMENT","date":"2024-03-01","stock_plan_id":"plan","shares_reserved":"200"`, nil),
		object(`"id":"event","object_type":"CE_STAKEHOLDER_STATUS","date":"2024-03-02","stakeholder_id":"eve","new_status":"ACTIVE"`, nil),
		object(`"id":"issuer","object_type":"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-03-03","issuer_id":"acme","new_shares_authorized":"9000"`, nil),
	)
	return p
}

func TestPersonalParticulars(t *testing.T) {
	t.Parallel()
	p, findings := ocf.Read(everything().files())
	equal(t, "refused", findings.Refused(), false)
	n := byte(0)
	p.Prepare(func() [16]byte { n++; return [16]byte{n} })
	eve := p.Stakeholders[2]
	equal(t, "entity", eve.Entity, captable.EntityID{3})
	equal(t, "relationship", eve.Relationship, "boardMember")
	equal(t, "what the journal keeps", string(eve.Source.Object), `{"id":"eve","object_type":"STAKEHOLDER","name":{"legal_name":"Eve","first_name":"E"},`+
		`"stakeholder_type":"INDIVIDUAL","issuer_assigned_id":"E-1","current_relationships":["BOARD_MEMBER","FOUNDER"],"current_status":"ACTIVE","comments":["first"]}`)
	particulars := p.Particulars()
	equal(t, "particulars", len(particulars), 2)
	equal(t, "email", particulars[0].Field+string(particulars[0].Value), `email"eve@example.com"`)
	equal(t, "the rest", particulars[1].Field+string(particulars[1].Value), `ocf{"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"eve@example.com"}]},`+
		`"addresses":[{"address_type":"LEGAL","country":"US"}],"tax_ids":[{"tax_id":"1","country":"US"}]}`)
	equal(t, "whose", particulars[1].Entity, eve.Entity)
}

func TestUnknownFieldsOfPeople(t *testing.T) {
	t.Parallel()
	parcel := sound()
	parcel.stakeholders[0] = `{"id":"ada","object_type":"STAKEHOLDER","ssn":"078-05-1120","name":{"legal_name":"Ada"},"stakeholder_type":"INDIVIDUAL"}`
	p, _ := ocf.Read(parcel.files())
	p.Prepare(func() [16]byte { return [16]byte{1} })
	equal(t, "what nobody knows is kept private", string(p.Particulars()[0].Value), `{"ssn":"078-05-1120"}`)
	w := setup(t)
	w.taken(parcel.files())
	got := contentOf(t, w.export("2026-01-01")).objects["OCF_STAKEHOLDERS_FILE"][0].(map[string]any)
	equal(t, "and goes out again", got["ssn"].(string), "078-05-1120")
}

package ocf_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

// fieldsOf returns the names of all fields of a schema, at any depth.
func fieldsOf(t *testing.T, root, path string, names map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var search func(value any)
	search = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, inner := range value {
				search(inner)
			}
		case map[string]any:
			fields, _ := value["properties"].(map[string]any)
			for name := range fields {
				names[name] = true
				if ocf.Kept("", name) { // with its inner fields
					fields[name] = nil
				}
			}
			if ref, is := value["$ref"].(string); is {
				if _, inner, found := strings.Cut(ref, "/main/schema/"); found && !strings.HasPrefix(inner, "enums/") && !names["$"+inner] {
					names["$"+inner] = true // schemas refer to each other
					fieldsOf(t, root, inner, names)
				}
			}
			for _, inner := range value {
				search(inner)
			}
		}
	}
	search(schema)
}

// TestEveryFieldOfTheFormatIsReadOrReported requires that the import reads each field of the schema of an understood type, or
// reports it.
func TestEveryFieldOfTheFormatIsReadOrReported(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "export") || name == "kind.go" || name == "primitive.go" || name == "kept.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	// The first four name an object or a trigger, and have no effect besides. The others follow from the type or the ratio.
	identities := " id object_type trigger_id nickname converts_to_future_round valuation_type conversion_price rounding_type "
	root := filepath.Join(shared(t), "ocf", "schema")
	paths := map[string]string{}
	err = filepath.WalkDir(filepath.Join(root, "objects"), func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".schema.json") {
			inner, relative := filepath.Rel(root, path)
			paths[readSchema(t, path).Properties["object_type"].Const] = inner
			return relative
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, objectType := range ocf.Understood() {
		names := map[string]bool{}
		if paths[objectType] == "" { // an older name of a type
			continue
		}
		fieldsOf(t, root, paths[objectType], names)
		for name := range names {
			if strings.HasPrefix(name, "$") || strings.Contains(identities, " "+name+" ") || ocf.Kept(objectType, name) {
				continue
			}
			read++
			if !strings.Contains(code.String(), `"`+name+`"`) && !strings.Contains(code.String(), `json:"`+name) {
				t.Errorf("%s: %s is neither read nor reported", objectType, name)
			}
		}
	}
	if read < 200 {
		t.Errorf("only %d fields were checked", read)
	}
}

func TestFieldsWithoutAFigureAreReported(t *testing.T) {
	t.Parallel()
	const (
		safe      = `"convertible_type":"SAFE","investment_amount":{"amount":"100","currency":"USD"},"seniority":1`
		capped    = `{"type":"SAFE_CONVERSION","conversion_mfn":false,"conversion_valuation_cap":{"amount":"1000","currency":"USD"}}`
		cheaper   = `{"type":"SAFE_CONVERSION","conversion_mfn":false,"conversion_valuation_cap":{"amount":"900","currency":"USD"}}`
		part      = `{"type":"FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION","converts_to_percent":"0.07"}`
		excluding = `{"type":"SAFE_CONVERSION","conversion_mfn":false,"conversion_timing":"POST_MONEY","conversion_valuation_cap":{"amount":"1000","currency":"USD"},` +
			`"capitalization_definition_rules":{"include_outstanding_shares":true,"include_outstanding_options":false}}`
	)
	triggers := func(mechanisms ...string) string {
		all := make([]string, 0, len(mechanisms))
		for _, mechanism := range mechanisms {
			all = append(all, `{"type":"UNSPECIFIED","trigger_id":"t","conversion_right":{"type":"CONVERTIBLE_CONVERSION_RIGHT","conversion_mechanism":`+mechanism+`}}`)
		}
		return `"conversion_triggers":[` + strings.Join(all, ",") + `]`
	}
	convertible := func(fields ...string) string {
		return object(`"id":"i","object_type":"TX_CONVERTIBLE_ISSUANCE","date":"2024-02-01","security_id":"s","stakeholder_id":"ada","custom_id":"c",`+
			`"security_law_exemptions":[],`+safe+","+strings.Join(fields, ","), nil)
	}
	const mechanism = "TX_CONVERTIBLE_ISSUANCE/i/conversion_triggers/"
	for claim, test := range map[string]struct {
		transaction string
		want        []string
	}{
		"the numbers of shares": {
			issue("s", "2024-02-01", "ada", "common", "100", `"share_numbers_issued":[{"starting_share_number":"1","ending_share_number":"100"}]`),
			[]string{"TX_STOCK_ISSUANCE/issue-s/share_numbers_issued kept"},
		},
		"one set of terms":         {convertible(triggers(capped)), nil},
		"the same terms twice":     {convertible(triggers(capped, capped)), nil},
		"terms of another trigger": {convertible(triggers(capped, cheaper)), []string{mechanism + "1/conversion_right/conversion_mechanism kept"}},
		"a fraction of a future class": {
			convertible(triggers(part)), []string{mechanism + "0/conversion_right/conversion_mechanism kept"},
		},
		"other rules of a cap": {
			convertible(triggers(excluding)), []string{mechanism + "0/conversion_right/conversion_mechanism/capitalization_definition_rules kept"},
		},
		"the size of a right": {convertible(triggers(capped), `"pro_rata":"0.05"`), []string{"TX_CONVERTIBLE_ISSUANCE/i/pro_rata kept"}},
		"the approval of stockholders": {
			convertible(triggers(capped), `"stockholder_approval_date":"2024-01-31"`), []string{"TX_CONVERTIBLE_ISSUANCE/i/stockholder_approval_date kept"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, test.transaction)
			_, findings := ocf.Read(p.files())
			equalLists(t, "refusals", refusals(findings), nil)
			equalLists(t, "warnings", warnings(findings), test.want)
		})
	}
	t.Run("once for many objects", func(t *testing.T) {
		t.Parallel()
		p := sound()
		for _, id := range []string{"a", "b", "c"} {
			p.transactions = append(p.transactions, issue(id, "2024-02-01", "ada", "common", "1", `"share_numbers_issued":[{"starting_share_number":"1","ending_share_number":"1"}]`))
		}
		_, findings := ocf.Read(p.files())
		equal(t, "findings", len(findings), 1)
		equal(t, "count", strings.Contains(findings[0].Message, "2 more objects"), true)
	})
}

func TestUnitsInCashAreNotCountedAsShares(t *testing.T) {
	t.Parallel()
	p := planned(granted("o", "2024-02-01", "5", `"compensation_type":"CSAR","base_price":{"amount":"2","currency":"USD"}`))
	w := setup(t)
	findings := w.take(p.files())
	equalLists(t, "refusals", refusals(findings), nil)
	equalLists(t, "warnings", warnings(findings), []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/compensation_type carried"})
	table := w.state.TableOn(exact.MustDate("2026-03-01"), func(captable.EntityID) string { return "" })
	equal(t, "fully diluted", table.Totals.Options.String(), "0")
}

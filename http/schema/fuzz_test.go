package schema_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"equity/captable"
	"equity/http/schema"
)

// FuzzCheck compares the checker with the standard library and the domain: an accepted text is valid JSON and
// decodes into the type of the domain.
func FuzzCheck(f *testing.F) {
	issue := setup(f, "IssueShareholding")
	patch := setup(f, "AmendOrganization")
	for _, seed := range []string{
		shareholding, `{}`, `[]`, `{"a":{"b":[1,2.5e-7,true,null,"\ud83d\ude00"]}}`, `{"shares":"1","shares":"2"}`, "\xff", `"`, `{"\u0000":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if patch.Check(body) == nil && !json.Valid(body) {
			t.Fatalf("the patch %q passed and is not JSON", body)
		}
		faults := issue.Check(body)
		if !json.Valid(body) && len(faults) == 0 {
			t.Fatalf("%q passed and is not JSON", body)
		}
		if len(faults) > 0 {
			return
		}
		var decoded captable.IssueShareholding
		if err := json.Unmarshal(body, &decoded); err != nil {
			t.Fatalf("%q passed and does not decode: %v", body, err)
		}
	})
}

// TestFormatsEqualTheirPatterns proves that the code of a format accepts exactly the texts that match the
// published pattern.
func TestFormatsEqualTheirPatterns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Decimal", "Quantity", "Amount", "AuthorizedShares", "Fraction"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ref := doc.Components.Schemas[name]
			pattern := regexp.MustCompile(ref.Value.Pattern)
			compiled, err := new(schema.Compiler).Compile(ref)
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				text := rapid.OneOf(
					rapid.StringMatching(`-?[0-9]{0,21}(\.[0-9]{0,12})?`),
					rapid.StringMatching(`[01](\.[01]{0,11})?`),
					rapid.StringMatching(`(unlimited|[-+.e0-9 ]{0,8})`),
				).Draw(t, "text")
				if got := compiled.CheckText("", text) == nil; got != pattern.MatchString(text) {
					t.Fatalf("%q: the format says %t", text, got)
				}
			})
		})
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ parameter, text, fault string }{
		{"limit", "200", ""},
		{"limit", "0", "range"},
		{"limit", "201", "range"},
		{"limit", "1.5", "wrongType"},
		{"limit", "99999999999999999999", "wrongType"},
		{"dryRun", "true", ""},
		{"dryRun", "1", "wrongType"},
		{"asOf", "2024-02-29", ""},
		{"asOf", "2023-02-29", "invalidDate"},
		{"knownAt", "17", ""},
		{"knownAt", "0", "invalidMoment"},
		{"knownAt", "2024-03-15T09:30:00Z", ""},
		{"knownAt", "2024-03-15", "invalidMoment"},
		{"cursorParameter", "", "required"},
		{"cursorParameter", "a\x00", "controlCharacter"},
		{"cursorParameter", "\xff", "syntax"},
		{"idempotencyKey", "a b", "pattern"},
	} {
		compiled, err := new(schema.Compiler).Compile(doc.Components.Parameters[c.parameter].Value.Schema)
		if err != nil {
			t.Fatal(err)
		}
		faults := compiled.CheckText("/query/x", c.text)
		if got := told(faults); got != "" && got != "/query/x "+c.fault || (got == "") != (c.fault == "") {
			t.Errorf("%s=%q: %q, want %q", c.parameter, c.text, got, c.fault)
		}
	}
}

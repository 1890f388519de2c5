package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/api"
)

// writingTool is a declared tool that changes records.
type writingTool struct {
	id      string
	confirm bool
	path    map[string]string
	query   map[string]string
	body    *openapi3.SchemaRef
}

// readContract reads the contract once, compiled and as a document.
var readContract = sync.OnceValues(func() (*api.Contract, *openapi3.T) {
	text, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		panic(err)
	}
	contract, err := api.ReadContract(text)
	if err != nil {
		panic(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic(err)
	}
	return contract, doc
})

// writingTools returns the contract and its tools that change records, with an example of each parameter.
func writingTools(t *testing.T) (*api.Contract, []writingTool) {
	t.Helper()
	contract, doc := readContract()
	var found []writingTool
	for _, path := range doc.Paths.InMatchingOrder() {
		item := doc.Paths.Find(path)
		for _, operation := range item.Operations() {
			if agent, _ := operation.Extensions["x-agent"].(string); agent != "write" && agent != "destructive" {
				continue
			}
			tool := writingTool{
				id: operation.OperationID, path: map[string]string{}, query: map[string]string{},
				confirm: operation.Extensions["x-confirm"] == "always",
			}
			for _, ref := range slices.Concat(item.Parameters, operation.Parameters) {
				value := fmt.Sprint(samples(ref.Value.Schema, 0)[0])
				switch ref.Value.In {
				case openapi3.ParameterInPath:
					tool.path[ref.Value.Name] = value
				case openapi3.ParameterInQuery:
					if ref.Value.Name != "dryRun" {
						tool.query[ref.Value.Name] = value
					}
				}
			}
			if operation.RequestBody != nil {
				media := operation.RequestBody.Value.Content["application/json"]
				if media == nil {
					continue
				}
				tool.body = media.Schema
			}
			found = append(found, tool)
		}
	}
	if len(found) < 80 {
		t.Fatalf("%d tools", len(found))
	}
	return contract, found
}

// deepest bounds the nesting of generated values.
const deepest = 8

// samples returns values of a schema that together have all of its fields and alternatives.
func samples(ref *openapi3.SchemaRef, depth int) []any {
	if ref == nil || ref.Value == nil || depth > deepest {
		return []any{"text"}
	}
	s := ref.Value
	objects := fieldsOf(s, depth)
	var others []any
	for _, part := range slices.Concat(s.OneOf, s.AnyOf) {
		if len(part.Value.Properties) == 0 && part.Value.Type == nil && len(part.Value.AllOf) == 0 { // only a rule about required fields
			continue
		}
		for _, one := range samples(part, depth+1) {
			object, isObject := one.(map[string]any)
			if isObject && len(objects) > 0 {
				maps.Copy(object, objects[0].(map[string]any))
			}
			others = append(others, one)
		}
	}
	for _, part := range s.AllOf {
		for _, one := range samples(part, depth+1) {
			if object, isObject := one.(map[string]any); isObject && len(objects) > 0 {
				maps.Copy(objects[0].(map[string]any), object)
				continue
			}
			others = append(others, one)
		}
	}
	if all := append(objects, others...); len(all) > 0 {
		return all
	}
	switch {
	case s.Type.Is("array"):
		return []any{samples(s.Items, depth+1)}
	case s.Type.Is("boolean"):
		return []any{true}
	case s.Type.Is("integer"), s.Type.Is("number"):
		return []any{1}
	case len(s.Enum) > 0:
		return []any{s.Enum[0]}
	case s.Format == "uuid":
		return []any{"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}
	}
	return []any{"text"}
}

// fieldsOf returns an object with the fields of a schema; none without fields.
func fieldsOf(s *openapi3.Schema, depth int) []any {
	object := map[string]any{}
	for name, field := range s.Properties {
		all := samples(field, depth+1)
		object[name] = all[0]
		if len(all) > 1 {
			object[name+" other"] = all[1:]
		}
	}
	if s.AdditionalProperties.Schema != nil {
		object["some name"] = samples(s.AdditionalProperties.Schema, depth+1)[0]
	}
	if len(object) == 0 {
		return nil
	}
	return []any{object}
}

// changes calls each with every variant of a value in which one part is changed or missing.
func changes(value any, at string, each func(at string, variant any)) {
	switch part := value.(type) {
	case map[string]any:
		for name, field := range part {
			changes(field, at+"/"+name, func(place string, variant any) {
				other := maps.Clone(part)
				other[name] = variant
				each(place, other)
			})
			other := maps.Clone(part)
			delete(other, name)
			each(at+"/"+name+" (missing)", other)
		}
	case []any:
		for i, item := range part {
			changes(item, fmt.Sprintf("%s/%d", at, i), func(place string, variant any) {
				other := slices.Clone(part)
				other[i] = variant
				each(place, other)
			})
		}
		each(at+" (longer)", append(slices.Clone(part), "one more"))
		each(at+" (empty)", []any{})
	case bool:
		each(at, !part)
	case int:
		each(at, part+1)
	case string:
		for _, variant := range []any{part + "x", part + " ", part + "\u202e", part + "\u200b", "\"" + part + "\"", "", nil} {
			each(at, variant)
		}
	}
}

// shown returns the visible text of the details: everything but the pointers.
func shown(details []api.Detail) string {
	var text strings.Builder
	for _, d := range details {
		fmt.Fprintf(&text, "%s: %s %s %s %s\n", d.Label, d.Value, d.Kind, d.Name, d.Mark)
	}
	return text.String()
}

// TestEachChangedArgumentHasAnotherText generates the arguments of each writing tool from its schema, and changes each part in turn.
func TestEachChangedArgumentHasAnotherText(t *testing.T) {
	t.Parallel()
	contract, tools := writingTools(t)
	for _, tool := range tools {
		t.Run(tool.id, func(t *testing.T) {
			t.Parallel()
			render := func(path, query map[string]string, body any) string {
				var text []byte
				if body != nil {
					text, _ = json.Marshal(body)
				}
				details, err := contract.Details(tool.id, path, query, text)
				if err != nil {
					t.Fatal(err)
				}
				return shown(details)
			}
			var bodies []any
			if tool.body != nil {
				bodies = samples(tool.body, 0)
			}
			bodies = append(bodies, nil)
			count := 0
			differs := func(place, before, after string) {
				count++
				if before == after {
					t.Errorf("%s: the same text", place)
				}
			}
			plain := render(tool.path, tool.query, nil)
			for place, values := range map[string]map[string]string{"path": tool.path, "query": tool.query} {
				for name, value := range values {
					if name == "format" {
						continue
					}
					other := maps.Clone(values)
					other[name] = value + "x"
					if place == "path" {
						differs("path "+name, plain, render(other, tool.query, nil))
					} else {
						differs("query "+name, plain, render(tool.path, other, nil))
					}
				}
			}
			for _, body := range bodies {
				before := render(tool.path, tool.query, body)
				changes(body, "", func(place string, variant any) { differs(place, before, render(tool.path, tool.query, variant)) })
			}
			if count == 0 && (tool.body != nil || len(tool.path) > 0) {
				t.Error("nothing was changed")
			}
		})
	}
}

// TestDecisiveArgumentsAreMarked checks the marks by the names and the schemas of fields.
func TestDecisiveArgumentsAreMarked(t *testing.T) {
	t.Parallel()
	contract, tools := writingTools(t)
	names := map[string]string{
		"email": "address", "emails": "address", "contactEmail": "address", "url": "address", "website": "address", "returnUrl": "address",
		"driveFolderId": "address",
		"roles":         "role", "permissions": "permission", "members": "recipient", "toEntity": "recipient", "investor": "recipient",
		"fullName":        "recipient",
		"shareholderName": "recipient", "pricePerShare": "price", "exercisePrice": "price", "strikePrice": "price", "price": "price",
		"marketValue": "price",
		"cash":        "money", "principal": "money", "preMoney": "", "postMoney": "money",
	}
	found := map[string]bool{}
	for _, tool := range tools {
		if tool.body == nil {
			continue
		}
		for _, body := range samples(tool.body, 0) {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			details, err := contract.Details(tool.id, tool.path, tool.query, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range details {
				for part := range strings.SplitSeq(strings.TrimPrefix(d.Pointer, "/"), "/") {
					want, decides := names[part]
					found[part] = found[part] || decides
					if decides && (d.Mark == "" || want != "" && part != "price" && part != "principal" && d.Mark != want && d.Mark != "recipient") {
						t.Errorf("%s %s: the mark %q, want %q", tool.id, d.Pointer, d.Mark, want)
					}
				}
				if d.Mark == "role" || d.Mark == "permission" {
					found["authority"] = true
					if !tool.confirm {
						t.Errorf("%s %s gives authority without x-confirm", tool.id, d.Pointer)
					}
				}
			}
		}
	}
	for name := range names {
		if name != "url" && !found[name] {
			t.Errorf("no writing tool has the field %s", name)
		}
	}
	if !found["authority"] {
		t.Error("no tool gives authority")
	}
}

func TestOperationsThatGiveAuthorityAlwaysNeedAPerson(t *testing.T) {
	t.Parallel()
	_, tools := writingTools(t)
	var always []string
	for _, tool := range tools {
		if tool.confirm {
			always = append(always, tool.id)
		}
	}
	slices.Sort(always)
	want := []string{
		"addMember", "amendMember", "amendProfile", "createRole", "createShare", "inviteMembers", "moveDocument", "replaceRole",
		"sendInvitation", "setDocumentAccess",
	}
	if !slices.Equal(always, want) {
		t.Errorf("%v", always)
	}
}

func TestTextsOfAModelAreQuotedAndVisible(t *testing.T) {
	t.Parallel()
	contract, _ := writingTools(t)
	body := `{"fullName":"Grace\u202eHopper\u200b\nRoles 1: \"Guest\"","email":"eve@evil.example","roles":["Owner"],"a\u202eb":"x","comments":[]}`
	details, err := contract.Details("addMember", map[string]string{"organization": "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}, nil, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	want := []api.Detail{
		{Pointer: "/path/organization", Label: "Organization", Value: "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", Kind: "unknown"},
		{Pointer: "/fullName", Label: "Full name", Value: `"Grace\u202eHopper\u200b\nRoles 1: \"Guest\""`, Mark: "recipient"},
		{Pointer: "/email", Label: "Email", Value: "eve@evil.example", Mark: "address"},
		{Pointer: "/roles/0", Label: "Roles 1", Value: `"Owner"`, Mark: "role"},
		{Pointer: "/a\u202eb", Label: `A\u202eb`, Value: `"x"`},
		{Pointer: "/comments", Label: "Comments", Value: "empty list"},
	}
	if !slices.Equal(details, want) {
		t.Errorf("%+v", details)
	}
}

func TestPercentagesAreWrittenBesideTheirFractions(t *testing.T) {
	t.Parallel()
	contract, _ := writingTools(t)
	body := `{"discount":"0.20","coverage":"1.5","interest":{"rates":[{"rate":"0.0825"}]},"fixedConversion":{"fraction":"x"}}`
	details, err := contract.Details("createHolding", nil, nil, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	want := []api.Detail{
		{Pointer: "/discount", Label: "Discount", Value: "20 % (0.20)"},
		{Pointer: "/coverage", Label: "Coverage", Value: "150 % (1.5)"},
		{Pointer: "/interest/rates/0/rate", Label: "Interest: rates 1: rate", Value: "8.25 % (0.0825)"},
		{Pointer: "/fixedConversion/fraction", Label: "Fixed conversion: fraction", Value: `"x"`},
	}
	if !slices.Equal(details, want) {
		t.Errorf("%+v", details)
	}
}

package ocf_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"equity/captable/ocf"
)

// objectSchema is the part of an object schema that describes its fields.
type objectSchema struct {
	Properties map[string]struct {
		Const string `json:"const"`
	} `json:"properties"`
	Required []string `json:"required"`
	AllOf    []struct {
		Ref string `json:"$ref"`
	} `json:"allOf"`
}

func readSchema(t *testing.T, path string) objectSchema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var schema objectSchema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// objectSchemas returns the schemas of all objects by type, including the required fields of
// the schemas that they extend.
func objectSchemas(t *testing.T) map[string]objectSchema {
	t.Helper()
	root := filepath.Join(shared(t), "ocf", "schema")
	schemas := map[string]objectSchema{}
	err := filepath.WalkDir(filepath.Join(root, "objects"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".schema.json") {
			return err
		}
		schema := readSchema(t, path)
		for _, part := range schema.AllOf {
			_, inner, _ := strings.Cut(part.Ref, "/main/schema/")
			schema.Required = append(schema.Required, readSchema(t, filepath.Join(root, inner)).Required...)
		}
		if name := schema.Properties["object_type"].Const; name != "" {
			schemas[name] = schema
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}

// understood returns supported object types, with the list of the parcel for each.
func understood() map[string]func(*parcel) *[]string {
	transactions := func(p *parcel) *[]string { return &p.transactions }
	types := map[string]func(*parcel) *[]string{
		"STAKEHOLDER":           func(p *parcel) *[]string { return &p.stakeholders },
		"STOCK_CLASS":           func(p *parcel) *[]string { return &p.classes },
		"STOCK_LEGEND_TEMPLATE": func(p *parcel) *[]string { return &p.legends },
	}
	for _, name := range []string{
		"ISSUANCE", "ACCEPTANCE", "RETRACTION", "CANCELLATION", "TRANSFER", "CONVERSION", "REPURCHASE", "REISSUANCE", "CONSOLIDATION",
		"CLASS_SPLIT", "CLASS_AUTHORIZED_SHARES_ADJUSTMENT",
	} {
		types["TX_STOCK_"+name] = transactions
	}
	return types
}

func TestKindsFollowTheSchema(t *testing.T) {
	t.Parallel()
	schemas := objectSchemas(t)
	for name, list := range understood() {
		t.Run(name+" has the fields of its schema, and no others", func(t *testing.T) {
			t.Parallel()
			fields := map[string]any{}
			for field := range schemas[name].Properties {
				fields[field] = nil
			}
			fields["id"], fields["object_type"], fields["nobody knows this"] = "x", name, nil
			text, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			p := sound()
			*list(p) = append(*list(p), string(text))
			_, findings := ocf.Read(p.files())
			unknown, wanted := []string{}, []string{"id", "object_type"}
			for _, finding := range findings {
				field := strings.TrimPrefix(finding.Pointer, "/")
				switch {
				case finding.ObjectID != "x":
				case finding.Code == "unknownField":
					unknown = append(unknown, field)
				case finding.Code == "required" || finding.Code == "missingField":
					wanted = append(wanted, field)
				}
			}
			equalLists(t, "unknown", unknown, []string{"nobody knows this"})
			for _, field := range wanted {
				if !slices.Contains(schemas[name].Required, field) {
					t.Errorf("%s is asked for; the schema does not", field)
				}
			}
			for _, field := range schemas[name].Required {
				if !slices.Contains(wanted, field) {
					t.Errorf("%s is not asked for; the schema does", field)
				}
			}
		})
	}
}

func TestEveryTypeOfTheFormatIsKnown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(shared(t), "ocf", "schema", "enums", "ObjectType.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var types struct{ Enum []string }
	if err := json.Unmarshal(text, &types); err != nil {
		t.Fatal(err)
	}
	p := sound()
	for _, name := range types.Enum {
		p.transactions = append(p.transactions, `{"id":"of every type","object_type":"`+name+`","date":"2024-01-01"}`)
	}
	_, findings := ocf.Read(p.files())
	for _, refusal := range refusals(findings) {
		if strings.HasSuffix(refusal, "unknownObjectType") && !strings.HasPrefix(refusal, "ISSUER/") {
			t.Error(refusal)
		}
	}
	equal(t, "types", len(types.Enum) > 50, true)
}

func TestListsOfTheManifestFollowTheSchema(t *testing.T) {
	t.Parallel()
	schema := readSchema(t, filepath.Join(shared(t), "ocf", "schema", "files", "OCFManifestFile.schema.json"))
	w := setup(t)
	w.taken(everything().files())
	manifest := decoded(t, w.export("2026-03-01"), "Manifest.ocf.json")
	for _, field := range schema.Required {
		if manifest[field] == nil {
			t.Errorf("the manifest has no %s", field)
		}
	}
	for field := range maps.Keys(manifest) {
		if _, known := schema.Properties[field]; !known {
			t.Errorf("the schema knows no %s", field)
		}
	}
}

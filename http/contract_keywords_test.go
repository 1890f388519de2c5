package http_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A description with an unquoted comma in a flow mapping is cut at the comma, and the rest becomes a key.
// These tests therefore compare the keys of the bundled contract with the keywords of OpenAPI 3.0.

func TestSchemasHaveKnownKeywordsOnly(t *testing.T) {
	t.Parallel()
	doc := contractMap(t)
	count := 0
	eachMapping(doc, func(where string, node map[string]any) {
		for name, schema := range asMap(node["schemas"]) {
			count += checkSchema(t, where+"/schemas/"+name, schema)
		}
		if schema, ok := node["schema"]; ok {
			count += checkSchema(t, where+"/schema", schema)
		}
	})
	if count < 1000 {
		t.Errorf("only %d schemas were checked", count)
	}
}

func TestParametersHaveKnownKeywordsOnly(t *testing.T) {
	t.Parallel()
	known := []string{"$ref", "name", "in", "description", "required", "deprecated", "schema", "example", "content"}
	count := 0
	check := func(where string, parameter any) {
		checkKeys(t, where, asMap(parameter), known)
		count++
	}
	eachMapping(contractMap(t), func(where string, node map[string]any) {
		switch parameters := node["parameters"].(type) {
		case []any:
			for _, parameter := range parameters {
				check(where+"/parameters", parameter)
			}
		case map[string]any:
			if strings.HasSuffix(where, "/components") {
				for name, parameter := range parameters {
					check(where+"/parameters/"+name, parameter)
				}
			}
		}
	})
	if count < 100 {
		t.Errorf("only %d parameters were checked", count)
	}
}

// checkSchema checks a schema and its subschemas. It returns their number.
func checkSchema(t *testing.T, where string, schema any) int {
	t.Helper()
	node := asMap(schema)
	checkKeys(t, where, node, []string{
		"$ref", "type", "format", "title", "description", "example", "default", "deprecated", "enum", "nullable", "readOnly",
		"allOf", "oneOf", "anyOf", "not", "items", "properties", "additionalProperties", "required", "discriminator",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern",
		"minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	})
	count := 1
	for name, property := range asMap(node["properties"]) {
		count += checkSchema(t, where+"/properties/"+name, property)
	}
	for _, key := range []string{"items", "not", "additionalProperties"} {
		if subschema, ok := node[key].(map[string]any); ok {
			count += checkSchema(t, where+"/"+key, subschema)
		}
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		parts, _ := node[key].([]any)
		for _, part := range parts {
			count += checkSchema(t, where+"/"+key, part)
		}
	}
	return count
}

func checkKeys(t *testing.T, where string, node map[string]any, known []string) {
	t.Helper()
	for key := range node {
		if !strings.HasPrefix(key, "x-") && !slices.Contains(known, key) {
			t.Errorf("%s: %q is not a keyword", where, key)
		}
	}
}

// eachMapping calls do with every mapping of the document, except those inside examples.
func eachMapping(node any, do func(where string, node map[string]any)) {
	var walk func(where string, node any)
	walk = func(where string, node any) {
		switch node := node.(type) {
		case map[string]any:
			do(where, node)
			for key, value := range node {
				if key != "example" && key != "properties" {
					walk(where+"/"+key, value)
				}
			}
		case []any:
			for _, item := range node {
				walk(where, item)
			}
		}
	}
	walk("", node)
}

func asMap(node any) map[string]any {
	mapping, _ := node.(map[string]any)
	return mapping
}

func contractMap(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/messages"
)

// toolSchemas converts schemas of the contract to JSON schemas without references, which many clients of models do not resolve.
type toolSchemas struct{ components openapi3.Schemas }

// componentPrefix begins the references to schemas of the contract.
const componentPrefix = "#/components/schemas/"

// maxToolText limits the texts of a tool, in characters. Providers of models refuse all tools of a request if one has a longer description.
const maxToolText = 1024

// declare returns the tool of an operation.
func (t toolSchemas) declare(op *Operation, item *openapi3.PathItem, declared *openapi3.Operation) (*declaredTool, error) {
	if n := utf8.RuneCountInString(declared.Summary + ". " + declared.Description); n > maxToolText {
		return nil, fmt.Errorf("tool %s: summary and description have %d characters; at most %d are permitted", op.ID, n, maxToolText)
	}
	input, err := t.input(item, declared)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", op.ID, err)
	}
	return &declaredTool{Tool: messages.Tool{
		Name: op.ID, Title: declared.Summary, Description: declared.Description, Class: messages.ToolClass(op.agent),
		ConfirmAlways: op.ConfirmsAlways(), Common: declared.Extensions["x-agent-common"] == true,
		Permission: op.Permission, Tags: declared.Tags, InputSchema: input,
	}, secrets: t.secretsOf(declared)}, nil
}

// input returns the JSON schema of the arguments of an operation.
func (t toolSchemas) input(item *openapi3.PathItem, declared *openapi3.Operation) (json.RawMessage, error) {
	properties, required := map[string]any{}, []string{}
	for _, list := range []openapi3.Parameters{item.Parameters, declared.Parameters} {
		for _, ref := range list {
			p := ref.Value
			if p.In == openapi3.ParameterInHeader || excludedParameter(p.Name) {
				continue
			}
			converted, err := t.convert(p.Schema)
			if err != nil {
				return nil, err
			}
			if object, ok := converted.(map[string]any); ok && p.Description != "" {
				object["description"] = p.Description
			}
			properties[p.Name] = converted
			if p.Required {
				required = append(required, p.Name)
			}
		}
	}
	if declared.RequestBody != nil {
		converted, err := t.convert(declared.RequestBody.Value.Content[MediaJSON].Schema)
		if err != nil {
			return nil, err
		}
		properties["body"] = converted
		if declared.RequestBody.Value.Required {
			required = append(required, "body")
		}
	}
	whole := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		whole["required"] = required
	}
	return json.Marshal(whole)
}

// convert returns the JSON schema. Within are the names of the schemas that contain it.
func (t toolSchemas) convert(ref *openapi3.SchemaRef, within ...string) (any, error) {
	text, err := json.Marshal(ref)
	if err != nil {
		return nil, err
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	return t.rewrite(schema, within)
}

// rewrite changes the parts of a schema that OpenAPI 3.0 writes differently.
func (t toolSchemas) rewrite(schema any, within []string) (any, error) {
	switch part := schema.(type) {
	case []any:
		for i := range part {
			var err error
			if part[i], err = t.rewrite(part[i], within); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		if ref, ok := part["$ref"].(string); ok {
			return t.resolve(strings.TrimPrefix(ref, componentPrefix), within)
		}
		return part, t.rewriteObject(part, within)
	}
	return schema, nil
}

// resolve returns the schema with the name.
func (t toolSchemas) resolve(name string, within []string) (any, error) {
	found := t.components[name]
	switch {
	case found == nil:
		return nil, fmt.Errorf("the schema %s does not exist", name)
	case slices.Contains(within, name):
		return nil, fmt.Errorf("the schema %s contains itself", name)
	}
	return t.convert(&openapi3.SchemaRef{Value: found.Value}, append(slices.Clip(within), name)...)
}

func (t toolSchemas) rewriteObject(part map[string]any, within []string) error {
	for name, value := range part {
		if name == "example" || strings.HasPrefix(name, "x-") {
			delete(part, name)
			continue
		}
		if fields, ok := value.(map[string]any); ok && name == "properties" {
			if err := t.rewriteFields(fields, within); err != nil {
				return err
			}
			continue
		}
		converted, err := t.rewrite(value, within)
		if err != nil {
			return err
		}
		part[name] = converted
	}
	flatten(part)
	if kind, ok := part["type"].(string); ok && part["nullable"] == true {
		part["type"] = []any{kind, "null"}
	}
	delete(part, "nullable")
	return nil
}

// flatten moves the content of the only schema of an allOf to its parent, whose description counts.
func flatten(part map[string]any) {
	all, _ := part["allOf"].([]any)
	if len(all) != 1 {
		return
	}
	only, _ := all[0].(map[string]any)
	for name := range only {
		if _, both := part[name]; both && name != "description" {
			return
		}
	}
	delete(part, "allOf")
	for name, value := range only {
		if _, own := part[name]; !own {
			part[name] = value
		}
	}
}

// rewriteFields changes the schemas of fields by name.
func (t toolSchemas) rewriteFields(fields map[string]any, within []string) error {
	for name, field := range fields {
		converted, err := t.rewrite(field, within)
		if err != nil {
			return err
		}
		fields[name] = converted
	}
	return nil
}

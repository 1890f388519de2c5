package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/messages"
)

// toolSchemas converts schemas of the contract to JSON schemas.
type toolSchemas struct{ components openapi3.Schemas }

// componentPrefix begins the references to schemas of the contract, and definitionPrefix those within a JSON schema.
const (
	componentPrefix  = "#/components/schemas/"
	definitionPrefix = "#/$defs/"
)

// declare returns the tool of an operation.
func (t toolSchemas) declare(op *Operation, item *openapi3.PathItem, declared *openapi3.Operation) (*declaredTool, error) {
	input, err := t.input(item, declared)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", op.ID, err)
	}
	return &declaredTool{Tool: messages.Tool{
		Name: op.ID, Title: declared.Summary, Description: declared.Description, Class: messages.ToolClass(op.agent),
		ConfirmAlways: op.ConfirmsAlways(),
		Permission:    op.Permission, Tags: declared.Tags, InputSchema: input,
	}, secrets: t.secretsOf(declared)}, nil
}

// input returns the JSON schema of the arguments of an operation.
func (t toolSchemas) input(item *openapi3.PathItem, declared *openapi3.Operation) (json.RawMessage, error) {
	properties, definitions, required := map[string]any{}, map[string]any{}, []string{}
	for _, list := range []openapi3.Parameters{item.Parameters, declared.Parameters} {
		for _, ref := range list {
			p := ref.Value
			if p.In == openapi3.ParameterInHeader || excludedParameter(p.Name) {
				continue
			}
			converted, err := t.convert(p.Schema, definitions)
			if err != nil {
				return nil, err
			}
			properties[p.Name] = described(converted, p.Description)
			if p.Required {
				required = append(required, p.Name)
			}
		}
	}
	if declared.RequestBody != nil {
		converted, err := t.convert(declared.RequestBody.Value.Content[MediaJSON].Schema, definitions)
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
	if len(definitions) > 0 {
		whole["$defs"] = definitions
	}
	return json.Marshal(whole)
}

// described returns the schema with the description of its parameter.
func described(schema any, text string) any {
	object, ok := schema.(map[string]any)
	if !ok || text == "" {
		return schema
	}
	if object["$ref"] != nil {
		return map[string]any{"allOf": []any{object}, "description": text}
	}
	object["description"] = text
	return object
}

// convert returns the JSON schema. The schemas that it refers to are added to the definitions.
func (t toolSchemas) convert(ref *openapi3.SchemaRef, definitions map[string]any) (any, error) {
	text, err := json.Marshal(ref)
	if err != nil {
		return nil, err
	}
	var schema any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	return t.rewrite(schema, definitions)
}

// rewrite changes the parts of a schema that OpenAPI 3.0 writes differently.
func (t toolSchemas) rewrite(schema any, definitions map[string]any) (any, error) {
	switch part := schema.(type) {
	case []any:
		for i := range part {
			var err error
			if part[i], err = t.rewrite(part[i], definitions); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		return part, t.rewriteObject(part, definitions)
	}
	return schema, nil
}

func (t toolSchemas) rewriteObject(part, definitions map[string]any) error {
	if ref, ok := part["$ref"].(string); ok && strings.HasPrefix(ref, componentPrefix) {
		name := strings.TrimPrefix(ref, componentPrefix)
		part["$ref"] = definitionPrefix + name
		if definitions[name] == nil {
			definitions[name] = true // against endless recursion
			converted, err := t.convert(&openapi3.SchemaRef{Value: t.components[name].Value}, definitions)
			if err != nil {
				return err
			}
			definitions[name] = converted
		}
		return nil
	}
	if kind, ok := part["type"].(string); ok && part["nullable"] == true {
		part["type"] = []any{kind, "null"}
	}
	delete(part, "nullable")
	for name, value := range part {
		if name == "example" || strings.HasPrefix(name, "x-") {
			delete(part, name)
			continue
		}
		if fields, ok := value.(map[string]any); ok && name == "properties" {
			if err := t.rewriteFields(fields, definitions); err != nil {
				return err
			}
			continue
		}
		converted, err := t.rewrite(value, definitions)
		if err != nil {
			return err
		}
		part[name] = converted
	}
	return nil
}

// rewriteFields changes the schemas of fields by name.
func (t toolSchemas) rewriteFields(fields, definitions map[string]any) error {
	for name, field := range fields {
		converted, err := t.rewrite(field, definitions)
		if err != nil {
			return err
		}
		fields[name] = converted
	}
	return nil
}

package docs

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// typeOf returns the type of a value, with links to named schemas.
func typeOf(ref *openapi3.SchemaRef) template.HTML {
	return template.HTML(typeText(ref)) //nolint:gosec // every part is escaped
}

// typeText returns a link to the schema, or a description of the type.
func typeText(ref *openapi3.SchemaRef) string {
	if ref == nil || ref.Value == nil {
		return "anything"
	}
	if name, ok := strings.CutPrefix(ref.Ref, "#/components/schemas/"); ok {
		name = template.HTMLEscapeString(name)
		return `<a href="#schema-` + name + `">` + name + `</a>`
	}
	of := ref.Value
	null := ""
	if of.Nullable {
		null = " or null"
	}
	switch {
	case len(of.AllOf) == 1:
		return typeText(of.AllOf[0]) + null
	case len(of.OneOf) > 0 && len(of.Properties) == 0:
		parts := make([]string, len(of.OneOf))
		for i, part := range of.OneOf {
			parts[i] = typeText(part)
		}
		return strings.Join(parts, " or ") + null
	case of.Items != nil:
		return "list of " + typeText(of.Items) + null
	case len(of.Enum) > 0:
		return values(of.Enum) + null
	case of.Type != nil && len(of.Type.Slice()) == 1:
		return template.HTMLEscapeString(of.Type.Slice()[0]) + limits(of) + null
	default:
		return "anything"
	}
}

func values(enum []any) string {
	parts := make([]string, len(enum))
	for i, value := range enum {
		parts[i] = "<code>" + template.HTMLEscapeString(fmt.Sprint(value)) + "</code>"
	}
	return strings.Join(parts, " ")
}

// limits returns the allowed length or range of a value.
func limits(of *openapi3.Schema) string {
	var parts []string
	if of.Min != nil && *of.Min > -1<<31 {
		parts = append(parts, fmt.Sprintf("at least %.0f", *of.Min))
	}
	if of.Max != nil && *of.Max < 1<<31-1 {
		parts = append(parts, fmt.Sprintf("at most %.0f", *of.Max))
	}
	if of.MaxLength != nil {
		parts = append(parts, fmt.Sprintf("at most %d characters", *of.MaxLength))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// rules returns the further constraints of a schema.
func rules(of *openapi3.Schema) string {
	var parts []string
	if of.Pattern != "" {
		parts = append(parts, of.Pattern)
	}
	return strings.Join(parts, " ")
}

func exampleOf(ref *openapi3.SchemaRef) any {
	switch {
	case ref == nil || ref.Value == nil:
		return ""
	case ref.Value.Example != nil:
		return ref.Value.Example
	case len(ref.Value.Enum) > 0:
		return ref.Value.Enum[0]
	default:
		return ""
	}
}

// curl returns a command that calls the operation.
func curl(o operationFacts) string {
	address := o.Path
	for _, p := range o.Parameters {
		if p.In == "path" {
			address = strings.ReplaceAll(address, "{"+p.Name+"}", p.Example)
		}
	}
	parts := []string{"curl"}
	if o.Method != http.MethodGet {
		parts = append(parts, "-X "+o.Method)
	}
	if o.Permission != "public" {
		parts = append(parts, "-b cookies.txt")
	} else if o.ID == "login" {
		parts = append(parts, "-c cookies.txt")
	}
	switch {
	case o.Body == nil:
	case strings.HasPrefix(o.Body.Kinds, "application/json"):
		parts = append(parts, "-H 'Content-Type: application/json'", "-d '"+strings.ReplaceAll(squeeze(o.Body.Example), "'", `'\''`)+"'")
	default:
		parts = append(parts, "-F file=@package.zip")
	}
	for _, answer := range o.Answers {
		if answer.Kinds == "application/pdf" {
			parts = append(parts, "-o certificate.pdf")
		}
	}
	return strings.Join(append(parts, exampleBase+address), " ")
}

// squeeze removes the line breaks of an example.
func squeeze(example string) string {
	var out strings.Builder
	for line := range strings.Lines(example) {
		out.WriteString(strings.TrimSpace(line))
		if strings.HasSuffix(strings.TrimSpace(line), ",") {
			out.WriteByte(' ')
		}
	}
	return out.String()
}

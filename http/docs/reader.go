package docs

import (
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// reader collects the facts of a contract.
type reader struct {
	doc   *openapi3.T
	order order
}

func methods() []string {
	return []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
}

// read collects the whole page: operations by group, then the schemas.
func (r *reader) read() (facts, error) {
	all := facts{Title: r.doc.Info.Title, Description: prose(r.doc.Info.Description)}
	for _, tag := range r.doc.Tags {
		title, _ := tag.Extensions["x-title"].(string)
		all.Groups = append(all.Groups, group{ID: tag.Name, Title: title, Description: prose(tag.Description)})
	}
	for _, path := range r.order.paths {
		item := r.doc.Paths.Find(path)
		for _, method := range methods() {
			declared := item.GetOperation(method)
			if declared == nil {
				continue
			}
			operation, err := r.operation(path, method, item, declared)
			if err != nil {
				return facts{}, fmt.Errorf("%s: %w", declared.OperationID, err)
			}
			at := slices.IndexFunc(all.Groups, func(g group) bool { return g.ID == declared.Tags[0] })
			if at >= 0 {
				all.Groups[at].Operations = append(all.Groups[at].Operations, operation)
			}
		}
	}
	for _, name := range r.order.schemas {
		schema, err := r.schema(name)
		if err != nil {
			return facts{}, fmt.Errorf("%s: %w", name, err)
		}
		all.Schemas = append(all.Schemas, schema)
	}
	return all, nil
}

// operation collects the facts of one operation, successes before errors.
func (r *reader) operation(path, method string, item *openapi3.PathItem, declared *openapi3.Operation) (operationFacts, error) {
	text := func(extension string) string { value, _ := declared.Extensions[extension].(string); return value }
	operation := operationFacts{
		ID: declared.OperationID, Method: method, Path: "/v1" + path, Summary: declared.Summary,
		Description: prose(declared.Description), Permission: text("x-permission"), Audience: audience(text("x-permission")),
		Agent: text("x-agent"), Feature: text("x-feature"),
	}
	for _, list := range []openapi3.Parameters{item.Parameters, declared.Parameters} {
		for _, parameter := range list {
			operation.Parameters = append(operation.Parameters, r.parameter(parameter.Value))
		}
	}
	if declared.RequestBody != nil {
		body, err := r.body(declared.RequestBody.Value, "paths", path, strings.ToLower(method), "requestBody")
		if err != nil {
			return operation, err
		}
		operation.Body = body
	}
	for _, status := range slices.Sorted(maps.Keys(declared.Responses.Map())) {
		answer, err := r.answer(declared.Responses.Value(status).Value, "paths", path, strings.ToLower(method), "responses", status)
		if err != nil {
			return operation, err
		}
		if status < "300" {
			operation.Answers = append(operation.Answers, answer)
		} else {
			operation.Refusals = append(operation.Refusals, answer)
		}
	}
	var err error
	operation.Callbacks, err = r.callbacks(declared.Callbacks, "paths", path, strings.ToLower(method), "callbacks")
	operation.Curl = curl(operation)
	return operation, err
}

// callbacks collects the facts of the requests that an operation causes, in the order of the contract. It returns nil if there are none.
func (r *reader) callbacks(declared openapi3.Callbacks, place ...string) (*callbackFacts, error) {
	var all *callbackFacts
	for _, name := range keys(child(r.order.root, place...)) {
		for address, item := range declared[name].Value.Map() {
			if all == nil {
				all = &callbackFacts{Address: address, Description: prose(item.Post.Description)}
				for _, parameter := range item.Post.Parameters {
					all.Parameters = append(all.Parameters, r.parameter(parameter.Value))
				}
				for _, status := range slices.Sorted(maps.Keys(item.Post.Responses.Map())) {
					all.Answers = append(all.Answers, answerFacts{
						Status: status, Description: prose(*item.Post.Responses.Value(status).Value.Description),
					})
				}
			}
			body, err := r.body(item.Post.RequestBody.Value, append(place, name, address, "post", "requestBody")...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all.Bodies = append(all.Bodies, callbackBody{name, *body})
		}
	}
	return all, nil
}

func (r *reader) parameter(p *openapi3.Parameter) fieldFacts {
	example := p.Example
	if example == nil {
		example = exampleOf(p.Schema)
	}
	return fieldFacts{
		Name: p.Name, In: p.In, Required: p.Required, Type: typeOf(p.Schema), Description: prose(p.Description),
		Example: fmt.Sprint(example),
	}
}

func (r *reader) body(b *openapi3.RequestBody, place ...string) (*bodyFacts, error) {
	kinds, media := sorted(b.Content)
	example, err := r.order.example(append(place, "content", kinds[0])...)
	return &bodyFacts{Required: b.Required, Kinds: strings.Join(kinds, ", "), Type: typeOf(media.Schema), Example: example}, err
}

// answer collects the facts of one response.
func (r *reader) answer(response *openapi3.Response, place ...string) (answerFacts, error) {
	answer := answerFacts{Status: place[len(place)-1], Description: prose(*response.Description)}
	for name := range response.Headers {
		answer.Headers = append(answer.Headers, name)
	}
	slices.Sort(answer.Headers)
	if len(response.Content) == 0 {
		return answer, nil
	}
	kinds, media := sorted(response.Content)
	answer.Kinds, answer.Type = strings.Join(kinds, ", "), typeOf(media.Schema)
	var err error
	answer.Example, err = r.order.example(append(place, "content", kinds[0])...)
	return answer, err
}

// sorted returns the media types, JSON first, and the content of the first one.
func sorted(content openapi3.Content) ([]string, *openapi3.MediaType) {
	var kinds []string
	for kind := range content {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		return strings.Compare(strings.Replace(a, "application/json", "", 1), strings.Replace(b, "application/json", "", 1))
	})
	return kinds, content[kinds[0]]
}

// schema collects the facts of one schema, field by field.
func (r *reader) schema(name string) (schemaFacts, error) {
	ref := r.doc.Components.Schemas[name]
	of := ref.Value
	schema := schemaFacts{Name: name, Description: prose(of.Description), Rules: rules(of)}
	if len(of.Properties) == 0 {
		schema.Type = typeOf(&openapi3.SchemaRef{Value: of})
	}
	for _, field := range r.order.fields[name] {
		property := of.Properties[field]
		schema.Fields = append(schema.Fields, fieldFacts{
			Name: field, Required: slices.Contains(of.Required, field), Type: typeOf(property), Description: prose(describe(property)),
		})
	}
	var err error
	schema.Example, err = r.order.example("components", "schemas", name)
	if _, isText := of.Example.(string); isText {
		schema.Example = strconv.Quote(schema.Example)
	}
	return schema, err
}

// audience returns the description of a permission.
func audience(permission string) string {
	switch permission {
	case "public":
		return "public"
	case "session":
		return "any signed-in user"
	case "gateway":
		return "the gateway, with its token"
	default:
		return "members with " + permission
	}
}

func describe(ref *openapi3.SchemaRef) string { return ref.Value.Description }

// prose formats a description: paragraphs, `code` and **strong**.
func prose(text string) template.HTML {
	var out strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if paragraph == "" {
			continue
		}
		escaped := template.HTMLEscapeString(paragraph)
		escaped = pair(escaped, "**", "<strong>", "</strong>")
		escaped = pair(escaped, "`", "<code>", "</code>")
		out.WriteString("<p>" + escaped + "</p>")
	}
	return template.HTML(out.String()) //nolint:gosec // escaped above
}

func pair(text, mark, open, closing string) string {
	parts := strings.Split(text, mark)
	var out strings.Builder
	for i, part := range parts {
		if i > 0 && i%2 == 1 && i < len(parts)-1 {
			out.WriteString(open)
		} else if i > 0 && i%2 == 0 {
			out.WriteString(closing)
		}
		out.WriteString(part)
	}
	return out.String()
}

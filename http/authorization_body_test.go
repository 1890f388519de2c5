package http_test

import (
	"cmp"
	"encoding/json"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// json returns the JSON body of the operation, or nil.
func (d *declared) json() *openapi3.MediaType {
	if d.body == nil {
		return nil
	}
	return d.body.Content["application/json"]
}

// bodyTypes lists the types of bodies that the matrix sends. The first one that the operation accepts is used.
func bodyTypes() []string {
	return []string{"application/json", "text/csv", "application/x-www-form-urlencoded", "multipart/form-data"}
}

// setBody sets the body of the request to the contract's example with the estate's ids. Rows of a spreadsheet need the parameter for
// their kind.
func (e *estate) setBody(tb testing.TB, d *declared, w *wish) {
	tb.Helper()
	if d.body == nil {
		return
	}
	for _, kind := range bodyTypes() {
		media := d.body.Content[kind]
		if media == nil {
			continue
		}
		example := e.localized(media.Example, d.id)
		fields, _ := example.(map[string]any)
		switch kind {
		case "application/json":
			text, err := json.Marshal(example)
			if err != nil {
				tb.Fatal(err)
			}
			w.body = string(text)
		case "text/csv":
			w.body, _ = example.(string)
			w.kind = kind
			w.query.Set("kind", queryOf(d.parameter("kind")))
		case "application/x-www-form-urlencoded":
			form := url.Values{}
			for name, value := range fields {
				form.Set(name, textIn(value))
			}
			w.body, w.kind = form.Encode(), kind
		default:
			w.body, w.kind = e.form(tb, fields, media.Schema.Value)
		}
		return
	}
}

// parameter returns the declared parameter with the name.
func (d *declared) parameter(name string) *openapi3.Parameter {
	return d.parameters[slices.IndexFunc(d.parameters, func(p *openapi3.Parameter) bool { return p.Name == name })]
}

// form returns the example of a form and its content type. A file has the content that the contract states as x-content. Otherwise it is
// a picture, which each operation on files accepts, and is named after the estate.
func (e *estate) form(tb testing.TB, example map[string]any, schema *openapi3.Schema) (body, kind string) {
	tb.Helper()
	var packed strings.Builder
	w := multipart.NewWriter(&packed)
	for name, value := range example {
		field := schema.Properties[name].Value
		if field.Items != nil {
			field = field.Items.Value
		}
		if list, ok := value.([]any); ok {
			value = list[0]
		}
		if field.Format != "binary" {
			if err := w.WriteField(name, textIn(value)); err != nil {
				tb.Fatal(err)
			}
			continue
		}
		file, content := e.name+" Next.png", pngHead
		if text, ok := field.Extensions["x-content"].(string); ok {
			file, content = textIn(value), text
		}
		part, err := w.CreateFormFile(name, file)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return packed.String(), w.FormDataContentType()
}

func textIn(value any) string {
	text, _ := value.(string)
	return text
}

// localized returns the example with its ids, and digests of plans, replaced by those of the estate.
func (e *estate) localized(example any, of string) any {
	switch value := example.(type) {
	case map[string]any:
		local := make(map[string]any, len(value))
		for name, field := range value {
			local[name] = e.localized(field, name)
			if id := e.reference(of, name); id != "" && (isID(field) || len(textIn(field)) == digestLength) {
				local[name] = id
			}
		}
		return local
	case []any:
		local := make([]any, len(value))
		for i, one := range value {
			local[i] = e.localized(one, of)
		}
		return local
	}
	return example
}

// reference returns the record that a field of a body names, or nothing. The id of the field in the object or operation overrides the id of
// the field. The field "id" of an object names a record of the kind of the object, such as a pool in "pools".
func (e *estate) reference(of, name string) string {
	if name == "id" {
		return cmp.Or(e.ids[of+".id"], e.ids[strings.TrimSuffix(of, "s")])
	}
	return cmp.Or(e.ids[of+"."+name], e.ids[name], e.ids[strings.TrimSuffix(name, "s")])
}

const (
	idLength     = 36
	digestLength = 64 // in hexadecimal digits
)

// isID reports whether the value of an example is an id.
func isID(value any) bool {
	text := textIn(value)
	return len(text) == idLength && strings.Count(text, "-") == 4
}

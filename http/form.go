package http

import (
	"encoding/json"
	"net/url"

	"equity/captable"
)

// mediaURLEncoded is the default media type of HTML forms.
const mediaURLEncoded = "application/x-www-form-urlencoded"

// readFields converts the fields of a form to a JSON object of strings. For a repeated field the first
// value counts. Malformed fields are ignored.
func (c *Call) readFields(content []byte) (captable.Faults, error) {
	values, _ := url.ParseQuery(string(content))
	fields := make(map[string]string, len(values))
	for name := range values {
		fields[name] = values.Get(name)
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	c.Body = body
	return c.operation.body.fields.Check(body), nil
}

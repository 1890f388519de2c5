package http

import (
	"encoding/json"
	"net/url"

	"equity/captable"
)

// mediaURLEncoded is how a browser's form posts its fields by itself.
const mediaURLEncoded = "application/x-www-form-urlencoded"

// readFields reads the fields of a form as if they had been sent as an object of texts. A field that is there twice
// counts once, as it came first; one that is not well formed is not there.
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

package api

import (
	"encoding/json"
	"net/url"
)

// mediaURLEncoded is the default media type of HTML forms.
const mediaURLEncoded = "application/x-www-form-urlencoded"

// fieldsAsJSON converts the fields of a form to a JSON object of strings. For a repeated field the first
// value counts. Malformed fields are ignored.
func fieldsAsJSON(content []byte) ([]byte, error) {
	values, _ := url.ParseQuery(string(content))
	fields := make(map[string]string, len(values))
	for name := range values {
		fields[name] = values.Get(name)
	}
	return json.Marshal(fields)
}

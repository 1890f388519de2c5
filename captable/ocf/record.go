package ocf

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// record is a JSON object with ordered fields.
type record struct{ fields []field }

type field struct {
	name  string
	value json.RawMessage
}

var (
	errNoObject = errors.New("it is not an object")
	errTooWide  = errors.New("it has too many fields")
)

// mostFields bounds the fields of an object, because lookups are linear.
const mostFields = 500

// parseRecord parses a JSON object.
func parseRecord(text []byte) (*record, error) {
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, errNoObject
	}
	r := &record{}
	for decoder.More() {
		if len(r.fields) == mostFields {
			return nil, errTooWide
		}
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		text, _ := name.(string)
		r.set(text, value)
	}
	_, err := decoder.Token()
	return r, err
}

// encoded returns the JSON of a struct. Returns an empty object if it cannot be marshalled.
func encoded(object any) json.RawMessage {
	text, err := json.Marshal(object)
	if err != nil {
		return json.RawMessage("{}")
	}
	return text
}

// recordOf converts a struct to a record. Returns an empty record if it cannot be marshalled.
func recordOf(object any) *record {
	text, err := json.Marshal(object)
	if err != nil {
		return &record{}
	}
	r, err := parseRecord(text)
	if err != nil {
		return &record{}
	}
	return r
}

// get returns the value of a field, or nil.
func (r *record) get(name string) json.RawMessage {
	for _, f := range r.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// set replaces the value of a field in place, or appends the field.
func (r *record) set(name string, value json.RawMessage) {
	for i := range r.fields {
		if r.fields[i].name == name {
			r.fields[i].value = value
			return
		}
	}
	r.fields = append(r.fields, field{name, value})
}

func (r *record) delete(name string) {
	r.fields = slices.DeleteFunc(r.fields, func(f field) bool { return f.name == name })
}

func (r *record) clone() *record { return &record{slices.Clone(r.fields)} }

// overlay returns the record with the differences between was and now applied.
func (r *record) overlay(was, now *record) *record {
	changed := r.clone()
	for _, f := range now.fields {
		if !bytes.Equal(was.get(f.name), f.value) {
			changed.set(f.name, f.value)
		}
	}
	for _, f := range was.fields {
		if now.get(f.name) == nil {
			changed.delete(f.name)
		}
	}
	return changed
}

// json returns the compact JSON of the record in field order.
func (r *record) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range r.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.name) //nolint:errchkjson // strings always marshal
		b.Write(name)
		b.WriteByte(':')
		if json.Compact(&b, f.value) != nil {
			b.WriteString("null")
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

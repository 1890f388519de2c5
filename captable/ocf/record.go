package ocf

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// record is a JSON object that keeps the order of its fields.
type record struct{ fields []field }

type field struct {
	name  string
	value json.RawMessage
}

var (
	errNoObject = errors.New("it is not an object")
	errTooWide  = errors.New("it has too many fields")
)

// mostFields bounds an object: fields are looked up one after another.
const mostFields = 500

// parseRecord reads a JSON object.
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

// recordOf gives the fields of a struct that has no trouble being written.
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

// get gives the field's value, or nil.
func (r *record) get(name string) json.RawMessage {
	for _, f := range r.fields {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// set changes a field where it stands, or adds it at the end.
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

// overlay gives the record with those fields changed in which now differs from was.
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

// json writes the record in its order, without blanks between.
func (r *record) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range r.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.name) //nolint:errchkjson // a string
		b.Write(name)
		b.WriteByte(':')
		if json.Compact(&b, f.value) != nil {
			b.WriteString("null")
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

package ocf

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
)

// An Object keeps its JSON in compact form and the position of each field. A decoded map of its fields takes about five
// times as much memory, so it exists only while an object is checked.

// span is the position of a field in compact JSON: its quoted name and its value.
type span struct{ name, nameEnd, value, end uint16 }

// index finds the fields of the object. An object of more than 64 KB or with escaped names has no index; its fields are
// then decoded at each use.
func (o *Object) index() {
	if len(o.Raw) > math.MaxUint16 || !isObject(o.Raw) {
		return
	}
	var buffer [32]span // enough for most objects
	spans := buffer[:0]
	for at := 1; at < len(o.Raw) && o.Raw[at] == '"'; {
		name := at
		nameEnd := skipText(o.Raw, name)
		if bytes.IndexByte(o.Raw[name:nameEnd], '\\') >= 0 {
			return
		}
		value := nameEnd + 1 // behind the colon
		end := skipValue(o.Raw, value)
		spans = append(spans, span{uint16(name), uint16(nameEnd), uint16(value), uint16(end)}) //nolint:gosec // bounded above
		at = end + 1
	}
	o.spans = slices.Clone(spans)
}

func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }

// field returns the JSON of a field, or nil. The last field of a name counts, as in [encoding/json]. It reports false if
// the object has no index.
func (o *Object) field(name string) (raw []byte, indexed bool) {
	for _, s := range slices.Backward(o.spans) {
		if string(o.Raw[s.name+1:s.nameEnd-1]) == name {
			return o.Raw[s.value:s.end], true
		}
	}
	return nil, o.spans != nil
}

// value returns a decoded field, or nil.
func (o *Object) value(name string) any {
	if o.values != nil {
		return o.values[name]
	}
	raw, indexed := o.field(name)
	switch {
	case !indexed:
		return o.decoded()[name]
	case raw == nil:
		return nil
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1])
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

// decoded returns all fields.
func (o *Object) decoded() map[string]any {
	if o.values != nil {
		return o.values
	}
	values, _ := decodeValues(o.Raw)
	return values
}

// skipText returns the end of the text that begins at the position.
func skipText(raw []byte, at int) int {
	for at++; at < len(raw); at++ {
		switch raw[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return at
}

// skipValue returns the end of the value that begins at the position, in valid compact JSON.
func skipValue(raw []byte, at int) int {
	depth := 0
	for at < len(raw) {
		switch raw[at] {
		case '"':
			if at = skipText(raw, at); depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}

// arena stores the JSON of many objects in few blocks.
type arena struct {
	block   []byte
	compact bytes.Buffer // reused
}

const arenaBlock = 1 << 20

// keep returns a compact copy of valid JSON.
func (a *arena) keep(raw []byte) (json.RawMessage, error) {
	a.compact.Reset()
	if err := json.Compact(&a.compact, raw); err != nil {
		return nil, err
	}
	size := a.compact.Len()
	if len(a.block)+size > cap(a.block) {
		a.block = make([]byte, 0, max(arenaBlock, size))
	}
	begin := len(a.block)
	a.block = append(a.block, a.compact.Bytes()...)
	return a.block[begin:len(a.block):len(a.block)], nil
}

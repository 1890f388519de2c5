package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A JSON value is one of nil, bool, float64, string, []any and *object. The type absent is that of a missing value.
type absent struct{}

// object is a JSON object. The order of its keys is that of their first occurrence.
type object struct {
	keys   []string
	fields map[string]any
}

func (o *object) get(key string) any {
	if value, ok := o.fields[key]; ok {
		return value
	}
	return absent{}
}

func (o *object) set(key string, value any) {
	if _, known := o.fields[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.fields[key] = value
}

func newObject() *object { return &object{fields: map[string]any{}} }

// errSyntax reports a body that is not JSON.
var errSyntax = errors.New("SyntaxError")

// parseValue reads one JSON value. The depth is bounded by the standard library.
func parseValue(text []byte) (any, error) {
	if err := checkSyntax(text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return readValue(decoder)
}

func checkSyntax(text []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%w: %s at position %d", errSyntax, syntax.Error(), syntax.Offset)
	}
	return err
}

func readValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Number:
		number, _ := strconv.ParseFloat(token.String(), 64) // out of range: infinite, as in JavaScript
		return number, nil
	case json.Delim:
		if token == '[' {
			return readArray(decoder)
		}
		return readObject(decoder)
	}
	return token, nil
}

func readArray(decoder *json.Decoder) (any, error) {
	items := []any{}
	for decoder.More() {
		item, err := readValue(decoder)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := decoder.Token()
	return items, err
}

func readObject(decoder *json.Decoder) (any, error) {
	o := newObject()
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, io.ErrUnexpectedEOF
		}
		value, err := readValue(decoder)
		if err != nil {
			return nil, err
		}
		o.set(name, value)
	}
	_, err := decoder.Token()
	return o, err
}

// display returns the text of a value in a template.
func display(value any) string {
	switch value := value.(type) {
	case nil, absent:
		return ""
	case string:
		return value
	case float64:
		return number(value)
	}
	return string(appendJSON(nil, value))
}

// number formats a number like JavaScript.
func number(n float64) string {
	switch {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	}
	if size := math.Abs(n); size >= 1e21 || size < 1e-6 {
		text := strconv.FormatFloat(n, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// appendJSON appends the value in the form of JSON.stringify.
func appendJSON(to []byte, value any) []byte {
	switch value := value.(type) {
	case bool:
		return strconv.AppendBool(to, value)
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return append(to, "null"...)
		}
		return append(to, number(value)...)
	case string:
		return appendText(to, value)
	case []any:
		to = append(to, '[')
		for i, item := range value {
			if i > 0 {
				to = append(to, ',')
			}
			to = appendJSON(to, item)
		}
		return append(to, ']')
	case *object:
		to = append(to, '{')
		for i, key := range ordered(value.keys) {
			if i > 0 {
				to = append(to, ',')
			}
			to = append(appendText(to, key), ':')
			to = appendJSON(to, value.fields[key])
		}
		return append(to, '}')
	}
	return append(to, "null"...)
}

// ordered returns the keys in the order of JavaScript: array indexes first, ascending.
func ordered(keys []string) []string {
	if !slices.ContainsFunc(keys, isIndex) {
		return keys
	}
	sorted := slices.Clone(keys)
	slices.SortStableFunc(sorted, func(a, b string) int {
		switch left, right := isIndex(a), isIndex(b); {
		case left && right:
			x, _ := strconv.ParseUint(a, 10, 32)
			y, _ := strconv.ParseUint(b, 10, 32)
			return cmp.Compare(x, y)
		case left:
			return -1
		case right:
			return 1
		}
		return 0
	})
	return sorted
}

// isIndex reports whether the key is an array index in JavaScript.
func isIndex(key string) bool {
	if key == "" || len(key) > 1 && key[0] == '0' {
		return false
	}
	n, err := strconv.ParseUint(key, 10, 32)
	return err == nil && n < math.MaxUint32 && key[0] != '+'
}

// appendText appends a quoted text. Only quotes, backslashes and control characters are escaped.
func appendText(to []byte, text string) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for _, r := range text {
		switch r {
		case '"', '\\':
			to = append(to, '\\', byte(r))
		case '\b':
			to = append(to, `\b`...)
		case '\f':
			to = append(to, `\f`...)
		case '\n':
			to = append(to, `\n`...)
		case '\r':
			to = append(to, `\r`...)
		case '\t':
			to = append(to, `\t`...)
		default:
			if r < ' ' {
				to = append(to, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
			} else {
				to = utf8.AppendRune(to, r)
			}
		}
	}
	return append(to, '"')
}

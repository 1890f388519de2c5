package onboarding

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"equity/fault"
	"equity/messages"
)

func wrongField(pointer, code, text string) error {
	return &fault.Error{
		Code: fault.Invalid, Message: "The correction is invalid.", Fields: fault.Fields{{Pointer: pointer, Code: code, Message: text}},
	}
}

// corrected returns the fields with the new value. A null removes the field.
func corrected(fields json.RawMessage, correction messages.OnboardingCorrection) (json.RawMessage, error) {
	root, err := exactJSON(fields)
	if err != nil {
		return nil, err
	}
	value, err := exactJSON(correction.Value)
	if err != nil {
		return nil, wrongField("/newValue", "syntax", "It is not valid JSON.")
	}
	if !strings.HasPrefix(correction.Path, "/") || len(correction.Path) < 2 {
		return nil, wrongField("/fieldPath", "invalidPointer", "It is not a JSON pointer such as /shares.")
	}
	path := strings.Split(correction.Path[1:], "/")
	for i, token := range path {
		path[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	if root, err = replaced(root, path, value); err != nil {
		return nil, err
	}
	return json.Marshal(root)
}

// exactJSON decodes JSON. Numbers keep their text.
func exactJSON(text json.RawMessage) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return value, decoder.Decode(&value)
}

// replaced returns the value with a new value at the path. The last name of the path may be new.
func replaced(at any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	unknown := wrongField("/fieldPath", "unknownField", "There is no field "+path[0]+".")
	switch inner := at.(type) {
	case map[string]any:
		old, found := inner[path[0]]
		if !found && len(path) > 1 {
			return nil, unknown
		}
		changed, err := replaced(old, path[1:], value)
		if err != nil {
			return nil, err
		}
		if inner[path[0]] = changed; changed == nil && len(path) == 1 {
			delete(inner, path[0])
		}
		return inner, nil
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(inner) {
			return nil, unknown
		}
		changed, err := replaced(inner[i], path[1:], value)
		if err != nil {
			return nil, err
		}
		if changed == nil && len(path) == 1 {
			return slices.Delete(inner, i, i+1), nil
		}
		inner[i] = changed
		return inner, nil
	}
	return nil, unknown
}

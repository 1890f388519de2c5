package captable

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Patched gives the value with a JSON merge patch (RFC 7396) laid over it: named
// fields change, null clears one, objects merge. The value itself is not touched.
func Patched[T any](value T, patch []byte) (T, error) {
	var patched T
	text, err := json.Marshal(value)
	if err != nil {
		return patched, fmt.Errorf("patch: %w", err)
	}
	merged, err := merge(text, patch)
	if err != nil {
		return patched, Refuse(CodeInvalid, "The patch is not a JSON object.")
	}
	decoder := json.NewDecoder(bytes.NewReader(merged))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&patched); err != nil {
		return patched, &Error{Code: CodeInvalid, Message: "The patch does not fit the record: " + err.Error()}
	}
	return patched, nil
}

func merge(value, patch []byte) ([]byte, error) {
	var changes map[string]json.RawMessage
	if err := json.Unmarshal(patch, &changes); err != nil || changes == nil {
		return patch, err
	}
	fields := map[string]json.RawMessage{}
	if isObject(value) {
		if err := json.Unmarshal(value, &fields); err != nil {
			return nil, err
		}
	}
	for name, change := range changes {
		switch {
		case string(bytes.TrimSpace(change)) == "null":
			delete(fields, name)
		case isObject(change):
			merged, err := merge(fields[name], change)
			if err != nil {
				return nil, err
			}
			fields[name] = merged
		default:
			fields[name] = change
		}
	}
	return json.Marshal(fields)
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

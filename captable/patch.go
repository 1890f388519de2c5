package captable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"equity/captable/exact"
	"equity/fault"
)

// Patched returns a copy of the value with a JSON merge patch (RFC 7396) applied: named fields
// change, null clears a field, objects are merged. T is a struct. The error is an [fault.Error] with
// the pointer of every invalid field.
func Patched[T any](value T, patch []byte) (T, error) {
	var patched T
	var changes, fields map[string]json.RawMessage
	if err := json.Unmarshal(patch, &changes); err != nil || changes == nil {
		return patched, fault.Refuse(fault.Invalid, "The patch is not a JSON object.")
	}
	text, err := json.Marshal(value)
	if err == nil {
		text, err = jsonpatch.MergePatch(text, patch)
	}
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		return patched, fmt.Errorf("patch: %w", err)
	}
	if err := patchFaults[T](fields, changes).Err(); err != nil {
		return patched, err
	}
	if err := strictly(text, &patched); err != nil {
		return patched, fmt.Errorf("patch: %w", err)
	}
	return patched, nil
}

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

// patchFaults decodes each changed field separately, so that all invalid fields are reported.
func patchFaults[T any](fields, changes map[string]json.RawMessage) fault.Fields {
	var faults fault.Fields
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		if !names[name] || name == "" { // the decoder ignores the case of names
			faults.Add(pointer, "unknownField", "The field does not exist or cannot be changed with this request.")
			continue
		}
		var alone T
		text, err := json.Marshal(map[string]json.RawMessage{name: fields[name]})
		if err == nil && fields[name] != nil {
			err = strictly(text, &alone)
		}
		if err != nil {
			code, message := misfit(err)
			faults.Add(pointer, code, message)
		}
	}
	return faults
}

// misfit returns the code and message for a field that could not be decoded, without the names of
// Go types.
func misfit(err error) (code, message string) {
	switch {
	case errors.Is(err, exact.ErrBadDecimal):
		return "invalidDecimal", "It is " + exact.ErrBadDecimal.Error() + "."
	case errors.Is(err, exact.ErrBadDate):
		return "invalidDate", "It is " + exact.ErrBadDate.Error() + "."
	case errors.Is(err, errBadID):
		return "invalidId", "It is " + errBadID.Error() + "."
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return "unknownField", "Remove the unknown field from this value."
	default:
		return "wrongType", "The value must have the type of the field."
	}
}

// strictly decodes JSON and rejects fields that the target does not have.
func strictly(text []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(target)
}

package messages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"equity/organization"
)

// saltField contains the salt of an event with private fields. No event defines a field
// with this name.
const saltField = "salt"

// laterSalt is the prefix of the salts of later versions, before the version and a colon. Salts of the first version have none.
const laterSalt = "v"

// saltVersion returns the version of the private fields to which the hash of an event with the salt commits.
func saltVersion(salt json.RawMessage) int {
	text, later := strings.CutPrefix(strings.Trim(string(salt), `"`), laterSalt)
	number, _, _ := strings.Cut(text, ":")
	version, err := strconv.Atoi(number)
	if !later || err != nil {
		return 1
	}
	return version
}

// commitment replaces a private field in the redacted form of an event.
type commitment struct {
	// SHA256 is the hash of the salt, the field's path and its JSON, in hex.
	SHA256 string `json:"sha256"`
}

// Salt adds a salt to the payload of an event with private fields. The row's hash then
// covers salted commitments to these fields instead of the fields themselves: a row
// without them can still be verified, and they cannot be guessed from the hash. Call it
// before [Row.Seal]. Events without such fields are unchanged.
func (r *Row) Salt(salt func() [16]byte) {
	private := organization.PrivateFields(r.Type, organization.PrivateVersion)
	if private == nil {
		return
	}
	named := func(place organization.PrivateField) bool {
		return bytes.Contains(r.Payload, []byte(`"`+place.Field+`":`))
	}
	if !slices.ContainsFunc(private, named) { // most events of some types have none
		return
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Payload, &fields) != nil || !contains(fields, private) {
		return
	}
	first, second := salt(), salt()
	version := laterSalt + strconv.Itoa(organization.PrivateVersion) + ":"
	fields[saltField] = json.RawMessage(`"` + version + hex.EncodeToString(append(first[:], second[:]...)) + `"`)
	if salted, err := encodeSorted(fields, private); err == nil {
		r.Payload = salted
	}
}

// hashed returns the payload as covered by the row's hash: the redacted form of a salted
// payload, otherwise the payload itself. A salted payload with another encoding is hashed
// unredacted and does not match, so the encoding is unique.
func (r *Row) hashed() []byte {
	redacted, _, salted := r.redacted()
	if !salted {
		return r.Payload
	}
	return redacted
}

// contains reports whether the event has one of the private fields.
func contains(fields map[string]json.RawMessage, private []organization.PrivateField) bool {
	return slices.ContainsFunc(private, func(place organization.PrivateField) bool {
		_, present := objectAt(fields, place.Object)[place.Field]
		return present
	})
}

// Redacted returns a copy of the row for callers who may not read its private fields, and reports whether its hash covers the
// redacted payload. A row whose salt does not cover all private fields loses the others; its hash then only proves its position in the chain.
func (r *Row) Redacted() (row Row, proven bool) {
	row = *r
	private := organization.PrivateFields(r.Type, organization.PrivateVersion)
	if private == nil {
		return row, true
	}
	committed := []organization.PrivateField{}
	if payload, places, salted := r.redacted(); salted {
		row.Payload, committed = payload, places
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(row.Payload, &fields) != nil {
		return row, true
	}
	removed := false
	for _, place := range private {
		object := objectAt(fields, place.Object)
		if _, present := object[place.Field]; present && !slices.Contains(committed, place) {
			delete(object, place.Field)
			setObject(fields, place.Object, object)
			removed = true
		}
	}
	if removed {
		row.Payload = encodeParts(fields)
	}
	return row, !removed
}

// redacted returns the redacted form of a salted payload with its private fields, or false without a salt.
func (r *Row) redacted() (payload []byte, private []organization.PrivateField, salted bool) {
	if !bytes.Contains(r.Payload, []byte(`"`+saltField+`":"`)) {
		return nil, nil, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Payload, &fields) != nil || fields[saltField] == nil {
		return nil, nil, false
	}
	salt := fields[saltField]
	private = organization.PrivateFields(r.Type, saltVersion(salt))
	if private == nil {
		return nil, nil, false
	}
	if canonical, err := encodeSorted(fields, private); err != nil || !bytes.Equal(canonical, r.Payload) {
		return nil, nil, false
	}
	delete(fields, saltField)
	for _, place := range private {
		object := objectAt(fields, place.Object)
		value, present := object[place.Field]
		if !present {
			continue
		}
		sum := sha256.Sum256(bytes.Join([][]byte{salt, []byte(place.Object), []byte(place.Field), value}, []byte{0}))
		committed, err := json.Marshal(commitment{hex.EncodeToString(sum[:])})
		if err != nil {
			return nil, nil, false
		}
		object[place.Field] = committed
		setObject(fields, place.Object, object)
	}
	payload, err := json.Marshal(fields)
	return payload, private, err == nil
}

// encodeParts encodes the fields of a decoded object. Decoded fields are valid JSON, so encoding cannot fail. Nil is a safe result:
// it contains no private field.
func encodeParts(fields map[string]json.RawMessage) json.RawMessage {
	text, err := json.Marshal(fields)
	if err != nil {
		return nil
	}
	return text
}

// encodeSorted encodes the payload with the fields of the event, and of its objects with
// private fields, sorted by name.
func encodeSorted(fields map[string]json.RawMessage, private []organization.PrivateField) ([]byte, error) {
	for _, place := range private {
		if object := objectAt(fields, place.Object); object != nil && place.Object != "" {
			sorted, err := json.Marshal(object)
			if err != nil {
				return nil, err
			}
			fields[place.Object] = sorted
		}
	}
	return json.Marshal(fields)
}

func objectAt(fields map[string]json.RawMessage, name string) map[string]json.RawMessage {
	if name == "" {
		return fields
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(fields[name], &object) != nil {
		return nil
	}
	return object
}

// setObject encodes the object with the name. The event itself, without a name, is encoded later.
func setObject(fields map[string]json.RawMessage, name string, object map[string]json.RawMessage) {
	if name != "" {
		fields[name] = encodeParts(object)
	}
}

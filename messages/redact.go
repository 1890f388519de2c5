package messages

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"equity/organization"
)

// saltField holds the salt of an event with private fields. No event has a field of its own
// with this name.
const saltField = "salt"

// commitment replaces a private field in the redacted form of an event.
type commitment struct {
	// SHA256 is over the salt, the field's place and its JSON, in hex.
	SHA256 string `json:"sha256"`
}

// Salt adds the salt to the payload of an event with private fields, so that the row's hash
// covers commitments to these fields instead of the fields themselves: a row without them can
// still be verified, and nobody can guess them from the hash. Call it before [Row.Seal]. Other
// events stay as they are.
func (r *Row) Salt(salt func() [16]byte) {
	if organization.PrivateFields(r.Type) == nil {
		return
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Payload, &fields) != nil {
		return
	}
	first, second := salt(), salt()
	fields[saltField], _ = json.Marshal(hex.EncodeToString(append(first[:], second[:]...))) // a text always encodes
	if salted, err := encodeSorted(fields, r.Type); err == nil {
		r.Payload = salted
	}
}

// hashed returns the bytes that stand for the payload in the row's hash: the redacted form
// of a salted payload, else the payload itself. The encoding of a salted payload is unique:
// another one is hashed as it is, and does not fit.
func (r *Row) hashed() []byte {
	redacted, salted := r.redacted()
	if !salted {
		return r.Payload
	}
	return redacted
}

// Redacted returns the row for callers without viewMembers, and whether its hash covers the
// redacted payload. Rows that were recorded before events had salts lose their private
// fields, and their hash vouches for nothing but the chain.
func (r Row) Redacted() (redacted Row, proven bool) {
	private := organization.PrivateFields(r.Type)
	if private == nil {
		return r, true
	}
	payload, salted := r.redacted()
	if salted {
		r.Payload = payload
		return r, true
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Payload, &fields) != nil {
		return r, true
	}
	removed := false
	for _, place := range private {
		object := objectAt(fields, place.Object)
		if _, there := object[place.Field]; there {
			delete(object, place.Field)
			fields[place.Object], _ = json.Marshal(object) // valid JSON parts always encode
			removed = true
		}
	}
	if removed {
		r.Payload, _ = json.Marshal(fields) // valid JSON parts always encode
	}
	return r, !removed
}

// redacted returns the redacted form of a salted payload; false without a salt.
func (r *Row) redacted() ([]byte, bool) {
	private := organization.PrivateFields(r.Type)
	if private == nil || !bytes.Contains(r.Payload, []byte(`"`+saltField+`":"`)) {
		return nil, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.Payload, &fields) != nil || fields[saltField] == nil {
		return nil, false
	}
	if again, err := encodeSorted(fields, r.Type); err != nil || !bytes.Equal(again, r.Payload) {
		return nil, false
	}
	salt := fields[saltField]
	delete(fields, saltField)
	for _, place := range private {
		object := objectAt(fields, place.Object)
		value, there := object[place.Field]
		if !there {
			continue
		}
		sum := sha256.Sum256(bytes.Join([][]byte{salt, []byte(place.Object), []byte(place.Field), value}, []byte{0}))
		object[place.Field], _ = json.Marshal(commitment{hex.EncodeToString(sum[:])}) // a text always encodes
		fields[place.Object], _ = json.Marshal(object)                                // valid JSON parts always encode
	}
	payload, err := json.Marshal(fields)
	return payload, err == nil
}

// encodeSorted encodes the payload with the fields of the event, and of the objects with
// private fields, in the order of their names.
func encodeSorted(fields map[string]json.RawMessage, eventType string) ([]byte, error) {
	for _, place := range organization.PrivateFields(eventType) {
		if object := objectAt(fields, place.Object); object != nil {
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
	var object map[string]json.RawMessage
	if json.Unmarshal(fields[name], &object) != nil {
		return nil
	}
	return object
}

package session

import (
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"

	"github.com/gorilla/sessions"
)

// contentPurpose separates the keys and signatures of stored values from those of cookies.
const contentPurpose = "equity session content"

// keyOf returns the key of a session in the store: the SHA-256 of its identifier. A reader of the store does not learn the identifier.
func keyOf(id string) string {
	sum := sha256.Sum256([]byte(id))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// digest returns the bytes of a key; nil for a text that is no key.
func digest(key string) []byte {
	sum, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(sum) != sha256.Size {
		return nil
	}
	return sum
}

// sealer signs the values of sessions for their keys. A writer of the store can neither make a value, nor change one, nor use one under
// another key. It also is the serializer of redistore, which passes sessions whose ID is their key.
type sealer struct {
	serializer

	signers []*signer // the first one signs, and all are accepted
}

// newSealer derives the keys of the signatures from those of the cookies.
func newSealer(keys [][]byte) (sealer, error) {
	var made sealer
	for _, key := range keys {
		derived, err := hkdf.Key(sha256.New, key, nil, contentPurpose, sha256.Size)
		if err != nil {
			return made, fmt.Errorf("derive key of session values: %w", err)
		}
		made.signers = append(made.signers, newSigner(contentPurpose, derived))
	}
	return made, nil
}

// Serialize returns the signed values of a session whose ID is its key.
func (s sealer) Serialize(saved *sessions.Session) ([]byte, error) {
	data, err := s.serializer.Serialize(saved)
	if err != nil {
		return nil, err
	}
	return s.seal(saved.ID, data), nil
}

// seal returns the signature and the values.
func (s sealer) seal(key string, data []byte) []byte {
	signature := s.signers[0].signature(key, data)
	return append(signature[:], data...)
}

// open returns the values of a stored session, or false if they were not signed for this key.
func (s sealer) open(key string, sealed []byte) ([]byte, bool) {
	if len(sealed) < idLength {
		return nil, false
	}
	data := sealed[idLength:]
	for _, one := range s.signers {
		signature := one.signature(key, data)
		if subtle.ConstantTimeCompare(signature[:], sealed[:idLength]) == 1 {
			return data, true
		}
	}
	return nil, false
}

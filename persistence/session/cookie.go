package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/sessions"
)

// A token is the identifier, a dot, and the signature, the two of equal length.
const (
	idBytes     = 32
	idLength    = 43 // of 32 bytes in base64 without padding
	tokenLength = idLength + 1 + idLength
)

var errForged = errors.New("the session cookie is not one of ours")

// signer signs and checks identifiers. It is a securecookie.Codec, so that redistore uses it too; securecookie's own
// adds a date of its own, which would have to be signed anew for every answer since expiry rolls.
type signer struct {
	name string
	macs sync.Pool // of hash.Hash: making one costs more than using it
}

func newSigner(name string, key []byte) *signer {
	s := &signer{name: name}
	s.macs.New = func() any { return hmac.New(sha256.New, key) }
	return s
}

// Encode makes the token of an identifier, which must be a string.
func (s *signer) Encode(_ string, value any) (string, error) {
	id, isText := value.(string)
	if !isText || len(id) != idLength {
		return "", fmt.Errorf("sign session: %w", errForged)
	}
	token := make([]byte, 0, tokenLength)
	token = append(token, id...)
	token = append(token, '.')
	signature := s.signature(id)
	return string(append(token, signature[:]...)), nil
}

// Decode checks a token and gives its identifier to target, a pointer to a string.
func (s *signer) Decode(_, token string, target any) error {
	into, isText := target.(*string)
	id, valid := s.check(token)
	if !isText || !valid {
		return errForged
	}
	*into = id
	return nil
}

// check returns the identifier of a token whose signature fits.
func (s *signer) check(token string) (id string, valid bool) {
	if len(token) != tokenLength || token[idLength] != '.' {
		return "", false
	}
	id = token[:idLength]
	signature := s.signature(id)
	return id, subtle.ConstantTimeCompare(signature[:], []byte(token[idLength+1:])) == 1
}

// signature covers the cookie's name too, so that a key used for two cookies does not make them interchangeable.
func (s *signer) signature(id string) (encoded [idLength]byte) {
	mac, _ := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	var scratch [128]byte
	message := append(scratch[:0], s.name...)
	message = append(message, 0)
	mac.Write(append(message, id...))
	var sum [sha256.Size]byte
	base64.RawURLEncoding.Encode(encoded[:], mac.Sum(sum[:0]))
	return encoded
}

// newID draws an identifier.
func newID(random io.Reader) (string, error) {
	var raw [idBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw session id: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// presented returns the identifier of the first cookie whose signature fits, and the cookie's value.
func (s *Store) presented(r *http.Request) (id, token string, found bool) {
	for _, cookie := range r.CookiesNamed(s.options.Name) {
		for _, one := range s.signers {
			if id, valid := one.check(cookie.Value); valid {
				return id, cookie.Value, true
			}
		}
	}
	return "", "", false
}

// attributes are the cookie's in gorilla's terms.
func (o Options) attributes() sessions.Options {
	return sessions.Options{
		Path: "/", MaxAge: seconds(o.Idle), HttpOnly: true, Secure: o.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// suffix is what follows the value in a Set-Cookie header. Every answer carries one, so it is made once.
func (o Options) suffix() string {
	text := "; Path=/; Max-Age=" + strconv.Itoa(seconds(o.Idle)) + "; HttpOnly"
	if o.Secure {
		text += "; Secure"
	}
	return text + "; SameSite=Lax"
}

// seconds rounds up, so that no positive age becomes 0, which means something else to cookies and to redistore.
func seconds(age time.Duration) int { return int((age + time.Second - 1) / time.Second) }

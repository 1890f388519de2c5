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

// A token is the identifier, a dot, and the signature. The identifier and the signature have equal lengths.
const (
	idBytes     = 32
	idLength    = 43 // 32 bytes in base64 without padding
	tokenLength = idLength + 1 + idLength
)

var errForged = errors.New("the signature of the session cookie is invalid")

// signer signs and verifies identifiers and values. It implements securecookie.Codec for redistore. The codec of securecookie itself
// adds a date, which would require a new signature for every response, because the expiry is rolling.
type signer struct {
	name string
	macs sync.Pool // of hash.Hash, which is expensive to create
}

func newSigner(name string, key []byte) *signer {
	s := &signer{name: name}
	s.macs.New = func() any { return hmac.New(sha256.New, key) }
	return s
}

// Encode returns the token of an identifier, which must be a string.
func (s *signer) Encode(_ string, value any) (string, error) {
	id, isText := value.(string)
	if !isText || len(id) != idLength {
		return "", fmt.Errorf("sign session: %w", errForged)
	}
	token := make([]byte, 0, tokenLength)
	token = append(token, id...)
	token = append(token, '.')
	signature := s.signature(id, nil)
	return string(append(token, signature[:]...)), nil
}

// Decode verifies a token and stores its identifier in target, a pointer to a string.
func (s *signer) Decode(_, token string, target any) error {
	into, isText := target.(*string)
	id, valid := s.check(token)
	if !isText || !valid {
		return errForged
	}
	*into = id
	return nil
}

// check returns the identifier of a token with a valid signature.
func (s *signer) check(token string) (id string, valid bool) {
	if len(token) != tokenLength || token[idLength] != '.' {
		return "", false
	}
	id = token[:idLength]
	signature := s.signature(id, nil)
	return id, subtle.ConstantTimeCompare(signature[:], []byte(token[idLength+1:])) == 1
}

// signature covers the name too, so that values signed with one key for different purposes are not interchangeable. The id or key
// has a fixed length, so that no other content has the same message.
func (s *signer) signature(id string, content []byte) (encoded [idLength]byte) {
	mac, _ := s.macs.Get().(hash.Hash)
	defer s.macs.Put(mac)
	mac.Reset()
	var scratch [128]byte
	message := append(scratch[:0], s.name...)
	message = append(message, 0)
	mac.Write(append(message, id...))
	mac.Write(content)
	var sum [sha256.Size]byte
	base64.RawURLEncoding.Encode(encoded[:], mac.Sum(sum[:0]))
	return encoded
}

// newID returns a random identifier.
func newID(random io.Reader) (string, error) {
	var raw [idBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw session id: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// presented returns the identifier and the value of the first cookie with a valid signature.
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

// attributes returns the cookie attributes as gorilla options.
func (o Options) attributes() sessions.Options {
	return sessions.Options{
		Path: "/", MaxAge: seconds(o.Idle), HttpOnly: true, Secure: o.Secure, SameSite: http.SameSiteLaxMode,
	}
}

// suffix returns the attributes of the Set-Cookie header. It is computed once, because every response has it.
func (o Options) suffix() string {
	text := "; Path=/; Max-Age=" + strconv.Itoa(seconds(o.Idle)) + "; HttpOnly"
	if o.Secure {
		text += "; Secure"
	}
	return text + "; SameSite=Lax"
}

// seconds rounds up, so that a positive age never becomes 0, which has a special meaning for cookies and redistore.
func seconds(age time.Duration) int { return int((age + time.Second - 1) / time.Second) }

package hook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"equity/messages"
)

// tokenPrefix is that of the tokens of organizations.
const tokenPrefix = "eqh_"

// Hashes stores the hashes of tokens.
type Hashes interface {
	// AddToken stores the hash of a token. A repetition has no effect.
	AddToken(ctx context.Context, source messages.HookSource, hash [sha256.Size]byte, now time.Time) error
	// RemoveToken removes the hash of a token.
	RemoveToken(ctx context.Context, source messages.HookSource) error
}

// Tokens issues the tokens of organizations. A token is derived from a key and its id, so that the repetition of a request returns it
// again although only its hash is stored.
type Tokens struct {
	key    []byte
	hashes Hashes
	now    func() time.Time
}

// NewTokens returns the Tokens. The key has 32 random bytes.
func NewTokens(key []byte, hashes Hashes, now func() time.Time) *Tokens {
	return &Tokens{key: key, hashes: hashes, now: now}
}

// Issue returns the token of the source and stores its hash. A repetition returns the same token.
func (t *Tokens) Issue(ctx context.Context, source messages.HookSource) (string, error) {
	mac := hmac.New(sha256.New, t.key)
	mac.Write(source.Organization[:])
	mac.Write(source.Token[:])
	token := tokenPrefix + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return token, t.hashes.AddToken(ctx, source, sha256.Sum256([]byte(token)), t.now())
}

// Revoke removes the hash of the token.
func (t *Tokens) Revoke(ctx context.Context, source messages.HookSource) error {
	return t.hashes.RemoveToken(ctx, source)
}

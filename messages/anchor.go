package messages

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"equity/organization"
)

// Head is the last row of a journal.
type Head struct {
	Organization organization.ID
	Sequence     uint64
	Hash         Hash
}

// Anchor is a signed head of a journal. A copy outside of the store proves the whole history up to the head: the hash covers each earlier
// row with its author and time.
type Anchor struct {
	Organization organization.ID `json:"organization"`
	Sequence     uint64          `json:"sequence"`
	// Hash is that of the row, in hex.
	Hash string `json:"hash"`
	// At is the time of the signature; in a proof, that of the last row, so that two proofs of a journal are identical.
	At time.Time `json:"at"`
	// Key is the id of the public key, and Signature that of Ed25519 over [Anchor.signed].
	Key       string `json:"key"`
	Signature []byte `json:"signature"`
}

// signed returns the text that the signature covers.
func (a *Anchor) signed() []byte {
	return []byte(strings.Join([]string{
		"equity-anchor-1", a.Organization.String(), strconv.FormatUint(a.Sequence, 10), a.Hash, a.At.UTC().Format(time.RFC3339Nano), a.Key,
		"",
	}, "\n"))
}

// AnchorKey signs heads. It is stored sealed under SECRET_KEY, which is not in the database.
type AnchorKey struct {
	private ed25519.PrivateKey
	public  AnchorPublicKey
}

// AnchorSeedBytes is the length of the seed of a key.
const AnchorSeedBytes = ed25519.SeedSize

// NewAnchorKey returns the key of a seed of AnchorSeedBytes random bytes.
func NewAnchorKey(seed []byte) (*AnchorKey, error) {
	if len(seed) != AnchorSeedBytes {
		return nil, fmt.Errorf("key of anchors: %d bytes are needed, not %d", AnchorSeedBytes, len(seed))
	}
	private := ed25519.NewKeyFromSeed(seed)
	public, _ := private.Public().(ed25519.PublicKey)
	return &AnchorKey{private, AnchorPublicKey(public)}, nil
}

// Public returns the key that verifies the signatures.
func (k *AnchorKey) Public() AnchorPublicKey { return k.public }

// Sign returns the signed head.
func (k *AnchorKey) Sign(head Head, at time.Time) Anchor {
	a := Anchor{
		Organization: head.Organization, Sequence: head.Sequence, Hash: hex.EncodeToString(head.Hash[:]),
		At: at.UTC().Truncate(time.Microsecond), Key: k.public.ID(),
	}
	a.Signature = ed25519.Sign(k.private, a.signed())
	return a
}

// AnchorPublicKey verifies anchors.
type AnchorPublicKey ed25519.PublicKey

const anchorKeyPrefix = "ed25519:"

var errAnchorKey = errors.New("a key of anchors is ed25519: and 44 characters of base64, as 'equity audit key' prints it")

// ParseAnchorKey reads a printed key.
func ParseAnchorKey(text string) (AnchorPublicKey, error) {
	encoded, prefixed := strings.CutPrefix(strings.TrimSpace(text), anchorKeyPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !prefixed || err != nil || len(key) != ed25519.PublicKeySize {
		return nil, errAnchorKey
	}
	return key, nil
}

// String returns the printed form.
func (k AnchorPublicKey) String() string {
	return anchorKeyPrefix + base64.StdEncoding.EncodeToString(k)
}

// ID returns the id of the key: the beginning of its SHA-256 in hex.
func (k AnchorPublicKey) ID() string {
	const length = 8
	digest := sha256.Sum256(k)
	return hex.EncodeToString(digest[:length])
}

// Verifies reports whether the key signed the anchor.
func (k AnchorPublicKey) Verifies(a Anchor) bool {
	return len(k) == ed25519.PublicKeySize && a.Key == k.ID() && ed25519.Verify(ed25519.PublicKey(k), a.signed(), a.Signature)
}

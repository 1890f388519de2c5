package persistence

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	aeadsubtle "github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/mac"
	"github.com/tink-crypto/tink-go/v2/mac/hmac"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// wrapping is the associated data of the wrapped keyset. It prevents the use of data that was wrapped for another purpose.
const wrapping = "equity keyset"

// minKeyBytes is the minimum length of a configured key. A shorter key could be guessed.
const minKeyBytes = 16

// wrapper returns the AEAD that wraps the keyset. Its key is derived from the configured key of any length of at least minKeyBytes.
func wrapper(key []byte) (tink.AEAD, error) {
	if len(key) < minKeyBytes {
		return nil, fmt.Errorf("secret key: %d bytes, and at least %d are needed", len(key), minKeyBytes)
	}
	derived, err := hkdf.Key(sha256.New, key, nil, wrapping, 32)
	if err != nil {
		return nil, fmt.Errorf("secret key: %w", err)
	}
	made, err := aeadsubtle.NewXChaCha20Poly1305(derived)
	if err != nil {
		return nil, fmt.Errorf("secret key: %w", err)
	}
	return made, nil
}

// newKeyset returns a new wrapped keyset with one key, and the key that signs rows.
func newKeyset(wrap tink.AEAD) ([]byte, error) {
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make keyset: %w", err)
	}
	if handle, err = signingKeyset(handle); err != nil {
		return nil, err
	}
	return wrapKeyset(handle, wrap)
}

// signingKeyset adds the key that signs rows. It is disabled, so that it takes no part in encryption, also in earlier versions.
func signingKeyset(handle *keyset.Handle) (*keyset.Handle, error) {
	manager := keyset.NewManagerFromHandle(handle)
	id, err := manager.Add(mac.HMACSHA256Tag256KeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("add key of rows: %w", err)
	}
	if err := manager.Disable(id); err != nil {
		return nil, fmt.Errorf("add key of rows: %w", err)
	}
	made, err := manager.Handle()
	return made, during("add key of rows", err)
}

// rowKeyOf returns the key that signs rows, or nil if the keyset is of an earlier version.
func rowKeyOf(handle *keyset.Handle) ([]byte, error) {
	for i := range handle.Len() {
		entry, err := handle.Entry(i)
		if err != nil {
			return nil, fmt.Errorf("read key of rows: %w", err)
		}
		if key, is := entry.Key().(*hmac.Key); is {
			return key.KeyBytes().Data(insecuresecretdataaccess.Token{}), nil
		}
	}
	return nil, nil
}

// grownKeyset adds a key to the keyset and makes it the primary key. The other keys can still decrypt.
func grownKeyset(handle *keyset.Handle) (*keyset.Handle, error) {
	manager := keyset.NewManagerFromHandle(handle)
	id, err := manager.Add(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("grow keyset: %w", err)
	}
	if err := manager.SetPrimary(id); err != nil {
		return nil, fmt.Errorf("grow keyset: %w", err)
	}
	grown, err := manager.Handle()
	if err != nil {
		return nil, fmt.Errorf("grow keyset: %w", err)
	}
	return grown, nil
}

func wrapKeyset(handle *keyset.Handle, wrap tink.AEAD) ([]byte, error) {
	var wrapped bytes.Buffer
	if err := handle.WriteWithAssociatedData(keyset.NewBinaryWriter(&wrapped), wrap, []byte(wrapping)); err != nil {
		return nil, fmt.Errorf("wrap keyset: %w", err)
	}
	return wrapped.Bytes(), nil
}

var errWrongKey = errors.New("the configured secret key does not match the key of this store's secrets")

// unwrapKeyset decrypts the keyset and returns it with its AEAD.
func unwrapKeyset(wrapped []byte, wrap tink.AEAD) (*keyset.Handle, tink.AEAD, error) {
	reader := keyset.NewBinaryReader(bytes.NewReader(wrapped))
	handle, err := keyset.ReadWithAssociatedData(reader, wrap, []byte(wrapping))
	if err != nil {
		return nil, nil, fmt.Errorf("unwrap keyset: %w: %w", errWrongKey, err)
	}
	sealer, err := aead.New(handle)
	if err != nil {
		return nil, nil, fmt.Errorf("unwrap keyset: %w", err)
	}
	return handle, sealer, nil
}

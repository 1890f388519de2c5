package persistence

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// keysetName is the row of the wrapped keyset in the table secret. Other names must not start with a dot.
const keysetName = ".keyset"

// Secrets encrypts values with a keyset that is stored in the database, wrapped with the configured key. Neither the
// database nor the configured key alone can decrypt a value. It is safe for concurrent use.
type Secrets struct {
	db    *Database
	clock func() time.Time

	mu      sync.RWMutex // guards the following fields
	wrap    tink.AEAD
	wrapped []byte
	handle  *keyset.Handle
	sealer  tink.AEAD
	rows    []byte // signs rows; nil until the rows of an earlier version are signed
}

// OpenSecrets opens the keyset of db with the configured key of at least 16 bytes, or creates one. A configured key that
// does not decrypt the keyset is an error: encrypted values would be lost otherwise.
func OpenSecrets(ctx context.Context, db *Database, key []byte, clock func() time.Time) (*Secrets, error) {
	wrap, err := wrapper(key)
	if err != nil {
		return nil, err
	}
	s := &Secrets{db: db, clock: clock, wrap: wrap}
	_, err = s.stored(ctx, keysetName, func() ([]byte, error) { return newKeyset(wrap) })
	if err != nil {
		return nil, err
	}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	db.secrets.Store(s)
	return s, s.signEarlierRows(ctx)
}

// HasSecrets reports whether the store has keys, which only its secret key opens.
func HasSecrets(ctx context.Context, db *Database) (bool, error) {
	return exists(ctx, db.reader, `SELECT 1 FROM secret WHERE name = $1`, keysetName)
}

// Seal encrypts a value. The associated data, such as the id of the record, is not stored. Open requires the same
// associated data, so that an encrypted value cannot be moved to another record.
func (s *Secrets) Seal(plain, associated []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sealed, err := s.sealer.Encrypt(plain, associated)
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return sealed, nil
}

// Open decrypts data that Seal encrypted with the same associated data, with any key of the keyset. It reloads the keyset
// if the key was added by another server.
func (s *Secrets) Open(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	plain, err := s.open(sealed, associated)
	if err == nil {
		return plain, nil
	}
	if failed := s.reload(ctx); failed != nil {
		return nil, errors.Join(err, failed)
	}
	return s.open(sealed, associated)
}

func (s *Secrets) open(sealed, associated []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	plain, err := s.sealer.Decrypt(sealed, associated)
	if err != nil {
		return nil, fmt.Errorf("open sealed value: %w", err)
	}
	return plain, nil
}

// Named returns the secret stored under a name. A missing secret is generated and stored encrypted; concurrent servers all
// return the one that was stored first.
func (s *Secrets) Named(ctx context.Context, name string, generate func() ([]byte, error)) ([]byte, error) {
	sealed, err := s.stored(ctx, name, func() ([]byte, error) {
		plain, err := generate()
		if err != nil {
			return nil, fmt.Errorf("make secret %s: %w", name, err)
		}
		return s.Seal(plain, []byte(name))
	})
	if err != nil {
		return nil, err
	}
	return s.Open(ctx, sealed, []byte(name))
}

// stored reads a row of the table secret, inserting it first if it is missing.
func (s *Secrets) stored(ctx context.Context, name string, fresh func() ([]byte, error)) ([]byte, error) {
	value, err := s.read(ctx, name)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return value, err
	}
	made, err := fresh()
	if err != nil {
		return nil, err
	}
	err = Execute(ctx, s.db.writer, "store secret "+name, `INSERT INTO secret (name, value, updated_at) VALUES ($1, $2, $3)
		ON CONFLICT DO NOTHING`, name, made, Micros(s.clock()))
	if err != nil {
		return nil, err
	}
	return s.read(ctx, name)
}

func (s *Secrets) read(ctx context.Context, name string) ([]byte, error) {
	return one(ctx, s.db.reader, fmt.Errorf("read secret %s: %w", name, sql.ErrNoRows), "read secret "+name, Value[[]byte],
		`SELECT value FROM secret WHERE name = $1`, name)
}

// rowKey returns the key that signs rows.
func (s *Secrets) rowKey() []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rows
}

// reload reads the keyset again, in case another server has changed it.
func (s *Secrets) reload(ctx context.Context) error {
	wrapped, err := s.read(ctx, keysetName)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if bytes.Equal(wrapped, s.wrapped) {
		return nil
	}
	handle, sealer, err := unwrapKeyset(wrapped, s.wrap)
	if err != nil {
		return err
	}
	rows, err := rowKeyOf(handle)
	if err != nil {
		return err
	}
	s.wrapped, s.handle, s.sealer, s.rows = wrapped, handle, sealer, rows
	return nil
}

// ReadSecret returns the named secret of db, or nil if it was never made. Unlike [OpenSecrets], it changes nothing.
func ReadSecret(ctx context.Context, db *Database, key []byte, name string) ([]byte, error) {
	wrap, err := wrapper(key)
	if err != nil {
		return nil, err
	}
	s := &Secrets{db: db, wrap: wrap}
	if err := s.reload(ctx); err != nil {
		return nil, missing(err)
	}
	sealed, err := s.read(ctx, name)
	if err != nil {
		return nil, missing(err)
	}
	return s.Open(ctx, sealed, []byte(name))
}

// missing returns nil for a row that does not exist.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

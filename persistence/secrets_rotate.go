package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tink-crypto/tink-go/v2/tink"
)

var errRotatedMeanwhile = errors.New("the keyset was changed concurrently; try again")

// Rotate adds a primary key to the keyset, encrypts the named secrets with it, and wraps the keyset with newKey, or with
// the current configured key if newKey is nil. The older keys can still decrypt. After a rotation with a newKey, all
// servers must be started with it, because the old one no longer opens the store.
func (s *Secrets) Rotate(ctx context.Context, newKey []byte) error {
	if err := s.reload(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	wrap := s.wrap
	if newKey != nil {
		var err error
		if wrap, err = wrapper(newKey); err != nil {
			return err
		}
	}
	grown, err := grownKeyset(s.handle)
	if err != nil {
		return err
	}
	wrapped, err := wrapKeyset(grown, wrap)
	if err != nil {
		return err
	}
	handle, sealer, err := unwrapKeyset(wrapped, wrap) // checks that it can be decrypted before it is stored
	if err != nil {
		return err
	}
	if err := s.storeRotated(ctx, wrapped, sealer); err != nil {
		return fmt.Errorf("rotate keyset: %w", err)
	}
	s.wrap, s.wrapped, s.handle, s.sealer = wrap, wrapped, handle, sealer // with the same key of rows
	return nil
}

// earlierServers is the time in which servers of an earlier version notice the migration and stop to write.
const earlierServers = 3 * time.Second

// signEarlierRows signs the rows of an earlier version, once: in the transaction that adds the key of rows to the keyset. A keyset without
// this key is the proof that the rows are of an earlier version. A writer of the tables cannot make such a keyset, so that rows which are
// inserted later are never signed in this way.
func (s *Secrets) signEarlierRows(ctx context.Context) error {
	if s.rowKey() != nil {
		return nil
	}
	if s.db.engine == PostgreSQL {
		select {
		case <-time.After(earlierServers):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := s.addRowKey(ctx)
	if errors.Is(err, errRotatedMeanwhile) { // another server was first
		err = s.reload(ctx)
		if err == nil && s.rowKey() == nil {
			err = errRotatedMeanwhile
		}
	}
	return during("sign rows of an earlier version", err)
}

func (s *Secrets) addRowKey(ctx context.Context) error {
	s.mu.RLock()
	handle, wrap, before := s.handle, s.wrap, s.wrapped
	s.mu.RUnlock()
	grown, err := signingKeyset(handle)
	if err != nil {
		return err
	}
	wrapped, err := wrapKeyset(grown, wrap)
	if err != nil {
		return err
	}
	key, err := rowKeyOf(grown)
	if err != nil {
		return err
	}
	grownRows := signer{key: func() []byte { return key }}
	err = s.db.Transact(ctx, func(tx *sql.Tx) error {
		changed, err := Affect(ctx, tx, "store keyset", `UPDATE secret SET value = $1, updated_at = $2 WHERE name = $3 AND value = $4`,
			wrapped, Micros(s.clock()), keysetName, before)
		if err == nil && !changed {
			err = errRotatedMeanwhile
		}
		if err != nil {
			return err
		}
		for _, table := range signedTables() {
			if err := grownRows.signAll(ctx, tx, table); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.reload(ctx)
}

// storeRotated replaces the keyset and the named secrets, unless the keyset has changed since it was read.
func (s *Secrets) storeRotated(ctx context.Context, wrapped []byte, sealer tink.AEAD) error {
	return s.db.Transact(ctx, func(tx *sql.Tx) error {
		now := Micros(s.clock())
		changed, err := Affect(ctx, tx, "store keyset", `UPDATE secret SET value = $1, updated_at = $2 WHERE name = $3 AND value = $4`,
			wrapped, now, keysetName, s.wrapped)
		if err == nil && !changed {
			err = errRotatedMeanwhile
		}
		if err != nil {
			return err
		}
		named, err := namedSecrets(ctx, tx)
		if err != nil {
			return err
		}
		for name, sealed := range named {
			plain, err := sealer.Decrypt(sealed, []byte(name))
			if err != nil {
				return fmt.Errorf("open secret %s: %w", name, err)
			}
			again, err := sealer.Encrypt(plain, []byte(name))
			if err != nil {
				return fmt.Errorf("seal secret %s: %w", name, err)
			}
			err = Execute(ctx, tx, "store secret "+name, `UPDATE secret SET value = $1, updated_at = $2 WHERE name = $3`, again, now, name)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// namedSecrets returns the encrypted secrets by name, without the keyset.
func namedSecrets(ctx context.Context, tx *sql.Tx) (map[string][]byte, error) {
	named := map[string][]byte{}
	err := each(ctx, tx, "read secrets", func(row Row) error {
		var name string
		var value []byte
		err := row.Scan(&name, &value)
		named[name] = value
		return err
	}, `SELECT name, value FROM secret WHERE name <> $1`, keysetName)
	return named, err
}

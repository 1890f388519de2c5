package persistence

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked reports that another process owns the SQLite file.
var ErrLocked = errors.New("another equity process uses this SQLite file; stop it first (several servers need PostgreSQL)")

// lockSuffix is the suffix of the lock file. The database file itself is not locked, because on some systems the lock
// would conflict with SQLite's own.
const lockSuffix = ".lock"

// Lock makes this process the only owner of an SQLite file until the Database is closed, or returns ErrLocked. The
// operating system releases the lock when the process ends or is killed. PostgreSQL stores may be shared by servers: there
// Lock has no effect.
func (d *Database) Lock() error {
	d.owning.Lock()
	defer d.owning.Unlock()
	if d.engine != SQLite || d.owned != nil {
		return nil
	}
	lock, err := ownFile(d.path)
	if err == nil {
		d.owned = lock
	}
	return err
}

// LockFile locks an SQLite file, which need not exist, and returns the function that releases it.
func LockFile(path string) (release func() error, err error) {
	lock, err := ownFile(path)
	if err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}

func ownFile(path string) (*flock.Flock, error) {
	name := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil { // all names of a file share one lock
		name = resolved
	}
	lock := flock.New(name+lockSuffix, flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !locked {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return lock, nil
}

// disown releases the ownership.
func (d *Database) disown() error {
	d.owning.Lock()
	defer d.owning.Unlock()
	if d.owned == nil {
		return nil
	}
	err := d.owned.Unlock()
	d.owned = nil
	return err
}

// ownToMigrate owns an SQLite file for a migration, if one is pending: the schema must not change while a server of an earlier
// build uses the file. It waits briefly for another migration.
func (d *Database) ownToMigrate(ctx context.Context) (release func() error, err error) {
	none := func() error { return nil }
	if d.engine != SQLite || d.owns() {
		return none, nil
	}
	for wait := time.Now().Add(migrationWait); ; {
		var behind *BehindError
		if err := d.RequireSchema(ctx); !errors.As(err, &behind) {
			return none, err
		}
		err := d.Lock()
		if err == nil {
			return d.disown, nil
		}
		if !errors.Is(err, ErrLocked) || time.Now().After(wait) {
			return none, err
		}
		select {
		case <-time.After(lockRetry):
		case <-ctx.Done():
			return none, ctx.Err()
		}
	}
}

const (
	migrationWait = 5 * time.Second
	lockRetry     = 50 * time.Millisecond
)

func (d *Database) owns() bool {
	d.owning.Lock()
	defer d.owning.Unlock()
	return d.owned != nil
}

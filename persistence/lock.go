package persistence

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ErrLocked means that another process owns the SQLite file.
var ErrLocked = errors.New("another equity process uses this SQLite file; stop it first (several servers need PostgreSQL)")

// lockSuffix names the lock file beside the SQLite file. The lock is not on the database itself: on some systems it
// would meet SQLite's own.
const lockSuffix = ".lock"

// Own makes this process the only owner of an SQLite file until the Database is closed, or returns ErrLocked. The
// operating system ends the lock with the process, also when it is killed. Servers on PostgreSQL share a store: there it
// does nothing.
func (d *Database) Own() error {
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

// OwnFile owns an SQLite file that need not exist, and returns the function that ends the ownership.
func OwnFile(path string) (release func() error, err error) {
	lock, err := ownFile(path)
	if err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}

func ownFile(path string) (*flock.Flock, error) {
	name := path
	if resolved, err := filepath.EvalSymlinks(path); err == nil { // two names of one file have one lock
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

// disown ends the ownership.
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

// ownToMigrate owns an SQLite file for the time of a migration, unless nothing is to be migrated: a server of an earlier
// build must not find another schema under it. It waits a moment for another migration to end.
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
		err := d.Own()
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

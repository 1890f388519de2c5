package persistence

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	lock, err := ownName(d.file.path)
	if err != nil {
		return err
	}
	if err := ownInode(d.file.handle); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", d.file.path, err), lock.Unlock())
	}
	d.owned = lock
	return nil
}

// LockFile locks an SQLite file, which need not exist, and returns the function that releases it.
func LockFile(path string) (release func() error, err error) {
	lock, err := ownName(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Clean(path), os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return lock.Unlock, nil
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if err := ownInode(file); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close(), lock.Unlock())
	}
	return func() error { return errors.Join(file.Close(), lock.Unlock()) }, nil
}

// ownInode locks the file under all its names.
func ownInode(file *os.File) error {
	locked, err := lockInode(file)
	if err == nil && !locked {
		err = ErrLocked
	}
	return err
}

// ownName locks the file beside the database.
func ownName(path string) (*flock.Flock, error) {
	lock := nameLock(path)
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !locked {
		return nil, fmt.Errorf("%s: %w", path, ErrLocked)
	}
	return lock, nil
}

// nameLock returns the lock beside the database. All symbolic links to a file share one, also if it is missing.
func nameLock(path string) *flock.Flock {
	name, err := filepath.EvalSymlinks(path)
	if err != nil {
		name = path
		if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			name = filepath.Join(folder, filepath.Base(path))
		}
	}
	return flock.New(name+lockSuffix, flock.SetPermissions(0o600))
}

// nameOwned reports whether a process has the lock beside the database.
func nameOwned(path string) (bool, error) {
	lock := nameLock(path)
	free, err := lock.TryRLock()
	return !free, errors.Join(err, lock.Close())
}

// refuseOtherName returns ErrLocked if the owner of the file uses another name of it, such as a hard link. SQLite keeps the log of a database beside
// its name, so that even a reader of another name would read a part of the database only.
func refuseOtherName(path string, file *os.File) error {
	owned, err := inodeOwned(file)
	if err != nil || !owned {
		return err
	}
	if named, err := nameOwned(path); err != nil || named {
		return err
	}
	return fmt.Errorf("%w: it has another name for the same file", ErrLocked)
}

// Exchanged reports whether a running server owns the name of an SQLite file, but has another file open: the file was deleted, moved or replaced.
// Other systems than Linux detect only the missing file.
func Exchanged(path string) (bool, error) {
	if named, err := nameOwned(path); err != nil || !named {
		return false, err
	}
	file, err := os.Open(filepath.Clean(path))
	if errors.Is(err, os.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	owned, err := inodeOwned(file)
	return inodeLocks && !owned, errors.Join(err, file.Close())
}

// disown releases the ownership.
func (d *Database) disown() error {
	d.owning.Lock()
	defer d.owning.Unlock()
	if d.owned == nil {
		return nil
	}
	err := errors.Join(unlockInode(d.file.handle), d.owned.Unlock())
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

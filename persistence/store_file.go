package persistence

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrExchanged reports that the name of the SQLite file no longer leads to the file that this process has open: it was deleted, moved or
// replaced. A write would be lost with the process.
var ErrExchanged = errors.New("the database file was deleted, moved or replaced while it is in use; put it back together with its -wal file, or stop this process and restore a backup")

// storeFile is the SQLite file of a Database, and its write-ahead log. A nil storeFile is never exchanged.
type storeFile struct {
	path string
	// handle stays open until SQLite has closed the file: on Unix, closing any handle of a file releases all locks of the process on it.
	handle *os.File
	opened map[string]os.FileInfo // by name
}

// openFile opens the file at path. If necessary, it creates the folder and the empty file before SQLite does, accessible to the owner only: the
// file contains personal data and password hashes.
func openFile(path string) (*storeFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("create folder: %w", err)
	}
	handle, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create file: %w", err)
	}
	info, err := handle.Stat()
	if err == nil {
		err = refuseOtherName(path, handle)
	}
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	return &storeFile{path: path, handle: handle, opened: map[string]os.FileInfo{path: info}}, nil
}

// noteLog adds the write-ahead log, which the first read of a connection opens. It is the same file until all connections are closed. A file
// system without shared memory has none.
func (f *storeFile) noteLog(ctx context.Context, conn *sql.DB) error {
	var tables int
	if err := conn.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	name := f.path + "-wal"
	info, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	f.opened[name] = info
	return err
}

// check compares the files behind the names with the open ones, by device and inode. It takes a few microseconds, and precedes each commit.
func (f *storeFile) check() error {
	if f == nil {
		return nil
	}
	for name, opened := range f.opened {
		present, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("%s: %w: %w", name, ErrExchanged, err)
		}
		if !os.SameFile(opened, present) {
			return fmt.Errorf("%s: %w", name, ErrExchanged)
		}
	}
	return nil
}

// close closes the handle after SQLite's.
func (f *storeFile) close() error {
	if f == nil {
		return nil
	}
	if err := f.handle.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// InPlace returns ErrExchanged if the SQLite file was deleted, moved or replaced since it was opened. Writes are refused meanwhile.
func (d *Database) InPlace() error { return d.file.check() }

// readers opens connections to the file, but not to another file that has taken its name.
type readers struct {
	sqlite driver.Driver
	source string
	file   *storeFile
}

// Connect opens a connection.
func (r readers) Connect(context.Context) (driver.Conn, error) {
	if err := r.file.check(); err != nil {
		return nil, err
	}
	return r.sqlite.Open(r.source)
}

// Driver returns the driver.
func (r readers) Driver() driver.Driver { return r.sqlite }

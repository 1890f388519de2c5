package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"equity/app/doctor"
	"equity/config"
	"equity/persistence"
)

// secondStoreError reports that the SQLite file is missing beside the data of an earlier store.
type secondStoreError struct{ path, remains string }

// Error returns the refusal with its repairs.
func (e *secondStoreError) Error() string {
	return fmt.Sprintf("%s does not exist or is empty, but %s belongs to an earlier store: put the database file back, check DATABASE_URL and DATA_DIRECTORY, "+
		"restore a backup with 'equity restore', or create a new store with 'equity serve --new-store'", e.path, e.remains)
}

// refuseSecondStore returns a secondStoreError if the program would create an SQLite store beside the data of an earlier one, for example after the
// file was moved. It is called before the file is opened, with a nil database, and again before the migration.
func (p program) refuseSecondStore(ctx context.Context, c config.Config, db *persistence.Database) error {
	path, embedded := c.SQLitePath()
	if !embedded || p.newStore {
		return nil
	}
	if db != nil {
		if found, err := db.Inspect(ctx); err != nil || found.Schema > 0 {
			return err
		}
	} else if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // opening the file reports the error
	}
	remains, err := remainsOf(c)
	if err != nil || remains == "" {
		return err
	}
	return &secondStoreError{path, remains}
}

// remainsOf returns the path of the secret key or of a file of an earlier store, or an empty text.
func remainsOf(c config.Config) (found string, err error) {
	if _, err := os.Stat(c.SecretKeyPath()); err == nil {
		return c.SecretKeyPath(), nil
	}
	err = filepath.WalkDir(c.FilesDirectory(), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), doctor.ProbePrefix):
			found = path
			return fs.SkipAll
		}
		return nil
	})
	return found, err
}

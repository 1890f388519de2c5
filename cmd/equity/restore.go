package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"equity/cmd/equity/backup"
	"equity/cmd/equity/integrity"
	"equity/config"
	"equity/persistence"
)

// restoreCommand is `equity restore`.
type restoreCommand struct {
	Path    string `arg:"" help:"Folder that 'equity backup' made." type:"existingdir"`
	Replace bool   `help:"Rename the existing store and replace it with the backup."`
}

// Help is shown by `equity restore --help`.
func (restoreCommand) Help() string {
	return `Checks every file of the backup, copies the database and the content files to
their places, migrates the store of an earlier build, and verifies it like
'equity verify'. No server may
use the store meanwhile. An existing store is kept unless --replace is given,
which renames an SQLite file, and drops the tables in PostgreSQL. A backup of
PostgreSQL is restored with pg_restore and psql in one transaction; restore it into
an empty database while servers run on another one.

The stored secrets can be decrypted only with the secret key of the backed up
server. With another key the records are restored, and the server refuses to start
until the right key is set; docs/operations.md describes the effects of a lost key.`
}

var errOtherEngine = errors.New(
	"the backup is one of the other database engine: set DATABASE_URL to an SQLite file for equity.db, and to PostgreSQL for equity.dump",
)

// Run restores the backup.
func (r restoreCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	manifest, err := backup.Read(r.Path)
	if err != nil {
		return err
	}
	path, embedded := c.SQLitePath()
	_, dump := manifest.Files[backup.DumpName]
	switch {
	case dump == embedded:
		return errOtherEngine
	case dump:
		if err := r.restorePostgres(ctx, c, filepath.Join(r.Path, backup.DumpName)); err != nil {
			return err
		}
		if err := r.content(ctx, c); err != nil {
			return err
		}
		p.say("Restored the backup of %s into the database.", manifest.CreatedAt.Format(time.RFC3339))
		return errors.Join(r.key(p, c, manifest), r.verify(ctx, p, c))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	release, err := persistence.LockFile(path)
	if err != nil {
		return err
	}
	err = r.place(ctx, p, c, path)
	if err := errors.Join(err, release()); err != nil {
		return err
	}
	p.say("Restored the backup of %s into %s.", manifest.CreatedAt.Format(time.RFC3339), path)
	return errors.Join(r.key(p, c, manifest), r.verify(ctx, p, c))
}

// place copies the files to their places. The database is renamed to its final name when it is complete.
func (r restoreCommand) place(ctx context.Context, p program, c config.Config, path string) error {
	draft := path + ".restoring"
	if err := os.RemoveAll(draft); err != nil {
		return err
	}
	if err := backup.CopyFile(filepath.Join(r.Path, backup.DatabaseName), draft); err != nil {
		return err
	}
	if err := r.setAside(p, path); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	if err := backup.Publish(draft, path); err != nil {
		return err
	}
	return r.content(ctx, c)
}

// content copies the content files to their folders.
func (r restoreCommand) content(ctx context.Context, c config.Config) error {
	for name, folder := range contentFolders(c) {
		if err := backup.CopyTree(ctx, filepath.Join(r.Path, backup.ContentFolder, name), folder); err != nil {
			return err
		}
	}
	return nil
}

// setAside renames the existing store with its write-ahead log, which contains commits that are missing in the file.
func (r restoreCommand) setAside(p program, path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !r.Replace {
		return fmt.Errorf("%s exists: use --replace to rename it, or set another DATABASE_URL", path)
	}
	aside := path + ".before-restore-" + p.now().UTC().Format("20060102T150405.000000Z")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	p.say("The existing store was renamed to %s.", aside)
	return nil
}

// key restores the key file if the server has none, and compares the configured key with the key of the backup.
func (r restoreCommand) key(p program, c config.Config, manifest backup.Manifest) error {
	_, err := os.Stat(c.SecretKeyPath())
	missing := c.SecretKey == "" && errors.Is(err, fs.ErrNotExist)
	if _, has := manifest.Files[backup.KeyName]; has && missing {
		if err := os.MkdirAll(c.DataDirectory, 0o700); err != nil {
			return err
		}
		if err := backup.CopyFile(filepath.Join(r.Path, backup.KeyName), c.SecretKeyPath()); err != nil {
			return err
		}
		missing = false
	}
	if missing {
		p.say("No secret key is set. Set SECRET_KEY, or copy the key file to %s, before the server starts.", c.SecretKeyPath())
		return nil
	}
	key, err := c.OpenSecretKey(p.random)
	if err != nil {
		return fmt.Errorf("SECRET_KEY: %w", err)
	}
	if backup.Fingerprint(key) != manifest.KeyFingerprint {
		p.say("%s is not the key of the backed up server: the server will not start with it. See docs/operations.md.", keySource(c))
	}
	return nil
}

// verify migrates the restored store, which an earlier build may have written, and checks it.
func (r restoreCommand) verify(ctx context.Context, p program, c config.Config) error {
	err := withDatabase(ctx, c, func(db *persistence.Database) error {
		_, err := db.Migrate(ctx)
		return err
	})
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) error {
		return (&verification{p: p, db: db, journal: journal, checker: integrity.NewChecker(p.schema, journal)}).run(ctx)
	})
}

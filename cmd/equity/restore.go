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
	Replace bool   `help:"Put the store that is there aside, under another name, and take the backup's place."`
}

// Help is shown by `equity restore --help`.
func (restoreCommand) Help() string {
	return `Checks every file of the backup, puts the database and the content files in
their places, and verifies the restored store like 'equity verify'. No server may
use the store meanwhile. A store that is there already stays unless --replace is
given, which renames it.

The stored secrets open with the secret key of the backed up server only. With
another key the records are restored and the server refuses to start until the
right key is set; docs/operations.md says what a lost key costs.`
}

// Run restores the backup.
func (r restoreCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	path, ok := c.SQLitePath()
	if !ok {
		return errNotSQLite
	}
	manifest, err := backup.Read(r.Path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	release, err := persistence.OwnFile(path)
	if err != nil {
		return err
	}
	err = r.place(p, c, path)
	if err := errors.Join(err, release()); err != nil {
		return err
	}
	p.say("Restored the backup of %s into %s.", manifest.CreatedAt.Format(time.RFC3339), path)
	return errors.Join(r.key(p, c, manifest), r.verify(ctx, p, c))
}

// place puts the files in their places. The database appears under its name when it is complete.
func (r restoreCommand) place(p program, c config.Config, path string) error {
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
	for name, folder := range contentFolders(c) {
		if err := backup.CopyTree(filepath.Join(r.Path, backup.ContentFolder, name), folder); err != nil {
			return err
		}
	}
	return nil
}

// setAside renames the store that is there, with its write-ahead log, which has commits that the file lacks.
func (r restoreCommand) setAside(p program, path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !r.Replace {
		return fmt.Errorf("%s exists: give --replace to put it aside, or name another DATABASE_URL", path)
	}
	aside := path + ".before-restore-" + p.now().UTC().Format("20060102T150405.000000Z")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	p.say("The store that was there is %s now.", aside)
	return nil
}

// key restores a key file that the backup has and the server lacks, and compares the configured key with the backup's.
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

// verify checks the restored store.
func (r restoreCommand) verify(ctx context.Context, p program, c config.Config) error {
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) error {
		return (&verification{p: p, db: db, journal: journal, checker: integrity.NewChecker(journal)}).run(ctx)
	})
}

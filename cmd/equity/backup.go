package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"equity/cmd/equity/backup"
	"equity/config"
	"equity/persistence"
)

// backupCommand is `equity backup`.
type backupCommand struct {
	Path          string        `arg:"" help:"Folder to make; it must not exist." type:"path"`
	Within        time.Duration `help:"Cancel the backup after this time." default:"1h"`
	WithSecretKey bool          `help:"Put the secret key into the backup. Whoever has the backup can then open the stored secrets."`
}

// Help is shown by `equity backup --help`.
func (backupCommand) Help() string {
	return `Writes a consistent copy of the store, with the content files, to a folder with a
manifest. Servers may run and write meanwhile. A PostgreSQL store is copied with
pg_dump, which must be installed. The backup does not contain the secret key unless
--with-secret-key is given: keep the key in another place, because the stored
secrets cannot be decrypted without it.`
}

// Run writes the backup. The folder is renamed to its final name when it is complete.
func (b backupCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(b.Path); err == nil {
		return fmt.Errorf("%s exists; name a folder that does not", b.Path)
	}
	draft := filepath.Clean(b.Path) + ".partial"
	if err := os.RemoveAll(draft); err != nil {
		return err
	}
	if err := os.MkdirAll(draft, 0o700); err != nil {
		return err
	}
	if err := b.fill(ctx, p, c, draft); err != nil {
		return errors.Join(err, os.RemoveAll(draft))
	}
	if err := backup.Publish(draft, b.Path); err != nil {
		return err
	}
	p.say("%s contains a backup. Restore it with 'equity restore %s'.", b.Path, b.Path)
	if !b.WithSecretKey {
		p.say("The backup does not contain the secret key. Keep %s in another safe place.", keySource(c))
	}
	return nil
}

// keySource describes the location of the secret key.
func keySource(c config.Config) string {
	if c.SecretKey != "" {
		return "the value of SECRET_KEY"
	}
	return "the file " + c.SecretKeyPath()
}

// contentFolders maps the names of content folders in a backup to their paths.
func contentFolders(c config.Config) map[string]string {
	return map[string]string{"mail": c.MailDirectory}
}

// fill writes the content of the backup to its draft folder. The database is copied first: content is written before the rows
// that refer to it, so the content of all copied rows exists by then.
func (b backupCommand) fill(ctx context.Context, p program, c config.Config, draft string) error {
	ctx, cancel := context.WithTimeout(ctx, b.Within)
	defer cancel()
	if err := copyDatabase(ctx, c, draft); err != nil {
		return err
	}
	for name, folder := range contentFolders(c) {
		if err := backup.CopyTree(ctx, folder, filepath.Join(draft, backup.ContentFolder, name)); err != nil {
			return err
		}
	}
	key, err := c.OpenSecretKey(p.random)
	if err != nil {
		return fmt.Errorf("SECRET_KEY: %w", err)
	}
	if b.WithSecretKey {
		text := base64.StdEncoding.EncodeToString(key) + "\n"
		if err := os.WriteFile(filepath.Join(draft, backup.KeyName), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return backup.Seal(draft, backup.Manifest{CreatedAt: p.now().UTC(), Program: version(), KeyFingerprint: backup.Fingerprint(key)})
}

// copyDatabase writes the copy of the database to the draft folder.
func copyDatabase(ctx context.Context, c config.Config, draft string) error {
	path, embedded := c.SQLitePath()
	if !embedded {
		file := filepath.Join(draft, backup.DumpName)
		if err := copyPostgres(ctx, c, file); err != nil {
			return err
		}
		return backup.SyncFile(file)
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no store to back up: %w", err)
	}
	file := filepath.Join(draft, backup.DatabaseName)
	err := withDatabase(ctx, c, func(db *persistence.Database) error {
		if err := db.RequireSchema(ctx); err != nil {
			return err
		}
		return db.Backup(ctx, file)
	})
	if err != nil {
		return err
	}
	return backup.SyncFile(file)
}

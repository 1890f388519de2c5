package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	manifestName = "manifest.json"
	format       = "equity-backup"
	version      = 1
	// DatabaseName is the name of the database file in a backup.
	DatabaseName = "equity.db"
	// DumpName is the name of the dump of a PostgreSQL database in a backup, in place of the database file.
	DumpName = "equity.dump"
	// KeyName is the name of the optional secret key file in a backup.
	KeyName = "secret.key"
	// ContentFolder contains a subfolder for each content folder.
	ContentFolder = "content"
)

// Manifest describes a backup.
type Manifest struct {
	Format    string    `json:"format"`
	Version   int       `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
	Program   string    `json:"program"`
	// KeyFingerprint identifies the secret key of the encrypted values. The key cannot be derived from it.
	KeyFingerprint string `json:"keyFingerprint"`
	// Files maps paths in the backup, with slashes, to the SHA-256 of their contents in hex.
	Files map[string]string `json:"files"`
}

// ErrDamaged reports that the files of a backup do not match its manifest.
var ErrDamaged = errors.New("the backup is damaged")

// Fingerprint returns the fingerprint of a secret key.
func Fingerprint(key []byte) string {
	sum := sha256.Sum256(append([]byte("equity secret key\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// Seal adds the manifest with the hashes of all files to the folder and makes everything durable.
func Seal(folder string, m Manifest) error {
	m.Format, m.Version, m.Files = format, version, map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		m.Files[filepath.ToSlash(relative)], err = hashOf(path)
		return err
	})
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	return writeFile(filepath.Join(folder, manifestName), append(text, '\n'))
}

// Read returns the manifest of the folder after verifying all files.
func Read(folder string) (Manifest, error) {
	var m Manifest
	text, err := os.ReadFile(filepath.Join(folder, manifestName)) //nolint:gosec // the operator names the folder
	if err != nil {
		return m, fmt.Errorf("%s is not a backup: %w", folder, err)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Format != format {
		return m, fmt.Errorf("%s: %w: the manifest cannot be read", folder, ErrDamaged)
	}
	if m.Version != version {
		return m, fmt.Errorf("%s is a backup of version %d; this build reads version %d", folder, m.Version, version)
	}
	_, file := m.Files[DatabaseName]
	_, dump := m.Files[DumpName]
	if file == dump {
		return m, fmt.Errorf("%s: %w: the database is missing", folder, ErrDamaged)
	}
	for name, expected := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return m, fmt.Errorf("%w: the path %q leads out of the backup", ErrDamaged, name)
		}
		found, err := hashOf(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return m, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if found != expected {
			return m, fmt.Errorf("%w: %s is not the file that was backed up", ErrDamaged, name)
		}
	}
	return m, nil
}

func hashOf(path string) (_ string, err error) {
	file, err := os.Open(path) //nolint:gosec // in the folder that the operator names
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

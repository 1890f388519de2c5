package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// CopyFile copies a file durably. The copy is accessible to its owner only. It fails if the target exists.
func CopyFile(from, to string) (err error) {
	source, err := os.Open(from) //nolint:gosec // the operator names the folders
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the folders
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	if err == nil {
		err = target.Sync()
	}
	return errors.Join(err, target.Close())
}

// CopyTree copies the regular files of a folder until ctx ends. Existing files are kept. A missing folder has no files.
func CopyTree(ctx context.Context, from, to string) error {
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o700)
		case !entry.Type().IsRegular():
			return nil
		}
		err = CopyFile(path, target)
		if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) { // exists already, or was removed meanwhile
			return nil
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Publish renames a complete folder or file and makes the new name durable.
func Publish(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

func writeFile(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the folder
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close(), syncFolder(filepath.Dir(path)))
}

// SyncFile makes a file durable that was written by another process.
func SyncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the operator names the folder
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	return errors.Join(file.Sync(), file.Close())
}

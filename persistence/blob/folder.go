package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Folder stores objects as files of a folder.
type Folder struct {
	root *os.Root
	// durable contains the folders with durable names, from the root on. Folders are never removed.
	durable sync.Map
}

const (
	folderMode = 0o700
	// incoming contains the files that are not complete.
	incoming = "incoming"
)

// OpenFolder returns a store in the folder, which it creates if necessary.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, folderMode); err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	if err := root.MkdirAll(incoming, folderMode); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("create the folder of incomplete files: %w", err)
	}
	return &Folder{root: root}, nil
}

// RemoveIncomplete removes the incomplete files of an earlier process. No other process may write to the store at the same time.
func (f *Folder) RemoveIncomplete() error {
	if err := errors.Join(f.root.RemoveAll(incoming), f.root.Mkdir(incoming, folderMode)); err != nil {
		return fmt.Errorf("remove incomplete files: %w", err)
	}
	return nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Put writes the bytes to a temporary file, and renames it after they are durable.
func (f *Folder) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	now := time.Now()
	if err := f.root.Chtimes(key, now, now); err == nil {
		return nil // the same bytes exist, and their age begins again
	}
	folder := filepath.Dir(key)
	linked, err := f.link(key, content, size)
	if err != nil {
		return fmt.Errorf("link object: %w", err)
	}
	if linked {
		return f.keepName(folder)
	}
	name, err := f.write(ctx, content, size)
	if err != nil {
		return fmt.Errorf("write object: %w", err)
	}
	if err := f.root.MkdirAll(folder, folderMode); err != nil {
		return errors.Join(fmt.Errorf("create the folder of an object: %w", err), f.root.Remove(name))
	}
	if err := f.root.Rename(name, key); err != nil {
		return errors.Join(fmt.Errorf("name object: %w", err), f.root.Remove(name))
	}
	return f.keepName(folder)
}

// link adds a second name in the store to the file of the content after its bytes are durable. It reports false if the content is not a file of
// the folder [Folder.Incoming], or if the file system has no links.
func (f *Folder) link(key string, content io.Reader, size int64) (bool, error) {
	local, is := content.(LocalFile)
	if !is || filepath.Dir(local.File().Name()) != f.Incoming() {
		return false, nil
	}
	info, err := local.File().Stat()
	if err == nil && info.Size() != size {
		err = fmt.Errorf("the content has %d bytes instead of %d", info.Size(), size)
	}
	if err != nil {
		return false, err
	}
	if err := errors.Join(f.root.MkdirAll(filepath.Dir(key), folderMode), local.File().Sync()); err != nil {
		return false, err
	}
	err = f.root.Link(filepath.Join(incoming, info.Name()), key)
	return err == nil || errors.Is(err, fs.ErrExist), nil
}

// Incoming returns the folder of incomplete files. A complete [LocalFile] of this folder is linked instead of copied.
func (f *Folder) Incoming() string { return filepath.Join(f.root.Name(), incoming) }

// keepName makes the names in a folder durable, with those of the folders above it.
func (f *Folder) keepName(folder string) error {
	if err := f.sync(folder); err != nil {
		return err
	}
	return f.keepFolder(folder)
}

// keepFolder makes the name of a folder durable, with those of the folders above it.
func (f *Folder) keepFolder(folder string) error {
	if _, known := f.durable.Load(folder); known || folder == "." {
		return nil
	}
	above := filepath.Dir(folder)
	if err := f.keepFolder(above); err != nil {
		return err
	}
	if err := f.sync(above); err != nil {
		return err
	}
	f.durable.Store(folder, struct{}{})
	return nil
}

// write writes a temporary file and returns its name after its bytes are durable.
func (f *Folder) write(ctx context.Context, content io.Reader, size int64) (name string, err error) {
	file, err := createTemporary(f.root)
	if err != nil {
		return "", err
	}
	name = file.Name()
	name = filepath.Join(incoming, filepath.Base(name))
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			_ = f.root.Remove(name)
		}
	}()
	written, err := io.Copy(file, readerOf{ctx, content})
	if err == nil && written != size {
		err = fmt.Errorf("the content has %d bytes instead of %d", written, size)
	}
	if err != nil {
		return name, err
	}
	return name, file.Sync()
}

// sync makes the names in a folder durable.
func (f *Folder) sync(folder string) error {
	opened, err := f.root.Open(folder)
	if err != nil {
		return fmt.Errorf("open the folder of an object: %w", err)
	}
	if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
		return fmt.Errorf("store the name of an object: %w", err)
	}
	return nil
}

// Open returns a part of the file.
func (f *Folder) Open(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	file, err := f.root.Open(key)
	if err != nil {
		return nil, known(err)
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if length < 0 {
		return file, nil
	}
	return part{io.LimitReader(file, length), file}, nil
}

// part is a part of a file.
type part struct {
	io.Reader
	io.Closer
}

// Stat describes the file.
func (f *Folder) Stat(_ context.Context, key string) (Object, error) {
	if err := checkKey(key); err != nil {
		return Object{}, err
	}
	info, err := f.root.Stat(key)
	if err != nil {
		return Object{}, known(err)
	}
	return Object{key, info.Size(), info.ModTime()}, nil
}

// Delete removes the file.
func (f *Folder) Delete(_ context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	if err := f.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete object: %w", err)
	}
	return nil
}

// List visits the files below the folder of the prefix.
func (f *Folder) List(ctx context.Context, prefix string, visit func(Object) error) error {
	start := "."
	if at := strings.LastIndexByte(prefix, '/'); at >= 0 {
		start = prefix[:at]
	}
	err := fs.WalkDir(f.root.FS(), start, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // was deleted meanwhile
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case entry.IsDir() && name == incoming:
			return fs.SkipDir
		case entry.IsDir(), !strings.HasPrefix(name, prefix):
			return nil
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return visit(Object{name, info.Size(), info.ModTime()})
	})
	if err != nil {
		return fmt.Errorf("list objects: %w", err)
	}
	return nil
}

// known returns ErrNotFound for a missing file.
func known(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return fmt.Errorf("read object: %w", err)
}

// readerOf reads until its context ends.
type readerOf struct {
	ctx     context.Context //nolint:containedctx // lives as long as one copy
	content io.Reader
}

// Read reads from the content.
func (r readerOf) Read(buffer []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.content.Read(buffer)
}

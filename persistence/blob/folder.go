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
	// durable contains the folders whose names are durable, and those of all folders above. Folders are never removed.
	durable sync.Map
}

const (
	folderMode = 0o700
	// incoming contains the files that are not complete.
	incoming = "incoming"
)

// OpenFolder returns a store in the folder, which it creates if necessary. Incomplete files of an earlier process are removed.
func OpenFolder(path string) (*Folder, error) {
	if err := os.MkdirAll(path, folderMode); err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open the folder of files: %w", err)
	}
	if err := errors.Join(root.RemoveAll(incoming), root.Mkdir(incoming, folderMode)); err != nil {
		_ = root.Close()
		return nil, fmt.Errorf("clear incomplete files: %w", err)
	}
	return &Folder{root: root}, nil
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
	name, err := f.write(ctx, content, size)
	if err != nil {
		return fmt.Errorf("write object: %w", err)
	}
	folder := filepath.Dir(key)
	if err := f.root.MkdirAll(folder, folderMode); err != nil {
		return errors.Join(fmt.Errorf("create the folder of an object: %w", err), f.root.Remove(name))
	}
	if err := f.root.Rename(name, key); err != nil {
		return errors.Join(fmt.Errorf("name object: %w", err), f.root.Remove(name))
	}
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
	var from io.Reader = readerOf{ctx, content}
	if _, whole := content.(io.WriterTo); whole && ctx.Err() == nil {
		from = content // a local file, which the system copies
	}
	written, err := io.Copy(file, from)
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

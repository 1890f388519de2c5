package unpack

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"slices"
	"time"
)

// parts is a file system with the contents of files in one folder, by name.
type parts map[string][]byte

// Open opens a file, or the folder.
func (p parts) Open(name string) (fs.File, error) {
	if name == "." {
		return &partsFolder{parts: p}, nil
	}
	content, there := p[name]
	if !there {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &openPart{part{name, int64(len(content))}, bytes.NewReader(content)}, nil
}

// ReadDir lists the files of the folder.
func (p parts) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	var entries []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(p)) {
		entries = append(entries, part{name, int64(len(p[name]))})
	}
	return entries, nil
}

// part describes a file of a form.
type part struct {
	name string
	size int64
}

// Name returns the name of the file.
func (p part) Name() string { return p.name }

// Size returns the size of the file in bytes.
func (p part) Size() int64 { return p.size }

// Mode returns the mode of a regular file.
func (part) Mode() fs.FileMode { return 0 }

// Type returns the type of a regular file.
func (part) Type() fs.FileMode { return 0 }

// ModTime returns no time.
func (part) ModTime() time.Time { return time.Time{} }

// IsDir returns false.
func (part) IsDir() bool { return false }

// Sys returns nil.
func (part) Sys() any { return nil }

// Info returns the part.
func (p part) Info() (fs.FileInfo, error) { return p, nil }

// openPart is an open file of a form.
type openPart struct {
	part
	io.Reader
}

// Stat describes the file.
func (o *openPart) Stat() (fs.FileInfo, error) { return o.part, nil }

// Close returns nil.
func (*openPart) Close() error { return nil }

// partsFolder is the folder of the files.
type partsFolder struct {
	part
	parts parts
}

// IsDir returns true.
func (*partsFolder) IsDir() bool { return true }

// Mode returns the mode of a folder.
func (*partsFolder) Mode() fs.FileMode { return fs.ModeDir }

// Size returns 0.
func (*partsFolder) Size() int64 { return 0 }

// Stat describes the folder.
func (f *partsFolder) Stat() (fs.FileInfo, error) { return f, nil }

// Read fails, because a folder has no content.
func (*partsFolder) Read([]byte) (int, error) { return 0, fs.ErrInvalid }

// Close returns nil.
func (*partsFolder) Close() error { return nil }

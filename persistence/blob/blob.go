// Package blob stores the bytes of files, in a folder or at an S3-compatible service. Objects are immutable. Their keys contain the
// hash of their bytes, so a repeated write of the same key writes the same bytes.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"time"
)

// ErrNotFound reports that there is no object with the key.
var ErrNotFound = errors.New("the object does not exist")

// Object describes a stored object.
type Object struct {
	Key        string
	Size       int64
	ModifiedAt time.Time
}

// Store stores objects. It is safe for concurrent use.
type Store interface {
	// Put stores the bytes durably before it returns. The object is visible completely or not at all. If the key exists, Put
	// need not read the content, and an object of half the [EraseAge] or more becomes young again.
	Put(ctx context.Context, key string, content io.Reader, size int64) error
	// Open returns length bytes of the object from the offset, or [ErrNotFound]. A negative length means all bytes after the offset.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Stat describes the object, or returns [ErrNotFound].
	Stat(ctx context.Context, key string) (Object, error)
	// Delete removes the object. A missing object is not an error.
	Delete(ctx context.Context, key string) error
	// List calls visit for each object whose key begins with the prefix, in the order of the keys, until visit returns an error.
	List(ctx context.Context, prefix string, visit func(Object) error) error
}

// Key returns the key of the bytes with the hash within a scope, such as "o/<organization>".
func Key(scope, sha256 string) string { return scope + "/" + sha256[:2] + "/" + sha256 }

// LocalFile is content that is a complete file of this machine.
type LocalFile interface {
	io.Reader
	File() *os.File
}

// checkKey refuses keys that would leave the store.
func checkKey(key string) error {
	if key == "" || key != path.Clean(key) || strings.HasPrefix(key, "/") || strings.HasPrefix(key, "..") || strings.ContainsAny(key, "\\\x00") {
		return fmt.Errorf("the key %q is not valid", key)
	}
	return nil
}

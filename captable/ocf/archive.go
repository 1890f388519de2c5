package ocf

import (
	"archive/zip"
	"bytes"
	"crypto/md5" //nolint:gosec // the format identifies file content by MD5; it has no security purpose
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// File is one file of a package. It holds its objects and formats one at a time.
type File struct {
	// Name is the path within the package.
	Name string

	kind    string
	objects []object
	content []byte // of the manifest
	rest    func() // called between objects
}

// Archive holds the files of a written package. The manifest comes first, followed by one
// file for each object kind in the package.
type Archive struct {
	Files []File
	// Sum is a hash over the content of all files.
	Sum [sha256.Size]byte
}

// WriteZip writes the package as a zip archive. The output is deterministic: every file has
// the earliest timestamp that zip can represent.
func (a *Archive) WriteZip(w io.Writer) error {
	archive := zip.NewWriter(w)
	for _, file := range a.Files {
		header := &zip.FileHeader{Name: file.Name, Method: zip.Deflate, Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)}
		entry, err := archive.CreateHeader(header)
		if err == nil {
			err = file.Write(entry)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", file.Name, err)
		}
	}
	return archive.Close()
}

// Write writes the file as indented JSON.
func (f *File) Write(w io.Writer) error {
	if f.objects == nil {
		_, err := w.Write(f.content)
		return err
	}
	var b bytes.Buffer // reused for each object
	fmt.Fprintf(&b, "{\n  %q: %q,\n  %q: [", kindField, f.kind, itemsField)
	for i, o := range f.objects {
		if i > 0 {
			b.WriteByte(',')
		}
		f.rest()
		b.WriteString("\n    ")
		if err := json.Indent(&b, o.raw, "    ", "  "); err != nil {
			return err
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	_, err := io.WriteString(w, "\n  ]\n}\n")
	return err
}

// checksum returns the MD5 of the file, and adds its content to the sum.
func (f *File) checksum(total io.Writer) (string, error) {
	sum := md5.New() //nolint:gosec // see the import
	err := f.Write(io.MultiWriter(sum, total))
	return hex.EncodeToString(sum.Sum(nil)), err
}

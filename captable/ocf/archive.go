package ocf

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

// File is one file of a package. It holds its content in compressed form.
type File struct {
	// Name is the path within the package.
	Name string

	content bytes.Buffer // compressed by DEFLATE
	size    uint64       // of the content before compression
	check   uint32       // CRC-32
}

// Archive holds the files of a written package. The manifest comes first, followed by one
// file for each object kind in the package.
type Archive struct {
	Files []File
	// Sum is a hash over the manifest, which contains those of the other files.
	Sum [sha256.Size]byte
}

// WriteZip writes the package as a zip archive. The output is deterministic: every file has
// the earliest timestamp that zip can represent.
func (a *Archive) WriteZip(w io.Writer) error {
	archive := zip.NewWriter(w)
	for i := range a.Files {
		file := &a.Files[i]
		header := &zip.FileHeader{
			Name: file.Name, Method: zip.Deflate, CRC32: file.check,
			CompressedSize64: uint64(file.content.Len()), UncompressedSize64: file.size, //nolint:gosec // never negative
		}
		header.Modified = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)
		entry, err := archive.CreateRaw(header)
		if err == nil {
			_, err = entry.Write(file.content.Bytes())
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", file.Name, err)
		}
	}
	return archive.Close()
}

// Write writes the file as indented JSON.
func (f *File) Write(w io.Writer) error {
	_, err := io.Copy(w, flate.NewReader(bytes.NewReader(f.content.Bytes())))
	return err
}

// fill compresses the content that write writes, and adds it to the sum.
func (f *File) fill(write func(io.Writer) error, sum io.Writer) error {
	compressed, err := flate.NewWriter(&f.content, flate.BestSpeed)
	if err != nil {
		return err
	}
	check, size := crc32.NewIEEE(), counter(0)
	if err := write(io.MultiWriter(sum, compressed, check, &size)); err != nil {
		return err
	}
	f.check, f.size = check.Sum32(), uint64(size)
	return compressed.Close()
}

// counter counts written bytes.
type counter uint64

// Write counts the bytes.
func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}

// writeObjects writes a file with each object on a line, and calls rest between them.
func writeObjects(w io.Writer, kind string, objects []object, rest func()) error {
	var b bytes.Buffer // reused for each object
	fmt.Fprintf(&b, "{%q: %q, %q: [", kindField, kind, itemsField)
	for i, o := range objects {
		if i > 0 {
			b.WriteByte(',')
		}
		rest()
		b.WriteByte('\n')
		b.Write(o.raw)
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	_, err := io.WriteString(w, "\n]}\n")
	return err
}

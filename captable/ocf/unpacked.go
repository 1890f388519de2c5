package ocf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
)

// A package is unpacked in one process and read in another one, so that only well-formed and bounded JSON reaches the second one. The
// unpacked form is the contents of the JSON files, an index in JSON, and the size of the index in 8 decimal digits.

const (
	// mostIndex bounds the index in bytes. Names and fields of a hostile package may be long.
	mostIndex  = 8 << 20
	lengthSize = 8
)

// ErrUnpacked reports an index that is too large or damaged.
var ErrUnpacked = errors.New("the unpacked package has no index within its limit")

// index describes an unpacked package.
type index struct {
	// Within is false if the package exceeds its limits. It then has no files.
	Within   bool
	Findings Findings
	Files    []indexed
}

// indexed describes one file.
type indexed struct {
	Path, Kind string
	Sum        []byte
	Lists      int
	Extra      []string
	// Problem is the text of the error of a file that is not well-formed; empty if it is. Its content is not read.
	Problem string
	// At is the position of the content.
	At, Size int64
}

// Unpack checks the limits, the encoding and the syntax of the files of a package, and writes its unpacked form, which is that of no
// files if the package exceeds its limits. The error is that of the writer, or [ErrUnpacked].
func Unpack(fsys fs.FS, limits Limits, to io.Writer) error {
	contents := &counting{to: to}
	var findings notes
	files, within := load(fsys, limits, &findings, contents)
	if contents.err != nil {
		return contents.err
	}
	described := index{Within: within, Findings: findings.all}
	for _, f := range files {
		problem := ""
		if f.err != nil {
			problem = f.err.Error()
		}
		described.Files = append(described.Files, indexed{f.path, f.kind, f.sum, f.lists, f.extra, problem, f.at, f.size})
	}
	encoded, err := json.Marshal(described)
	if err != nil {
		return fmt.Errorf("index of a package: %w", err)
	}
	if len(encoded) > mostIndex {
		return ErrUnpacked
	}
	_, err = fmt.Fprintf(to, "%s%0*d", encoded, lengthSize, len(encoded))
	return err
}

// ReadUnpacked is [ReadWithin] for the unpacked form of a package. The error is [ErrUnpacked] or that of the content.
func ReadUnpacked(content *io.SectionReader, limits Limits) (*Package, Findings, error) {
	described, err := readIndex(content)
	if err != nil {
		return nil, nil, err
	}
	spans := contents{}
	var findings notes
	for _, finding := range described.Findings {
		findings.add(finding)
	}
	files := make([]*file, 0, len(described.Files))
	for _, d := range described.Files {
		f := &file{path: d.Path, kind: d.Kind, sum: d.Sum, lists: d.Lists, extra: d.Extra}
		if d.Problem != "" {
			f.err = errors.New(d.Problem)
		}
		files, spans[d.Path] = append(files, f), io.NewSectionReader(content, d.At, d.Size)
	}
	pack, all := read(spans, limits, findings, files, described.Within)
	return pack, all, nil
}

func readIndex(content *io.SectionReader) (index, error) {
	length := make([]byte, lengthSize)
	end := content.Size() - lengthSize
	if end < 0 {
		return index{}, ErrUnpacked
	}
	if _, err := content.ReadAt(length, end); err != nil {
		return index{}, err
	}
	size, err := strconv.ParseInt(string(length), 10, 64)
	if err != nil || size < 0 || size > min(mostIndex, end) {
		return index{}, ErrUnpacked
	}
	encoded := make([]byte, size)
	if _, err := content.ReadAt(encoded, end-size); err != nil {
		return index{}, err
	}
	var described index
	if err := json.Unmarshal(encoded, &described); err != nil {
		return index{}, fmt.Errorf("%w: %w", ErrUnpacked, err)
	}
	return described, nil
}

// counting counts the written bytes, and keeps the error of the writer.
type counting struct {
	to   io.Writer
	size int64
	err  error
}

// Write writes the bytes.
func (c *counting) Write(part []byte) (n int, err error) {
	n, err = c.to.Write(part)
	c.size += int64(n)
	c.err = errors.Join(c.err, err)
	return n, err
}

// contents is a file system with the contents of unpacked files, by path.
type contents map[string]*io.SectionReader

// Open opens a file.
func (c contents) Open(name string) (fs.File, error) {
	content, found := c[name]
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return unpackedFile{io.NewSectionReader(content, 0, content.Size())}, nil
}

// unpackedFile is an open file of [contents].
type unpackedFile struct{ *io.SectionReader }

// Stat describes nothing.
func (unpackedFile) Stat() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

// Close returns nil.
func (unpackedFile) Close() error { return nil }

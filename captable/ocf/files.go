package ocf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of a package in addition to [Limits].
const (
	mostEntries = 10_000
	// mostClasses and the following limits bound quadratic comparisons.
	mostClasses = 2_000
	mostSplits  = 100
	mostLimits  = 5_000
	mostLegends = 1_000
	// mostChanges bounds the product of splits and issuances.
	mostChanges = 2_000_000
)

// file is one JSON file of the package.
type file struct {
	path    string
	content []byte
	// kind is the file_type; empty if the file does not state it.
	kind  string
	items []json.RawMessage
	// extra lists unknown fields, which are not kept.
	extra []string
	err   error
	taken bool // listed in the manifest
}

// loading reads the JSON files of a package within the limits.
type loading struct {
	fsys     fs.FS
	findings *notes
	gauge    gauge
	found    []measured
	entries  int
	// beyond is set if the package exceeds its limits. Its content is then discarded.
	beyond bool
}

// measured is a JSON file within the limits.
type measured struct {
	path string
	size int64
}

// load returns the JSON files of the package. Returns false if the package exceeds the
// limits.
func load(fsys fs.FS, limits Limits, findings *notes) (files []*file, within bool) {
	l := &loading{fsys: fsys, findings: findings, gauge: gauge{limits: limits}}
	if fs.WalkDir(fsys, ".", l.visit) != nil {
		findings.file(Refuse, "", codeUnreadable, "The package cannot be read.")
	}
	if l.beyond {
		return nil, false
	}
	for _, f := range l.found {
		content, err := readFile(fsys, f)
		if err != nil {
			findings.file(Refuse, f.path, codeUnreadable, "The file cannot be read.")
			continue
		}
		files = append(files, open(f.path, content))
	}
	return files, true
}

// visit examines one file or folder. An unreadable entry is a finding, and the walk
// continues.
func (l *loading) visit(at string, entry fs.DirEntry, unreadable error) error {
	if l.entries++; l.entries > mostEntries {
		l.findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(mostEntries)+" files and folders.")
		return fs.SkipAll
	}
	switch {
	case unreadable != nil:
		l.findings.file(Refuse, at, codeUnreadable, "The file or folder cannot be read.")
	case isDressing(entry.Name()) && at != ".":
		if entry.IsDir() {
			return fs.SkipDir
		}
	case strings.EqualFold(path.Ext(at), ".zip") && !entry.IsDir():
		l.findings.file(Warn, at, codeNested, "An archive within the package is not opened.")
	case entry.Type().IsRegular() && strings.EqualFold(path.Ext(at), ".json"):
		return l.read(at)
	}
	return nil
}

// read measures a file. A file beyond the limits refuses the package.
func (l *loading) read(at string) error {
	if len(l.found) == l.gauge.limits.Files {
		l.beyond = true
		l.findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(l.gauge.limits.Files)+" JSON files.")
		return fs.SkipAll
	}
	size, err := l.measure(at)
	limits := l.gauge.limits
	refuse := func(code, message string) error {
		l.beyond = true
		l.findings.file(Refuse, at, code, message)
		return fs.SkipAll
	}
	switch {
	case errors.Is(err, errTooLarge):
		return refuse(codeTooLarge, "The files of the package have more than "+strconv.FormatInt(limits.Bytes, 10)+" bytes together.")
	case errors.Is(err, errTooLong):
		return refuse(codeTooLarge, "An object of the file has more than "+strconv.Itoa(limits.ObjectBytes)+" bytes.")
	case errors.Is(err, errTooMany):
		return refuse(codeTooMany, "The package has more than "+strconv.Itoa(limits.Objects)+" objects.")
	case errors.Is(err, errTooDeep):
		return refuse(codeTooLarge, "An object of the file is nested more than "+strconv.Itoa(limits.Depth)+" deep.")
	case err != nil:
		l.findings.file(Refuse, at, codeUnreadable, "The file cannot be read.")
		return fs.SkipDir // skip the rest of this folder: the manifest check reports missing files
	}
	l.found = append(l.found, measured{at, size})
	return nil
}

func (l *loading) measure(at string) (int64, error) {
	f, err := l.fsys.Open(at)
	if err != nil {
		return 0, err
	}
	size, err := l.gauge.measure(f)
	return size, errors.Join(err, f.Close())
}

// isDressing reports whether the name belongs to a file manager or version control.
func isDressing(name string) bool { return name == "__MACOSX" || strings.HasPrefix(name, ".") }

var errGrew = errors.New("the file has changed while it was read")

// readFile reads a file and checks that it still has the measured size.
func readFile(fsys fs.FS, of measured) ([]byte, error) {
	f, err := fsys.Open(of.path)
	if err != nil {
		return nil, err
	}
	content := make([]byte, of.size)
	_, err = io.ReadFull(f, content)
	if n, _ := f.Read(make([]byte, 1)); err == nil && n > 0 {
		err = errGrew
	}
	return content, errors.Join(err, f.Close())
}

var errNotText = errors.New("it is not UTF-8")

// open parses the envelope of a file, if it has one.
func open(at string, content []byte) *file {
	f := &file{path: at, content: content}
	text := bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(text) {
		f.err = errNotText
		return f
	}
	var fields map[string]json.RawMessage
	if f.err = json.Unmarshal(text, &fields); f.err != nil {
		return f
	}
	if kind, ok := fields["file_type"]; ok {
		f.err = json.Unmarshal(kind, &f.kind)
	}
	if f.kind == fileManifest {
		return f
	}
	if items, ok := fields["items"]; ok && f.err == nil {
		f.err = json.Unmarshal(items, &f.items)
	}
	for name := range fields {
		if name != "file_type" && name != "items" {
			f.extra = append(f.extra, name)
		}
	}
	return f
}

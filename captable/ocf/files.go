package ocf

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
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
	path string
	sum  []byte // MD5
	// kind is the file_type; empty if the file does not state it.
	kind string
	// lists is the number of lists of objects. The last one counts.
	lists int
	// extra lists unknown fields, which are not kept.
	extra []string
	err   error
	taken bool // listed in the manifest
	// at and size are the position and the size of the content that load copied.
	at, size int64
}

// loading finds the JSON files of a package within the limits.
type loading struct {
	fsys     fs.FS
	findings *notes
	gauge    gauge
	found    []string
	entries  int
	// beyond is set if the package exceeds its limits. Its content is then not read.
	beyond bool
}

// load returns the JSON files of the package, without their objects, and copies their contents to the writer. It reports
// false if the package exceeds the limits; nothing is copied then.
func load(fsys fs.FS, limits Limits, findings *notes, to *counting) (files []*file, within bool) {
	l := &loading{fsys: fsys, findings: findings, gauge: gauge{limits: limits}}
	if fs.WalkDir(fsys, ".", l.visit) != nil {
		findings.file(Refuse, "", codeUnreadable, "The package cannot be read.")
	}
	if l.beyond {
		return nil, false
	}
	for _, at := range l.found {
		f := &file{path: at, at: to.size}
		err := reading(fsys, at, func(content io.Reader) error { return f.examine(io.TeeReader(content, to)) })
		if err != nil {
			findings.file(Refuse, at, codeUnreadable, "The file cannot be read.")
			continue
		}
		f.size = to.size - f.at
		files = append(files, f)
	}
	return files, true
}

// reading calls read with the content of a file.
func reading(fsys fs.FS, at string, read func(io.Reader) error) error {
	f, err := fsys.Open(at)
	if err != nil {
		return err
	}
	return errors.Join(read(f), f.Close())
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

// read measures a file within the limits. A file beyond the limits refuses the package.
func (l *loading) read(at string) error {
	if len(l.found) == l.gauge.limits.Files {
		l.beyond = true
		l.findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(l.gauge.limits.Files)+" JSON files.")
		return fs.SkipAll
	}
	err := reading(l.fsys, at, l.gauge.measure)
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
	l.found = append(l.found, at)
	return nil
}

// isDressing reports whether the name belongs to a file manager or version control.
func isDressing(name string) bool { return name == "__MACOSX" || strings.HasPrefix(name, ".") }

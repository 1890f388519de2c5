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

// The bounds of a package, so that no archive can make us swell: an import of
// 50,000 transactions has about 20 MB.
const (
	mostBytes   = 48 << 20
	mostFiles   = 1_000
	mostEntries = 10_000
	mostObjects = 200_000
	// mostClasses and the others bound what is compared with everything else.
	mostClasses = 2_000
	mostSplits  = 100
	mostLimits  = 5_000
	mostLegends = 1_000
	// mostChanges bounds the holdings that all splits together go through.
	mostChanges = 500_000
)

// file is one JSON file of the package.
type file struct {
	path    string
	content []byte
	// kind is its file_type; empty for a file that is none of the format.
	kind  string
	items []json.RawMessage
	// extra are the names of further fields, which nothing keeps.
	extra []string
	err   error
	taken bool // by a list of the manifest
}

// loading reads the JSON files of a package, within the bounds.
type loading struct {
	fsys     fs.FS
	findings *notes
	files    []*file
	entries  int
	room     int64
}

func load(fsys fs.FS, findings *notes) []*file {
	l := &loading{fsys: fsys, findings: findings, room: mostBytes}
	if fs.WalkDir(fsys, ".", l.visit) != nil {
		findings.file(Refuse, "", codeUnreadable, "The package cannot be read.")
	}
	return l.files
}

// visit looks at one file or folder. What cannot be read is a finding, and the rest is
// looked at nevertheless.
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

func (l *loading) read(at string) error {
	if len(l.files) == mostFiles {
		l.findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(mostFiles)+" JSON files.")
		return fs.SkipAll
	}
	content, err := readFile(l.fsys, at, l.room)
	if err != nil {
		l.findings.file(Refuse, at, codeUnreadable, "The file cannot be read.")
		return fs.SkipDir // no more of this folder: what is missing in it is told by the manifest
	}
	if int64(len(content)) > l.room {
		l.findings.file(Refuse, at, codeTooLarge, "The files of the package are larger than "+strconv.Itoa(mostBytes>>20)+" MB together.")
		return fs.SkipAll
	}
	l.room -= int64(len(content))
	l.files = append(l.files, open(at, content))
	return nil
}

// isDressing tells the leavings of file managers and version control.
func isDressing(name string) bool { return name == "__MACOSX" || strings.HasPrefix(name, ".") }

// readFile reads no more than one byte past the room: an archive may lie about sizes.
func readFile(fsys fs.FS, at string, room int64) ([]byte, error) {
	f, err := fsys.Open(at)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(f, room+1))
	if closing := f.Close(); err == nil {
		err = closing
	}
	return content, err
}

var errNotText = errors.New("it is not UTF-8")

// open reads the envelope of a file, if it has one.
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

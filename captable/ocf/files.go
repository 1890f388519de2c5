package ocf

import (
	"bytes"
	"encoding/json"
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
	// mostClasses, mostSplits and mostLimits bound what is compared with everything else.
	mostClasses = 2_000
	mostSplits  = 500
	mostLimits  = 5_000
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

// load reads every JSON file of the package, within the bounds.
func load(fsys fs.FS, findings *Findings) []*file {
	var files []*file
	entries, room := 0, int64(mostBytes)
	err := fs.WalkDir(fsys, ".", func(at string, entry fs.DirEntry, err error) error {
		if entries++; entries > mostEntries {
			findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(mostEntries)+" files and folders.")
			return fs.SkipAll
		}
		switch {
		case err != nil:
			findings.file(Refuse, at, codeUnreadable, "The file or folder cannot be read.")
			return nil
		case isDressing(entry.Name()) && at != ".":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case strings.EqualFold(path.Ext(at), ".zip") && !entry.IsDir():
			findings.file(Warn, at, codeNested, "An archive within the package is not opened.")
			return nil
		case !entry.Type().IsRegular() || !strings.EqualFold(path.Ext(at), ".json"):
			return nil
		case len(files) == mostFiles:
			findings.file(Refuse, "", codeTooMany, "The package has more than "+strconv.Itoa(mostFiles)+" JSON files.")
			return fs.SkipAll
		}
		content, err := readFile(fsys, at, room)
		switch {
		case err != nil:
			findings.file(Refuse, at, codeUnreadable, "The file cannot be read.")
			return nil
		case int64(len(content)) > room:
			findings.file(Refuse, at, codeTooLarge, "The files of the package are larger than "+strconv.Itoa(mostBytes>>20)+" MB together.")
			return fs.SkipAll
		}
		room -= int64(len(content))
		files = append(files, open(at, content))
		return nil
	})
	if err != nil {
		findings.file(Refuse, "", codeUnreadable, "The package cannot be read.")
	}
	return files
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

type notText struct{}

func (notText) Error() string { return "it is not UTF-8" }

// open reads the envelope of a file, if it has one.
func open(at string, content []byte) *file {
	f := &file{path: at, content: content}
	text := bytes.TrimPrefix(content, []byte("\ufeff"))
	if !utf8.Valid(text) {
		f.err = notText{}
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

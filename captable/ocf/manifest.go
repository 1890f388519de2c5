package ocf

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
)

// listed is a file entry of the manifest.
type listed struct {
	Filepath string `json:"filepath"`
	MD5      string `json:"md5"`
}

// manifest finds and parses the manifest. Returns nil if there is not exactly one readable
// manifest.
func (r *reader) manifest(files []*file) *file {
	var found *file
	for _, f := range files {
		isManifest := f.kind == fileManifest || f.err != nil && strings.HasPrefix(strings.ToLower(path.Base(f.path)), "manifest")
		switch {
		case isManifest && found != nil:
			r.findings.file(Refuse, f.path, codeManifestTwice, "The package must have only one manifest.")
			return nil
		case isManifest:
			found = f
		}
	}
	if found == nil {
		r.findings.file(Refuse, "", codeManifestMissing, "The package must have a file of the type "+fileManifest+".")
		return nil
	}
	found.taken = true
	if found.err != nil {
		r.findings.file(Refuse, found.path, codeJSON, "The manifest must be valid JSON: "+found.err.Error()+".")
		return nil
	}
	var fields *record
	err := reading(r.fsys, found.path, func(content io.Reader) (err error) {
		fields, err = manifestFields(content)
		return err
	})
	if err != nil {
		r.findings.file(Refuse, found.path, codeJSON, "The manifest must be valid JSON: "+err.Error()+".")
		return nil
	}
	r.dir = path.Dir(found.path)
	r.cover(found, fields)
	return found
}

// manifestBytes bounds the size of a manifest, which is read as a whole.
const manifestBytes = 4 << 20

var errManifestLong = errors.New("it has more than " + strconv.Itoa(manifestBytes) + " bytes")

func manifestFields(content io.Reader) (*record, error) {
	text, err := io.ReadAll(io.LimitReader(content, manifestBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > manifestBytes {
		return nil, errManifestLong
	}
	return parseRecord(text)
}

// cover parses the version, dates, issuer and file lists of the manifest.
func (r *reader) cover(f *file, fields *record) {
	version := stringOf(fields.get("ocf_version"))
	if !isKnownVersion(version) {
		r.findings.add(Finding{
			Severity: Refuse, File: f.path, Pointer: "/ocf_version", Code: codeUnknownVersion,
			Message: "The version " + quote(version) + " of the format is not known.",
		})
	}
	r.pack.Version = version
	if text := fields.get("as_of"); text != nil {
		if _, err := exact.ParseDate(stringOf(text)); err != nil {
			r.findings.add(Finding{
				Severity: Refuse, File: f.path, Pointer: "/as_of", Code: codeDate,
				Message: "The value must be a date of the form YYYY-MM-DD.",
			})
		}
	}
	r.issuer(f, fields.get("issuer"))
	rest := fields.clone()
	rest.delete("issuer")
	for _, l := range listings() {
		r.lists = append(r.lists, r.list(f, l, fields.get(l.key)))
		rest.delete(l.key)
	}
	for _, member := range rest.fields {
		if !strings.Contains(" ocf_version file_type as_of generated_at comments ", " "+member.name+" ") {
			r.findings.add(Finding{
				Severity: Warn, File: f.path, Pointer: "/" + member.name, Code: codeUnknownField, Message: "The format has no such field.",
			})
		}
	}
	r.pack.Manifest = rest.json()
	r.pack.dailyLimits = slices.Contains(commentsOf(rest), commentLimits)
}

// commentsOf returns the comments of a manifest.
func commentsOf(manifest *record) []string {
	var comments []string
	if json.Unmarshal(manifest.get("comments"), &comments) != nil {
		return nil
	}
	return comments
}

// stringOf parses a JSON string, or returns an empty string.
func stringOf(text json.RawMessage) string {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return ""
	}
	return s
}

func (r *reader) list(f *file, l listing, text json.RawMessage) []listed {
	if text == nil {
		return nil
	}
	var list []listed
	if err := json.Unmarshal(text, &list); err != nil {
		r.findings.add(Finding{
			Severity: Refuse, File: f.path, Pointer: "/" + l.key, Code: codeWrongType, Message: "The value must be a list of files.",
		})
	}
	return list
}

// pick finds the files listed in the manifest, in its order. Exact paths are matched first;
// then the remaining files are searched for renamed ones.
func (r *reader) pick(files []*file) [][]*file {
	byPath := make(map[string]*file, len(files))
	for _, f := range files {
		byPath[f.path] = f
	}
	picked := make([][]*file, len(r.lists))
	for i, list := range r.lists {
		picked[i] = make([]*file, len(list))
		for j, entry := range list {
			f := byPath[path.Join(r.dir, strings.ReplaceAll(entry.Filepath, `\`, "/"))]
			switch {
			case f == nil:
			case f.taken:
				r.findings.file(Warn, f.path, codeFileTwice, "The manifest lists the file twice; it was read once.")
				picked[i][j] = &file{taken: true}
			default:
				f.taken, picked[i][j] = true, f
			}
		}
	}
	for i, list := range r.lists {
		for j, entry := range list {
			if picked[i][j] == nil {
				picked[i][j] = r.renamed(files, entry, listings()[i])
			}
		}
	}
	return picked
}

// renamed finds a listed file under another name. A candidate has the right type and is not
// listed. It must have the same stem or be the only candidate.
func (r *reader) renamed(files []*file, entry listed, l listing) *file {
	var candidates []*file
	for _, f := range files {
		if f.taken || f.kind != l.file || !isBelow(r.dir, f.path) {
			continue
		}
		candidates = append(candidates, f)
		if stem(f.path) == stem(entry.Filepath) {
			candidates = []*file{f}
			break
		}
	}
	if len(candidates) != 1 {
		r.findings.file(Refuse, path.Clean(entry.Filepath), codeFileMissing, "The manifest lists a file that is not in the package.")
		return nil
	}
	f := candidates[0]
	f.taken = true
	r.findings.file(
		Warn, path.Clean(entry.Filepath), codeFileRenamed, "The manifest lists this file; "+quote(f.path)+" was read in its place.",
	)
	return f
}

func isBelow(dir, at string) bool { return dir == "." || strings.HasPrefix(at, dir+"/") }

// stem returns the base name of a file in lower case, without extensions.
func stem(at string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(at, `\`, "/")))
	return strings.TrimSuffix(strings.TrimSuffix(name, ".json"), ".ocf")
}

// check reports problems of a listed file. Returns false if the file cannot be used.
func (r *reader) check(f *file, entry listed, l listing) bool {
	if f == nil || f.path == "" {
		return false // missing, or read before
	}
	if !strings.EqualFold(hex.EncodeToString(f.sum), entry.MD5) {
		r.findings.file(Warn, f.path, codeChecksum, "The checksum in the manifest is not that of the file.")
	}
	switch {
	case f.err != nil:
		r.findings.file(Refuse, f.path, codeJSON, "The file must be valid: "+f.err.Error()+".")
	case f.kind != l.file:
		r.findings.file(
			Refuse, f.path, codeFileType, "The type of the file must be "+l.file+", as in the manifest; it is "+quote(f.kind)+".",
		)
	default:
		for _, name := range f.extra {
			r.findings.add(Finding{
				Severity: Warn, File: f.path, Pointer: "/" + name, Code: codeUnknownField,
				Message: "The format has no such field; it is not kept.",
			})
		}
		return true
	}
	return false
}

// quote returns the text in quotation marks, truncated to 80 characters.
func quote(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return `"` + text + `"`
}

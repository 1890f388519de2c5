package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

const (
	// zipMagic starts a workbook file.
	zipMagic = "PK\x03\x04"
	// oleMagic starts the older format of workbooks, and encrypted files.
	oleMagic = "\xd0\xcf\x11\xe0"
)

// Limits for reading a workbook.
const (
	// mostUnzipped is the maximum size of all read parts together, uncompressed, in bytes.
	mostUnzipped = 64 << 20
	// mostParts is the maximum number of files in the archive. A usual workbook has about a dozen.
	mostParts = 1000
	// mostSheets is the maximum number of sheets.
	mostSheets = 200
	// sharedPerRow bounds the texts that cells share, for each row that a table may have.
	sharedPerRow = 30
	// mostFormats is the maximum number of formats of cells.
	mostFormats = 1 << 16
	// mostMerges is the maximum number of merged ranges of a sheet.
	mostMerges = 20_000
)

// entryMagic starts each entry of the archive's directory.
const entryMagic = "PK\x01\x02"

const saveAs = "Save the file as .xlsx or CSV UTF-8."

var errPart = errors.New("a part of the workbook is missing or not well formed")

// IsWorkbook reports whether the content is that of a workbook, in a readable format or not.
func IsWorkbook(content []byte) bool {
	return bytes.HasPrefix(content, []byte(zipMagic)) || bytes.HasPrefix(content, []byte(oleMagic))
}

// archive is an open workbook. Its parts are read token by token: only the shared texts and the cells are in memory.
type archive struct {
	parts  map[string]*zip.File
	budget int64 // bytes that may still be read
	most   int   // rows that a table may have
	shared []string
	looks  []look // by index of a cell's format
	system string
	total  int // bytes of text in all cells
	cells  int
}

func open(content []byte, most int) (*archive, error) {
	if bytes.Count(content, []byte(entryMagic)) > mostParts {
		return nil, tooLarge("The workbook has too many parts.")
	}
	file, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, errPart
	}
	a := &archive{parts: map[string]*zip.File{}, budget: mostUnzipped, most: most, system: system}
	for _, part := range file.File {
		a.parts[strings.ToLower(strings.TrimPrefix(part.Name, "/"))] = part
	}
	return a, nil
}

// relation returns the relation between parts in a token, or empty strings.
func relation(t xml.Token) (of, target, id string) {
	start, ok := t.(xml.StartElement)
	if !ok || start.Name.Local != "Relationship" {
		return "", "", ""
	}
	for _, a := range start.Attr {
		switch a.Name.Local {
		case "Type":
			of = a.Value
		case "Target":
			target = a.Value
		case "Id":
			id = a.Value
		}
	}
	return of, target, id
}

// resolve returns the name of a relation's target part.
func resolve(folder, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.TrimPrefix(path.Clean(target), "/")
	}
	return strings.TrimPrefix(path.Clean("/"+folder+target), "/")
}

// each calls use for every token of a part, with the names of the enclosing elements.
func (a *archive) each(part string, use func(t xml.Token, within []string) error) (err error) {
	file := a.parts[strings.ToLower(part)]
	if file == nil {
		return errPart
	}
	if int64(min(file.UncompressedSize64, 1+mostUnzipped)) > a.budget {
		return tooLargeUnzipped()
	}
	unzipped, err := file.Open()
	if err != nil {
		return errPart
	}
	defer func() { _ = unzipped.Close() }() // the part was only read
	decoder := xml.NewDecoder(&bounded{from: unzipped, book: a})
	var within []string
	for {
		t, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if refusal, told := errors.AsType[*Error](err); told {
			return refusal
		}
		if err != nil {
			return errPart
		}
		if start, ok := t.(xml.StartElement); ok {
			within = append(within, start.Name.Local)
		}
		if len(within) > mostDepth {
			return tooLarge("The elements of the workbook are nested too deeply.")
		}
		if err := use(t, within); err != nil {
			return err
		}
		if _, ok := t.(xml.EndElement); ok && len(within) > 0 {
			within = within[:len(within)-1]
		}
	}
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// isTrue reports whether an attribute is true in XML.
func isTrue(value string) bool { return value == "1" || value == "true" }

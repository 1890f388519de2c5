package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
)

// zipMagic starts a workbook file.
const zipMagic = "PK\x03\x04"

// Limits for reading a workbook.
const (
	// mostUnzipped is the maximum size of all read parts together, uncompressed, in bytes.
	mostUnzipped = 64 << 20
	// mostParts is the maximum number of files in the archive. A usual workbook has about a dozen.
	mostParts = 1000
	// sharedPerRow bounds the texts that cells share, for each row that a table may have.
	sharedPerRow = 30
	// linesToRow bounds the numbers of rows, for each row that a table may have.
	linesToRow = 10
)

// entryMagic starts each entry of the archive's directory.
const entryMagic = "PK\x01\x02"

var errPart = errors.New("a part of the workbook is missing or not well formed")

// book is an open workbook. Its parts are read token by token: only the shared texts, the rows and one cell are in
// memory.
type book struct {
	parts  map[string]*zip.File
	budget int64 // bytes that may still be read
	most   int   // rows that the table may have
	shared []string
	total  int // bytes of text in the table
}

// readWorkbook reads the first sheet of a workbook: the stored values of its cells without their formats, and of a
// formula its last result.
func readWorkbook(content []byte, most int) ([]Row, error) {
	rows, err := firstSheet(content, most)
	if _, told := errors.AsType[*Error](err); err != nil && !told {
		return nil, refuse(0, "unreadable", "The file is not a readable workbook. Save it as XLSX or CSV.")
	}
	return rows, err
}

func firstSheet(content []byte, most int) ([]Row, error) {
	if bytes.Count(content, []byte(entryMagic)) > mostParts {
		return nil, tooLarge("The workbook has too many parts.")
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, errPart
	}
	b := &book{parts: map[string]*zip.File{}, budget: mostUnzipped, most: most}
	for _, file := range archive.File {
		b.parts[strings.ToLower(strings.TrimPrefix(file.Name, "/"))] = file
	}
	sheet, texts, err := b.locate()
	if err != nil {
		return nil, err
	}
	if texts != "" {
		if err := b.each(texts, b.sharedText()); err != nil {
			return nil, err
		}
	}
	var rows rowReader
	rows.book = b
	err = b.each(sheet, rows.token)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return rows.rows, err
}

// errEnough stops reading a part early.
var errEnough = errors.New("stop reading")

func tooLarge(message string) *Error { return refuse(0, "tooLarge", message) }

// locate finds the parts of the first sheet and of the shared texts. The shared texts may be absent.
func (b *book) locate() (sheet, texts string, err error) {
	main := "xl/workbook.xml"
	err = b.each("_rels/.rels", func(t xml.Token, _ []string) error {
		if of, target, _ := relation(t); strings.HasSuffix(of, "/officeDocument") {
			main = resolve("", target)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errPart) {
		return "", "", err
	}
	first := ""
	err = b.each(main, func(t xml.Token, _ []string) error {
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "sheet" && first == "" {
			for _, a := range start.Attr {
				if a.Name.Local == "id" {
					first = a.Value
				}
			}
		}
		return nil
	})
	if err != nil {
		return "", "", err
	}
	folder, name := path.Split(main)
	err = b.each(folder+"_rels/"+name+".rels", func(t xml.Token, _ []string) error {
		of, target, id := relation(t)
		if id == first && id != "" {
			sheet = resolve(folder, target)
		}
		if strings.HasSuffix(of, "/sharedStrings") {
			texts = resolve(folder, target)
		}
		return nil
	})
	if sheet == "" && err == nil {
		err = errPart
	}
	return sheet, texts, err
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
func (b *book) each(part string, use func(t xml.Token, within []string) error) (err error) {
	file := b.parts[strings.ToLower(part)]
	if file == nil {
		return errPart
	}
	unzipped, err := file.Open()
	if err != nil {
		return errPart
	}
	defer func() { _ = unzipped.Close() }() // the part was only read
	decoder := xml.NewDecoder(&bounded{from: unzipped, book: b})
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

// sharedText returns a token function that collects the shared texts.
func (b *book) sharedText() func(t xml.Token, within []string) error {
	var text strings.Builder
	bytes := 0
	return func(t xml.Token, within []string) error {
		switch t := t.(type) {
		case xml.CharData:
			if within = texts(within, "si"); within != nil {
				text.Write(t)
			}
		case xml.EndElement:
			if t.Name.Local != "si" {
				break
			}
			if bytes += text.Len(); bytes > MaxText || len(b.shared) >= sharedPerRow*b.most {
				return tooLarge("The workbook contains too much text.")
			}
			b.shared = append(b.shared, unescape(text.String()))
			text.Reset()
		}
		if text.Len() > MaxCell {
			return tooLarge("A cell has at most " + strconv.Itoa(MaxCell) + " bytes.")
		}
		return nil
	}
}

// texts returns the enclosing elements below the named one if they contain the text of a cell. Phonetic guides are
// excluded.
func texts(within []string, below string) []string {
	if len(within) == 0 || within[len(within)-1] != "t" {
		return nil
	}
	found := false
	for _, name := range within {
		found = found || name == below
		if name == "rPh" {
			return nil
		}
	}
	if !found {
		return nil
	}
	return within
}

// unescape decodes escaped characters such as _x000D_, which XML cannot contain.
func unescape(text string) string {
	const length = len("_x000D_")
	for at := 0; ; {
		i := strings.Index(text[at:], "_x")
		if i < 0 || at+i+length > len(text) {
			return text
		}
		at += i
		code, err := strconv.ParseUint(text[at+2:at+length-1], 16, 16)
		if err != nil || text[at+length-1] != '_' {
			at += len("_x")
			continue
		}
		text = text[:at] + string(rune(code)) + text[at+length:]
		at++
		if at > len(text) {
			return text
		}
	}
}

package sheet

import (
	"encoding/xml"
	"errors"
	"path"
	"strconv"
	"strings"
)

// part is a sheet and the part of the archive that contains it.
type part struct {
	Sheet
	id, path string
}

// readWorkbook reads all sheets of a workbook. A formula counts with its stored result and is never calculated.
func readWorkbook(content []byte, most int) (Book, error) {
	book, err := sheetsOf(content, most)
	if _, told := errors.AsType[*Error](err); err != nil && !told {
		return Book{}, refuse(0, "unreadable", "The file is not a readable workbook. "+saveAs)
	}
	return book, err
}

func sheetsOf(content []byte, most int) (Book, error) {
	a, err := open(content, most)
	if err != nil {
		return Book{}, err
	}
	parts, err := a.locate()
	if err != nil {
		return Book{}, err
	}
	book := Book{DateSystem: a.system}
	for _, p := range parts {
		w := worksheet{archive: a, sheet: &p.Sheet}
		err := a.each(p.path, w.token)
		if err == nil {
			err = w.finish()
		}
		limit, ok := errors.AsType[*limitError](err)
		switch {
		case ok:
			p.Rows, p.Refusal = nil, limit.refusal
		case err != nil:
			return Book{}, err
		default:
			book.Findings = append(book.Findings, w.findings...)
		}
		book.Sheets = append(book.Sheets, p.Sheet)
	}
	if len(book.Sheets) == 1 && book.Sheets[0].Refusal != nil {
		return Book{}, book.Sheets[0].Refusal
	}
	return book, nil
}

// locate finds the sheets, and reads the shared texts and the formats of cells, which may be absent.
func (a *archive) locate() ([]part, error) {
	main := "xl/workbook.xml"
	err := a.each("_rels/.rels", func(t xml.Token, _ []string) error {
		if of, target, _ := relation(t); strings.HasSuffix(of, "/officeDocument") {
			main = resolve("", target)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errPart) {
		return nil, err
	}
	parts, err := a.listed(main)
	if err != nil {
		return nil, err
	}
	texts, styles := "", ""
	folder, name := path.Split(main)
	err = a.each(folder+"_rels/"+name+".rels", func(t xml.Token, _ []string) error {
		of, target, id := relation(t)
		switch at := of[strings.LastIndex(of, "/")+1:]; at {
		case "worksheet":
			for i := range parts {
				if parts[i].id == id {
					parts[i].path = resolve(folder, target)
				}
			}
		case "sharedStrings":
			texts = resolve(folder, target)
		case "styles":
			styles = resolve(folder, target)
		}
		return nil
	})
	if err == nil && texts != "" {
		err = a.each(texts, a.sharedText())
	}
	if err == nil && styles != "" && a.parts[strings.ToLower(styles)] != nil {
		err = a.each(styles, a.formats())
	}
	found := parts[:0]
	for _, p := range parts {
		if p.path != "" { // others, such as sheets of charts, have no cells
			found = append(found, p)
		}
	}
	if err == nil && len(found) == 0 {
		err = errPart
	}
	return found, err
}

// listed returns the sheets of the main part in order, and notes its date system.
func (a *archive) listed(main string) ([]part, error) {
	var parts []part
	err := a.each(main, func(t xml.Token, _ []string) error {
		start, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "workbookPr" && isTrue(attribute(start, "date1904")):
			a.system = later
		case start.Name.Local == "sheet":
			found := part{Sheet: Sheet{Name: tidy(attribute(start, "name")), State: attribute(start, "state")}}
			if found.State != Hidden && found.State != "veryHidden" {
				found.State = Visible
			}
			for _, a := range start.Attr {
				if a.Name.Local == "id" {
					found.id = a.Value
				}
			}
			if parts = append(parts, found); len(parts) > mostSheets {
				return tooLarge("A workbook has at most " + strconv.Itoa(mostSheets) + " sheets.")
			}
		}
		return nil
	})
	return parts, err
}

// sharedText returns a token function that collects the shared texts.
func (a *archive) sharedText() func(t xml.Token, within []string) error {
	var text strings.Builder
	bytes := 0
	return func(t xml.Token, within []string) error {
		switch t := t.(type) {
		case xml.CharData:
			if ofCell(within, "si") {
				text.Write(t)
			}
		case xml.EndElement:
			if t.Name.Local != "si" {
				break
			}
			if bytes += text.Len(); bytes > MaxText || len(a.shared) >= sharedPerRow*a.most {
				return tooMuchText()
			}
			a.shared = append(a.shared, tidy(unescape(text.String())))
			text.Reset()
		}
		if text.Len() > MaxCell {
			return cellTooLarge(0)
		}
		return nil
	}
}

// formats returns a token function that collects the formats of cells.
func (a *archive) formats() func(t xml.Token, within []string) error {
	custom := map[string]look{}
	return func(t xml.Token, within []string) error {
		start, ok := t.(xml.StartElement)
		if !ok || len(within) < 2 {
			return nil
		}
		switch inside := within[len(within)-2]; {
		case start.Name.Local == "numFmt" && inside == "numFmts":
			custom[attribute(start, "numFmtId")] = lookOf(attribute(start, "formatCode"))
		case start.Name.Local == "xf" && inside == "cellXfs":
			name := attribute(start, "numFmtId")
			id, _ := strconv.Atoi(name) // 0, the general format, if absent
			found := builtIn(id)
			if own, ok := custom[name]; ok && found == (look{}) {
				found = own
			}
			a.looks = append(a.looks, found)
		}
		if len(a.looks) > mostFormats || len(custom) > mostFormats {
			return tooLarge("The workbook has too many formats.")
		}
		return nil
	}
}

// ofCell reports whether the enclosing elements are those of the text of a cell, below the named one. Phonetic guides are excluded.
func ofCell(within []string, below string) bool {
	if len(within) == 0 || within[len(within)-1] != "t" {
		return false
	}
	found := false
	for _, name := range within {
		found = found || name == below
		if name == "rPh" {
			return false
		}
	}
	return found
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

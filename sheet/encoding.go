package sheet

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// The names of encodings.
const (
	utf8Name    = "utf-8"
	littleName  = "utf-16le"
	bigName     = "utf-16be"
	windowsName = "windows-1252"
)

const byteOrderMark = "\ufeff"

// decode returns the text of a file, and the name of its encoding. An empty name is detected: by a byte order mark, by the zeros of UTF-16, as valid
// UTF-8, and else as Windows-1252. A finding without text says that the encoding must be chosen.
func decode(content []byte, name string) (text []byte, found string, findings []Finding) {
	chosen := name != ""
	if !chosen {
		name = detect(content)
	}
	if name == utf8Name && utf8.Valid(content) {
		return bytes.TrimPrefix(content, []byte(byteOrderMark)), name, nil
	}
	of, canonical := named(name)
	if of == nil || name == windowsName && !chosen && undefined(content) {
		return nil, "", undecided()
	}
	text, err := of.NewDecoder().Bytes(content)
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return nil, "", undecided()
	}
	if canonical == windowsName && !chosen {
		findings = []Finding{{
			Severity: SeverityWarning, Code: "encodingAssumed", Message: "The file is not UTF-8. It was read as Windows-1252.",
		}}
	}
	return bytes.TrimPrefix(text, []byte(byteOrderMark)), canonical, findings
}

// undefined reports whether a byte has no character in Windows-1252.
func undefined(content []byte) bool {
	for _, c := range []byte{0x81, 0x8d, 0x8f, 0x90, 0x9d} {
		if bytes.IndexByte(content, c) >= 0 {
			return true
		}
	}
	return false
}

func undecided() []Finding {
	return []Finding{{Severity: SeverityError, Code: "encodingUnknown", Message: "Choose the encoding of the file."}}
}

// named returns an encoding and its usual name, or nil.
func named(name string) (encoding.Encoding, string) {
	switch strings.ToLower(name) {
	case littleName:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), littleName
	case bigName:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), bigName
	case windowsName:
		return charmap.Windows1252, windowsName
	}
	of, err := htmlindex.Get(name)
	if err != nil {
		return nil, ""
	}
	canonical, err := htmlindex.Name(of)
	if err != nil {
		return nil, ""
	}
	return of, canonical
}

// detect returns the name of the encoding that the bytes suggest.
func detect(content []byte) string {
	switch {
	case bytes.HasPrefix(content, []byte(byteOrderMark)):
		return utf8Name
	case bytes.HasPrefix(content, []byte("\xff\xfe")):
		return littleName
	case bytes.HasPrefix(content, []byte("\xfe\xff")):
		return bigName
	}
	var zeros [2]int
	for i, c := range content {
		if c == 0 {
			zeros[i%2]++
		}
	}
	const share, of = 3, 10
	switch half := len(content) / 2; {
	case zeros[1]*of > half*share:
		return littleName
	case zeros[0]*of > half*share:
		return bigName
	case utf8.Valid(content):
		return utf8Name
	}
	return windowsName
}

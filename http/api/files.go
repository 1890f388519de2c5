package api

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Download is renderShared for a file.
func (s *Kernel) Download(c *Call, contentType, name string, write func() ([]byte, error)) (Answer, error) {
	answer, err := s.RenderShared(c, contentType, write)
	if answer.Rendered != nil {
		answer.FileName = name
	}
	return answer, err
}

// longestFileName leaves room for the extension in any file system.
const longestFileName = 150 // bytes

// FileName returns a file name that is valid on every system. It keeps letters and digits of any
// script and removes path separators and misleading characters.
func FileName(name, ending string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-_., &()", r) {
			return r
		}
		return '-'
	}, name)
	for len(name) > longestFileName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	name = strings.Trim(name, ". -")
	if name == "" {
		name = "file"
	}
	return name + "." + ending
}

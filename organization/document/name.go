package document

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"equity/fault"
)

const mostName = 255

// cleanName returns the name in NFC, or a fault. Names are shown, sent in headers and written to other storages.
func cleanName(name, pointer string) (string, error) {
	name = norm.NFC.String(name)
	refuse := func(code, message string) (string, error) { return "", fault.InvalidField(pointer, code, message) }
	switch {
	case name == "":
		return refuse("required", "name is required.")
	case !utf8.ValidString(name):
		return refuse("encoding", "name must be UTF-8.")
	case utf8.RuneCountInString(name) > mostName:
		return refuse("maxLength", "name has at most 255 characters.")
	case strings.ContainsAny(name, `/\`):
		return refuse("separator", `name must not contain / or \.`)
	case strings.ContainsFunc(name, IsHidden):
		return refuse("controlCharacter", "name must not contain control characters.")
	case strings.TrimSpace(name) != name:
		return refuse("space", "name must not begin or end with a space.")
	case name == ".", name == "..":
		return refuse("reserved", "name must not be . or ..")
	default:
		return name, nil
	}
}

// AcceptableName returns the name of a file of another store with replacements for the characters that a data room does not accept.
func AcceptableName(name string) string {
	name = strings.ToValidUTF8(norm.NFC.String(name), "_")
	name = strings.Map(func(c rune) rune {
		switch {
		case c == '/', c == '\\':
			return '_'
		case IsHidden(c):
			return -1
		}
		return c
	}, name)
	name = strings.TrimSpace(name)
	if all := []rune(name); len(all) > mostName {
		extension := []rune(path.Ext(name))
		extension = extension[:min(len(extension), mostName/2)] //nolint:mnd // the rest is for the stem
		name = strings.TrimSpace(string(all[:mostName-len(extension)])) + string(extension)
	}
	if name == "" || name == "." || name == ".." {
		return "_"
	}
	return name
}

// IsHidden reports whether the character is invisible or changes the writing direction. Names of documents have none.
func IsHidden(c rune) bool {
	return unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029'
}

// fold returns the form of a name in which names are compared.
func fold(name string) string { return norm.NFC.String(cases.Fold().String(name)) }

// numbered returns the name with a number before its extension: "Plan (2).pdf". It is shortened to the limit.
func numbered(name string, number int) string {
	extension := path.Ext(name)
	stem := []rune(strings.TrimSuffix(name, extension))
	suffix := " (" + strconv.Itoa(number) + ")" + extension
	if most := mostName - utf8.RuneCountInString(suffix); len(stem) > most {
		stem = stem[:max(most, 0)]
	}
	return strings.TrimRight(string(stem), " ") + suffix
}

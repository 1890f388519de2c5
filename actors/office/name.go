package office

import (
	"slices"
	"strings"
	"unicode/utf8"

	"equity/fault"
	"equity/organization/document"
)

const (
	mostName = 255
	// refusedCharacters are refused in names, in addition to control characters.
	refusedCharacters = `"*:<>?/\|`
)

// CheckName returns a refusal of a name that the office suite does not accept for files and folders.
//
// Source: https://support.microsoft.com/office/64883a5d-228e-48f5-b3d2-eb39e07630fa.
func CheckName(name string) error {
	refuse := func(code, message string) error { return fault.InvalidField("/name", code, message) }
	lower := strings.ToLower(name)
	switch {
	case name == "":
		return refuse("required", "name is required.")
	case !utf8.ValidString(name):
		return refuse("encoding", "name must be UTF-8.")
	case units(name) > mostName:
		return refuse("maxLength", "name has at most 255 characters.")
	case strings.ContainsAny(name, refusedCharacters):
		return refuse("character", `name must not contain " * : < > ? / \ or | in the office suite.`)
	case strings.ContainsFunc(name, document.IsHidden):
		return refuse("controlCharacter", "name must not contain control characters or characters that change the writing direction.")
	case strings.TrimSpace(name) != name:
		return refuse("space", "name must not begin or end with a space.")
	case strings.HasSuffix(name, "."):
		return refuse("dot", "name must not end with a dot in the office suite.")
	case strings.HasPrefix(name, "~$"):
		return refuse("reserved", "name must not begin with ~$ in the office suite.")
	case strings.Contains(lower, "_vti_"):
		return refuse("reserved", "name must not contain _vti_ in the office suite.")
	case isReserved(lower):
		return refuse("reserved", "name is reserved in the office suite. Choose another one.")
	}
	return nil
}

// units returns the length in the units of UTF-16, which the office suite counts.
func units(name string) (n int) {
	for _, c := range name {
		n++
		if c > '\uffff' {
			n++
		}
	}
	return n
}

// isReserved reports whether the name in lower case is that of a device or of a file of the system.
func isReserved(lower string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul", ".lock", "desktop.ini"}, lower) {
		return true
	}
	digit, device := strings.CutPrefix(lower, "com")
	if !device {
		digit, device = strings.CutPrefix(lower, "lpt")
	}
	return device && len(digit) == 1 && digit >= "0" && digit <= "9"
}

package schema

import (
	"net/url"
	"strings"
	"time"
	"unicode"

	"equity/captable"
	"equity/captable/exact"
)

// format checks a text. It returns an error code and a message, or empty strings for a valid text.
type format func(text string) (code, message string)

func formatNamed(name string) format {
	return map[string]format{
		"uuid":       isID,
		"decimal":    isDecimal,
		"quantity":   isQuantity,
		"authorized": isAuthorized,
		"fraction":   isFraction,
		"rate":       isQuantity,
		"date":       isDate,
		"date-time":  isMoment,
		"known-at":   isKnownAt,
		"email":      isEmail,
		"idn-email":  isAccountEmail,
		"website":    isWebsite,
	}[name]
}

func isID(text string) (code, message string) {
	if _, err := captable.ParseID[struct{}](text); err != nil || text == "" {
		return "invalidId", "An id is a UUID such as 01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10."
	}
	return "", ""
}

func isDecimal(text string) (code, message string) {
	whole, behind, ok := exact.Figures(text)
	switch {
	case !ok:
		return "invalidDecimal", `Write the number as a decimal string such as "1250.5".`
	case whole > 19:
		return "range", "The number has more than 19 integer digits."
	case behind > exact.Places:
		return "tooPrecise", "The number has more than 10 decimal places."
	}
	return "", ""
}

func isQuantity(text string) (code, message string) {
	if code, message := isDecimal(text); code != "" {
		return code, message
	}
	if text[0] == '-' {
		return "negative", "The number must not be negative."
	}
	return "", ""
}

func isAuthorized(text string) (code, message string) {
	if text == "unlimited" {
		return "", ""
	}
	return isQuantity(text)
}

// isFraction accepts 0 to 1.
func isFraction(text string) (code, message string) {
	if code, message := isQuantity(text); code != "" {
		return code, message
	}
	whole, places, _ := strings.Cut(text, ".")
	if whole != "0" && (whole != "1" || strings.Trim(places, "0") != "") {
		return "range", `The fraction must be between "0" and "1": 20 % is "0.20".`
	}
	return "", ""
}

func isDate(text string) (code, message string) {
	_, err := exact.ParseDate(text)
	switch {
	case err != nil:
		return "invalidDate", "Write a calendar date as YYYY-MM-DD."
	case text[0] == '0':
		return "invalidDate", "The year is before 1000. Write it with four digits, such as 2024."
	}
	return "", ""
}

func isMoment(text string) (code, message string) {
	if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
		return "invalidMoment", "Write a moment as in RFC 3339, such as 2024-03-15T09:30:00Z."
	}
	return "", ""
}

func isKnownAt(text string) (code, message string) {
	const longest = 18 // any number with this many digits fits 64 bits
	if text != "" && len(text) <= longest && text[0] != '0' && strings.Trim(text, "0123456789") == "" {
		return "", ""
	}
	if _, message := isMoment(text); message != "" {
		return "invalidMoment", "Write a moment (RFC 3339) or a journal sequence number."
	}
	return "", ""
}

// IsEmail reports whether a text is an e-mail address by the rules of the contract. It also serves for addresses
// from other sources than a body.
func IsEmail(text string) bool {
	const longest = 254
	code, _ := isEmail(text)
	return code == "" && len(text) <= longest
}

// isEmail accepts a local part in ASCII, one @, and a domain of labels. Only an e-mail can verify that the address exists. Other letters
// in local parts are rarely deliverable, and some of them look like Latin ones.
func isEmail(text string) (code, message string) {
	at := strings.LastIndexByte(text, '@')
	if strings.ContainsFunc(text[:max(at, 0)], func(r rune) bool { return r > unicode.MaxASCII }) {
		return "invalidEmail", "The part before the @ must consist of ASCII characters."
	}
	return isAccountEmail(text)
}

// isAccountEmail is isEmail for addresses of accounts that may have been registered while local parts could have other letters.
func isAccountEmail(text string) (code, message string) {
	const longestLocal = 64
	const sentence = "Write an e-mail address such as ada@example.com."
	at := strings.LastIndexByte(text, '@')
	if at < 1 || at > longestLocal || strings.ContainsAny(text[:at], "@ \t\r\n<>()[],;:\\\"") ||
		strings.HasPrefix(text, ".") || strings.Contains(text, "..") || text[at-1] == '.' || strings.ContainsFunc(text, shapeless) {
		return "invalidEmail", sentence
	}
	for label := range strings.SplitSeq(text[at+1:], ".") {
		if !isLabel(label) {
			return "invalidEmail", sentence
		}
	}
	return "", ""
}

// shapeless reports whether a character is invisible, so that two addresses could look alike: spaces, control
// characters, joiners and direction marks.
func shapeless(r rune) bool { return unicode.In(r, unicode.C, unicode.Z) }

// isLabel accepts a label of a domain name in any script.
func isLabel(label string) bool {
	const longest = 63
	if label == "" || len(label) > longest || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for i := range len(label) {
		c := label[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c >= 0x80
		if !letter {
			return false
		}
	}
	return true
}

// isWebsite accepts an absolute http or https URL without a user, or the name of a host with an optional path. The empty text is no website.
func isWebsite(text string) (code, message string) {
	const sentence = "Write the address of a page, such as https://example.com."
	if text == "" {
		return "", ""
	}
	address := text
	if !strings.Contains(text, "://") {
		host, _, _ := strings.Cut(text, "/")
		if strings.ContainsAny(host, ":?#") || !strings.Contains(host, ".") {
			return "invalidWebsite", sentence
		}
		address = "https://" + text
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Hostname() == "" || parsed.User != nil ||
		strings.ContainsAny(text, "\"<>\\") || strings.ContainsFunc(text, shapeless) {
		return "invalidWebsite", sentence
	}
	return "", ""
}

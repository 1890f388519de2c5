package referral

import "strings"

// maxHostLength is the maximum length of a host name (RFC 1035).
const maxHostLength = 253

// Site returns the host of a company's website, which identifies the company: in lower case, without a leading www and
// without a path. It returns false unless the text is an http or https URL, or a bare host name, with at least one dot and no IP address.
func Site(website string) (string, bool) {
	scheme, rest, found := strings.Cut(strings.ToLower(strings.TrimSpace(website)), "://")
	if !found {
		scheme, rest = "https", scheme
	}
	if scheme != "http" && scheme != "https" {
		return "", false
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	host, port, _ := strings.Cut(rest, ":")
	host = strings.TrimSuffix(host, ".")
	if bare, www := strings.CutPrefix(host, "www."); www && isName(bare) {
		host = bare
	}
	return host, isNumber(port) && len(host) <= maxHostLength && isName(host)
}

// isNumber reports whether a text consists of digits only. It returns true for the empty text.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isName reports whether a text is a host name of at least two labels whose last label is not a number.
func isName(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || strings.ContainsAny(label, " \t\r\n_%<>\"'\\@[]()") || strings.HasPrefix(label, "-") {
			return false
		}
	}
	return len(labels) > 1 && !isNumber(labels[len(labels)-1])
}

package referral

import "strings"

// longestSite is the longest name of a host (RFC 1035).
const longestSite = 253

// Site gives the host of a company's website, by which one company is told from another: in lower case, without the www
// before it and the path behind it. It is false for what is no website: anything but http and https, an address of a machine, a name
// without a dot.
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
	return host, isNumber(port) && len(host) <= longestSite && isName(host)
}

// isNumber tells whether a text holds digits only; it may be empty.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isName tells whether a text is labels with dots between them, at least two of them, the last of which is no number.
func isName(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || strings.ContainsAny(label, " \t\r\n_%<>\"'\\@[]()") || strings.HasPrefix(label, "-") {
			return false
		}
	}
	return len(labels) > 1 && !isNumber(labels[len(labels)-1])
}

package referral

import (
	"net/netip"
	"net/url"
	"strings"
)

// longestSite is the longest name of a host (RFC 1035).
const longestSite = 253

// Site gives the host of a company's website, by which one company is told from another: in lower case, without the www
// before it and the path behind it. It is false for what is no website: anything but http and https, an address of a machine, a name
// without a dot.
func Site(website string) (string, bool) {
	website = strings.TrimSpace(website)
	if !strings.Contains(website, "://") {
		website = "https://" + website
	}
	parsed, err := url.Parse(website)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != nil {
		return "", false
	}
	host := strings.ToLower(strings.TrimSuffix(parsed.Hostname(), "."))
	if bare, www := strings.CutPrefix(host, "www."); www && isName(bare) {
		host = bare
	}
	if _, err := netip.ParseAddr(host); err == nil || len(host) > longestSite || !isName(host) {
		return "", false
	}
	return host, true
}

// isName tells whether a text is labels with dots between them, at least two of them.
func isName(host string) bool {
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if label == "" || strings.ContainsAny(label, " \t_%<>\"'\\/@:") || strings.HasPrefix(label, "-") {
			return false
		}
	}
	return len(labels) > 1
}

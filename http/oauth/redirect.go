package oauth

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"equity/messages"
)

// maxRedirectLength is the maximum length of a redirect address.
const maxRedirectLength = 2000

// checkRedirect returns the problem of a redirect address; empty for a valid one. Schemes are further private schemes that the operator permits.
func checkRedirect(address string, schemes []string) string {
	parsed, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxRedirectLength || strings.ContainsFunc(
		address, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' },
	):
		return "A redirect address is malformed."
	case !parsed.IsAbs():
		return "A redirect address must be absolute."
	case strings.Contains(address, "#"):
		return "A redirect address must not have a fragment."
	case parsed.User != nil:
		return "A redirect address must not have user information."
	}
	switch parsed.Scheme {
	case "https":
		if parsed.Hostname() == "" {
			return "A redirect address needs a host."
		}
	case "http":
		if !IsLoopback(parsed) {
			return "A redirect address with http must have a loopback host."
		}
	default:
		if !isPrivate(parsed.Scheme, schemes) {
			return "A redirect address must have the scheme https, http with a loopback host, or a private scheme: a reversed domain such as com.example.app, " +
				strings.Join(knownSchemes(), ", ") + ", or one of OAUTH_REDIRECT_SCHEMES."
		}
	}
	return ""
}

// knownSchemes are the private schemes of known clients of the Model Context Protocol, which are no reversed domains.
func knownSchemes() []string {
	return []string{"claude", "cursor", "vscode", "vscode-insiders", "windsurf", "zed"}
}

// isPrivate reports whether a scheme belongs to an installed program: a reversed domain (RFC 8252), or a known or permitted name.
func isPrivate(scheme string, permitted []string) bool {
	return regexp.MustCompile(`^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$`).MatchString(scheme) || slices.Contains(knownSchemes(), scheme) ||
		slices.Contains(permitted, scheme) && !slices.Contains(unsafeSchemes(), scheme)
}

// unsafeSchemes are schemes that browsers or systems interpret themselves. No setting permits them.
func unsafeSchemes() []string {
	return []string{
		"about", "blob", "chrome", "data", "file", "filesystem", "ftp", "http", "https", "intent", "jar", "javascript", "mailto",
		"ms-settings",
		"search-ms", "sms", "ssh", "tel", "vbscript", "view-source", "ws", "wss",
	}
}

// IsLoopback reports whether the host of an address is this computer.
func IsLoopback(address *url.URL) bool {
	host := address.Hostname()
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// permits reports whether the client registered the redirect address. The port of a loopback address may differ (RFC 8252).
func permits(client *messages.OAuthClient, address string) bool {
	if slices.Contains(client.RedirectURIs, address) {
		return true
	}
	given, ok := withoutPort(address)
	return ok && slices.ContainsFunc(client.RedirectURIs, func(one string) bool {
		known, ok := withoutPort(one)
		return ok && known == given
	})
}

// withoutPort returns a loopback address without its port; false for other addresses.
func withoutPort(address string) (string, bool) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" || !IsLoopback(parsed) || checkRedirect(address, nil) != "" {
		return "", false
	}
	host := parsed.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	parsed.Host = host
	return parsed.String(), true
}

// redirect returns the address with the parameters added.
func redirect(address string, parameters url.Values) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + parameters.Encode()
}

// formTarget returns the source of a Content-Security-Policy that permits a form to redirect to the address.
func formTarget(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if parsed.Scheme == "http" || parsed.Scheme == "https" {
		return parsed.Scheme + "://" + parsed.Host
	}
	return parsed.Scheme + ":"
}

package web

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
)

// trustedTypes permits no policy: the app assigns no markup and no address of a script from text.
const trustedTypes = "require-trusted-types-for 'script'; trusted-types 'none'"

// Policy returns the Content-Security-Policy of the app. The inline scripts and styles of its start page are permitted by their
// digests. Frame is an origin that may be shown in a frame; may be empty. Files that the app has received, such as certificates, are shown
// in frames with blob addresses. React sets style attributes through the object model, which needs no permission.
func Policy(html []byte, frame string) string {
	return strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'" + digests(html, "script"),
		"style-src 'self'" + digests(html, "style"),
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"connect-src 'self'",
		strings.TrimSuffix("frame-src 'self' blob: "+frame, " "),
		"worker-src 'self'",
		"manifest-src 'self'",
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
		trustedTypes,
	}, "; ")
}

// digests returns the sources of the inline elements of a page.
func digests(html []byte, element string) string {
	var sources strings.Builder
	inline := regexp.MustCompile(`(?is)<` + element + `\b([^>]*)>(.*?)</` + element + `\s*>`)
	source := regexp.MustCompile(`(?i)\ssrc\s*=`)
	for _, found := range inline.FindAllSubmatch(html, -1) {
		if source.Match(found[1]) {
			continue
		}
		sum := sha256.Sum256(found[2])
		sources.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return sources.String()
}

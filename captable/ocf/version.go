package ocf

import (
	"slices"
	"strings"
)

// Version is the version of the format that exports are written in: the one that
// the schemas of the format's main branch demand.
const Version = "1.2.1-alpha+main"

// samples is what the format's own sample packages give in place of a version.
const samples = "~~~ SAMPLE ~~~"

// isKnownVersion reports whether packages of this version are understood: the
// releases, what the main branch called itself after each, and the samples.
func isKnownVersion(version string) bool {
	if slices.Contains([]string{"1.0.0", "1.1.0", "1.2.0", samples}, version) {
		return true
	}
	for _, main := range []string{"1.0.1-alpha", "1.1.1-alpha", "1.2.1-alpha"} {
		rest, found := strings.CutPrefix(version, main)
		if found && (rest == "" || rest[0] == '+' || rest[0] == '.') {
			return true
		}
	}
	return false
}

package ocf

import (
	"slices"
	"strings"
)

// Version is the format version of exports, as required by the schemas of the format's main
// branch.
const Version = "1.2.1-alpha+main"

// samples is the placeholder version of the format's sample packages.
const samples = "~~~ SAMPLE ~~~"

// isKnownVersion reports whether packages of this version are supported: releases,
// development versions of the main branch, and samples.
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

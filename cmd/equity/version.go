package main

import (
	"cmp"
	"runtime"
	"runtime/debug"
)

// versionCommand is `equity version`.
type versionCommand struct{}

// Run prints the version of this binary. It never fails; the parser requires an error result.
func (versionCommand) Run(p program) error { //nolint:unparam // kong's signature
	p.say("%s", buildOf(debug.ReadBuildInfo()))
	return nil
}

// version returns the version of this binary.
func version() string { return buildOf(debug.ReadBuildInfo()).version }

// build identifies a binary. The Go command stores these facts in each binary that it builds from a repository, so a
// release needs no linker flags.
type build struct {
	version  string // the tag, otherwise the pseudo-version or the commit
	commit   string // 12 digits, with "+changed" if the working tree had uncommitted changes
	date     string // of the commit, RFC 3339 in UTC
	compiler string
	platform string
}

// String returns all facts in one line.
func (b build) String() string {
	return "equity " + b.version + " commit " + b.commit + " date " + b.date + " " + b.compiler + " " + b.platform
}

const (
	unknown      = "unknown"
	digits       = 12 // of a commit
	uncommitted  = "+changed"
	withoutStamp = "(devel)"
)

// buildOf returns the facts of a build. `go install module@version` stores the version without the commit and its date.
func buildOf(info *debug.BuildInfo, ok bool) build {
	b := build{unknown, unknown, unknown, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if !ok {
		return b
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(digits, len(s.Value))]
		case s.Key == "vcs.time":
			b.date = cmp.Or(s.Value, unknown)
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = uncommitted
		}
	}
	if revision != "" {
		b.commit = revision + changed
	}
	b.compiler = cmp.Or(info.GoVersion, b.compiler)
	switch {
	case info.Main.Version != "" && info.Main.Version != withoutStamp:
		b.version = info.Main.Version
	case revision != "":
		b.version = b.commit
	default:
		b.version = "development"
	}
	return b
}

package main

import (
	"runtime"
	"runtime/debug"
)

// versionCommand is `equity version`.
type versionCommand struct{}

// Run prints the version of this binary. It never fails; the parser requires an error result.
func (versionCommand) Run(p program) error { //nolint:unparam // kong's signature
	p.say("equity %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// version returns the module's version or, for a build from a working tree, the
// commit, with "+changed" if the tree had uncommitted changes.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

// versionOf returns the tagged version, otherwise the commit, with a mark if the tree had uncommitted
// changes.
func versionOf(info *debug.BuildInfo) string {
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changed"
		}
	}
	switch {
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	case revision != "":
		return revision + changed
	default:
		return "development"
	}
}

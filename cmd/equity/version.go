package main

import (
	"runtime"
	"runtime/debug"
)

// versionCommand is `equity version`.
type versionCommand struct{}

// Run prints what this binary was built from. It never fails; the parser wants an error.
func (versionCommand) Run(p program) error { //nolint:unparam // kong's signature
	p.say("equity %s %s %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// version is the module's version or, when built from a working tree, the
// commit, with "+changed" when the tree had changes that were not committed.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

// versionOf is the version that was tagged, else the commit, with a mark where the tree was not
// that of the commit.
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

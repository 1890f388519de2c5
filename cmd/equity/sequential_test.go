package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sequentialLine is the line of the Makefile with the packages that are tested without the race detector.
var sequentialLine = regexp.MustCompile(`(?m)^SEQUENTIAL := (.+)$`)

// sequential returns a function that reports whether the tests of a folder run without the race detector.
func sequential(t *testing.T) func(folder string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	line := sequentialLine.FindSubmatch(text)
	if line == nil {
		t.Fatal("the Makefile does not name the packages that are tested without the race detector")
	}
	patterns := strings.Fields(string(line[1]))
	return func(folder string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			root, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
			return folder == root || below && strings.HasPrefix(folder, root+"/")
		})
	}
}

// concurrentFiles returns the files of sequential packages that use goroutines or share values between them, with the reason.
func concurrentFiles() map[string]string {
	return map[string]string{
		"captable/packer.go":           "its tests run with the detector too",
		"captable/packer_test.go":      "runs with the detector too",
		"captable/ocf/package_test.go": "compiles the schemas of all tests once",
		"http/schema/check.go":         "has a pool, which the tests of http use with the detector",
		"sheet/bounds_test.go":         "measures the memory beside the only goroutine that works",
	}
}

func TestPackagesWithoutTheRaceDetectorStartNoGoroutine(t *testing.T) {
	t.Parallel()
	inPackage, exceptions, found := sequential(t), concurrentFiles(), 0
	for _, s := range sources(t) {
		if !inPackage(s.folder()) {
			continue
		}
		found++
		if exceptions[s.path] != "" {
			continue
		}
		for _, imported := range s.imports() {
			if imported == "sync" || strings.HasPrefix(imported, "sync/") || strings.HasPrefix(imported, "golang.org/x/sync") {
				t.Errorf("%s imports %s, but its tests run without the race detector", s.path, imported)
			}
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if start, ok := node.(*ast.GoStmt); ok {
				t.Errorf("%s:%d starts a goroutine, but its tests run without the race detector", s.path, s.line(start))
			}
			return true
		})
	}
	if found < 100 {
		t.Errorf("only %d files were checked", found)
	}
}

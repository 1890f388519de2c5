package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The maximum lengths of files and functions.
const (
	linesOfFile     = 400
	linesOfFunction = 70
)

func TestEveryPackageIsExplainedOnce(t *testing.T) {
	t.Parallel()
	explained := make(map[string][]string)
	for _, s := range sources(t) {
		if _, seen := explained[s.folder()]; !seen && !s.tests() {
			explained[s.folder()] = nil
		}
		if s.syntax.Doc != nil && !s.tests() {
			explained[s.folder()] = append(explained[s.folder()], s.path)
		}
	}
	for folder, files := range explained {
		if len(files) != 1 {
			t.Errorf("package %s has %d package comments instead of one: %v", folder, len(files), files)
		}
	}
}

func TestFilesAndFunctionsStayShort(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || s.generated() {
			continue
		}
		if n := strings.Count(s.text, "\n"); n > linesOfFile {
			t.Errorf("%s has %d lines, more than %d", s.path, n, linesOfFile)
		}
		for _, declaration := range s.syntax.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.files.Position(function.End()).Line - s.line(function) + 1; n > linesOfFunction {
				t.Errorf("%s:%d: %s has %d lines, more than %d", s.path, s.line(function), function.Name.Name, n, linesOfFunction)
			}
		}
	}
}

// TestNothingIsLeftForLater searches for marks of unfinished work. The words are split
// here, because this file is checked too.
func TestNothingIsLeftForLater(t *testing.T) {
	t.Parallel()
	words := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "not imple" + "mented"}
	for _, receiver := range []string{"t", "tb", "b"} {
		for _, suffix := range []string{"", "f", "Now"} {
			words = append(words, receiver+".Ski"+"p"+suffix)
		}
	}
	marks := regexp.MustCompile(`\b(` + strings.ReplaceAll(strings.Join(words, "|"), ".", `\.`) + `)\b`)
	for _, s := range sources(t) {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s.text, word) }) {
			continue // the expression is slower
		}
		for number, line := range strings.Split(s.text, "\n") {
			if mark := marks.FindString(line); mark != "" {
				t.Errorf("%s:%d contains %q: finish it or file an issue", s.path, number+1, mark)
			}
		}
	}
}

func TestNoFolderIsNamedAfterNothing(t *testing.T) {
	t.Parallel()
	nothing := regexp.MustCompile(`(^|/)(utils?|common|helpers?|misc|models?)(/|\.go$|_)`)
	for _, s := range sources(t) {
		if nothing.MatchString(s.path) {
			t.Errorf("%s: the name does not describe the content", s.path)
		}
	}
}

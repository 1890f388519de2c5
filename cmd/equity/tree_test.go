package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one Go file of the module.
type source struct {
	path   string // relative to the module's root, with slashes
	text   string
	syntax *ast.File
	files  *token.FileSet
}

// tests reports whether the file is a test file.
func (s source) tests() bool { return strings.HasSuffix(s.path, "_test.go") }

// generated reports whether the file is generated.
func (s source) generated() bool { return ast.IsGenerated(s.syntax) }

// folder returns the package's path in the module, such as "captable/ocf".
func (s source) folder() string { return path.Dir(s.path) }

// line returns the line number of a node.
func (s source) line(node ast.Node) int { return s.files.Position(node.Pos()).Line }

// imports returns the import paths of the file.
func (s source) imports() []string {
	var paths []string
	for _, spec := range s.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			paths = append(paths, imported)
		}
	}
	return paths
}

// sources returns every Go file of the module. The house rules apply to all of them.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsedSources()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d Go files were found", len(all))
	}
	return all
}

// parsedSources parses the files once for all tests.
var parsedSources = sync.OnceValues(func() ([]source, error) {
	root := filepath.Join("..", "..")
	files := token.NewFileSet()
	var all []source
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		syntax, err := parser.ParseFile(files, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		all = append(all, source{filepath.ToSlash(relative), string(text), syntax, files})
		return err
	})
	return all, err
})

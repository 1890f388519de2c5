package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestEveryExportedNameIsExplained checks the exported functions,
// types, constants, variables, and methods of exported types. One comment may document
// a group of constants.
func TestEveryExportedNameIsExplained(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || s.generated() || s.syntax.Name.Name == "main" {
			continue
		}
		for _, declaration := range s.syntax.Decls {
			for name, doc := range exported(declaration) {
				if strings.TrimSpace(doc.Text()) == "" {
					t.Errorf("%s:%d: %s is exported and has no comment", s.path, s.line(declaration), name)
				}
			}
		}
	}
}

func TestNamesWithoutCommentAreFound(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p
type A struct{}
func (a *A) B() {}
func (a *A) String() string { return "" }
func C[T any](T) {}
type d struct{}
func (d) E() {}
// F is explained.
type F int
// They are explained.
const (
	G = 1
	H = 2
)
// A comment over a group of types explains none of them.
type (
	I int
	J int // nor does one behind it
)
var K, l int
`, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, declaration := range file.Decls {
		for name, doc := range exported(declaration) {
			if doc == nil {
				found = append(found, name)
			}
		}
	}
	slices.Sort(found)
	if want := []string{"A", "B", "C", "I", "J", "K"}; !slices.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
}

// exported returns the exported names of a declaration with their doc comments.
func exported(declaration ast.Decl) map[string]*ast.CommentGroup {
	names := make(map[string]*ast.CommentGroup)
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && ast.IsExported(receiver(d)) && !wellKnown(d) {
			names[d.Name.Name] = d.Doc
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					names[spec.Name.Name] = spec.Doc // each type in a group has its own comment
					if !d.Lparen.IsValid() {
						names[spec.Name.Name] = d.Doc
					}
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						names[name.Name] = cmp.Or(spec.Doc, d.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of a method's type. For a function it returns an exported placeholder.
func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return "Function"
	}
	of := function.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// wellKnown reports whether a method implements an interface of the standard library, or that of events or commands.
func wellKnown(function *ast.FuncDecl) bool {
	switch function.Name.Name {
	case "Error", "Unwrap", "String", "Len", "Less", "Swap", "ServeHTTP", "Read", "Write", "Close",
		"Affects", "Apply", "Decide", "Result":
		return function.Recv != nil
	default:
		return false
	}
}

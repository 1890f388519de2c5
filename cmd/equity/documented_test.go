package main

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// TestEveryExportedNameIsExplained looks at what another package can reach: functions,
// types, constants, variables, and methods of exported types. One comment may stand
// over a group of constants.
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

// exported gives the exported names of a declaration with the comments over them.
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
					names[spec.Name.Name] = either(spec.Doc, d)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						names[name.Name] = either(spec.Doc, d, spec.Comment)
					}
				}
			}
		}
	}
	return names
}

// either gives the comment of the name itself, else the one over its group or behind it.
func either(own *ast.CommentGroup, group *ast.GenDecl, more ...*ast.CommentGroup) *ast.CommentGroup {
	for _, doc := range append([]*ast.CommentGroup{own, group.Doc}, more...) {
		if doc != nil && (doc == own || doc != group.Doc || group.Tok != token.TYPE || !group.Lparen.IsValid()) {
			return doc
		}
	}
	return nil
}

// receiver is the name of a method's type; that of a function passes for exported.
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

// wellKnown are methods whose meaning the standard library lays down.
func wellKnown(function *ast.FuncDecl) bool {
	switch function.Name.Name {
	case "Error", "Unwrap", "String", "Len", "Less", "Swap", "ServeHTTP", "Read", "Write", "Close":
		return function.Recv != nil
	default:
		return false
	}
}

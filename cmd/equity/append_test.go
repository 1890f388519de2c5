package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestAppendsOverwriteNothing finds appends that can overwrite elements of a slice that is still in use.
func TestAppendsOverwriteNothing(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || strings.HasSuffix(s.folder(), "test") {
			continue
		}
		for _, found := range sharedAppends(s.syntax) {
			t.Errorf(
				"%s:%d: %s may overwrite a slice that is still in use: use slices.Clip or slices.Concat", s.path, s.line(found),
				types.ExprString(found),
			)
		}
	}
}

func TestSharedAppendsAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		`later, now := list[n:], list[:n]; send(append(now, more)); use(later)`: 1,
		`later, now := list[n:], slices.Clip(list[:n]); use(later, now)`:        0,
		`for range append(list, more) {}`:                                       1,
		`for range append(slices.Clip(list), more) {}`:                          0,
		`all := append(s.list, more); use(all)`:                                 1,
		`s.list = append(s.list, more)`:                                         0,
		`use(append(list[1:], more))`:                                           1,
		`list = append(list[:0], more)`:                                         0,
	} {
		syntax, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {"+text+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		if found := sharedAppends(syntax); len(found) != want {
			t.Errorf("%s: %d findings instead of %d", text, len(found), want)
		}
	}
}

// sharedAppends returns the expressions of a file by which an append can overwrite elements of another slice: an append to a field, an element
// or a part of a slice that is not stored back, an append to a variable in a range clause, and the first part of a slice of which both parts
// are stored.
func sharedAppends(syntax *ast.File) (found []ast.Expr) {
	for _, declaration := range syntax.Decls {
		if function, is := declaration.(*ast.FuncDecl); is {
			parts := &appends{stored: map[ast.Expr]bool{}, seconds: map[string]bool{}}
			ast.Inspect(function, parts.visit)
			for _, first := range parts.firsts {
				if parts.seconds[types.ExprString(first.X)+types.ExprString(first.High)] {
					parts.found = append(parts.found, first)
				}
			}
			found = append(found, parts.found...)
		}
	}
	return found
}

// appends are the appends and the stored parts of slices of one function.
type appends struct {
	stored  map[ast.Expr]bool // appends whose result replaces their slice
	firsts  []*ast.SliceExpr  // stored first parts with a free capacity
	seconds map[string]bool   // stored second parts
	found   []ast.Expr
}

func (a *appends) visit(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) {
			for i, value := range n.Rhs {
				a.assign(n.Lhs[i], value)
			}
		}
	case *ast.RangeStmt:
		if _, is := appendedTo(n.X).(*ast.Ident); is {
			a.found = append(a.found, n.X)
		}
	case *ast.CallExpr:
		switch to := appendedTo(n).(type) {
		case *ast.SelectorExpr, *ast.IndexExpr:
			if !a.stored[n] {
				a.found = append(a.found, n)
			}
		case *ast.SliceExpr:
			if whole := to.Low == nil && to.High == nil; !a.stored[n] && !to.Slice3 && !whole && types.ExprString(to.High) != "0" {
				a.found = append(a.found, n)
			}
		}
	}
	return true
}

// assign examines one assignment.
func (a *appends) assign(to, value ast.Expr) {
	if base := appendedTo(value); base != nil {
		if part, is := base.(*ast.SliceExpr); is {
			base = part.X
		}
		a.stored[value] = types.ExprString(to) == types.ExprString(base)
	}
	part, is := value.(*ast.SliceExpr)
	switch {
	case !is || part.Slice3:
	case part.Low == nil && part.High != nil:
		a.firsts = append(a.firsts, part)
	case part.Low != nil && part.High == nil:
		a.seconds[types.ExprString(part.X)+types.ExprString(part.Low)] = true
	}
}

// appendedTo returns the slice of a call of append; nil for any other expression.
func appendedTo(e ast.Expr) ast.Expr {
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) < 2 {
		return nil
	}
	if name, is := call.Fun.(*ast.Ident); !is || name.Name != "append" {
		return nil
	}
	return call.Args[0]
}

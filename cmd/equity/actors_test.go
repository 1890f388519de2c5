package main

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// TestActorsHaveNoLock checks that the mailbox alone serializes the state of an actor. Locks are allowed in other types.
func TestActorsHaveNoLock(t *testing.T) {
	t.Parallel()
	actors, fields := map[string]bool{}, map[string][]string{}
	for _, s := range sources(t) {
		if s.tests() || !strings.HasPrefix(s.path, "actors/") {
			continue
		}
		for _, declaration := range s.syntax.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "Receive" && receiver(d) != "" {
					actors[s.folder()+"."+receiver(d)] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if declared, ok := spec.(*ast.TypeSpec); ok {
						fields[s.folder()+"."+declared.Name.Name] = locksIn(declared.Type)
					}
				}
			}
		}
	}
	if len(actors) < 3 {
		t.Errorf("found %v, fewer actors than exist", actors)
	}
	for name := range actors {
		if locks := fields[name]; len(locks) > 0 {
			t.Errorf("%s is an actor and has %v: its mailbox serializes its state", name, locks)
		}
	}
}

// locksIn lists the types of package sync in a struct.
func locksIn(declared ast.Expr) (locks []string) {
	structure, ok := declared.(*ast.StructType)
	if !ok {
		return nil
	}
	ast.Inspect(structure, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && name.Name == "sync" {
				locks = append(locks, "sync."+selector.Sel.Name)
			}
		}
		return true
	})
	return locks
}

// TestActorsRunInOneSystem checks that actors get the actor system of the program instead of starting their own.
func TestActorsRunInOneSystem(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || !strings.HasPrefix(s.path, "actors/") || s.folder() == "actors/system" {
			continue
		}
		if slices.Contains(s.imports(), module+"actors/system") || strings.Contains(s.text, "NewActorSystem(") {
			t.Errorf("%s starts an actor system: take it as an argument", s.path)
		}
	}
}

package main

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// eventSource is the declaration of an event in the source code.
type eventSource struct {
	file    string   // of the type
	methods []string // in that file
	applied bool     // it changes a state
}

// TestEveryEventIsDeclaredInOnePlace checks that the name, the records and the effect of an event follow its type, and that
// the journal can decode it. The decoders are listed in the file event.go of the package, and in any file of a room.
func TestEveryEventIsDeclaredInOnePlace(t *testing.T) {
	t.Parallel()
	folders := map[string]int{"captable": 15, "organization": 15, "organization/document": 10}
	for _, folder := range extensions() {
		folders[folder] = 1
	}
	for folder, least := range folders {
		events, decoded := eventsIn(t, folder)
		if len(events) < least {
			t.Errorf("%s has %d events, fewer than exist", folder, len(events))
		}
		for name, event := range events {
			for _, method := range []string{"eventType", "creates", "records", "apply"} {
				if !slices.ContainsFunc(event.methods, func(name string) bool { return strings.EqualFold(name, method) }) {
					t.Errorf("%s: the method %s of %s is missing beside the type", event.file, method, name)
				}
			}
			if !strings.Contains(strings.ToLower(decoded), strings.ToLower("declare("+name+"{")) && !strings.Contains(decoded, "declared["+name+"]") {
				t.Errorf("%s: %s is missing in the list of declarations", event.file, name)
			}
		}
	}
}

// eventsIn returns the events of a package by name, and the text of its list of declarations.
func eventsIn(t *testing.T, folder string) (map[string]*eventSource, string) {
	t.Helper()
	found := map[string]*eventSource{}
	var decoded strings.Builder
	event := func(name string) *eventSource {
		if found[name] == nil {
			found[name] = &eventSource{}
		}
		return found[name]
	}
	var files []source
	for _, s := range sources(t) {
		if s.folder() == folder && !s.tests() {
			files = append(files, s)
		}
	}
	for _, s := range files {
		if path.Base(s.path) == "event.go" || roomOf(folder) != "" {
			decoded.WriteString(s.text)
		}
		for _, declaration := range s.syntax.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if appliesEvent(d) {
					event(receiver(d)).applied = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if declared, ok := spec.(*ast.TypeSpec); ok {
						event(declared.Name.Name).file = s.path
					}
				}
			}
		}
	}
	for _, s := range files {
		for _, declaration := range s.syntax.Decls {
			if d, ok := declaration.(*ast.FuncDecl); ok && event(receiver(d)).file == s.path {
				event(receiver(d)).methods = append(event(receiver(d)).methods, d.Name.Name)
			}
		}
	}
	for name, one := range found {
		if !one.applied || name == "TableEvent" || name == "RoomEvent" { // the wrappers of the events of the cap table and of the data room
			delete(found, name)
		}
	}
	return found, decoded.String()
}

// appliesEvent reports whether the function is the method apply or Apply of an event: its first parameter is a pointer to the state, and its second one a stamp.
func appliesEvent(function *ast.FuncDecl) bool {
	parameters := function.Type.Params.List
	if function.Recv == nil || !strings.EqualFold(function.Name.Name, "apply") || len(parameters) != 2 {
		return false
	}
	if _, ofState := parameters[0].Type.(*ast.StarExpr); !ofState {
		return false
	}
	switch second := parameters[1].Type.(type) {
	case *ast.Ident:
		return second.Name == "Stamp"
	case *ast.SelectorExpr:
		return second.Sel.Name == "Stamp"
	default:
		return false
	}
}

package main

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "equity/"

// inward maps each root folder of the module to the folders that it may import. A new
// folder requires a decision, recorded in docs/adr.
func inward() map[string][]string {
	return map[string][]string{
		"fault":        {},
		"confine":      {},
		"egress":       {},
		"captable":     {"captable", "fault"},
		"sheet":        {"sheet", "captable"},
		"organization": {"organization", "captable", "fault"},
		"people":       {"people", "organization", "captable", "fault"},
		"messages":     {"messages", "organization", "people", "captable", "fault"},
		"account":      {"account", "messages", "organization", "people", "captable", "fault"},
		"membership":   {"membership", "messages", "organization", "people", "sheet", "captable", "fault"},
		"onboarding":   {"onboarding", "messages", "organization", "people", "sheet", "captable", "fault"},
		"config":       {"config"},
		"certificate":  {"certificate", "captable", "fault"},
		"actors":       {"actors", "egress", "messages", "organization", "people", "captable", "fault"},
		"persistence":  {"persistence", "messages", "organization", "people", "captable", "fault"},
		"hooks":        {"hooks", "confine", "messages", "organization", "people", "captable", "fault"},
		"web":          {},
		"http": {
			"http", "confine", "egress", "account", "membership", "onboarding", "certificate", "messages", "organization", "people",
			"sheet", "captable", "fault",
		},
		"app": {"app", "config", "http", "actors", "persistence", "messages", "organization", "people", "captable", "fault"},
		"features": {
			"features", "app", "egress", "config", "http", "actors", "persistence", "messages", "organization", "people", "captable", "fault",
		},
		"cmd": {
			"cmd", "features", "app", "confine", "egress", "config", "account", "membership", "onboarding", "hooks", "http", "web", "actors", "persistence",
			"messages", "organization", "people", "sheet", "captable", "fault",
		},
	}
}

func TestImportsPointInward(t *testing.T) {
	t.Parallel()
	allowed := inward()
	for _, s := range sources(t) {
		from, _, _ := strings.Cut(s.path, "/")
		if _, known := allowed[from]; !known {
			t.Errorf("%s is in a folder without a rule", s.path)
			continue
		}
		if s.tests() || strings.HasSuffix(s.folder(), "test") {
			continue // tests and their support packages may import any package, like cmd
		}
		for _, imported := range s.imports() {
			to, ours := strings.CutPrefix(imported, module)
			to, _, _ = strings.Cut(to, "/")
			if ours && !slices.Contains(allowed[from], to) {
				t.Errorf("%s imports %s: imports must point inward, and siblings must not import each other", s.path, imported)
			}
		}
	}
}

// TestSupportOfTestsIsNotShipped finds imports of packages that several packages' tests share, such as http/apitest, outside of tests. The
// fakes of cmd/providers serve the journeys of the browser; that program is not part of a release.
func TestSupportOfTestsIsNotShipped(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || strings.HasSuffix(s.folder(), "test") || s.folder() == "cmd/providers" {
			continue
		}
		for _, imported := range s.imports() {
			if strings.HasPrefix(imported, module) && strings.HasSuffix(imported, "test") {
				t.Errorf("%s imports %s: only tests may import it", s.path, imported)
			}
		}
	}
}

// TestUseCasesHaveNoTransport keeps accounts and memberships usable by the command line and by consumers.
func TestUseCasesHaveNoTransport(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		root, _, _ := strings.Cut(s.path, "/")
		if s.tests() || root != "account" && root != "membership" && root != "onboarding" {
			continue
		}
		for _, imported := range s.imports() {
			if imported == "net" || strings.HasPrefix(imported, "net/http") || imported == "database/sql" || imported == "os" {
				t.Errorf("%s imports %s: use cases have neither transport nor storage", s.path, imported)
			}
		}
	}
}

// operating returns the packages below http that have operations, which are those with a function or a method named Operations.
func operating(t *testing.T) []string {
	t.Helper()
	found := declaring(sources(t), "Operations", func(s source) bool {
		return path.Dir(s.folder()) == "http" && s.folder() != "http/api"
	})
	if len(found) < 10 {
		t.Fatalf("only %d packages have operations", len(found))
	}
	return found
}

// declaring returns the folders of the files that declare a function or a method with the name.
func declaring(all []source, name string, in func(source) bool) (folders []string) {
	for _, s := range all {
		if s.tests() || !in(s) || slices.Contains(folders, s.folder()) {
			continue
		}
		for _, declared := range s.syntax.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok && function.Name.Name == name {
				folders = append(folders, s.folder())
				break
			}
		}
	}
	return folders
}

func TestPackagesWithOperationsDoNotImportEachOther(t *testing.T) {
	t.Parallel()
	packages := operating(t)
	for _, s := range sources(t) {
		if s.tests() || !slices.Contains(append(packages, "http/api"), s.folder()) {
			continue
		}
		for _, imported := range s.imports() {
			to := strings.TrimPrefix(imported, module)
			if slices.Contains(packages, to) && to != s.folder() {
				t.Errorf("%s imports %s: a feature must not import another one, and the kernel none", s.path, imported)
			}
		}
	}
}

// roomOf returns the name of the room that the package or the import belongs to; empty for the core.
func roomOf(folder string) string {
	below, is := strings.CutPrefix(folder, "features/")
	if !is {
		return ""
	}
	name, _, _ := strings.Cut(below, "/")
	return name
}

// listsOfRooms are the only files of the core that name rooms: of the program, and of the tests of every operation.
func listsOfRooms() []string { return []string{"cmd/equity/features.go", "http/rooms_test.go"} }

// fakesOfRooms lists the fakes of their services for the journeys of the browser app, so that it names some rooms.
const fakesOfRooms = "cmd/providers/rooms.go"

// TestRoomsCanBeDeleted finds imports that would break the program without a room.
func TestRoomsCanBeDeleted(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if slices.Contains(listsOfRooms(), s.path) || s.path == fakesOfRooms {
			continue
		}
		for _, imported := range s.imports() {
			to := roomOf(strings.TrimPrefix(imported, module))
			switch {
			case to == "" || to == roomOf(s.folder()):
			case roomOf(s.folder()) == "":
				t.Errorf("%s imports %s: only %v name rooms", s.path, imported, listsOfRooms())
			default:
				t.Errorf("%s imports %s: a room imports the core, and declares an interface for another room", s.path, imported)
			}
		}
	}
}

// mostMethods is the maximum number of methods of a type in the adapters.
const mostMethods = 40

func TestTypesOfAdaptersAreSmall(t *testing.T) {
	t.Parallel()
	methods := map[string]int{}
	for _, s := range sources(t) {
		if s.tests() || pure(s) {
			continue
		}
		for _, declared := range s.syntax.Decls {
			if function, ok := declared.(*ast.FuncDecl); ok && function.Recv != nil {
				methods[s.folder()+"."+receiver(function)]++
			}
		}
	}
	for name, count := range methods {
		if count > mostMethods {
			t.Errorf("%s has %d methods: divide it into types with at most %d", name, count, mostMethods)
		}
	}
}

// pure reports whether a file is in the domain, which gets clock, ids and randomness as arguments. The same events
// must always produce the same state on any machine. The domain includes the packages of rooms with a part of the aggregate.
func pure(s source) bool {
	root, _, _ := strings.Cut(s.path, "/")
	domain := slices.Contains([]string{"fault", "captable", "sheet", "organization", "people"}, root)
	return (domain || slices.Contains(extensions(), s.folder())) && !s.tests()
}

// extensions are the packages of rooms with a function Extension, the part of the aggregate.
var extensions = sync.OnceValue(func() []string {
	all, err := parsedSources()
	if err != nil {
		return nil // reported by the tests of the sources
	}
	return declaring(all, "Extension", func(s source) bool { return roomOf(s.folder()) != "" })
})

// TestExtensionsAreSubpackages keeps the rules of a room apart from its handlers and stores, so that they can be checked.
func TestExtensionsAreSubpackages(t *testing.T) {
	t.Parallel()
	for _, folder := range extensions() {
		if path.Dir(path.Dir(folder)) != "features" {
			t.Errorf("%s has the extension of a room: move it into features/ROOM/NOUN", folder)
		}
	}
}

func TestDomainIsPure(t *testing.T) {
	t.Parallel()
	outside := []string{"os", "net", "log", "database", "syscall", "math/rand", "crypto/rand", "time/tzdata", "unsafe"}
	for _, s := range sources(t) {
		if !pure(s) {
			continue
		}
		for _, imported := range s.imports() {
			for _, world := range outside {
				if imported == world || strings.HasPrefix(imported, world+"/") {
					t.Errorf("%s imports %s: the domain must be pure", s.path, imported)
				}
			}
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				t.Errorf("%s:%d starts a goroutine: the domain is sequential", s.path, s.line(node))
			case *ast.SelectorExpr:
				if name, ok := node.X.(*ast.Ident); ok && name.Name == "time" && readsClock(node.Sel.Name) {
					t.Errorf("%s:%d reads the clock: pass the time as an argument", s.path, s.line(node))
				}
			case *ast.Ident:
				if node.Name == "float32" || node.Name == "float64" {
					t.Errorf("%s:%d has a %s: numbers are exact", s.path, s.line(node), node.Name)
				}
			}
			return true
		})
	}
}

func readsClock(function string) bool {
	return slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}, function)
}

// TestOnlyTheWiringReadsTheEnvironment keeps settings in one place: packages
// get settings as arguments of their constructors.
func TestOnlyTheWiringReadsTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || strings.HasPrefix(s.path, "cmd/") || strings.HasSuffix(s.folder(), "test") {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name, ok := selector.X.(*ast.Ident)
			if ok && name.Name == "os" && slices.Contains([]string{"Getenv", "LookupEnv", "Environ"}, selector.Sel.Name) {
				t.Errorf("%s:%d reads the environment: make it a setting in config", s.path, s.line(node))
			}
			return true
		})
	}
}

// TestClientsOfServicesFollowNoRedirect finds clients that are not made by the package egress. The clients of minio, the store of documents,
// follow none either.
func TestClientsOfServicesFollowNoRedirect(t *testing.T) {
	t.Parallel()
	own := []string{"DefaultClient", "Get", "Head", "Post", "PostForm"}
	for _, s := range sources(t) {
		if s.tests() || s.folder() == "egress" || strings.HasSuffix(s.folder(), "test") || !slices.Contains(s.imports(), "net/http") {
			continue
		}
		http := func(node ast.Node) string {
			if selector, is := node.(*ast.SelectorExpr); is {
				if name, is := selector.X.(*ast.Ident); is && name.Name == "http" {
					return selector.Sel.Name
				}
			}
			return ""
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			name := http(node)
			switch node := node.(type) {
			case *ast.CompositeLit:
				if http(node.Type) == "Client" {
					name = "DefaultClient"
				}
			case *ast.ValueSpec:
				if http(node.Type) == "Client" {
					name = "DefaultClient"
				}
			case *ast.CallExpr:
				if function, is := node.Fun.(*ast.Ident); is && function.Name == "new" && len(node.Args) == 1 && http(node.Args[0]) == "Client" {
					name = "DefaultClient"
				}
			}
			if slices.Contains(own, name) {
				t.Errorf("%s:%d makes a client: use egress.NewClient, which follows no redirect", s.path, s.line(node))
			}
			return true
		})
	}
}

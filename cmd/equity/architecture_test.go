package main

import (
	"go/ast"
	"slices"
	"strings"
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
		"cmd": {
			"cmd", "confine", "egress", "config", "account", "membership", "onboarding", "hooks", "http", "web", "actors", "persistence",
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

// features are the packages below http that do not import each other.
func features() []string {
	return []string{
		"http/account", "http/admin", "http/chat", "http/equity", "http/hook", "http/integration", "http/live", "http/member",
		"http/people",
	}
}

func TestFeaturesDoNotImportEachOther(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t) {
		if s.tests() || !slices.Contains(append(features(), "http/api"), s.folder()) {
			continue
		}
		for _, imported := range s.imports() {
			to := strings.TrimPrefix(imported, module)
			if slices.Contains(features(), to) && to != s.folder() {
				t.Errorf("%s imports %s: a feature must not import another one, and the kernel none", s.path, imported)
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
// must always produce the same state on any machine.
func pure(s source) bool {
	root, _, _ := strings.Cut(s.path, "/")
	return slices.Contains([]string{"fault", "captable", "sheet", "organization", "people"}, root) && !s.tests()
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

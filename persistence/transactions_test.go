package persistence_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestTransactionsOfSeveralRoundTripsLockNoSharedRow compares the uses of Transact with those that were examined. A transaction of Transact waits for
// its client between two statements, so that a client that is cut off holds its rows for half of the store timeout. If others wait for such a
// row, use together, which sends all statements with the commit.
func TestTransactionsOfSeveralRoundTripsLockNoSharedRow(t *testing.T) {
	t.Parallel()
	const (
		person      = "rows of one account"
		share       = "rows of one share, for one address"
		owner       = "rows of one organization that only its owner changes"
		maintenance = "the operator runs it, or the first start of a version"
		onlySQLite  = "SQLite, which has one process"
	)
	examined := map[string]string{
		"Conversations.Append": person, "Conversations.Delete": person, "Steps.Supersede": person,
		"Users.ChangePassword": person, "Users.Disable": person, "Users.SetSiteAdmin": person, "Users.NoteDevice": person,
		"Users.SendTemporaryPassword": person, "Users.UseTemporaryPassword": person, "Users.UseMagicLink": person,
		"Users.ConfirmRegistration": person, "Users.TakeOver": person, "Users.LinkIdentity": person,
		"TwoFactors.Enable": person, "TwoFactors.Renew": person, "TwoFactors.Disable": person,
		"OAuth.Consent": person, "OAuth.issue": person, "Hooks.AddToken": "a new row",
		"Documents.SendCode": share, "Documents.Visit": share,
		"Journal.SaveSnapshot": owner, "Database.unpack": owner,
		"Journal.Rebuild": maintenance, "Secrets.storeRotated": maintenance, "Secrets.addRowKey": maintenance,
		"Database.together": onlySQLite,
	}
	found := map[string]bool{}
	entries, err := os.ReadDir(".")
	must(t, err)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, 0)
		must(t, err)
		for _, declaration := range file.Decls {
			function, is := declaration.(*ast.FuncDecl)
			if !is || function.Recv == nil {
				continue
			}
			receiver := function.Recv.List[0].Type
			if pointer, is := receiver.(*ast.StarExpr); is {
				receiver = pointer.X
			}
			name := fmt.Sprint(receiver) + "." + function.Name.Name
			ast.Inspect(function, func(node ast.Node) bool {
				if selected, is := node.(*ast.SelectorExpr); is && selected.Sel.Name == "Transact" {
					found[name] = true
				}
				return true
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if examined[name] == "" {
			t.Errorf("%s uses Transact and is not examined", name)
		}
		delete(examined, name)
	}
	for _, name := range slices.Sorted(maps.Keys(examined)) {
		t.Errorf("%s does not use Transact", name)
	}
}

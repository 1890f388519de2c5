package persistence_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/pressly/goose/v3"

	"equity/persistence"
	"equity/persistence/storetest"
)

// A database may have been migrated to a later version by a build without an earlier
// step, because the branch with that step was merged later.
func TestLateMergedStepIsApplied(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := persistence.Open(t.Context(), factory(t))
			must(t, err)
			storetest.Cleanup(t, func() { must(t, db.Close()) })
			early := []string{"00001_journal.sql", "00002_people.sql", "00003_session.sql", "00005_wallet.sql", "00006_credit.sql"}
			all := stepsOf(t, db, early)
			applied, err := db.Migrate(t.Context())
			if must(t, err); applied != all-len(early) {
				t.Errorf("%d steps applied, of %d with %d applied before", applied, all, len(early))
			}
			must(t, persistence.NewUsers(db).Create(t.Context(), newUser("ada@example.org")))
			account, err := persistence.NewUsers(db).ByEmail(t.Context(), "ada@example.org") // reads columns of the late step
			if must(t, err); account.MustChangePassword || !account.TwoFactorAt.IsZero() {
				t.Errorf("%+v", account)
			}
			if again, err := db.Migrate(t.Context()); err != nil || again != 0 {
				t.Errorf("%d more steps: %v", again, err)
			}
		})
	}
}

// stepsOf applies only the named steps and returns the number of all steps.
func stepsOf(t *testing.T, db *persistence.Database, names []string) (all int) {
	t.Helper()
	files, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	taken := fstest.MapFS{}
	for _, file := range files {
		if name := filepath.Base(file); slices.Contains(names, name) {
			text, err := os.ReadFile(file)
			must(t, err)
			taken[name] = &fstest.MapFile{Data: text}
		}
	}
	dialect := goose.DialectSQLite3
	if db.Engine() == persistence.PostgreSQL {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, db.Writer().DB, taken, goose.WithDisableGlobalRegistry(true))
	must(t, err)
	applied, err := provider.Up(t.Context())
	if must(t, err); len(applied) != len(names) {
		t.Fatalf("%d steps", len(applied))
	}
	return len(files)
}

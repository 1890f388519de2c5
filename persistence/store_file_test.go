package persistence_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// exchanges are the ways in which a database file is lost under a running server. Each returns the repair, or nil.
func exchanges() map[string]func(t *testing.T, path string) (undo func()) {
	return map[string]func(t *testing.T, path string) func(){
		"deleted": func(t *testing.T, path string) func() {
			t.Helper()
			must(t, os.Remove(path))
			return nil
		},
		"replaced": func(t *testing.T, path string) func() {
			t.Helper()
			must(t, os.WriteFile(path+".new", nil, 0o600))
			must(t, os.Rename(path+".new", path))
			return nil
		},
		"moved": func(t *testing.T, path string) func() {
			t.Helper()
			must(t, os.Rename(path, path+".old"))
			return func() { must(t, os.Rename(path+".old", path)) }
		},
		"moved with its folder": func(t *testing.T, path string) func() {
			t.Helper()
			folder := filepath.Dir(path)
			must(t, os.Rename(folder, folder+".old"))
			return func() { must(t, os.Rename(folder+".old", folder)) }
		},
		"left without its log": func(t *testing.T, path string) func() {
			t.Helper()
			must(t, os.Rename(path+"-wal", path+".log"))
			return func() { must(t, os.Rename(path+".log", path+"-wal")) }
		},
	}
}

func TestExchangedFileRefusesWrites(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // an open file can be neither deleted nor moved
	}
	for name, exchange := range exchanges() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "data", "equity.db")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			db := storetest.Open(t, "sqlite://"+path)
			journal, w, users := storetest.OpenJournal(t, db), storetest.NewWriter(), persistence.NewUsers(db)
			storetest.MustPut(t, journal, w.Next(`{}`))
			must(t, db.InPlace())
			storetest.Rows(t, journal, w.ID, 0, 0)
			batch := w.Next(`{}`)
			undo := exchange(t, path)
			if err := db.InPlace(); !errors.Is(err, persistence.ErrExchanged) || !strings.Contains(err.Error(), path) {
				t.Errorf("the check: %v", err)
			}
			if err := put(journal, batch); !errors.Is(err, persistence.ErrExchanged) || !errors.Is(err, messages.ErrNotStored) {
				t.Errorf("an append: %v", err)
			}
			if err := users.Create(t.Context(), newUser("ada@example.com")); !errors.Is(err, persistence.ErrExchanged) {
				t.Errorf("a transaction: %v", err)
			}
			if err := persistence.NewBlocklist(db).Block(t.Context(), "x@example.com", storetest.Epoch()); !errors.Is(err, persistence.ErrExchanged) {
				t.Errorf("a statement: %v", err)
			}
			if _, err := persistence.NewConsumers(db).Claim(t.Context(), storetest.Epoch(), 1, 1); !errors.Is(err, persistence.ErrExchanged) {
				t.Errorf("a statement with rows: %v", err)
			}
			if rows := storetest.Rows(t, journal, w.ID, 0, 0); len(rows) != 1 {
				t.Errorf("%d rows are read", len(rows))
			}
			if undo != nil {
				undo()
				must(t, put(journal, batch))
			}
		})
	}
}

// TestExchangeIsVisibleToOtherProcesses asks without the Database, as `equity doctor` does.
func TestExchangeIsVisibleToOtherProcesses(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		return // other systems have no lock that is independent of SQLite's
	}
	for name, exchange := range exchanges() {
		if name == "moved with its folder" || name == "left without its log" {
			continue // the lock beside the name is moved too; the log has no lock
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "equity.db")
			db := storetest.Open(t, "sqlite://"+path)
			for _, step := range []struct {
				claim string
				do    func()
				want  bool
			}{
				{"without an owner", func() {}, false},
				{"with an owner", func() { must(t, db.Lock()) }, false},
				{"after the exchange", func() { exchange(t, path) }, true},
				{"after the end of the owner", func() { must(t, db.Close()) }, false},
			} {
				step.do()
				if got, err := persistence.Exchanged(path); err != nil || got != step.want {
					t.Errorf("%s: %t, %v", step.claim, got, err)
				}
			}
		})
	}
}

func TestFileHasOneOwnerUnderAllItsNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		return // other systems have no lock that is independent of SQLite's
	}
	first, other := filepath.Join(t.TempDir(), "equity.db"), filepath.Join(t.TempDir(), "link.db")
	db := storetest.Open(t, first)
	must(t, db.Lock())
	must(t, os.Link(first, other))
	if _, err := persistence.Open(t.Context(), other); !errors.Is(err, persistence.ErrLocked) {
		t.Errorf("an opening by a hard link: %v", err)
	}
	if _, err := persistence.LockFile(other); !errors.Is(err, persistence.ErrLocked) {
		t.Errorf("a restore by a hard link: %v", err)
	}
	must(t, db.Close())
	release, err := persistence.LockFile(other)
	must(t, err)
	must(t, release())
}

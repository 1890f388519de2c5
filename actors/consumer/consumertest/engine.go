package consumertest

import (
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

// Engines runs the test in parallel on each engine.
func Engines(t *testing.T, run func(t *testing.T, open func(t *testing.T) Store)) {
	t.Helper()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, func(t *testing.T) Store {
				t.Helper()
				return Open(t, factory(t))
			})
		})
	}
}

// Open returns a store on the database with the address.
func Open(t *testing.T, address string) Store {
	t.Helper()
	db := storetest.Open(t, address)
	return Store{
		Journal: storetest.OpenJournal(t, db), Cursors: persistence.NewConsumers(db), Database: db,
		Reopen: func(t *testing.T) Store {
			t.Helper()
			return Open(t, address)
		},
	}
}

package storetest

import (
	"testing"

	"equity/persistence"
)

// store is a journal on a fresh store.
type store struct {
	address string
	db      *persistence.Database
	journal *persistence.Journal
}

func setup(t *testing.T, factory Factory) store {
	t.Helper()
	address := factory(t)
	db := Open(t, address)
	return store{address: address, db: db, journal: OpenJournal(t, db)}
}

// another opens a second journal on the same store, like another server.
func (s store) another(t *testing.T) *persistence.Journal {
	t.Helper()
	return OpenJournal(t, Open(t, s.address))
}

// claim is a guarantee of the journal and its test.
type claim struct {
	name  string
	prove func(t *testing.T, s store)
}

// Journal tests the guarantees of persistence.Journal on stores of the factory.
func Journal(t *testing.T, factory Factory) {
	t.Helper()
	var claims []claim
	claims = append(claims, appendClaims()...)
	claims = append(claims, bulkClaims()...)
	claims = append(claims, packClaims()...)
	claims = append(claims, fenceClaims()...)
	claims = append(claims, indexClaims()...)
	claims = append(claims, readClaims()...)
	claims = append(claims, snapshotClaims()...)
	for _, c := range claims {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.prove(t, setup(t, factory))
		})
	}
}

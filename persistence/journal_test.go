package persistence_test

import (
	"testing"

	"equity/persistence/storetest"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Journal(t, factory)
		})
	}
}

package persistence_test

import (
	"errors"
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/people/profile"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestProfiles(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		profiles, entity := persistence.NewProfiles(db), storetest.NewID[captable.Entity]()
		if got, err := profiles.ByEntity(t.Context(), entity); err != nil || got.Version != 0 || got.Entity != entity {
			t.Fatalf("at first: %+v %v", got, err)
		}
		phone := func(number string) func(profile.Particulars) (profile.Particulars, error) {
			return func(p profile.Particulars) (profile.Particulars, error) {
				p.Phone = number
				return p, nil
			}
		}
		none, first := uint64(0), uint64(1)
		_, err := profiles.Amend(t.Context(), entity, &none, storetest.Epoch(), phone("1"))
		must(t, err)
		_, err = profiles.Amend(t.Context(), entity, &none, storetest.Epoch(), phone("2"))
		refused(t, err, fault.Stale)
		_, err = profiles.Amend(t.Context(), entity, &first, storetest.Epoch(), phone("3"))
		must(t, err)
		no := errors.New("no")
		_, err = profiles.Amend(t.Context(), entity, nil, storetest.Epoch(), func(p profile.Particulars) (profile.Particulars, error) { return p, no })
		got, found := profiles.ByEntity(t.Context(), entity)
		if !errors.Is(err, no) || found != nil || got.Particulars.Phone != "3" || got.Version != 2 {
			t.Fatalf("%v: %+v %v", err, got, found)
		}
	})
}

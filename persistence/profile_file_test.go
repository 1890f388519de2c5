package persistence_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

func newProfileFile(entity captable.EntityID, hash string) messages.ProfileFile {
	at := captable.InstantOf(storetest.Epoch())
	return messages.ProfileFile{Entity: entity, File: document.File{
		ID: storetest.NewID[document.File](), CreatedBy: "ada", Meta: captable.Meta{CreatedAt: at, UpdatedAt: at},
		Content: document.Content{Name: "me.png", MediaType: "image/png", Size: 3, SHA256: hash, Scan: document.ScanClean},
	}}
}

func TestProfileFiles(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		files, profiles, entity := persistence.NewProfileFiles(db), persistence.NewProfiles(db), storetest.NewID[captable.Entity]()
		photo, paper, foreign := newProfileFile(entity, "aa"), newProfileFile(entity, "bb"), newProfileFile(storetest.NewID[captable.Entity](), "aa")
		for file, isPhoto := range map[messages.ProfileFile]bool{photo: true, paper: false, foreign: false} {
			_, _, err := files.Add(t.Context(), messages.Once{}, file, isPhoto)
			must(t, err)
		}
		if got, err := files.ByID(t.Context(), photo.ID); err != nil || got != photo {
			t.Errorf("%+v, want %+v: %v", got, photo, err)
		}
		if owner, err := files.EntityOf(t.Context(), photo.ID); err != nil || owner != entity {
			t.Errorf("%v %v", owner, err)
		}
		if own, err := files.Of(t.Context(), entity); err != nil || len(own) != 2 {
			t.Errorf("%+v %v", own, err)
		}
		if all, err := files.All(t.Context()); err != nil || len(all) != 3 {
			t.Errorf("%+v %v", all, err)
		}
		for hash, want := range map[string]bool{"aa": true, "bb": true, "cc": false} {
			if named, err := files.Names(t.Context(), entity, hash); err != nil || named != want {
				t.Errorf("%s: %v %v", hash, named, err)
			}
		}
		for file, want := range map[messages.ProfileFile]bool{photo: true, paper: false, foreign: false} {
			if is, err := files.IsPhoto(t.Context(), file); err != nil || is != want {
				t.Errorf("%v %v", is, err)
			}
		}
		later := storetest.Epoch().Add(time.Hour)
		must(t, files.Remove(t.Context(), photo, later))
		refused(t, files.Remove(t.Context(), photo, later), fault.NotFound)
		if got, err := profiles.ByEntity(t.Context(), entity); err != nil || got.Particulars.Photo != "" || got.Version != 2 || !got.UpdatedAt.Equal(later) {
			t.Errorf("%+v %v", got, err)
		}
		_, err := files.ByID(t.Context(), photo.ID)
		refused(t, err, fault.NotFound)
	})
}

func TestProfileHasAtMostAHundredFiles(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		files, entity := persistence.NewProfileFiles(db), storetest.NewID[captable.Entity]()
		for range 100 {
			_, _, err := files.Add(t.Context(), messages.Once{}, newProfileFile(entity, "aa"), false)
			must(t, err)
		}
		_, _, err := files.Add(t.Context(), messages.Once{}, newProfileFile(entity, "aa"), false)
		refused(t, err, fault.Conflict)
	})
}

func TestFullProfileAdmitsOnlyRepetitions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		files, entity := persistence.NewProfileFiles(db), storetest.NewID[captable.Entity]()
		last := messages.Once{Key: "last", Fingerprint: "last", At: storetest.Epoch()}
		for range 99 {
			_, _, err := files.Add(t.Context(), messages.Once{}, newProfileFile(entity, "aa"), false)
			must(t, err)
		}
		must(t, files.Admits(t.Context(), last, entity))
		_, _, err := files.Add(t.Context(), last, newProfileFile(entity, "aa"), false)
		must(t, err)
		must(t, files.Admits(t.Context(), last, entity))
		refused(t, files.Admits(t.Context(), messages.Once{}, entity), fault.Conflict)
		refused(t, files.Admits(t.Context(), messages.Once{Key: "next"}, entity), fault.Conflict)
		must(t, files.Admits(t.Context(), messages.Once{}, storetest.NewID[captable.Entity]()))
	})
}

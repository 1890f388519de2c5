package persistence_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

// reading returns the reading with the number.
func reading(number byte, at time.Time) messages.DocumentView {
	return messages.DocumentView{
		ID: [16]byte{15: number}, Document: document.ItemID{9}, At: at, User: organization.UserID{1}, Version: 1, Kind: "view", Bytes: 10,
	}
}

// ids returns the last bytes of the ids of the readings.
func ids(views []messages.DocumentView) string {
	var text strings.Builder
	for _, view := range views {
		fmt.Fprint(&text, view.ID[15], " ")
	}
	return text.String()
}

func TestReadingsWithinAnIntervalAreOne(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, at := persistence.NewDocuments(db), organization.ID{7}, storetest.Epoch().Truncate(time.Hour)
		must(t, store.RecordView(t.Context(), id, reading(1, at)))
		must(t, store.RecordView(t.Context(), id, reading(2, at.Add(9*time.Minute))))
		shared := reading(3, at)
		shared.User, shared.Share, shared.Email = organization.UserID{}, document.ShareID{2}, "a@b.example"
		must(t, store.RecordView(t.Context(), id, shared))
		must(t, store.RecordView(t.Context(), id, reading(4, at.Add(10*time.Minute))))
		views, err := store.Views(t.Context(), id, document.ItemID{9}, [16]byte{}, 10)
		if err != nil || ids(views) != "4 3 1 " || views[2].Bytes != 20 || views[1].Email != "a@b.example" || !views[0].At.Equal(at.Add(10*time.Minute)) {
			t.Errorf("%+v %v", views, err)
		}
		views, err = store.Views(t.Context(), id, document.ItemID{9}, [16]byte{15: 3}, 10)
		if err != nil || ids(views) != "1 " {
			t.Errorf("%+v %v", views, err)
		}
		if views, err = store.Views(t.Context(), organization.ID{8}, document.ItemID{9}, [16]byte{}, 10); err != nil || len(views) != 0 {
			t.Errorf("another organization: %+v %v", views, err)
		}
	})
}

func TestReadingsAreKept400Days(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		const day = 24 * time.Hour
		store, id, at := persistence.NewDocuments(db), organization.ID{7}, storetest.Epoch()
		must(t, store.RecordView(t.Context(), id, reading(1, at)))
		must(t, store.Sweep(t.Context(), at.Add(399*day)))
		if views, err := store.Views(t.Context(), id, document.ItemID{9}, [16]byte{}, 10); err != nil || len(views) != 1 {
			t.Errorf("%+v %v", views, err)
		}
		must(t, store.Sweep(t.Context(), at.Add(400*day)))
		if views, err := store.Views(t.Context(), id, document.ItemID{9}, [16]byte{}, 10); err != nil || len(views) != 0 {
			t.Errorf("%+v %v", views, err)
		}
	})
}

// send stores the code of a share for 10 minutes.
func send(t *testing.T, store *persistence.Documents, share document.ShareID, code string) {
	t.Helper()
	at := storetest.Epoch()
	mail := messages.Mail{ID: share, To: "a@b.example", Subject: "Code", Text: code, CreatedAt: at}
	mail.ID[0] = code[0]
	must(t, store.SendCode(t.Context(), share, code, at.Add(10*time.Minute), mail))
}

func TestCodeOfAShareOpensOneVisit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, share, at := persistence.NewDocuments(db), document.ShareID{3}, storetest.Epoch()
		visit := func(share document.ShareID, code, token string, at time.Time) bool {
			valid, err := store.Visit(t.Context(), share, code, 5, at, token, at.Add(time.Hour))
			must(t, err)
			return valid
		}
		send(t, store, share, "111111")
		send(t, store, share, "222222")
		if visit(share, "111111", "first", at) || visit(document.ShareID{4}, "222222", "first", at) || visit(
			share, "222222", "first", at.Add(10*time.Minute),
		) {
			t.Error("an earlier, foreign or expired code was accepted")
		}
		if !visit(share, "222222", "first", at) || visit(share, "222222", "second", at) {
			t.Error("the code was refused, or accepted twice")
		}
		for token, want := range map[string]bool{"first": true, "second": false} {
			if visited, err := store.Visited(t.Context(), share, token, at); err != nil || visited != want {
				t.Errorf("%s: %v %v", token, visited, err)
			}
		}
		if visited, err := store.Visited(t.Context(), share, "first", at.Add(time.Hour)); err != nil || visited {
			t.Errorf("an expired visit: %v %v", visited, err)
		}
	})
}

func TestCodeOfAShareIsRefusedAfterFiveAttempts(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, share, at := persistence.NewDocuments(db), document.ShareID{3}, storetest.Epoch()
		send(t, store, share, "111111")
		for range 5 {
			if valid, err := store.Visit(t.Context(), share, "999999", 5, at, "token", at.Add(time.Hour)); err != nil || valid {
				t.Fatalf("%v %v", valid, err)
			}
		}
		if valid, err := store.Visit(t.Context(), share, "111111", 5, at, "token", at.Add(time.Hour)); err != nil || valid {
			t.Errorf("%v %v", valid, err)
		}
	})
}

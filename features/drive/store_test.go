package drive_test

import (
	"bytes"
	"testing"
	"time"

	"equity/features/drive"
	"equity/features/drive/connection"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTokenOfADriveBelongsToItsConnection(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		_, err := persistence.OpenSecrets(t.Context(), db, []byte("a configured secret key"), storetest.Epoch)
		must(t, err)
		store, id, now := drive.NewStore(db), organization.ID{1}, storetest.Epoch()
		first := drive.Account{Connection: connection.ID{2}, Organization: id, Email: "fay@drive.example", Token: []byte("a token")}
		other := drive.Account{Connection: connection.ID{3}, Organization: id, Token: []byte("another")}
		must(t, store.SetAccount(t.Context(), first, now))
		must(t, store.SetAccount(t.Context(), other, now))
		_, err = db.Writer().ExecContext(t.Context(), `UPDATE drive_account SET token = (SELECT token FROM drive_account WHERE connection = $1)
			WHERE connection = $2`, first.Connection[:], other.Connection[:])
		must(t, err)
		accounts, err := store.Accounts(t.Context(), id)
		must(t, err)
		for _, account := range accounts {
			if isFirst := account.Connection == first.Connection; bytes.Equal(account.Token, first.Token) != isFirst || account.Refused == isFirst {
				t.Errorf("%+v", account)
			}
		}
		must(t, store.EraseAccount(t.Context(), first.Connection))
		must(t, store.RenewToken(t.Context(), id, first.Connection, []byte("late")))
		if accounts, err := store.Accounts(t.Context(), id); err != nil || len(accounts) != 1 {
			t.Errorf("%+v %v", accounts, err)
		}
	})
}

func TestLatestOpenRequestOfTheUserApplies(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, user, now := drive.NewStore(db), organization.ID{1}, organization.UserID{2}, storetest.Epoch()
		for i, nonce := range []string{"first", "second"} {
			at := now.Add(time.Duration(i) * time.Minute)
			must(t, store.AddRequest(t.Context(), drive.Request{
				Nonce: nonce, Organization: id, User: user, Verifier: "of " + nonce, CreatedAt: at, ExpiresAt: at.Add(10 * time.Minute),
			}))
		}
		for nonce, want := range map[string]string{"": "of second", "first": "of first", "other": ""} {
			if got, found, err := store.Request(
				t.Context(), id, user, nonce, now.Add(time.Minute),
			); err != nil || got.Verifier != want || found != (want != "") {
				t.Errorf("%q: %+v %v %v", nonce, got, found, err)
			}
		}
		if _, found, err := store.Request(t.Context(), id, organization.UserID{3}, "first", now); err != nil || found {
			t.Errorf("another user: %v %v", found, err)
		}
		if _, found, err := store.Request(t.Context(), id, user, "first", now.Add(10*time.Minute)); err != nil || found {
			t.Errorf("an expired request: %v %v", found, err)
		}
	})
}

func TestConfigurationHasOneOpenRun(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, config, now := drive.NewStore(db), organization.ID{1}, connection.SyncID{2}, storetest.Epoch()
		run := drive.Run{ID: [16]byte{3}, Organization: id, Configuration: config, Status: drive.RunRunning, TriggeredAt: now}
		_, err := store.Trigger(t.Context(), run)
		must(t, err)
		next := run
		next.ID = [16]byte{4}
		if joined, err := store.Trigger(t.Context(), next); err != nil || joined.ID != run.ID {
			t.Errorf("%+v %v", joined, err)
		}
		run.Status, run.ResumeAt = drive.RunPartial, now.Add(time.Hour)
		if saved, err := store.SaveRun(t.Context(), &run, nil, nil); err != nil || !saved {
			t.Fatalf("%v %v", saved, err)
		}
		if joined, err := store.Trigger(t.Context(), next); err != nil || joined.ID != run.ID || !joined.ResumeAt.IsZero() || joined.Status != drive.RunRunning {
			t.Errorf("an interrupted run: %+v %v", joined, err)
		}
	})
}

func TestCancelledRunStoresNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		store, id, config, now := drive.NewStore(db), organization.ID{1}, connection.SyncID{2}, storetest.Epoch()
		run := drive.Run{ID: [16]byte{3}, Organization: id, Configuration: config, Status: drive.RunRunning, TriggeredAt: now}
		_, err := store.Trigger(t.Context(), run)
		must(t, err)
		must(t, store.Forget(t.Context(), id, config, now))
		file := drive.CopiedFile{ExternalID: "f1", Document: document.ItemID{5}}
		saved, err := store.SaveRun(t.Context(), &run, []drive.CopiedFile{file}, &drive.SyncState{Configuration: config, PageToken: "7"})
		if err != nil || saved {
			t.Errorf("%v %v", saved, err)
		}
		files, err := store.Files(t.Context(), config, []string{"f1"})
		must(t, err)
		syncs, err := store.Syncs(t.Context(), id)
		must(t, err)
		if got, _, err := store.Run(t.Context(), run.ID); err != nil || got.Status != drive.RunCancelled || len(files) != 0 || len(syncs) != 0 {
			t.Errorf("%+v %v %v %v", got, files, syncs, err)
		}
	})
}

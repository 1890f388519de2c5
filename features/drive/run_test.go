package drive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/fault"
	"equity/features/drive"
	"equity/features/drive/connection"
	"equity/features/drive/drivetest"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// fill puts files into folders of the folder, and returns the number of files.
func (b *bundle) fill(folder string, folders, files int) int {
	b.Helper()
	for i := range folders {
		inner := b.drive.Folder(folder, "Folder "+strconv.Itoa(i))
		for j := range files {
			b.drive.Put(inner, "File "+strconv.Itoa(j)+".txt", "text/plain", strconv.Itoa(i)+" "+strconv.Itoa(j))
		}
	}
	return folders * files
}

func TestTenThousandFilesArriveOnceDespiteRefusals(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	files := b.fill(folder, 40, 250)
	b.drive.Break(drivetest.Faults{RateEvery: 10, Page: 100})
	b.counts(b.sync(), drive.RunSucceeded, int64(files), int64(files), 0, 0, 0)
	if got := len(b.list()); got != files {
		t.Errorf("%d documents", got)
	}
	if got := b.drive.Calls("served"); got != files {
		t.Errorf("%d downloads", got)
	}
}

// until waits for a condition that the program reaches by itself, while the clock moves.
func (b *bundle) until(claim string, reached func() bool) {
	b.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			status, err := persistence.NewConsumers(b.db).Status(context.Background(), b.id)
			b.Fatalf("%s: not reached; %+v, %v\n%s", claim, status, err, b.log)
		}
		b.pass(time.Second)
		select { // polls other goroutines, which have no event to wait for
		case <-b.Context().Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// history returns the runs of the organization, the latest first.
func (b *bundle) history() []drive.Run {
	b.Helper()
	runs, err := b.engine.History(context.Background(), b.id, connection.SyncID{})
	if err != nil {
		b.Fatal(err)
	}
	return runs
}

func TestRefusedRunIsPartialAndContinues(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	files := b.fill(folder, 3, 60)
	pauses := 0
	b.paused = func() { pauses++ }
	refusals := 0
	b.crash = func() bool { // begins to refuse all calls after the first stored files
		if refusals++; refusals == 4 {
			b.drive.Break(drivetest.Faults{RateEvery: 1})
		}
		return false
	}
	run := b.sync()
	if run.Status != drive.RunPartial || run.Error != "rateLimited" || run.Added == 0 || run.Added == int64(files) || pauses != 5 {
		t.Fatalf("%+v after %d pauses", run, pauses)
	}
	b.drive.Break(drivetest.Faults{})
	b.until("the end of the run", func() bool { return b.history()[0].Status == drive.RunSucceeded })
	b.counts(b.history()[0], drive.RunSucceeded, int64(files), int64(files), 0, 0, 0)
	if len(b.history()) != 1 || b.drive.Calls("served") != files || len(b.list()) != files {
		t.Errorf("%d runs, %d downloads, %d documents", len(b.history()), b.drive.Calls("served"), len(b.list()))
	}
}

func TestPausesGrowAndObeyTheDrive(t *testing.T) {
	t.Parallel()
	b, _ := setup(t)
	b.drive.Break(drivetest.Faults{RateEvery: 1, TooMany: true})
	last := b.now()
	var pauses []time.Duration
	b.paused = func() {
		pauses = append(pauses, b.now().Sub(last).Truncate(time.Second))
		last = b.now()
	}
	b.sync()
	least := []time.Duration{6 * time.Second, 6 * time.Second, 6 * time.Second, 8 * time.Second, 16 * time.Second}
	for i := range least {
		if len(pauses) != len(least) || pauses[i] < least[i] || pauses[i] > 65*time.Second {
			t.Fatalf("%v", pauses)
		}
	}
}

func TestCrashDuringARunAddsNoDocumentTwice(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		files := b.fill(folder, 3, 60)
		calls := 0
		b.crash = func() bool { // between the effects and their progress
			calls++
			return calls%3 == 2
		}
		if _, _, err := b.engine.Sync(b.Context(), b.view(), b.config); err != nil {
			b.Fatal(err)
		}
		b.until("the end of the run", func() bool { return b.history()[0].Status == drive.RunSucceeded })
		tree := b.view().State.Documents()
		seen := map[string]bool{}
		for _, path := range b.list() {
			external := b.at(path).Source.ExternalID
			if seen[external] || len(tree.Copies(external)) != 1 {
				b.Errorf("%s was added twice", path)
			}
			seen[external] = true
		}
		if len(seen) != files || len(b.history()) != 1 {
			b.Errorf("%d documents, %d runs", len(seen), len(b.history()))
		}
		b.counts(b.history()[0], drive.RunSucceeded, int64(files), int64(files), 0, 0, 0)
	})
}

func TestCrashBeforeThePageTokenIsHarmless(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		b.drive.Put(folder, "Plan.txt", "text/plain", "first")
		b.sync()
		b.drive.Put(folder, "Plan.txt", "text/plain", "second")
		crashed := false
		b.crash = func() bool { // the transaction that would store the new token
			runs, err := b.syncs.OpenRuns(context.Background(), b.id)
			if err != nil || crashed || len(b.at("/Drive/Board/Plan.txt").Versions) == 1 || len(runs) == 0 {
				return false
			}
			crashed = true
			return true
		}
		if _, _, err := b.engine.Sync(b.Context(), b.view(), b.config); err != nil {
			b.Fatal(err)
		}
		b.until("the end of the run", func() bool { return b.history()[0].Status == drive.RunSucceeded })
		if versions := b.at("/Drive/Board/Plan.txt").Versions; len(versions) != 2 || !crashed {
			b.Errorf("%d versions, crashed %v", len(versions), crashed)
		}
	})
}

func TestScheduleIsKept(t *testing.T) {
	t.Parallel()
	b, folder := setup(t, func(b *bundle, o *drive.Options) { b.every, o.Settings.Every = time.Hour, time.Hour })
	b.until("a schedule", func() bool {
		syncs, err := b.syncs.Syncs(context.Background(), b.id)
		return err == nil && !syncs[b.config].NextAt.IsZero()
	})
	syncs, err := b.syncs.Syncs(t.Context(), b.id)
	if err != nil {
		t.Fatal(err)
	}
	if wait := syncs[b.config].NextAt.Sub(b.now()); wait < 50*time.Minute || wait > 67*time.Minute {
		t.Errorf("the first run is in %s", wait)
	}
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	for number := range 3 {
		b.pass(66 * time.Minute)
		b.until("the run", func() bool { return len(b.history()) > number && b.history()[0].Status == drive.RunSucceeded })
	}
	if len(b.list()) != 1 {
		t.Errorf("%v", b.list())
	}
}

func TestDisabledConfigurationIsNotScheduled(t *testing.T) {
	t.Parallel()
	b, _ := setup(t)
	b.do(connection.ChangeSync{ID: b.config, Patch: []byte(`{"syncEnabled":false}`)})
	runs, running, err := b.engine.Sync(t.Context(), b.view(), connection.SyncID{})
	if err != nil || running || len(runs) != 0 {
		t.Errorf("%+v %v %v", runs, running, err)
	}
}

func TestRevokedAccessNeedsANewConnection(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
		first := b.sync()
		b.drive.RevokeAll()
		b.drive.Put(folder, "Next.txt", "text/plain", "next")
		if run := b.sync(); run.Status != drive.RunFailed || run.Error != "reconnectNeeded" {
			b.Errorf("%+v", run)
		}
		status, connected, err := b.engine.Status(b.Context(), b.view())
		if err != nil || !connected || !status.Account.Refused || status.Account.Email != "fay@drive.example" || status.Account.Token != nil {
			b.Errorf("%+v %v %v", status, connected, err)
		}
		if !status.Syncs[b.config].LastSyncAt.Equal(first.CompletedAt.Truncate(time.Microsecond)) {
			b.Errorf("the last synchronization was at %s", status.Syncs[b.config].LastSyncAt)
		}
		if _, _, err := b.engine.Folders(b.Context(), b.view(), drive.FolderQuery{}); !fault.Is(err, connection.CodeReconnectNeeded) {
			b.Errorf("%v", err)
		}
		before, _ := connection.Of(b.view().State).Connection()
		if again := b.connect(); again.Connection != before.ID {
			b.Error("the connection changed")
		}
		b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
	})
}

func TestExpiredTokenIsRenewedDuringTheRun(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	b.drive.ExpireAccess()
	b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
	tokens := b.drive.Calls("token")
	b.sync()
	if b.drive.Calls("token") != tokens {
		t.Error("the renewed token was not stored")
	}
}

func TestEndOfTheConnectionKeepsTheDocuments(t *testing.T) {
	t.Parallel()
	each(t, func(b *bundle, folder string) {
		b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
		b.sync()
		present, _ := connection.Of(b.view().State).Connection()
		b.do(connection.Disconnect{})
		b.engine.Release(b.Context(), b.id, present.ID)
		if b.drive.Valid() != 0 || len(b.list()) != 1 {
			b.Errorf("%d tokens are valid; documents: %v", b.drive.Valid(), b.list())
		}
		for _, table := range []string{"drive_account", "drive_request", "drive_file", "drive_sync"} {
			var rows int
			if err := b.db.Reader().QueryRowContext(b.Context(), "SELECT COUNT(*) FROM "+table).Scan(&rows); err != nil || rows != 0 {
				b.Errorf("%s has %d rows: %v", table, rows, err)
			}
		}
		if _, _, err := b.engine.Sync(b.Context(), b.view(), b.config); !fault.Is(err, connection.CodeNotConnected) {
			b.Errorf("%v", err)
		}
		b.connect()
		b.counts(b.sync(), drive.RunSucceeded, 1, 0, 0, 0, 0)
		if got := b.list(); len(got) != 1 {
			b.Errorf("after the next connection: %v", got)
		}
	})
}

func TestConsumerRevokesTheTokenOfAnEndedConnection(t *testing.T) {
	t.Parallel()
	b, _ := setup(t)
	b.do(connection.Disconnect{}) // and a crash of the server that received the request
	b.until("the end of the access", func() bool { return b.drive.Valid() == 0 })
	b.until("the erasure", func() bool {
		accounts, err := drive.NewStore(b.db).Accounts(context.Background(), b.id)
		return err == nil && len(accounts) == 0
	})
}

func TestCodeOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	b := unconnected(t, storetest.SQLite(t))
	foreign, foreignState := b.permit()
	fay := b.user
	b.user = organization.UserID{7}
	_, state := b.permit()
	for name, test := range map[string]struct {
		user        organization.UserID
		code, state string
		want        fault.Code
	}{
		"a code with the state of another user": {b.user, foreign, foreignState, connection.CodeNoAuthorization},
		"a code with the own state":             {b.user, foreign, state, connection.CodeInvalidCode},
		"a code without a state":                {b.user, foreign, "", connection.CodeInvalidCode},
		"a changed state":                       {fay, foreign, foreignState + "x", connection.CodeNoAuthorization},
		"a user without a request":              {organization.UserID{8}, foreign, "", connection.CodeNoAuthorization},
	} {
		if _, err := b.engine.Authorize(t.Context(), b.view(), test.user, test.code, test.state); !fault.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRequestEndsAfterTenMinutes(t *testing.T) {
	t.Parallel()
	for _, given := range []bool{false, true} {
		b := unconnected(t, storetest.SQLite(t))
		code, state := b.permit()
		if !given {
			state = ""
		}
		b.pass(10*time.Minute + time.Second)
		if _, err := b.engine.Authorize(t.Context(), b.view(), b.user, code, state); !fault.Is(err, connection.CodeNoAuthorization) {
			t.Errorf("%v", err)
		}
	}
}

func TestTokensAreInNoLogAndNoPageOfTheDatabase(t *testing.T) {
	t.Parallel()
	path := storetest.SQLite(t)
	b := unconnected(t, path, func(b *bundle, _ *drive.Options) {
		if _, err := persistence.OpenSecrets(context.Background(), b.db, bytes.Repeat([]byte("s"), 32), b.now); err != nil {
			t.Fatal(err)
		}
	})
	b.connect()
	b.config = b.configure(connection.SyncTerms{DriveFolderID: drivetest.Root, TargetDataRoomPath: "/", SyncEnabled: true})
	b.drive.Put(drivetest.Root, "Plan.txt", "text/plain", "the plan")
	b.counts(b.sync(), drive.RunSucceeded, 1, 1, 0, 0, 0)
	code, _ := b.permit()
	accounts, err := drive.NewStore(b.db).Accounts(t.Context(), b.id)
	if err != nil || len(accounts) != 1 {
		t.Fatal(err)
	}
	request, found, err := drive.NewStore(b.db).Request(t.Context(), b.id, b.user, "", b.now())
	if err != nil || !found {
		t.Fatal(err)
	}
	b.drive.Break(drivetest.Faults{Unauthorized: true})
	b.sync()
	var token drive.Token
	if err := json.Unmarshal(accounts[0].Token, &token); err != nil || token.Refresh == "" || token.Access == "" {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(strings.TrimPrefix(path, "sqlite://") + "*")
	if err != nil || len(pages) == 0 {
		t.Fatal(err)
	}
	texts := []string{b.log.String()}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	all := strings.Join(texts, "")
	if !strings.Contains(all, "Plan.txt") {
		t.Fatal("the pages are not those of the database")
	}
	for _, secret := range []string{token.Access, token.Refresh, request.Verifier, code} {
		if strings.Contains(all, secret) {
			t.Error("a secret is readable")
		}
	}
}

func TestSecondCallJoinsTheRun(t *testing.T) {
	t.Parallel()
	b, folder := setup(t)
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	release := b.drive.Hold()
	first := make(chan [16]byte, 2)
	for range 2 {
		go func() {
			runs, _, err := b.engine.Sync(context.WithoutCancel(t.Context()), b.view(), b.config)
			if err != nil || len(runs) != 1 {
				t.Errorf("%v", errors.Join(err))
				runs = make([]drive.Run, 1)
			}
			first <- runs[0].ID
		}()
	}
	b.until("two requests", func() bool { return b.triggers.Load() == 2 })
	release()
	if one, other := <-first, <-first; one != other || len(b.history()) != 1 {
		t.Errorf("%d runs", len(b.history()))
	}
}

func TestPatienceEndsBeforeALongRun(t *testing.T) {
	t.Parallel()
	b, folder := setup(t, func(_ *bundle, o *drive.Options) { o.Settings.Patience = time.Millisecond })
	b.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	release := b.drive.Hold()
	runs, running, err := b.engine.Sync(t.Context(), b.view(), b.config)
	if err != nil || !running || len(runs) != 1 || runs[0].Status != drive.RunRunning {
		t.Errorf("%+v %v %v", runs, running, err)
	}
	release()
	b.until("the end of the run", func() bool { return b.history()[0].Status == drive.RunSucceeded })
}

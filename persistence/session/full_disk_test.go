package session_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// fullDisk is a pool that refuses to extend sessions.
type fullDisk struct{ *persistence.Pool }

var errFull = errors.New("database or disk is full")

func (d fullDisk) ExecContext(ctx context.Context, statement string, arguments ...any) (sql.Result, error) {
	if strings.HasPrefix(statement, "UPDATE") {
		return nil, errFull
	}
	return d.Pool.ExecContext(ctx, statement, arguments...)
}

func TestSessionThatCannotBeExtendedReadsUntilItsExpiry(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		for _, exclusive := range []bool{false, true} {
			clock := &manualClock{now: time.Now()}
			store, err := session.NewSQL(db.Reader(), fullDisk{db.Writer()}, session.Options{
				Keys: [][]byte{make([]byte, 32)}, Clock: clock.Now, Random: rand.Reader, Exclusive: exclusive, Idle: time.Hour,
			})
			if err != nil {
				t.Fatal(err)
			}
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			made, err := store.Create(httptest.NewRecorder(), request, messages.SignIn{User: storetest.NewID[organization.User]()})
			if err != nil {
				t.Fatal(err)
			}
			request.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
			for _, step := range []struct {
				age  time.Duration
				want bool
			}{{30 * time.Minute, true}, {59 * time.Minute, true}, {61 * time.Minute, false}} {
				clock.pass(step.age - clock.Now().Sub(made.CreatedAt))
				if found, ok, err := store.Load(request); ok != step.want || err != nil || ok && (found.User != made.User || !found.VerifiedAt.IsZero()) {
					t.Errorf("exclusive %t: after %s: %t %+v %v", exclusive, step.age, ok, found.VerifiedAt, err)
				}
			}
		}
	})
}

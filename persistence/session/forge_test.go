package session_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"equity/messages"
	"equity/organization"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// writable is a store with the access of a writer of its rows, who knows no key.
type writable struct {
	*session.Store
	// rows returns the values by their keys. write replaces the value of a key.
	rows  func(t *testing.T) map[string]string
	write func(t *testing.T, key, value string)
}

func writableOnRedis(t *testing.T) writable {
	t.Helper()
	address, prefix := storetest.Redis(t)
	pool := session.NewPool(address, 2*time.Second)
	storetest.Cleanup(t, func() { _ = pool.Close() })
	store, err := session.NewRedis(pool, prefix, options())
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = store.Close() })
	return writable{
		Store: store,
		rows: func(t *testing.T) map[string]string {
			t.Helper()
			found := map[string]string{}
			each(t, pool, prefix, func(conn redis.Conn, key string) {
				if !strings.Contains(key, "user:") {
					found[key], _ = redis.String(conn.Do("GET", key))
				}
			})
			return found
		},
		write: func(t *testing.T, key, value string) {
			t.Helper()
			conn := pool.Get()
			defer func() { _ = conn.Close() }()
			if _, err := conn.Do("SET", key, value, "EX", 600); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func writableOnSQL(t *testing.T, address string) writable {
	t.Helper()
	db := storetest.Open(t, address)
	store, err := session.NewSQL(db.Reader(), db.Writer(), options())
	if err != nil {
		t.Fatal(err)
	}
	return writable{
		Store: store,
		rows: func(t *testing.T) map[string]string {
			t.Helper()
			rows, err := db.Reader().QueryContext(t.Context(), `SELECT id_hash, data FROM session`)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			found := map[string]string{}
			for rows.Next() {
				var key, value string
				if err := rows.Scan(&key, &value); err != nil {
					t.Fatal(err)
				}
				found[key] = value
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			return found
		},
		write: func(t *testing.T, key, value string) {
			t.Helper()
			if _, err := db.Writer().ExecContext(t.Context(), `UPDATE session SET data = $2 WHERE id_hash = $1`, []byte(key), value); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// entered returns a session, its request and its row.
func (w writable) entered(t *testing.T, user organization.UserID) (made messages.Session, r *http.Request, key, value string) {
	t.Helper()
	before := w.rows(t)
	r = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	made, err := w.Create(httptest.NewRecorder(), r, messages.SignIn{User: user})
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: "connect.sid", Value: made.Token})
	for key, value := range w.rows(t) {
		if _, known := before[key]; !known {
			return made, r, key, value
		}
	}
	t.Fatal("no row")
	return made, r, "", ""
}

func TestWriterOfTheStoreMakesNoSession(t *testing.T) {
	t.Parallel()
	stores := map[string]func(t *testing.T) writable{"redis": writableOnRedis}
	for name, factory := range storetest.Engines() {
		stores[name] = func(t *testing.T) writable { t.Helper(); return writableOnSQL(t, factory(t)) }
	}
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			victim, thief := storetest.NewID[organization.User](), storetest.NewID[organization.User]()
			_, _, _, theirs := w.entered(t, victim)
			made, r, key, own := w.entered(t, thief)
			id, _, _ := strings.Cut(made.Token, ".")
			if strings.Contains(key, id) || strings.Contains(own, id) {
				t.Error("the store contains the identifier of the cookie")
			}
			body := own[strings.IndexByte(own, '{'):]
			for claim, forged := range map[string]string{
				"the value of another session": theirs,
				"another user":                 strings.Replace(own, thief.String(), victim.String(), 1),
				"another right":                strings.Replace(own, `"siteAdmin":false`, `"siteAdmin":true`, 1),
				"a value without signature":    strings.Replace(body, thief.String(), victim.String(), 1),
				"a signature of another value": theirs[:strings.IndexByte(theirs, '{')] + body,
				"a later creation":             strings.Replace(own, `"createdAt":"2`, `"createdAt":"3`, 1),
				"no value":                     "",
			} {
				if forged == own {
					t.Fatalf("%s: the value has not changed: %s", claim, own)
				}
				w.write(t, key, forged)
				eventually(t, claim+" is a session", func() bool {
					_, found, err := w.Load(r)
					return err == nil && !found
				})
				if list, err := w.List(t.Context(), victim); err != nil || len(list) != 1 {
					t.Errorf("%s: the victim has %d sessions, %v", claim, len(list), err)
				}
				if opened, err := w.Get(r.Clone(t.Context()), "connect.sid"); err == nil && !opened.IsNew {
					t.Errorf("%s: gorilla reads a session", claim)
				}
			}
			w.write(t, key, own)
			eventually(t, "the own value is no session", func() bool {
				found, ok, err := w.Load(r)
				return err == nil && ok && found.User == thief && !found.SiteAdmin
			})
		})
	}
}

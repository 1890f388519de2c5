package properties_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/ocf"
	"equity/confine"
	"equity/confine/confinetest"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/http/unpack"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// TestMain lets the test program be the child of its servers.
func TestMain(m *testing.M) { confinetest.Main(m, packageWork()) }

func packageWork() confine.Work { return unpack.Work(ocf.DefaultLimits().Bytes) }

// lifetime is the maximum age of sessions. It is long because the clock of a history covers
// years.
const lifetime = 100 * 365 * 24 * time.Hour

// engine is a server on one store. All histories of a test share it.
type engine struct {
	db      *persistence.Database
	journal *persistence.Journal
	users   *persistence.Users
	// cached has a response cache, uncached computes every answer. Both serve the same
	// organizations.
	cached, uncached *equityhttp.Server
	running          *running
	clock            *clock
	log              *slog.Logger
	worlds           atomic.Uint32
}

// clock is the clock of the server. It does not advance between commands.
type clock struct{ now atomic.Int64 }

func (c *clock) Now() time.Time    { return time.UnixMicro(c.now.Load()).UTC() }
func (c *clock) set(now time.Time) { c.now.Store(now.UnixMicro()) }

// running holds the organizations of the server, which a restart replaces.
type running struct {
	current atomic.Pointer[actors.Organizations]
}

func (r *running) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	return r.current.Load().Do(ctx, command)
}

func (r *running) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	return r.current.Load().View(ctx, id)
}

func (r *running) ViewAt(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error) {
	return r.current.Load().ViewAt(ctx, id, sequence)
}

func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

// newEngine starts a server on the store.
func newEngine(tb testing.TB, store string) *engine {
	tb.Helper()
	e := &engine{db: storetest.Open(tb, store), clock: &clock{}, running: &running{}, log: slog.New(slog.DiscardHandler)}
	e.clock.set(time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC))
	e.users, e.journal = persistence.NewUsers(e.db), storetest.OpenJournal(tb, e.db)
	e.running.current.Store(e.organizations())
	storetest.Cleanup(tb, func() { e.stop(tb) })
	settings, services := e.parts(tb)
	e.cached = newServer(tb, settings, services)
	settings.RenderedBytes = 1
	e.uncached = newServer(tb, settings, services)
	return e
}

// organizations starts the actors. Snapshots are frequent, so that most histories have several.
// Idle organizations are passivated as soon as the clock has advanced.
func (e *engine) organizations() *actors.Organizations {
	return actors.NewOrganizations(system.New(e.log), e.journal, actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: 20 * time.Millisecond, SnapshotEvery: 7, RememberKeys: 24 * time.Hour, Patience: time.Minute,
		Now: e.clock.Now, NewID: newID,
	}, e.log)
}

func (e *engine) stop(tb testing.TB) {
	tb.Helper()
	if err := e.running.current.Load().Stop(context.Background()); err != nil {
		tb.Errorf("stop: %v", err)
	}
}

// restart stops the organizations and loads them again from the journal.
func (e *engine) restart(tb testing.TB) {
	tb.Helper()
	e.stop(tb)
	e.running.current.Store(e.organizations())
}

func (e *engine) parts(tb testing.TB) (equityhttp.Settings, equityhttp.Services) {
	tb.Helper()
	secrets, err := persistence.OpenSecrets(context.Background(), e.db, bytes.Repeat([]byte("s"), 32), e.clock.Now)
	if err != nil {
		tb.Fatal(err)
	}
	sessions, err := session.NewSQL(e.db.Reader(), e.db.Writer(), session.Options{
		Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}, Clock: e.clock.Now, Random: rand.Reader, Idle: lifetime, Absolute: lifetime,
	})
	if err != nil {
		tb.Fatal(err)
	}
	referrals := persistence.NewReferrals(e.db)
	settings := equityhttp.Settings{
		PublicURL: "https://equity.example.com", RegistrationIPLimit: 3, EmailVerificationLimit: time.Hour,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, PasswordHashingParallel: 2, SessionMaxAge: lifetime,
		Queue: equityhttp.QueueSettings{Parallel: 1024, Wait: time.Minute}, TagKey: []byte("one key for both servers"), ExportsParallel: 8,
		QueryTime: time.Minute,
		Features: apitest.SwitchOff(tb, map[string]bool{
			api.FeatureDiagnostic: true, api.FeatureBilling: false, api.FeatureAgent: false, api.FeatureHooks: false,
		}),
	}
	services := equityhttp.Services{
		Schema: organization.NewSchema(), Organizations: e.running, Index: e.journal, Journal: e.journal, Sessions: sessions,
		Accounts: e.users, Passwords: e.users,
		TwoFactors: persistence.NewTwoFactors(e.db, secrets), Identities: e.users, Throttle: persistence.NewThrottle(e.db, e.clock.Now),
		People: equityhttp.PeopleStores{
			Wallets: persistence.NewWallets(e.db), Credit: persistence.NewCredit(e.db), Referrals: referrals, Waitlist: referrals,
			Profiles: persistence.NewProfiles(e.db), Administration: e.users, Blocklist: persistence.NewBlocklist(e.db), Erasure: e.users,
		},
		Packages: confinetest.Runner(packageWork()), Replace: apitest.Unserved(tb), Log: e.log, Now: e.clock.Now, NewID: newID, Random: rand.Reader,
	}
	return settings, services
}

func newServer(tb testing.TB, settings equityhttp.Settings, services equityhttp.Services) *equityhttp.Server {
	tb.Helper()
	server, err := equityhttp.NewServer(settings, services)
	if err != nil {
		tb.Fatal(err)
	}
	return server
}

// user is an account with a session.
type user struct {
	*engine
	cookie  string
	address string
}

// user creates an account and signs it in from a network address of its own.
func (e *engine) user() *user {
	n := e.worlds.Add(1)
	u := &user{engine: e, address: netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)}).String()}
	email := fmt.Sprintf("owner%d@example.com", n)
	const password = "a quiet harbour at dusk"
	hash, err := argon2id.CreateHash(password, &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err == nil {
		err = e.users.Create(context.Background(), messages.User{
			ID: organization.UserID(newID()), Entity: captable.EntityID(newID()), Email: email, Username: "owner", FirstName: "Ada",
			LastName:     "Lovelace",
			PasswordHash: hash, EmailVerifiedAt: e.clock.Now(), CreatedAt: e.clock.Now(),
		})
	}
	if err != nil {
		failf("account: %v", err)
	}
	if got := u.send(e.cached, "POST", "/v1/user/login", "application/json", `{"email":"`+email+`","password":"`+password+`"}`); got.status != 200 {
		failf("sign in: %d %s", got.status, got.body)
	}
	return u
}

// answer is a response of the server.
type answer struct {
	status int
	body   string
}

// send sends a request to the server.
func (u *user) send(server *equityhttp.Server, method, path, kind, body string) answer {
	r := httptest.NewRequest(method, path, bytes.NewBufferString(body))
	r.RemoteAddr = u.address + ":4321"
	if body != "" {
		r.Header.Set("Content-Type", kind)
	}
	if u.cookie != "" {
		r.Header.Set("Cookie", u.cookie)
	}
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.Name == "connect.sid" && cookie.MaxAge >= 0 {
			u.cookie = cookie.Name + "=" + cookie.Value
		}
	}
	return answer{w.Code, w.Body.String()}
}

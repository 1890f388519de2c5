package http_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"equity/actors"
	actorbilling "equity/actors/billing"
	"equity/actors/billing/stripetest"
	"equity/actors/consumer"
	"equity/actors/drive/drivetest"
	actorhook "equity/actors/hook"
	"equity/actors/office/officetest"
	"equity/actors/system"
	"equity/captable"
	"equity/confine/confinetest"
	equityhttp "equity/http"
	"equity/http/api"
	httpchat "equity/http/chat"
	"equity/http/live"
	"equity/http/member"
	"equity/http/tables"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/session"
	"equity/persistence/storetest"
)

// bundle is a complete server with its own stores, and the parts that tests inspect.
type bundle struct {
	server   *equityhttp.Server
	db       *persistence.Database
	users    *persistence.Users
	journal  *persistence.Journal
	metrics  *prometheus.Registry
	log      *buffer
	clock    *clock
	contract *contract
	sessions equityhttp.Sessions
	secrets  *secrets
	// limits are those of the smallest plan. Tests set them before the first request.
	limits  organization.PlanLimits
	stripe  *stripetest.Server
	courier *actorbilling.Courier
	live    *live.Hub
	objects *blob.Folder
	drive   *drivetest.Drive
	intake  *actorhook.Intake
	office  *officetest.Server
	grants  equityhttp.AccessTokens

	organizations *actors.Organizations
}

// buffer is a log with concurrent reads and writes.
type buffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (b *buffer) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(text)
}

func (b *buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}

// clock is a clock that only tests advance.
type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

// frontend is the allowed foreign origin.
const frontend = "https://app.example.com"

// setup starts a server on SQLite. Changes modify its settings and services before the start.
func setup(tb testing.TB, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *bundle {
	tb.Helper()
	return setupOn(tb, storetest.SQLite(tb), changes...)
}

// setupOn is the variant of setup for the store at the given address.
func setupOn(tb testing.TB, store string, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *bundle {
	tb.Helper()
	return setupWith(tb, store, scripted, changes...)
}

// chatMaker returns the services of team chat with their consumers.
type chatMaker func(b *bundle, log *slog.Logger, organizations func() *actors.Organizations) (httpchat.Services, []consumer.Consumer)

// setupWith is the variant of setupOn with a chat server.
func setupWith(tb testing.TB, store string, chats chatMaker, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *bundle {
	tb.Helper()
	b := &bundle{
		db: storetest.Open(tb, store), metrics: prometheus.NewRegistry(), log: &buffer{}, secrets: &secrets{},
		clock: &clock{now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)},
	}
	b.users, b.journal = persistence.NewUsers(b.db), storetest.OpenJournal(tb, b.db)
	log := slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var organizations *actors.Organizations
	chatting, followers := chats(b, log, func() *actors.Organizations { return organizations })
	b.objects = newObjects(tb)
	synchronizer, drives := newDrives(tb, b, log, func() *actors.Organizations { return organizations })
	executor, hooked := newHooks(tb, b, log, func() *actors.Organizations { return organizations })
	followers = append(followers, synchronizer, executor)
	consumers, integrations, billings := newIntegrations(tb, b, log, func() *actors.Organizations { return organizations }, followers...)
	organizations = actors.NewOrganizations(system.New(log), b.journal, actors.Settings{
		PassivateAfter: time.Hour, MostLive: manyLive, SnapshotEvery: 1000, RememberKeys: 24 * time.Hour, Patience: 30 * time.Second,
		Now: b.clock.Now, NewID: newID, Consumers: consumers, StartLimits: func() organization.PlanLimits { return b.limits },
		StorageLimit: storageLimit,
		Published:    func(p messages.Published) { b.live.Publish(p) }, Hooks: b.intake, Tools: newToolSettings(b),
	}, log)
	storetest.Cleanup(tb, func() {
		if b.live != nil { // the setup may have failed before
			if err := b.live.Close(context.Background()); err != nil {
				tb.Errorf("close the streams: %v", err)
			}
		}
		if err := organizations.Stop(context.Background()); err != nil {
			tb.Errorf("stop: %v", err)
		}
	})
	settings := equityhttp.Settings{
		PublicURL: "https://equity.example.com", FrontendOrigin: frontend, RegistrationIPLimit: 3,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, EmailVerificationLimit: 30 * time.Minute,
		PasswordHashingParallel: 2, PasswordCost: cheap(), SessionMaxAge: 7 * 24 * time.Hour,
		Features: allFeatures(), GatewayToken: gatewayToken,
		Queue:   equityhttp.QueueSettings{Parallel: 1024, Wait: time.Minute}, // long enough for a busy machine
		Imports: member.ImportSettings{Directory: b.objects.Incoming()},
	}
	services := equityhttp.Services{
		Schema: organization.NewSchema(), Organizations: organizations, Index: b.journal, Stakes: b.journal, Journal: b.journal,
		Sessions: newSessions(tb, b), Tokens: persistence.NewAPITokens(b.db), AccessTokens: persistence.NewOAuth(b.db), Accounts: b.users,
		Passwords:  b.users,
		TwoFactors: persistence.NewTwoFactors(b.db, newSecrets(tb, b)),
		Identities: b.users,
		Throttle:   persistence.NewThrottle(b.db, b.clock.Now), People: personalStores(b.db), Log: log, Metrics: b.metrics,
		Now: b.clock.Now, NewID: newID, Random: rand.Reader, Contract: compiled(tb), Integrations: integrations, Billing: billings, Chat: chatting,
		Documents: roomServices(tb, b), Drive: drives, Hooks: hooked, Certificates: newCertificates(b.objects, b.clock.Now, log),
		Assistant: newAssistant(b, organizations, log), Onboarding: newOnboarding(tb, b, log), App: newApp(tb),
		Tables: tables.NewReader(confinetest.Runner(tables.Work())), Packages: confinetest.Runner(packageWork()),
	}
	services.ToolChanges, _ = services.Assistant.Changes.(equityhttp.ToolChanges)
	for _, change := range changes {
		change(&settings, &services)
	}
	if services.Live == nil {
		services.Live = newHub(&services, live.Settings{})
	}
	b.live = services.Live
	server, err := equityhttp.NewServer(settings, services)
	if err != nil {
		tb.Fatal(err)
	}
	b.keepsSecrets(tb)
	b.organizations = organizations
	storetest.Cleanup(tb, func() { b.contract.checkStatuses(tb, b.metrics) })
	b.server, b.contract, b.sessions, b.grants = server, newContract(tb), services.Sessions, services.AccessTokens
	return b
}

func compiled(tb testing.TB) *api.Contract {
	tb.Helper()
	contract, err := equityhttp.LoadContract()
	if err != nil {
		tb.Fatal(err)
	}
	return contract
}

func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

func newSecrets(tb testing.TB, b *bundle) *persistence.Secrets {
	tb.Helper()
	secrets, err := persistence.OpenSecrets(context.Background(), b.db, bytes.Repeat([]byte("s"), 32), b.clock.Now)
	if err != nil {
		tb.Fatal(err)
	}
	return secrets
}

func newSessions(tb testing.TB, b *bundle) *session.Store {
	tb.Helper()
	store, err := session.NewSQL(b.db.Reader(), b.db.Writer(), session.Options{
		Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}, Clock: b.clock.Now, Random: rand.Reader,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return store
}

// client is a browser. It keeps the cookies of its session and its registration.
type client struct {
	*bundle
	user   messages.User
	cookie string
	// registered is the cookie from a registration in this browser.
	registered string
	// holder is the entity of the member in the organization joined last.
	holder string
	// first, if set, is called before each request of must.
	first func(method, path, body string)
}

// password is the password of every user, hashed with cheap parameters.
const password = "a quiet harbour at dusk"

// cheap returns the cheapest parameters for password hashes.
func cheap() argon2id.Params {
	return argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// person creates an account with a verified address and signs it in.
func (b *bundle) person(tb testing.TB, email string) *client {
	tb.Helper()
	cost := cheap()
	hash, err := argon2id.CreateHash(password, &cost)
	if err != nil {
		tb.Fatal(err)
	}
	user := messages.User{
		ID: organization.UserID(newID()), Entity: captable.EntityID(newID()), Email: email, Username: "someone",
		FirstName: "Ada", LastName: "Lovelace", PasswordHash: hash, EmailVerifiedAt: b.clock.Now(), CreatedAt: b.clock.Now(),
	}
	if err := b.users.Create(context.Background(), user); err != nil {
		tb.Fatal(err)
	}
	c := &client{bundle: b, user: user}
	c.must(tb, "POST", "/v1/user/login", `{"email":"`+email+`","password":"`+password+`"}`, http.StatusOK)
	return c
}

// anonymous returns a client without a session.
func (b *bundle) anonymous() *client { return &client{bundle: b} }

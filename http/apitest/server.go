// Package apitest starts complete servers for the tests of the API, and checks each answer against the contract.
//
// A [Server] has its own stores, fakes of the services that it calls, and a clock that only the test advances. A [Client] is a browser
// that sends requests to it. A [Firm] is an organization with an owner, in which most tests begin. Only tests import this package, and
// each test program with servers calls [Main], with the rooms that its servers have.
package apitest

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"equity/actors"
	actorbilling "equity/actors/billing"
	"equity/actors/billing/stripetest"
	actorhook "equity/actors/hook"
	"equity/actors/office/officetest"
	"equity/actors/system"
	"equity/app"
	"equity/confine/confinetest"
	equityhttp "equity/http"
	"equity/http/api"
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

// Server is a complete server with its own stores, and the parts that tests inspect.
type Server struct {
	HTTP     *equityhttp.Server
	DB       *persistence.Database
	Users    *persistence.Users
	Journal  *persistence.Journal
	Metrics  *prometheus.Registry
	Log      *Log
	Clock    *Clock
	Contract *Contract
	Sessions equityhttp.Sessions
	Secrets  *Secrets
	// Limits are those of the smallest plan. Tests set them before the first request.
	Limits       organization.PlanLimits
	Stripe       *stripetest.Server
	Courier      *actorbilling.Courier
	Live         *live.Hub
	Objects      *blob.Folder
	intake       *actorhook.Intake
	Office       *officetest.Server
	AccessTokens equityhttp.AccessTokens

	Organizations *actors.Organizations
}

// FrontendOrigin is the allowed foreign origin.
const FrontendOrigin = "https://app.example.com"

// LiveLimit is the number of organizations in memory, above which idle ones leave it.
const LiveLimit = 50

// Setup starts a server on SQLite. Changes modify its settings and services before the start.
func Setup(tb testing.TB, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *Server {
	tb.Helper()
	return SetupOn(tb, storetest.SQLite(tb), changes...)
}

// SetupOn is the variant of [Setup] for the store at the given address.
func SetupOn(tb testing.TB, store string, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *Server {
	tb.Helper()
	return SetupWith(tb, store, hosted, changes...)
}

// SetupWith is the variant of [SetupOn] with other rooms than those of the test program. They have the same extensions.
func SetupWith(tb testing.TB, store string, rooms []Room, changes ...func(*equityhttp.Settings, *equityhttp.Services)) *Server {
	tb.Helper()
	b := &Server{
		DB: storetest.Open(tb, store), Metrics: prometheus.NewRegistry(), Log: &Log{}, Secrets: &Secrets{},
		Clock: &Clock{now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)},
	}
	b.Users, b.Journal = persistence.NewUsers(b.DB, departures()...), storetest.OpenJournal(tb, b.DB)
	log := slog.New(slog.NewTextHandler(b.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var organizations *actors.Organizations
	b.Objects = newObjects(tb)
	executor, hooked := newHooks(tb, b, log, func() *actors.Organizations { return organizations })
	features := newRooms(tb, b, rooms, log, func() *actors.Organizations { return organizations })
	consumers, integrations, billings := newIntegrations(
		tb, b, log, func() *actors.Organizations { return organizations }, features, executor,
	)
	organizations = actors.NewOrganizations(system.New(log), b.Journal, actors.Settings{
		Schema:         programSchema(),
		PassivateAfter: time.Hour, MostLive: LiveLimit, SnapshotEvery: 1000, RememberKeys: 24 * time.Hour, Patience: 30 * time.Second,
		Now: b.Clock.Now, NewID: NewID, Consumers: consumers, StartLimits: func() organization.PlanLimits { return b.Limits },
		StorageLimit: StorageLimit,
		Published:    func(p messages.Published) { b.Live.Publish(p) }, Hooks: b.intake, Tools: newToolSettings(b),
	}, log)
	storetest.Cleanup(tb, func() {
		if b.Live != nil { // the setup may have failed before
			if err := b.Live.Close(context.Background()); err != nil {
				tb.Errorf("close the streams: %v", err)
			}
		}
		if err := organizations.Stop(context.Background()); err != nil {
			tb.Errorf("stop: %v", err)
		}
	})
	startRooms(tb, features)
	settings := newSettings(tb, b, features)
	services := equityhttp.Services{
		Schema: programSchema(), Organizations: organizations, Index: b.Journal, Stakes: b.Journal, Journal: b.Journal,
		Sessions: newSessions(tb, b), Tokens: persistence.NewAPITokens(b.DB), AccessTokens: persistence.NewOAuth(b.DB), Accounts: b.Users,
		Passwords:  b.Users,
		TwoFactors: persistence.NewTwoFactors(b.DB, NewSecrets(tb, b)),
		Identities: b.Users,
		Throttle:   persistence.NewThrottle(b.DB, b.Clock.Now), People: personalStores(b.DB), Log: log, Metrics: b.Metrics,
		Now: b.Clock.Now, NewID: NewID, Random: rand.Reader, Contract: compiled(tb), Integrations: integrations,
		Rooms: roomOperations(tb, features), Billing: billings,
		Documents: documentServices(tb, b, features), Hooks: hooked, Certificates: NewCertificates(b.Objects, b.Clock.Now, log),
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
	b.Live = services.Live
	server, err := equityhttp.NewServer(settings, services)
	if err != nil {
		tb.Fatal(err)
	}
	b.keepsSecrets(tb)
	b.Organizations = organizations
	storetest.Cleanup(tb, func() { b.Contract.checkStatuses(tb, b.Metrics) })
	b.HTTP, b.Contract, b.Sessions, b.AccessTokens = server, NewContract(tb), services.Sessions, services.AccessTokens
	return b
}

// newSettings returns the settings of a server whose limits do not delay tests.
func newSettings(tb testing.TB, b *Server, rooms []app.Feature) equityhttp.Settings {
	tb.Helper()
	settings := equityhttp.Settings{
		PublicURL: "https://equity.example.com", FrontendOrigin: FrontendOrigin, RegistrationIPLimit: 3,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, EmailVerificationLimit: 30 * time.Minute,
		PasswordHashingParallel: 2, PasswordCost: cheap(), SessionMaxAge: 7 * 24 * time.Hour,
		Features: switches(tb, rooms),
		Queue:    equityhttp.QueueSettings{Parallel: 1024, Wait: time.Minute}, // long enough for a busy machine
		Imports:  member.ImportSettings{Directory: b.Objects.Incoming()},
	}
	for _, room := range rooms {
		settings.GatewayToken = cmp.Or(settings.GatewayToken, room.GatewayToken)
	}
	return settings
}

// compiled returns the contract of the build.
func compiled(tb testing.TB) *api.Contract {
	tb.Helper()
	contract, err := equityhttp.LoadContract()
	if err != nil {
		tb.Fatal(err)
	}
	return contract
}

// NewID returns a new id, which is ordered by time.
func NewID() [16]byte { return uuid.Must(uuid.NewV7()) }

// NewSecrets returns the store of encrypted values, with the key of the tests.
func NewSecrets(tb testing.TB, b *Server) *persistence.Secrets {
	tb.Helper()
	secrets, err := persistence.OpenSecrets(context.Background(), b.DB, bytes.Repeat([]byte("s"), 32), b.Clock.Now)
	if err != nil {
		tb.Fatal(err)
	}
	return secrets
}

// newSessions returns the store of sessions in the database.
func newSessions(tb testing.TB, b *Server) *session.Store {
	tb.Helper()
	store, err := session.NewSQL(b.DB.Reader(), b.DB.Writer(), session.Options{
		Keys: [][]byte{bytes.Repeat([]byte("k"), 32)}, Clock: b.Clock.Now, Random: rand.Reader,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return store
}

// NewUUID returns a new id in its text form.
func NewUUID() string { return uuid.UUID(NewID()).String() }

// Eventually waits for an outcome that the server reaches by itself.
func (*Server) Eventually(t *testing.T, claim string, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			t.Fatalf("not reached: %s", claim)
		}
		select { // polls the server, which announces no change
		case <-t.Context().Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

package http

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"equity/captable"
	"equity/http/admission"
)

// Settings are what an operator chose, as far as it concerns this package.
type Settings struct {
	// PublicURL is where people reach the server; it stands in mails and QR codes.
	PublicURL string
	// FrontendOrigin is the one other origin whose pages may call the API with the
	// user's cookie; empty for none.
	FrontendOrigin string
	// TrustedProxies are believed when they say who the client is.
	TrustedProxies []netip.Prefix
	// Secure says that people come over HTTPS only.
	Secure bool
	// Features switches those of the contract on by name. A feature that is not named
	// here does not exist.
	Features map[string]bool
	// GatewayToken opens the operations of the gateway; empty keeps them shut.
	GatewayToken string
	// RegistrationIPLimit is how many may register from one address.
	RegistrationIPLimit int
	// SessionMaxAge is how long an unused session lasts.
	SessionMaxAge time.Duration
	// EmailVerificationLimit is the cooldown of verification mails.
	EmailVerificationLimit time.Duration
	// PasswordHashingParallel is how many passwords are hashed at a time, 64 MiB and half a
	// processor each; 1 when 0.
	PasswordHashingParallel int
	// Queue bounds the requests that are worked on at a time.
	Queue QueueSettings
	// ExportsParallel is how many files (proofs, CSV, XLSX, OCF, PDF) are made at a time;
	// 1 when 0.
	ExportsParallel int
	// QueryTime is the time after which a query starts no further question; 5 s when 0.
	QueryTime time.Duration
	// RenderedBytes is how much memory answers that are ready may take; 64 MB when 0.
	RenderedBytes int64
	// TagKey is the key of the hashes in ETags. Servers with the same key give an answer
	// the same ETag. Empty means a random key for each process.
	TagKey []byte
}

// Services are what the server needs of others.
type Services struct {
	Organizations Organizations
	Index         Index
	Journal       Journal
	Sessions      Sessions
	Accounts      Accounts
	Passwords     Passwords
	TwoFactors    TwoFactors
	Identities    Identities
	// Provider is nil where people sign in by password only.
	Provider IdentityProvider
	Throttle Throttle
	// Writable returns the refusal of requests that may write, or nil; nil itself permits all.
	Writable func() error
	Beside   Beside
	Log      *slog.Logger
	// Metrics takes the server's collectors; nil when nobody measures.
	Metrics prometheus.Registerer
	// Now tells the time, NewID gives fresh UUIDs of version 7, Random is a source such
	// as crypto/rand.Reader.
	Now    func() time.Time
	NewID  func() [16]byte
	Random io.Reader
	// Replace puts other handlers in the place of the server's own, by operation id: to
	// measure one way of doing the work against another behind the same checks.
	Replace map[string]Handler
}

// Server answers HTTP requests by the contract. It is an http.Handler and safe for
// concurrent use.
type Server struct {
	settings      Settings
	organizations Organizations
	index         Index
	journal       Journal
	sessions      Sessions
	accounts      Accounts
	chosen        Passwords
	factors       TwoFactors
	identities    Identities
	provider      IdentityProvider
	throttle      Throttle
	writable      func() error
	beside        Beside
	log           *slog.Logger
	now           func() time.Time
	newID         func() [16]byte
	random        io.Reader

	contract  *contract
	routes    *routes
	statuses  map[captable.Code]int
	keys      map[captable.Code]string
	locator   *locator
	rendered  *rendered
	exports   *exports
	printer   *printer
	imports   *importSlots
	passwords *passwords
	metrics   *metrics
	requests  *requestIDs
	queue     *admission.Queue
	familiar  *familiar
	refuses   func(admission.Flow) (retry time.Duration, refused bool) // of the queue, at arrival
	// lastOverload is the second of the last warning about overload.
	lastOverload atomic.Int64
	shedHead     []byte // the fixed part of a refusal by a connection
	origins      *http.CrossOriginProtection
	letters      *letters
	docs         http.Handler
	pages        *pages
}

const renderedBytes = 64 << 20

// NewServer makes the server. It fails when the contract and the handlers do not
// fit each other, so that a mistake in either shows at the start.
func NewServer(settings Settings, services Services) (*Server, error) {
	return newServer(openapi, settings, services, (*Server).handlers)
}

// newServer makes a server of a contract and a table of handlers. Each operation has one and each
// of them an operation, or there is no server.
func newServer(
	document []byte, settings Settings, services Services, table func(*Server) map[string]Handler,
) (*Server, error) {
	loaded, err := loadContract(document)
	if err != nil {
		return nil, err
	}
	if settings.RenderedBytes == 0 {
		settings.RenderedBytes = renderedBytes
	}
	s := &Server{
		settings: settings, organizations: services.Organizations, index: services.Index, journal: services.Journal,
		sessions: services.Sessions, accounts: services.Accounts, chosen: services.Passwords, factors: services.TwoFactors, throttle: services.Throttle, writable: services.Writable,
		identities: services.Identities, provider: services.Provider,
		beside: services.Beside, log: services.Log,
		now: services.Now, newID: services.NewID, random: services.Random,
		contract: loaded, statuses: statuses(), keys: keys(), locator: newLocator(services.Index),
		queue: newQueue(settings.Queue), familiar: newFamiliar(),
		rendered: newRendered(settings.RenderedBytes), exports: newExports(settings.ExportsParallel), printer: newPrinter(), imports: newImportSlots(), passwords: newPasswords(settings.PasswordHashingParallel, services.Now),
	}
	handlers := table(s)
	maps.Copy(handlers, services.Replace)
	if err := loaded.bind(handlers, settings.Features); err != nil {
		return nil, err
	}
	if s.routes, err = newRoutes(loaded); err != nil {
		return nil, err
	}
	return s, s.complete(services)
}

// complete makes what surrounds the operations.
func (s *Server) complete(services Services) error {
	var failure error
	s.requests, failure = newRequestIDs(services.Random)
	if len(s.settings.TagKey) == 0 {
		s.settings.TagKey = make([]byte, sha256.Size)
		_, err := io.ReadFull(services.Random, s.settings.TagKey)
		failure = errors.Join(failure, err)
	}
	metrics, err := newMetrics(services.Metrics, s.contract, s.queue)
	s.metrics, failure = metrics, errors.Join(failure, err)
	s.shedHead, s.refuses = s.newShedHead(), s.queue.Refuse
	s.origins = http.NewCrossOriginProtection()
	for _, origin := range []string{s.settings.FrontendOrigin, originOf(s.settings.PublicURL)} {
		if origin != "" {
			failure = errors.Join(failure, s.origins.AddTrustedOrigin(origin))
		}
	}
	for _, before := range []string{"", appPrefix} { // it is meant to come from another site, and has a check of its own
		s.origins.AddInsecureBypassPattern("POST " + before + prefix + redirectPath)
	}
	s.docs, err = newDocs(s.contract)
	failure = errors.Join(failure, err)
	s.letters, err = newLetters()
	failure = errors.Join(failure, err)
	s.pages, err = newPages()
	return errors.Join(failure, err)
}

// handlers is the table of all operations.
func (s *Server) handlers() map[string]Handler {
	all := map[string]Handler{}
	for _, table := range []map[string]Handler{
		s.besideHandlers(),
		s.userHandlers(), s.passwordHandlers(), s.sessionHandlers(), s.twoFactorHandlers(), s.organizationHandlers(), s.memberHandlers(), s.roleHandlers(),
		s.securityHandlers(), s.legendHandlers(), s.shareholdingHandlers(),
		s.certificateHandlers(), s.valuationHandlers(), s.capitalChangeHandlers(), s.blockHandlers(), s.capTableHandlers(), s.journalHandlers(), s.importHandlers(),
		s.queryHandlers(), s.portfolioHandlers(),
		s.planHandlers(), s.optionHandlers(), s.vestingHandlers(), s.holdingHandlers(), s.scenarioHandlers(),
	} {
		maps.Copy(all, table)
	}
	return all
}

// Operations lists the ids of the contract's operations, for tests and tools.
func (s *Server) Operations() []string {
	ids := make([]string, 0, len(s.contract.operations))
	for id := range s.contract.operations {
		ids = append(ids, id)
	}
	return ids
}

// originOf gives scheme and host of an address; empty when it has none.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}

// fresh gives a typed new id.
func fresh[Of any](s *Server) captable.ID[Of] { return s.newID() }

// doing names an operation in an error.
func doing(ctx context.Context, what string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

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

	"github.com/alexedwards/argon2id"
	"github.com/prometheus/client_golang/prometheus"

	"equity/captable"
	"equity/http/admission"
)

// Settings are the operator's settings for this package.
type Settings struct {
	// PublicURL is the public base URL, for mails and QR codes.
	PublicURL string
	// FrontendOrigin is the only other origin that may call the API with the user's cookie; may be
	// empty.
	FrontendOrigin string
	// TrustedProxies are the networks whose X-Forwarded-For is accepted.
	TrustedProxies []netip.Prefix
	// Secure reports that clients use HTTPS only.
	Secure bool
	// Features enables features of the contract by name. A feature of the contract that is absent here is an error.
	Features map[string]bool
	// GatewayToken authorizes the operations of the gateway; empty disables them.
	GatewayToken string
	// RegistrationIPLimit is the maximum number of registrations from one address.
	RegistrationIPLimit int
	// SessionMaxAge is the lifetime of an unused session.
	SessionMaxAge time.Duration
	// EmailVerificationLimit is the cooldown of verification mails.
	EmailVerificationLimit time.Duration
	// PasswordHashingParallel is the number of concurrent password hashes, which use 64 MiB and half a
	// processor each; 1 when 0.
	PasswordHashingParallel int
	// PasswordCost is the cost of new password hashes; PasswordCost() when zero.
	PasswordCost argon2id.Params
	// Queue bounds the number of concurrent requests.
	Queue QueueSettings
	// ExportsParallel is the number of concurrently generated files (proofs, CSV, XLSX, OCF, PDF); 1
	// when 0.
	ExportsParallel int
	// Imports bound uploaded files.
	Imports ImportSettings
	// QueryTime is the time after which a query starts no further question; 5 s when 0.
	QueryTime time.Duration
	// RenderedBytes is the size of the answer cache; 64 MB when 0.
	RenderedBytes int64
	// TagKey is the key of the hashes in ETags. Servers with the same key give an answer
	// the same ETag. Empty means a random key for each process.
	TagKey []byte
}

// Services are the dependencies of the server.
type Services struct {
	Organizations Organizations
	Index         Index
	Journal       Journal
	Sessions      Sessions
	Accounts      Accounts
	Passwords     Passwords
	TwoFactors    TwoFactors
	Identities    Identities
	// Provider is nil if users sign in with passwords only.
	Provider IdentityProvider
	Throttle Throttle
	// Writable returns the refusal of requests that may write, or nil; nil itself permits all.
	Writable func() error
	Beside   Beside
	Log      *slog.Logger
	// Metrics registers the server's collectors; may be nil.
	Metrics prometheus.Registerer
	// Now returns the time. NewID returns a new UUID of version 7. Random is a secure source, such as
	// crypto/rand.Reader.
	Now    func() time.Time
	NewID  func() [16]byte
	Random io.Reader
	// Replace replaces handlers by operation id, so that alternative implementations can be measured
	// behind the same checks.
	Replace map[string]Handler
	// Contract is the compiled contract; nil compiles the one of this build.
	Contract *Contract
}

// Server is the http.Handler of the contract. It is safe for concurrent use.
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

	contract   *Contract
	operations map[string]*operation
	routes     *routes
	statuses   map[captable.Code]int
	keys       map[captable.Code]string
	locator    *locator
	rendered   *rendered
	exports    *admission.Queue
	printer    *printer
	imports    *admission.Queue
	passwords  *passwords
	metrics    *metrics
	requests   *requestIDs
	queue      *admission.Queue
	familiar   *familiar
	refuses    func(admission.Flow) (retry time.Duration, refused bool) // of the queue, at arrival
	// lastOverload is the second of the last warning about overload.
	lastOverload atomic.Int64
	shedHead     []byte // the fixed part of a refusal by a connection
	origins      *http.CrossOriginProtection
	letters      *letters
	pages        *pages
}

const renderedBytes = 64 << 20

// NewServer creates a server. It fails if the contract and the handlers do not match.
func NewServer(settings Settings, services Services) (*Server, error) {
	return newServer(settings, services, (*Server).handlers)
}

// newServer fails unless the contract and the table of handlers have the same operations.
func newServer(settings Settings, services Services, table func(*Server) map[string]Handler) (*Server, error) {
	var err error
	if services.Contract == nil {
		if services.Contract, err = LoadContract(); err != nil {
			return nil, err
		}
	}
	if settings.RenderedBytes == 0 {
		settings.RenderedBytes = renderedBytes
	}
	settings.Imports = settings.Imports.withDefaults()
	s := &Server{
		settings: settings, organizations: services.Organizations, index: services.Index, journal: services.Journal,
		sessions: services.Sessions, accounts: services.Accounts, chosen: services.Passwords, factors: services.TwoFactors, throttle: services.Throttle, writable: services.Writable,
		identities: services.Identities, provider: services.Provider,
		beside: services.Beside, log: services.Log,
		now: services.Now, newID: services.NewID, random: services.Random,
		contract: services.Contract, statuses: statuses(), keys: keys(), locator: newLocator(services.Index),
		queue: newQueue(settings.Queue), familiar: newFamiliar(),
		rendered: newRendered(settings.RenderedBytes), exports: newExports(settings.ExportsParallel), printer: newPrinter(), imports: newImports(settings.Imports.Parallel), passwords: newPasswords(settings, services.Now),
	}
	handlers := table(s)
	maps.Copy(handlers, services.Replace)
	if s.operations, err = services.Contract.bind(handlers, settings.Features); err != nil {
		return nil, err
	}
	for _, op := range s.operations {
		if op.takesFiles() { // the contract is shared
			limited := *op.body
			limited.limit = settings.Imports.FileBytes
			op.body = &limited
		}
	}
	if s.routes, err = newRoutes(s.operations); err != nil {
		return nil, err
	}
	return s, s.complete(services)
}

// complete creates the parts around the operations.
func (s *Server) complete(services Services) error {
	var failure error
	s.requests, failure = newRequestIDs(services.Random)
	if len(s.settings.TagKey) == 0 {
		s.settings.TagKey = make([]byte, sha256.Size)
		_, err := io.ReadFull(services.Random, s.settings.TagKey)
		failure = errors.Join(failure, err)
	}
	metrics, err := newMetrics(services.Metrics, s.operations, s.queue)
	s.metrics, failure = metrics, errors.Join(failure, err)
	s.shedHead, s.refuses = s.newShedHead(), s.queue.Refuse
	s.origins = http.NewCrossOriginProtection()
	for _, origin := range []string{s.settings.FrontendOrigin, originOf(s.settings.PublicURL)} {
		if origin != "" {
			failure = errors.Join(failure, s.origins.AddTrustedOrigin(origin))
		}
	}
	for _, before := range []string{"", appPrefix} { // its cross-origin POST is intended and has a check of its own
		s.origins.AddInsecureBypassPattern("POST " + before + prefix + redirectPath)
	}
	s.letters, err = newLetters()
	failure = errors.Join(failure, err)
	s.pages, err = newPages()
	return errors.Join(failure, err)
}

// handlers returns the handlers of all operations.
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

// Operations returns the ids of the contract's operations, for tests and tools.
func (s *Server) Operations() []string {
	ids := make([]string, 0, len(s.operations))
	for id := range s.operations {
		ids = append(ids, id)
	}
	return ids
}

// originOf returns the scheme and host of a URL; empty for a relative URL.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	return parsed.Scheme + "://" + parsed.Host
}

// fresh returns a new typed id.
func fresh[Of any](s *Server) captable.ID[Of] { return s.newID() }

// doing wraps an error with the name of the operation.
func doing(ctx context.Context, operation string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%s: %w", operation, err)
}

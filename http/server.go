package http

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/prometheus/client_golang/prometheus"

	"equity/account"
	httpaccount "equity/http/account"
	"equity/http/admin"
	"equity/http/admission"
	"equity/http/api"
	"equity/http/assistant"
	"equity/http/billing"
	"equity/http/document"
	"equity/http/equity"
	"equity/http/hook"
	"equity/http/integration"
	"equity/http/live"
	"equity/http/mcp"
	"equity/http/member"
	"equity/http/oauth"
	"equity/http/onboarding"
	"equity/http/pages"
	"equity/http/people"
	"equity/http/unpack"
	"equity/membership"
	"equity/messages"
	"equity/organization"
)

// Settings are the operator's settings for this package.
type Settings struct {
	// PublicURL is the public base URL, for mails and QR codes.
	PublicURL string
	// FrontendOrigin is the only other origin that may call the API with the user's cookie; may be
	// empty.
	FrontendOrigin string
	// RedirectSchemes are further private schemes of the redirect addresses of programs.
	RedirectSchemes []string
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
	// Demo is the public account of the demo company, which the sign-in page offers; nil on other servers.
	Demo *httpaccount.DemoAccount
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
	Imports member.ImportSettings
	// QueryTime is the time after which a query starts no further question; 5 s when 0.
	QueryTime time.Duration
	// RenderedBytes is the size of the answer cache; 64 MB when 0.
	RenderedBytes int64
	// Room bounds the requests that wait for other nodes of a cluster.
	Room RoomSettings
	// TagKey is the key of the hashes in ETags. Servers with the same key give an answer
	// the same ETag. Empty means a random key for each process.
	TagKey []byte
}

// Services are the dependencies of the server.
type Services struct {
	Schema        *organization.Schema
	Organizations api.Organizations
	Index         api.Index
	Stakes        membership.Stakes
	Journal       api.Journal
	Sessions      Sessions
	Tokens        Tokens
	AccessTokens  AccessTokens
	Accounts      account.Accounts
	Passwords     account.Passwords
	TwoFactors    account.TwoFactors
	Identities    account.Identities
	// MagicLinks is nil unless users sign in by mailed links.
	MagicLinks account.MagicLinks
	// Provider is nil if users sign in with passwords only.
	Provider account.IdentityProvider
	Throttle api.Throttle
	// Writable returns the refusal of requests that may write, or nil; nil itself permits all.
	Writable func() error
	People   PeopleStores
	// Documents are the dependencies of the data room.
	Documents document.Services
	// Certificates stores rendered certificates; nil renders each anew.
	Certificates equity.Certificates
	// Anchors signs the heads of proofs; nil signs none.
	Anchors equity.Anchors
	// Integrations are the consumers of the journals.
	Integrations integration.Services
	// Rooms add operations, and names of records.
	Rooms []api.Room
	// Billing calls the billing provider. It is empty if the feature is off.
	Billing billing.Services
	// Assistant answers messages. It is empty if the feature is off.
	Assistant assistant.Services
	// ToolChanges serves the tools of the Model Context Protocol; nil if the assistant is off.
	ToolChanges ToolChanges
	// App serves the browser app; nil without one.
	App App
	// Router and Nodes forward requests in a cluster; nil without one.
	Router Router
	Nodes  Nodes
	// Tables reads uploaded spreadsheets, and Packages unpacks uploaded packages.
	Tables   member.Tables
	Packages unpack.Runner
	// Onboarding builds organizations from descriptions. It is empty if the assistant is off.
	Onboarding onboarding.Services
	// Hooks are the tokens and the sessions of inbound hooks. It is empty if the feature is off.
	Hooks hook.Services
	// Live has the streams of events.
	Live *live.Hub
	Log  *slog.Logger
	// Routed is called after each request with its route template, and before its answer is complete; nil if absent.
	Routed func(ctx context.Context, method, route string)
	// Propagate adds the trace of the context to the header of a request to another node; nil if absent.
	Propagate func(ctx context.Context, header http.Header)
	// Metrics registers the server's collectors; may be nil.
	Metrics prometheus.Registerer
	// Now returns the time. NewID returns a new UUID of version 7. Random is a secure source, such as
	// crypto/rand.Reader.
	Now    func() time.Time
	NewID  func() [16]byte
	Random io.Reader
	// HashingSlots and ExportSlots bound the concurrent password hashes and exports; nil makes the queues of the
	// settings.
	HashingSlots, ExportSlots *admission.Queue
	// Replace replaces handlers by operation id, so that alternative implementations can be measured
	// behind the same checks.
	Replace map[string]api.Handler
	// Contract is the compiled contract; nil compiles the one of this build.
	Contract *api.Contract
}

// PeopleStores holds the stores of data outside the journals of organizations.
type PeopleStores struct {
	Wallets      people.Wallets
	Credit       people.Credit
	Referrals    people.Referrals
	Waitlist     people.Waitlist
	Profiles     people.Profiles
	ProfileFiles ProfileFiles
	// Administration, Blocklist and Erasure manage accounts.
	Administration admin.Administration
	Blocklist      admin.Blocklist
	Erasure        account.Erasure
}

// ProfileFiles stores the records of the files of profiles.
type ProfileFiles interface {
	api.ProfileFiles
	people.ProfileFiles
	document.ProfileFiles
}

// Server is the http.Handler of the contract, the pages, the reference and the browser app. It is safe for concurrent use.
type Server struct {
	*api.Kernel
	sessionChanges
	settings Settings
	routed   func(ctx context.Context, method, route string) // may be nil
	// propagate adds the trace to a forwarded request; may be nil.
	propagate func(ctx context.Context, header http.Header)
	tokens    Tokens
	oauth     *oauth.Server
	mcp       *mcp.Server
	// assistant has the limits of tools. changes is nil if it is off.
	assistant assistant.Services
	changes   ToolChanges
	grants    AccessTokens
	router    Router
	nodes     Nodes
	room      *room
	newID     func() [16]byte
	app       App
	pages     *pages.Pages
	log       *slog.Logger
	now       func() time.Time

	routes    *routes
	metrics   *metrics
	requests  *requestIDs
	queue     *admission.Queue
	familiar  *familiar
	refuses   func(admission.Flow) (retry time.Duration, refused bool) // of the queue, at arrival
	overload  *overload
	shedHead  []byte       // the fixed part of a refusal by a connection
	reference http.Handler // the reference page
	origins   *http.CrossOriginProtection
	// toolAdmission and toolLimits limit the tools of hooks.
	toolAdmission api.ToolAdmission
	toolLimits    messages.ToolLimits
}

// NewServer creates a server with the operations of all features. It fails if the contract and the handlers do
// not match.
func NewServer(settings Settings, services Services) (*Server, error) {
	services.Organizations = api.InToolRuns(services.Organizations)
	return newServer(settings, services, services.bind)
}

// mcpVersion is the version of the interface of the tools.
const mcpVersion = "1.0"

// newServer creates a server. Bind sets the operations of its kernel.
func newServer(settings Settings, services Services, bind func(Settings, *api.Kernel, *pages.Pages) error) (*Server, error) {
	var err error
	if services.Contract == nil {
		if services.Contract, err = LoadContract(); err != nil {
			return nil, err
		}
	}
	settings.Imports = settings.Imports.WithDefaults()
	s := &Server{
		sessionChanges: sessionChanges{services.Sessions, services.Rooms},
		settings:       settings, routed: services.Routed, tokens: services.Tokens, grants: services.AccessTokens,
		assistant: services.Assistant, changes: services.ToolChanges, app: services.App, log: services.Log, now: services.Now,
		queue: newQueue(settings.Queue), familiar: newFamiliar(),
		room: newRoom(settings.Room), propagate: services.Propagate,
		router: services.Router, nodes: services.Nodes, newID: services.NewID,
		toolAdmission: services.Assistant.Limits, toolLimits: services.Assistant.ToolLimits,
	}
	s.Kernel, err = api.NewKernel(api.Settings{
		Features: settings.Features, GatewayToken: settings.GatewayToken, ExportsParallel: settings.ExportsParallel,
		ImportsParallel: settings.Imports.Parallel, FileBytes: settings.Imports.FileBytes, UploadFolder: settings.Imports.Directory,
		LimitMemory: settings.Imports.LimitMemory, QueryTime: settings.QueryTime,
		RenderedBytes: settings.RenderedBytes, TagKey: settings.TagKey, StoredBytes: services.Documents.Settings.Limits(),
	}, api.Services{
		Schema: services.Schema, Organizations: services.Organizations, Index: services.Index, ProfileFiles: services.People.ProfileFiles,
		Journal: services.Journal, Accounts: services.Accounts,
		Throttle: services.Throttle, Writable: services.Writable, Log: services.Log, Now: services.Now, Random: services.Random,
		Contract: services.Contract, ExportSlots: services.ExportSlots, Rooms: services.Rooms,
	})
	if err != nil {
		return nil, err
	}
	if s.pages, err = pages.New(); err != nil {
		return nil, err
	}
	s.mcp = mcp.New(mcpVersion, func(err error) any {
		_, body, _ := s.Explain(err, "")
		return body
	})
	if s.oauth, err = s.newAuthorization(services); err != nil {
		return nil, err
	}
	if err := bind(settings, s.Kernel, s.pages); err != nil {
		return nil, err
	}
	if s.routes, err = newRoutes(s.Operations()); err != nil {
		return nil, err
	}
	return s, s.complete(services)
}

// complete creates the parts around the operations.
func (s *Server) complete(services Services) error {
	var failure error
	s.reference = s.Contract.Reference(s.settings.PublicURL)
	s.requests, failure = newRequestIDs(services.Random)
	metrics, err := newMetrics(services.Metrics, s.Operations(), s.queue, s.room)
	s.metrics, failure = metrics, errors.Join(failure, err)
	s.shedHead, s.refuses = newShedHead(s.harden), s.queue.Refuse
	s.overload = &overload{queue: s.queue, now: s.now, log: s.log}
	s.origins = http.NewCrossOriginProtection()
	for _, origin := range []string{s.settings.FrontendOrigin, originOf(s.settings.PublicURL)} {
		if origin != "" {
			failure = errors.Join(failure, s.origins.AddTrustedOrigin(origin))
		}
	}
	for _, before := range []string{"", api.AppPrefix} { // its cross-origin POST is intended and has a check of its own
		s.origins.AddInsecureBypassPattern("POST " + before + api.Prefix + api.RedirectPath)
	}
	return failure
}

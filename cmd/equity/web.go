package main

import (
	"context"
	"maps"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"equity/config"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/member"
	"equity/persistence"
	"equity/web"
)

// web returns the handler of the public port: the API, the pages, the browser app and the health
// checks. Replace overrides the handlers of operations.
func (a *assembly) web(
	p program, publicURL string, metrics prometheus.Registerer, replace map[string]api.Handler,
) (http.Handler, shedding, error) {
	c := a.config
	app, err := browserApp(a.rooms.frame())
	if err != nil {
		return nil, nil, err
	}
	server, err := equityhttp.NewServer(equityhttp.Settings{
		PublicURL: publicURL, FrontendOrigin: c.FrontendOrigin, TrustedProxies: c.TrustedProxies, RedirectSchemes: c.Agent.RedirectSchemes,
		Secure: c.Secure(), RegistrationIPLimit: c.RegistrationIPLimit,
		SessionMaxAge: c.SessionMaxAge, Demo: demoAccount(p), EmailVerificationLimit: c.EmailVerificationLimit,
		GatewayToken:            a.rooms.gatewayToken(),
		Features:                a.features(),
		Queue:                   equityhttp.QueueSettings{Parallel: requestsParallel(c), Wait: c.RequestQueueTimeout},
		PasswordHashingParallel: hashing(c), ExportsParallel: halfOfProcessors(c.ExportsParallel), TagKey: a.tagKey,
		Imports: member.ImportSettings{
			Directory: a.uploads, Parallel: c.Imports.Parallel, FileBytes: int64(c.Imports.FileBytes), Rows: c.Imports.Rows,
			PackageBytes: int64(c.Imports.PackageBytes), PackageObjects: c.Imports.PackageObjects, LimitMemory: (&importMemory{}).begin,
		},
	}, equityhttp.Services{
		Schema: p.schema, Organizations: a.organizations, Index: a.journal, Stakes: a.journal, Journal: a.journal,
		Sessions: a.sessions, Tokens: webTokens{persistence.NewAPITokens(a.db), a.courier}, AccessTokens: persistence.NewOAuth(a.db),
		Accounts: webAccounts{a.users, a.courier}, Passwords: webAccounts{a.users, a.courier},
		TwoFactors: webFactors{persistence.NewTwoFactors(a.db, a.secrets), a.courier},
		Identities: webAccounts{a.users, a.courier}, Provider: identityProvider(a.config, p.now),
		Throttle: a.throttle, Writable: a.writeGuard.Writable,
		People:       newPeopleStores(a.db, a.users, a.courier),
		Integrations: a.rooms.integrations(a), Rooms: a.rooms.api(),
		Billing: a.billingServices(publicURL), Live: a.live, Documents: a.documentServices(),
		Hooks: a.hooks.services(a.log), Certificates: a.certificates, Anchors: a.anchors,
		Assistant: a.assistant.services(a), Onboarding: a.assistant.onboardingServices(a), ToolChanges: a.assistant.toolChanges(), App: app,
		Tables: a.tables, Packages: a.packages, Router: a.cluster.router(), Nodes: a.cluster.nodes(),
		Routed: a.telemetry.Routed(), Propagate: a.telemetry.Propagate(), Log: a.log, Metrics: metrics, Now: p.now, NewID: newID,
		Random: p.random, Replace: replace,
	})
	if err != nil {
		return nil, nil, err
	}
	a.effects.Follow(server.Requests)
	a.tools.set(server)
	a.forwarded = a.telemetry.Forwarded(http.HandlerFunc(server.ServeForwarded))
	handler, err := a.hooks.over(p, a, server)
	if err != nil {
		return nil, nil, err
	}
	return a.telemetry.Handler(a.health(handler)), server.Shedding, nil
}

// browserApp returns the embedded browser app.
func browserApp(frame string) (*web.App, error) {
	files, err := web.Files()
	if err != nil {
		return nil, err
	}
	return web.New(files, web.Settings{Frame: frame, Pages: api.AppPages()})
}

// features returns the switches of the features of the contract.
func (a *assembly) features() map[string]bool {
	switches := map[string]bool{
		api.FeatureDiagnostic: a.config.Environment != config.Production, api.FeatureBilling: a.billing != nil,
		api.FeatureAgent: a.assistant != nil,
		api.FeatureHooks: a.hooks != nil,
	}
	for _, feature := range a.rooms {
		maps.Copy(switches, feature.Switches)
	}
	return switches
}

// shedding wraps a listener, so that its connections refuse requests beyond the server's capacity unless the server is stopping.
type shedding func(l net.Listener, stopping func() bool) net.Listener

// hashing returns the number of concurrent password hashes: the setting, or one per two processors.
func hashing(c config.Config) int {
	return halfOfProcessors(c.PasswordHashingParallel)
}

// halfOfProcessors returns the chosen number, or one per two processors if it is 0.
func halfOfProcessors(chosen int) int {
	if chosen > 0 {
		return chosen
	}
	return max(runtime.NumCPU()/2, 1)
}

// requestsPerProcessor keeps processors and store busy. More concurrent requests only add latency and memory.
const requestsPerProcessor = 128

func requestsParallel(c config.Config) int {
	if c.RequestsParallel > 0 {
		return c.RequestsParallel
	}
	return requestsPerProcessor * max(runtime.NumCPU(), 2)
}

// health answers the liveness and readiness checks and passes other requests
// to next. While the server is stopping, each answer asks the client not to use the connection again.
func (a *assembly) health(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		switch r.URL.Path {
		case "/healthz":
			_, _ = w.Write([]byte("ok\n"))
		case "/readyz":
			a.ready(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

const readyWithin = 2 * time.Second

// ready reports whether requests can be served. The response contains the unavailable part; the cause is
// only logged.
func (a *assembly) ready(w http.ResponseWriter, r *http.Request) {
	if a.draining.Load() {
		http.Error(w, "the server is stopping", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	for _, part := range []struct {
		name  string
		ready func(context.Context) error
	}{{"the database", a.db.Ready}, {"the store of the sessions", a.sessions.Ready}} {
		if err := part.ready(ctx); err != nil {
			a.log.Warn("not ready", "cause", err)
			http.Error(w, part.name+" does not answer", http.StatusServiceUnavailable)
			return
		}
	}
	if err := a.writeGuard.Ready(ctx); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// registry returns the metrics that are independent of requests.
func (a *assembly) registry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	gauge := func(name, help string, value func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	counter := func(name, help string, value func() uint64) {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, func() float64 {
			return float64(value())
		}))
	}
	stats := a.organizations.Stats
	gauge("equity_organizations_live", "Organizations in memory.", func() float64 { return float64(stats().Live) })
	counter("equity_journal_appends_total", "Batches that became durable.", func() uint64 { return stats().Appends })
	counter("equity_journal_events_total", "Events that became durable.", func() uint64 { return stats().Events })
	counter("equity_journal_failures_total", "Batches that the store did not confirm.", func() uint64 { return stats().Failures })
	counter("equity_organization_restarts_total", "Organizations restarted after a failure.", func() uint64 { return stats().Restarts })
	counter(
		"equity_organization_reloads_total", "Organizations restarted because another server has changed them.",
		func() uint64 { return stats().Reloads },
	)
	gauge("equity_organizations_damaged", "Organizations that are refused because their journal failed its checks. Alert when it is not 0.",
		func() float64 { return float64(stats().Damaged) })
	counter("equity_session_checks_from_memory_total", "Checks of sessions that needed no query.", func() uint64 {
		memory, _ := a.sessions.Checks()
		return memory
	})
	counter("equity_session_queries_total", "Checks of sessions that queried their store.", func() uint64 {
		_, queries := a.sessions.Checks()
		return queries
	})
	counter("equity_snapshots_total", "Snapshots that were stored.", func() uint64 { return stats().Snapshots })
	gauge(
		"equity_clock_skew_seconds", "Seconds by which the clock is ahead of the last known time. Alert if it is far from 0.",
		a.writeGuard.Skew,
	)
	gauge("equity_cluster_members", "Servers of the cluster as this one knows it; 1 without a cluster.", a.cluster.size)
	a.consumerMetrics(registry)
	a.billingMetrics(registry)
	counter(
		"equity_content_altered_total", "Readings of documents that ended because the stored bytes were altered. Alert when it increases.",
		a.objects.Altered,
	)
	gauge("equity_event_streams", "Open streams of live events.", func() float64 { return float64(a.live.Open()) })
	gauge("equity_mail_waiting", "Mails that wait to be sent.", mailWaiting(a.db))
	return registry
}

// mailWaiting returns a function that counts the mails that wait to be sent. It returns -1 if the store cannot be read.
func mailWaiting(db *persistence.Database) func() float64 {
	return func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), readyWithin)
		defer cancel()
		waiting, err := persistence.NewOutbox(db).Waiting(ctx)
		if err != nil {
			return -1
		}
		letters, err := persistence.NewSealed(db).WaitingMail(ctx)
		if err != nil {
			return -1
		}
		return float64(waiting + letters)
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/anchor"
	"equity/actors/consumer"
	"equity/actors/mail"
	"equity/actors/office"
	"equity/actors/system"
	"equity/cmd/equity/telemetry"
	"equity/config"
	"equity/confine"
	equityhttp "equity/http"
	"equity/http/document/stamp"
	"equity/http/live"
	"equity/http/tables"
	"equity/messages"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/session"
)

// assembly contains the opened parts of the server. They are closed in reverse
// order.
type assembly struct {
	config        config.Config
	log           *slog.Logger
	db            *persistence.Database
	secrets       *persistence.Secrets
	journal       *persistence.Journal
	users         *persistence.Users
	throttle      *persistence.Throttle
	sessions      *session.Store
	tagKey        []byte // key of the hashes in ETags
	organizations *actors.Organizations
	consumers     *consumer.Set
	effects       *consumer.Slots
	rooms         features
	records       *equityhttp.Records // of the rooms
	started       startedOrganizations
	live          *live.Hub
	billing       *billingParts  // nil if billing is off
	office        *office.Engine // nil without an office suite
	hooks         *hookParts     // nil if hooks are off
	anchors       *anchor.Service
	objects       *blob.Guarded // the bytes of documents and files
	stamper       *stamp.Stamper
	tables        *tables.Reader
	packages      *confine.Runner
	uploads       string // folder of temporary files of uploads; empty for that of the system
	certificates  *blob.Certificates
	assistant     *assistantParts // nil if the assistant is off
	tools         *toolServer
	writeGuard    *writeGuard
	courier       *mail.Courier
	telemetry     *telemetry.Telemetry // nil if it is off
	sole          *soleServer          // nil unless this is the only server of a PostgreSQL database
	self          messages.Node
	cluster       *clusterParts
	forwarded     http.Handler // of requests from other nodes
	claims        claims
	stopClock     func()
	closers       []func(context.Context) error
	draining      atomic.Bool // an orderly stop has begun
}

// Fixed parameters of the parts.
const (
	rememberKeys   = 48 * time.Hour
	rememberMail   = 30 * 24 * time.Hour // retention of finished mail
	patience       = 30 * time.Second    // of a caller; at least the store timeout
	mailEvery      = 10 * time.Second
	signingKey     = "session signing key"
	signingBytes   = 32
	etagKey        = "ETag key"
	certificateKey = "certificate key"
	redisPrefix    = "equity:"
	redisTimeout   = 2 * time.Second // limit of one step; a session check has two: connection and exchange
)

// newID returns a UUID of version 7. These sort by age.
func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

// assemble opens and migrates the stores and starts the actors. On an error it closes
// all opened parts.
func assemble(ctx context.Context, c config.Config, p program, log *slog.Logger) (_ *assembly, err error) {
	a := &assembly{config: c, log: log, effects: consumer.NewSlots(p.now), tools: newToolServer(), stopClock: func() {}}
	if err := a.startTelemetry(ctx, p); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.close(ctx))
		}
	}()
	if err := a.openStores(ctx, p); err != nil {
		return nil, err
	}
	if err := a.openSessions(ctx, p); err != nil {
		return nil, err
	}
	if err := a.openObjects(ctx, p); err != nil {
		return nil, err
	}
	if a.writeGuard, err = newWriteGuard(
		ctx, a.db, p.now, clockLimits{c.ClockSkewLimit, c.ClockStopLimit, p.acceptClock}, log,
	); err != nil {
		return nil, err
	}
	actorSystem := system.New(log)
	if c.HasAgent() {
		a.assistant = &assistantParts{}
	}
	if a.consumers, err = a.newConsumers(ctx, p); err != nil {
		return nil, err
	}
	a.records.Features = a.features()
	a.live = live.NewHub(p.streams, live.Services{
		Schema: p.schema, Journal: a.journal, Sessions: a.sessions, Views: func() live.Views { return a.organizations },
		Follow: a.cluster.follows(a), Log: log,
	})
	if a.cluster == nil {
		if err := persistence.NewConsumers(a.db).Release(ctx); err != nil {
			return nil, err
		}
	}
	a.organizations = actors.NewOrganizations(actorSystem, a.journal, actors.Settings{
		Schema: p.schema, PassivateAfter: c.PassivateAfter, MostLive: c.LiveOrganizations, SnapshotEvery: uint64(c.SnapshotEvery), //nolint:gosec // checked to be positive
		RememberKeys: rememberKeys, Patience: max(patience, c.StoreTimeout), StoreTimeout: c.StoreTimeout, StaleReads: c.StaleReads,
		ClockSkew: c.ClockSkewLimit, Consumers: a.consumers, StartLimits: a.startLimits(), StorageLimit: a.config.StorageLimit(),
		Published: a.live.Publish, Hooks: a.hooks.accepts(),
		Tools: toolSettings(a), Traced: a.telemetry.Traced(), Shared: a.cluster != nil, Claim: a.claims.request, Now: p.now, NewID: newID,
	}, log)
	a.started.Organizations = a.organizations
	a.closeWith(a.organizations.Stop)
	a.closeWith(a.live.Close)
	a.courier = mail.NewCourier(actorSystem, persistence.NewOutbox(a.db), transport(c), a.invitations(p),
		mail.Settings{Every: mailEvery, Now: p.now}, log)
	a.closeWith(func(context.Context) error { return a.courier.Stop() })
	if a.cluster == nil {
		a.startClock(ctx, p)
	}
	a.closeWith(func(context.Context) error {
		a.stopClock()
		return nil
	})
	a.assistant.start(a, p, consumer.NewBreakers(p.now))
	if err := openAnchors(ctx, a, p); err != nil {
		return nil, err
	}
	a.startSweeper(ctx, p)
	a.startBilling(ctx)
	a.rooms.start(ctx, a)
	return a, nil
}

// startClock starts to wake consumers with due alarms. A member of a cluster must have joined before.
func (a *assembly) startClock(ctx context.Context, p program) {
	alarms, wake := persistence.NewConsumers(a.db), a.organizations.Wake
	if a.cluster != nil {
		alarms, wake = alarms.For(a.self), a.organizations.WakeClaimed
	}
	clock := consumer.NewClock(ctx, alarms, wake, p.now, a.log)
	a.claims.clock.Store(clock)
	a.stopClock = sync.OnceFunc(clock.Stop)
}

// gcPercent is the value of GOGC: how much the heap may grow before it is collected, in per cent
// of the live heap; the default of Go is 100. Requests produce much garbage, and each collection
// marks all views in memory, so fewer collections increase the throughput in exchange for
// memory that servers have available.
const gcPercent = 200

// tuneGC sets moreGarbage unless the operator has set GOGC. A limit set by
// GOMEMLIMIT still applies.
func (p program) tuneGC() {
	if chosen, _ := p.environment("GOGC"); chosen == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// startTelemetry starts the export of traces if it is configured.
func (a *assembly) startTelemetry(ctx context.Context, p program) (err error) {
	t := a.config.Telemetry
	a.telemetry, err = telemetry.Start(ctx, telemetry.Options{
		Endpoint: t.Endpoint, Headers: t.HeaderMap(), Service: t.Service, Version: version(), OneIn: t.OneIn, MetricsEvery: t.MetricsEvery,
		Now: p.now,
	})
	a.closeWith(func(ctx context.Context) error {
		if err := a.telemetry.Close(ctx); err != nil {
			a.log.Warn("the last traces and metrics were not exported", "cause", err)
		}
		return nil
	})
	return err
}

func (a *assembly) closeWith(f func(context.Context) error) { a.closers = append(a.closers, f) }

// close closes the parts in order: actors complete their appends before the journal
// closes. It ends within SHUTDOWN_TIMEOUT. Parts that are not closed by then,
// such as a pool that waits for a silent server, end with the process.
func (a *assembly) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.ShutdownTimeout)
	defer cancel()
	var failed error
	for _, closer := range slices.Backward(a.closers) {
		failed = errors.Join(failed, within(ctx, closer))
	}
	a.closers = nil
	return failed
}

// within runs the closer, and returns early if the context ends first.
func within(ctx context.Context, closer func(context.Context) error) error {
	ended := make(chan error, 1)
	go func() { ended <- closer(ctx) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// openStores opens and migrates the database and creates the stores on it.
// On an error it closes the opened parts in reverse order.
func (a *assembly) openStores(ctx context.Context, p program) error {
	a.self = newNode(a.config.Cluster.Address)
	var options []persistence.Option
	if a.config.HasCluster() && p.lost != nil {
		options = append(options, persistence.WithSession(persistence.SessionName(a.self.ID)))
	}
	if err := p.refuseSecondStore(ctx, a.config, nil); err != nil {
		return err
	}
	db, err := openDatabase(ctx, a.config, options...)
	if err != nil {
		return err
	}
	a.db = db
	a.closeWith(func(context.Context) error { return db.Close() })
	if err := db.Lock(); err != nil {
		return err
	}
	if err := p.refuseSecondStore(ctx, a.config, db); err != nil {
		return err
	}
	if err := a.migrate(ctx, p); err != nil {
		return err
	}
	if a.secrets, err = openSecrets(ctx, a.config, db, p); err != nil {
		return err
	}
	if err := persistence.NewOutbox(db).SealWaiting(ctx); err != nil {
		return err
	}
	a.journal = persistence.NewJournal(db)
	a.closeWith(func(context.Context) error { return a.journal.Close() })
	a.users, a.throttle = persistence.NewUsers(db, departures()...), persistence.NewThrottle(db, p.now)
	return nil
}

// migrate migrates the store. A server on PostgreSQL makes sure that no other one runs.
func (a *assembly) migrate(ctx context.Context, p program) error {
	if p.lost != nil && a.db.Engine() == persistence.PostgreSQL {
		if a.config.HasCluster() {
			return migrateAsMember(ctx, a, p)
		}
		return migrateAlone(ctx, a, p)
	}
	_, err := a.db.Migrate(ctx)
	return err
}

func openSecrets(ctx context.Context, c config.Config, db *persistence.Database, p program) (*persistence.Secrets, error) {
	random := p.random
	if found, err := persistence.HasSecrets(ctx, db); err != nil {
		return nil, err
	} else if found {
		random = nil // a new key would not open them
	}
	key, err := c.OpenSecretKey(random)
	if err != nil {
		return nil, fmt.Errorf("SECRET_KEY: %w", err)
	}
	return persistence.OpenSecrets(ctx, db, key, p.now)
}

// openSessions opens the session store: Redis if it is configured, otherwise the database. The
// key that signs cookies is generated once and stored encrypted, shared by all servers.
func (a *assembly) openSessions(ctx context.Context, p program) error {
	key, err := a.namedKey(ctx, p, signingKey)
	if err != nil {
		return err
	}
	if a.tagKey, err = a.namedKey(ctx, p, etagKey); err != nil {
		return err
	}
	options := session.Options{
		Idle: a.config.SessionMaxAge, Absolute: a.config.SessionAbsoluteAge, Secure: a.config.Secure(),
		Keys: [][]byte{key}, Clock: p.now, Random: p.random, Grace: a.config.SessionGrace,
		Timeout: min(a.config.StoreTimeout, redisTimeout), Exclusive: a.db.Engine() == persistence.SQLite,
	}
	if a.config.RedisURL == "" {
		a.sessions, err = session.NewSQL(a.db.Reader(), a.db.Writer(), options)
	} else {
		a.sessions, err = redisSessions(a.config.RedisURL.Reveal(), options) //nolint:contextcheck // the watch of the sessions ends with their store
	}
	if err != nil {
		return err
	}
	a.closeWith(func(context.Context) error { return a.sessions.Close() })
	return nil
}

// namedKey returns the random key with the name. It is generated once and stored encrypted, so that
// all servers share it.
func (a *assembly) namedKey(ctx context.Context, p program, name string) ([]byte, error) {
	return a.secrets.Named(ctx, name, func() ([]byte, error) {
		made := make([]byte, signingBytes)
		_, err := io.ReadFull(p.random, made)
		return made, err
	})
}

func redisSessions(address string, options session.Options) (*session.Store, error) {
	store, err := session.NewRedis(session.NewPool(address, options.Timeout), redisPrefix, options)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	return store, nil
}

// transport sends mail through the configured server, or writes it to files.
func transport(c config.Config) mail.Transport {
	if c.SMTPHost == "" {
		return mail.Files{Directory: c.MailDirectory, From: c.SMTPFrom}
	}
	return smtpOf(c)
}

// smtpOf returns the client of the configured mail server.
func smtpOf(c config.Config) mail.SMTP {
	return mail.SMTP{
		Host: c.SMTPHost, Port: c.SMTPPort, Security: mail.Security(c.SMTPSecurity),
		Username: c.SMTPUsername, Password: c.SMTPPassword.Reveal(), From: c.SMTPFrom,
	}
}

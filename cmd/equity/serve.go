package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"equity/actors/billing"
	"equity/config"
	equityhttp "equity/http"
	"equity/messages"
	"equity/persistence"
)

// serveCommand is `equity serve`.
type serveCommand struct {
	AcceptClock bool `help:"Accept the clock although it differs from the last stored time."`
	NewStore    bool `help:"Create a new SQLite store although DATA_DIRECTORY contains files or a secret key of an earlier one."`
	Demo        bool `help:"Create a demo company in a store without users, and print its credentials."`
}

// Help is shown by `equity serve --help`.
func (serveCommand) Help() string {
	return `Without any setting, records and sessions are stored in an SQLite file under
./data, and mail is written to ./data/mail. 'equity config' lists all settings.
SIGTERM or SIGINT stops in order: /readyz answers 503, answers have Connection: close,
the listener closes after DRAIN_DELAY, running requests are answered, and acknowledged
changes are stored. A second signal stops at once.`
}

// Run serves until the context ends.
func (s serveCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	p.tuneGC()
	p.newStore = s.NewStore
	p.acceptClock = s.AcceptClock || s.Demo // a demo needs no protection
	p.demo = s.Demo
	if s.Demo && c.HasCluster() {
		return errDemoCluster
	}
	if s.Demo && c.Agent.APIKey == "" {
		c.Agent.Provider = config.AgentEmbedded
	}
	ports, err := openPorts(ctx, c) // before anything is stored
	if err != nil {
		return err
	}
	defer ports.close()
	log := p.logger(c)
	for _, note := range c.Embedded() {
		log.Info(note)
	}
	ctx, p.lost = context.WithCancelCause(ctx)
	a, err := assemble(ctx, c, p, log)
	if err != nil {
		return err
	}
	defer func() {
		if lost := removed(ctx); lost != nil { // the process ends at once: others have taken over
			err = errors.Join(err, lost)
			return
		}
		err = errors.Join(err, a.close(ctx))
	}()
	if s.Demo {
		if err := a.demo(ctx, p); err != nil {
			return err
		}
	}
	return a.serve(ctx, p, ports)
}

// removed returns the error of a server that lost its lease; nil for an orderly stop.
func removed(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, messages.ErrRemoved) {
		return cause
	}
	return nil
}

// ports are the listeners of a server.
type ports struct{ api, metrics net.Listener }

func openPorts(ctx context.Context, c config.Config) (p ports, err error) {
	if p.api, err = listenPlain(ctx, "LISTEN", c.Listen); err != nil {
		return p, err
	}
	if p.metrics, err = listenPlain(ctx, "METRICS_LISTEN", c.MetricsListen); err != nil {
		return p, errors.Join(err, p.api.Close())
	}
	return p, nil
}

// close closes what its server has not closed.
func (p ports) close() {
	_, _ = p.api.Close(), p.metrics.Close()
}

// serve answers at both ports until the context ends, and then stops in order.
func (a *assembly) serve(ctx context.Context, p program, ports ports) error {
	registry := a.registry() //nolint:contextcheck // metrics are read without a context
	handler, shed, err := a.web(p, publicURL(a.config, ports.api), registry, nil)
	if err != nil {
		return err
	}
	if err := a.telemetry.Export(ctx, registry); err != nil {
		return err
	}
	metrics := http.NewServeMux()
	metrics.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	servers := []*http.Server{newHTTPServer(handler, a.log), newHTTPServer(a.health(metrics), a.log)}
	failed := make(chan error, len(servers)+1)
	private, err := a.cluster.join(ctx, a, p, failed)
	if err != nil {
		return err
	}
	var connections equityhttp.IdleConnections
	connections.Watch(servers[0])
	for i, l := range []net.Listener{connections.Listener(shed(ports.api, a.draining.Load)), ports.metrics} {
		go func() { failed <- servers[i].Serve(l) }()
	}
	a.log.Info("serving", "address", publicURL(a.config, ports.api), "metrics", "http://"+ports.metrics.Addr().String()+"/metrics",
		"listen", ports.api.Addr().String())
	go a.writeGuard.run(ctx)
	go a.removeExpired(ctx, p.now)
	a.assistant.startResuming(ctx, a)
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.log.Info("stopping", "drain", a.config.DrainDelay, "within", a.config.ShutdownTimeout)
		err = a.drain(ctx, failed, ports.api, &connections)
	}
	return errors.Join(err, a.live.Close(context.WithoutCancel(ctx)), stop(ctx, append(servers, private...), a.config.ShutdownTimeout))
}

// drain lets clients and load balancers leave the server, so that none of them sees a closed connection. A server that was removed ends at once.
//
// From the beginning on, /readyz answers 503, and each answer has Connection: close. Idle connections stay open, because each one may carry a request
// that was just sent. A member of a cluster leaves the list. After DRAIN_DELAY the listener closes, and the last requests of kept connections are
// awaited. Streams and running requests end afterwards.
func (a *assembly) drain(ctx context.Context, failed <-chan error, api net.Listener, connections *equityhttp.IdleConnections) error {
	a.draining.Store(true)
	if removed(ctx) != nil {
		return nil
	}
	a.cluster.leave(ctx, a)
	delay := time.NewTimer(a.config.DrainDelay)
	defer delay.Stop()
	select {
	case err := <-failed:
		return err
	case <-delay.C:
	}
	err := equityhttp.CloseListener(api)
	connections.AwaitQuiet()
	return err
}

// stop refuses new requests and waits for running ones. It closes the connections of those that exceed
// the limit.
func stop(ctx context.Context, servers []*http.Server, within time.Duration) error {
	over := removed(ctx) != nil // read here: a detached context has no cause
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	var failed error
	for _, server := range servers {
		if over { // it must not answer any more
			failed = errors.Join(failed, server.Close())
			continue
		}
		if err := server.Shutdown(ctx); err != nil && !errors.Is(err, net.ErrClosed) { // its listener may be closed already
			failed = errors.Join(failed, err, server.Close())
		}
	}
	return failed
}

func listen(ctx context.Context, setting, address string) (net.Listener, error) {
	var l net.ListenConfig
	l.SetMultipathTCP(false) // its sockets have no filter, which [equityhttp.CloseListener] needs
	listener, err := l.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return equityhttp.SmallBuffers(listener, unsentAtMost), nil
}

// listenPlain listens for HTTP/1 without encryption, and refuses requests of ambiguous length.
func listenPlain(ctx context.Context, setting, address string) (net.Listener, error) {
	listener, err := listen(ctx, setting, address)
	if err != nil {
		return nil, err
	}
	return equityhttp.StrictFraming(listener), nil
}

// publicURL returns the configured public address or, without one, the listening address. A listener
// on all addresses of the machine is reached at the loopback address.
func publicURL(c config.Config, listener net.Listener) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	host, port, err := net.SplitHostPort(listener.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// Timeouts of connections. The pace of bodies and answers replaces those of requests that read a body or write an answer.
const (
	headerWithin  = 10 * time.Second
	bodyWithin    = 2 * time.Minute
	answerWithin  = 3 * time.Minute
	silentAtMost  = 2 * time.Minute
	mostOfHeaders = 64 << 10
	unsentAtMost  = 128 << 10 // send buffer of a connection in bytes
)

func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: equityhttp.Paced(handler, pace()), ReadHeaderTimeout: headerWithin, ReadTimeout: bodyWithin, WriteTimeout: answerWithin,
		IdleTimeout: silentAtMost, MaxHeaderBytes: mostOfHeaders,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// pace returns the minimum transfer rate: 64 kbit/s after a grace period of 20 s for answers, and of 10 s for bodies.
func pace() equityhttp.Pace {
	return equityhttp.Pace{Grace: 20 * time.Second, BodyGrace: 10 * time.Second, BytesPerSecond: 8 << 10}
}

const houseEvery = time.Hour

// removeExpired removes expired data, and makes the repairs of the rooms, at once and periodically until the context ends.
func (a *assembly) removeExpired(ctx context.Context, clock func() time.Time) {
	ticker := time.NewTicker(houseEvery)
	defer ticker.Stop()
	for {
		if err := a.forget(ctx, clock()); err != nil && ctx.Err() == nil {
			a.log.Warn("expired rows were not removed", "cause", err)
		}
		a.rooms.repair(ctx, clock())
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// forget removes expired rows unless the clock is doubtful.
func (a *assembly) forget(ctx context.Context, now time.Time) error {
	if a.writeGuard.Writable() != nil {
		return nil //nolint:nilerr // a doubtful clock postpones the removal
	}
	return errors.Join(
		a.sessions.Sweep(ctx), a.throttle.Sweep(ctx), a.db.ForgetAnswers(ctx, now, rememberKeys),
		persistence.NewOutbox(a.db).Forget(ctx, now.Add(-rememberMail)),
		persistence.NewSealed(a.db).ForgetMail(ctx, now.Add(-rememberMail)),
		a.rooms.forget(ctx, now),
		persistence.NewDocuments(a.db).Sweep(ctx, now),
		persistence.NewAPITokens(a.db).Sweep(ctx, now), persistence.NewOAuth(a.db).Sweep(ctx, now),
		persistence.NewHooks(a.db).Forget(ctx, now.Add(-rememberHooks), now),
		persistence.NewBillingInbox(a.db).Forget(ctx, now.Add(-billing.Kept)),
	)
}

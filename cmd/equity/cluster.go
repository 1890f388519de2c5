package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"equity/actors"
	"equity/actors/cluster"
	equityhttp "equity/http"
	"equity/http/relay"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// clusterParts make this server a member of a cluster; nil for a server of its own.
type clusterParts struct {
	member      *cluster.Member
	credentials relay.Credentials
	links       *relay.Client
}

var errDemoCluster = errors.New("--demo is not possible with CLUSTER_ADDRESS: run 'equity demo' before the start of the first server")

// migrateAsMember checks that no server of its own uses the database, and migrates it.
func migrateAsMember(ctx context.Context, a *assembly, p program) error {
	c := a.config.Cluster
	credentials, err := relay.LoadCredentials(c.CA, c.Certificate, c.Key)
	if err != nil {
		return err
	}
	times := messages.NodeTimes{Heartbeat: c.Heartbeat, Lease: c.Lease, Expiry: c.Expiry}
	self := a.self
	nodes := persistence.NewNodes(a.db, times)
	found, err := nodes.Available(ctx)
	if err == nil && found {
		err = nodes.Check(ctx, self)
	}
	if err == nil {
		_, err = a.db.Migrate(ctx)
	}
	if err != nil {
		return errors.Join(err, nodes.Close()) //nolint:contextcheck // it has a limit of its own
	}
	links := relay.NewClient(credentials, a.log)
	member := cluster.New(cluster.Settings{
		Self: self, Times: times, Directory: nodes, Links: links,
		Release: func(ctx context.Context) error { return a.organizations.Release(ctx) },
		Learn:   func(id organization.ID, sequence uint64) { a.organizations.Learn(id, sequence) },
		Moved:   func() { a.live.EndMoved() }, //nolint:contextcheck // streams outlive the call
		Lost:    func(err error) { p.lost(err) }, Now: p.now, Log: a.log,
	})
	a.cluster = &clusterParts{member, credentials, links}
	a.closeWith(func(ctx context.Context) error {
		defer links.Close()
		return member.Close(ctx)
	})
	return nil
}

// placement returns the placement of organizations; nil for a server of its own.
func (c *clusterParts) placement() actors.Placement {
	if c == nil { // an interface with a nil pointer is not nil
		return nil
	}
	return c.member
}

// router returns the owners of organizations; nil for a server of its own.
func (c *clusterParts) router() equityhttp.Router {
	if c == nil {
		return nil
	}
	return c.member
}

// nodes returns the connections to other nodes; nil for a server of its own.
func (c *clusterParts) nodes() equityhttp.Nodes {
	if c == nil {
		return nil
	}
	return c.links
}

// owns returns the function that reports whether this server receives the events of an organization; nil if it receives all.
func (c *clusterParts) owns() func(organization.ID) bool {
	if c == nil {
		return nil
	}
	return func(id organization.ID) bool {
		_, _, self, _ := c.member.Owner(id)
		return self
	}
}

// server returns the server of the private address.
func (c *clusterParts) server(a *assembly, forwarded http.Handler) *http.Server {
	return relay.NewServer(c.credentials, relay.Node{
		Hurry: c.member.Hurry, Wake: a.organizations.WakeOwned, CatchUp: a.organizations.CatchUp,
		Grant: a.organizations.Grant, Revoke: a.organizations.Revoke,
		Fingerprints: a.config.Fingerprints(), Forwarded: forwarded,
	}, a.log)
}

// join serves the private address and joins the cluster. Failed receives the error of the private server.
func (c *clusterParts) join(ctx context.Context, a *assembly, p program, failed chan<- error) ([]*http.Server, error) {
	if c == nil {
		return nil, nil
	}
	listener, err := listen(ctx, "CLUSTER_LISTEN", a.config.Cluster.Listen)
	if err != nil {
		return nil, err
	}
	server := c.server(a, a.forwarded)
	go func() { failed <- server.ServeTLS(listener, "", "") }()
	joining, cancel := context.WithTimeout(ctx, joinWithin)
	defer cancel()
	if err := c.member.Join(joining); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	a.log.Info("joined the cluster", "address", listener.Addr().String())
	a.startClock(ctx, p)
	return []*http.Server{server}, nil
}

const joinWithin = time.Minute

// leave hands the organizations over to the other nodes.
func (c *clusterParts) leave(ctx context.Context, a *assembly) {
	if c == nil {
		return
	}
	a.stopClock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.ShutdownTimeout)
	defer cancel()
	begin := time.Now()
	if err := c.member.Leave(ctx); err != nil {
		a.log.Warn("organizations were not handed over; others take over when the process has ended", "cause", err)
		return
	}
	a.log.Info("organizations were handed over", "took", time.Since(begin))
}

// size returns the number of members; 1 for a server of its own.
func (c *clusterParts) size() float64 {
	if c == nil {
		return 1
	}
	return float64(c.member.Size())
}

// epoch returns the number of changes of the list of members; 0 for a server of its own.
func (c *clusterParts) epoch() float64 {
	if c == nil {
		return 0
	}
	return float64(c.member.Epoch())
}

// ready returns the reason why this server cannot answer, or nil.
func (c *clusterParts) ready(ctx context.Context) error {
	if c == nil {
		return nil
	}
	return c.member.Ready(ctx)
}

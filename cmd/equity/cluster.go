package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"equity/actors/cluster"
	"equity/actors/consumer"
	equityhttp "equity/http"
	"equity/http/relay"
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
	self := a.self
	nodes := persistence.NewNodes(a.db)
	if err = nodes.Admit(ctx, self); err == nil {
		_, err = a.db.Migrate(ctx)
	}
	if err != nil {
		return errors.Join(err, nodes.Close()) //nolint:contextcheck // it has a limit of its own
	}
	links := relay.NewClient(credentials)
	member := cluster.New(cluster.Settings{
		Self: self, Heartbeat: c.Heartbeat, Directory: nodes, Lost: func(err error) { p.lost(err) }, Now: p.now, Log: a.log,
	})
	a.cluster = &clusterParts{member, credentials, links}
	a.closeWith(func(ctx context.Context) error {
		defer links.Close()
		return member.Close(ctx)
	})
	return nil
}

// router returns the order of the servers; nil for a server of its own.
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

// server returns the server of the private address.
func (c *clusterParts) server(a *assembly, forwarded http.Handler) *http.Server {
	return relay.NewServer(c.credentials, relay.Node{
		Alive: c.member.Beating, Fingerprints: a.config.Fingerprints(), Forwarded: forwarded,
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

// leave removes this server from the list, so that the others do not ask it first any more. It serves the requests that still arrive.
func (c *clusterParts) leave(ctx context.Context, a *assembly) {
	if c == nil {
		return
	}
	a.stopClock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.config.ShutdownTimeout)
	defer cancel()
	if err := c.member.Leave(ctx); err != nil {
		a.log.Warn("this server was not removed from the list; others ask it until its connections are refused", "cause", err)
	}
}

// size returns the number of members; 1 for a server of its own.
func (c *clusterParts) size() float64 {
	if c == nil {
		return 1
	}
	return float64(c.member.Size())
}

// follows returns the function that follows the rows of other servers; nil for a server of its own.
func (c *clusterParts) follows(a *assembly) func(context.Context, map[organization.ID]uint64) map[organization.ID]uint64 {
	if c == nil {
		return nil
	}
	return func(ctx context.Context, known map[organization.ID]uint64) map[organization.ID]uint64 {
		return a.organizations.Follow(ctx, known)
	}
}

// claims requests the claims of alarms. Before the clock has started, alarms are claimed when they are due.
type claims struct {
	clock atomic.Pointer[consumer.Clock]
}

func (c *claims) request(id organization.ID, name string) {
	if clock := c.clock.Load(); clock != nil {
		clock.Request(id, name)
	}
}

package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"time"

	"equity/messages"
	"equity/persistence"
)

// soleTimes are the times of a server that is not part of a cluster. It answers without a lease, so that another one may start as soon as
// its process has ended.
func soleTimes() messages.NodeTimes {
	return messages.NodeTimes{Heartbeat: time.Second, Expiry: 5 * time.Second}
}

const (
	// leaseRetry is the interval at which a starting server looks whether another one has ended.
	leaseRetry = 100 * time.Millisecond
	// removeWithin bounds the removal from the list at the end.
	removeWithin = 2 * time.Second
)

// soleServer makes this process the only server of a PostgreSQL database, as a lease that it renews until it ends.
type soleServer struct {
	nodes *persistence.Nodes
	self  messages.Node
	lost  context.CancelCauseFunc
	stop  context.CancelFunc
	done  chan struct{}
}

// newNode describes this process.
func newNode(address string) messages.Node {
	id := newID()
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	return messages.Node{ID: hex.EncodeToString(id[:]), Address: address, Name: fmt.Sprintf("process %d on %s", os.Getpid(), host)}
}

// migrateAlone migrates the store as its only server. A newer build must not migrate the store below a running server that is about to
// refuse it, so the lease comes first if its table exists.
func migrateAlone(ctx context.Context, a *assembly, p program) error {
	nodes := persistence.NewNodes(a.db, soleTimes())
	found, err := nodes.Available(ctx)
	if err == nil && found {
		err = lease(ctx, a, p, nodes)
	}
	if err == nil {
		_, err = a.db.Migrate(ctx)
	}
	if err == nil && !found {
		err = lease(ctx, a, p, nodes)
	}
	if a.sole == nil {
		err = errors.Join(err, nodes.Close()) //nolint:contextcheck // it has a limit of its own
	}
	return err
}

// lease joins the list of servers and renews the lease until the server is closed. If the lease is lost, it ends the context of the server.
func lease(ctx context.Context, a *assembly, p program, nodes *persistence.Nodes) error {
	self := a.self
	if err := joinAlone(ctx, nodes, self); err != nil {
		return err
	}
	renewing, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &soleServer{nodes: nodes, self: self, lost: p.lost, stop: stop, done: make(chan struct{})}
	a.sole = s
	a.closeWith(s.close)
	go s.renew(renewing, a)
	return nil
}

// joinAlone joins the list. A server that has ended without a connection that shows it is replaced after its expiry: the call waits until
// the other server either renews its lease or expires.
func joinAlone(ctx context.Context, nodes *persistence.Nodes, self messages.Node) error {
	var first int64
	for {
		err := nodes.Join(ctx, self)
		refused, is := errors.AsType[*messages.OtherServerError](err)
		if !is {
			return err
		}
		at, err := nodes.RenewedAt(ctx, refused.Other.ID)
		switch {
		case err != nil:
			return err
		case first != 0 && at > first:
			return refused
		}
		first = max(first, at)
		select {
		case <-time.After(leaseRetry):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *soleServer) renew(ctx context.Context, a *assembly) {
	defer close(s.done)
	ticker := time.NewTicker(soleTimes().Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		_, err := s.nodes.Renew(ctx, s.self.ID, 0)
		switch {
		case errors.Is(err, messages.ErrRemoved):
			a.log.Error("this server stops", "cause", err)
			s.lost(err)
			return
		case err != nil && ctx.Err() == nil:
			a.log.Warn("the lease of this server was not renewed", "cause", err)
		}
	}
}

// close removes the server from the list.
func (s *soleServer) close(ctx context.Context) error {
	s.stop()
	<-s.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeWithin)
	defer cancel()
	return errors.Join(s.nodes.Remove(ctx, s.self.ID), s.nodes.Close()) //nolint:contextcheck // it has a limit of its own
}

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

const (
	// soleHeartbeat is the time between two heartbeats of a server of its own.
	soleHeartbeat = time.Second
	// leaseRetry is the interval at which a starting server looks whether another one has ended.
	leaseRetry = 100 * time.Millisecond
	// removeWithin bounds the removal from the list at the end.
	removeWithin = 2 * time.Second
)

// soleServer makes this process the only server of a PostgreSQL database until it ends.
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

// migrateAlone migrates the store as its only server. A newer build must not migrate the store below a running server.
func migrateAlone(ctx context.Context, a *assembly, p program) error {
	nodes := persistence.NewNodes(a.db)
	err := admitAlone(ctx, nodes, a.self)
	if err == nil {
		_, err = a.db.Migrate(ctx)
	}
	if err == nil {
		_, err = nodes.Beat(ctx, a.self)
	}
	if err != nil {
		return errors.Join(err, nodes.Close()) //nolint:contextcheck // it has a limit of its own
	}
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &soleServer{nodes: nodes, self: a.self, lost: p.lost, stop: stop, done: make(chan struct{})}
	a.sole = s
	a.closeWith(s.close)
	go s.beat(beating, a)
	return nil
}

// admitAlone makes this process the only server. If another one has ended, PostgreSQL may not know it yet: the call waits for a heartbeat of the other
// one, and replaces it after NodeForgotten without one.
func admitAlone(ctx context.Context, nodes *persistence.Nodes, self messages.Node) error {
	var first int64
	for begin := time.Now(); ; {
		err := nodes.Admit(ctx, self)
		refused, is := errors.AsType[*messages.OtherServerError](err)
		if !is {
			return err
		}
		at, err := nodes.SeenAt(ctx, refused.Other.ID)
		switch {
		case err != nil:
			return err
		case first != 0 && at > first:
			return refused
		case time.Since(begin) > persistence.NodeForgotten:
			if err := nodes.Replace(ctx); err != nil {
				return err
			}
		}
		first = max(first, at)
		select {
		case <-time.After(leaseRetry):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *soleServer) beat(ctx context.Context, a *assembly) {
	defer close(s.done)
	ticker := time.NewTicker(soleHeartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		_, err := s.nodes.Beat(ctx, s.self)
		switch {
		case errors.Is(err, messages.ErrRemoved):
			a.log.Error("this server stops", "cause", err)
			s.lost(err)
			return
		case err != nil && ctx.Err() == nil:
			a.log.Warn("the heartbeat to the database failed", "cause", err)
		}
	}
}

// close removes the server from the list.
func (s *soleServer) close(ctx context.Context) error {
	s.stop()
	<-s.done
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeWithin)
	defer cancel()
	return errors.Join(s.nodes.Leave(ctx, s.self.ID), s.nodes.Close()) //nolint:contextcheck // it has a limit of its own
}

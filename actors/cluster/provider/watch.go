// Package provider follows the members of a cluster in a service of the infrastructure: etcd, Consul or Kubernetes.
//
// It uses the cluster providers of the actor library, but not its cluster: no port is opened, and no message is sent between the members. A
// provider registers this server and publishes the list of registered members. The end of a registration is evidence for the end of a
// process. The leases in the database decide when others take over.
package provider

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/remote"

	"equity/messages"
)

// Settings describe the service, and this server as a member.
type Settings struct {
	Service Service
	Self    messages.Node
	// Lease is the time for which a member may answer after it has renewed its row.
	Lease time.Duration
	// NewSystem returns an actor system for a registration. The library identifies a member by its actor system.
	NewSystem func() *actor.ActorSystem
	Now       func() time.Time
	Log       *slog.Logger
}

// Service is a service that lists members.
type Service interface {
	// Registered reports whether the service lists the member, alive or not; an error if it does not answer.
	Registered(ctx context.Context, id string) (bool, error)
	// register prepares the registration of the member, and returns a new provider, which registers it.
	register(ctx context.Context, id string) (cluster.ClusterProvider, error)
}

// name is the name of the cluster in the service. Clusters may share it, because the ids of their members differ.
const name = "equity"

// Watch follows the list of members. Ended must not be called concurrently.
type Watch struct {
	settings Settings
	sessions atomic.Uint64
	listed   atomic.Pointer[list]

	// seen contains the times at which members of a session were last listed.
	seen    map[string]time.Time
	session uint64
}

// list contains the ids of the listed members. Each registration of this server begins a session, whose first lists may be incomplete.
type list struct {
	session uint64
	ids     map[string]bool
}

// New returns a Watch that knows no member yet.
func New(settings Settings) *Watch { return &Watch{settings: settings} }

const (
	checkEvery  = 5 * time.Second
	checkWithin = 3 * time.Second
)

// Run registers this server and follows the list until the context ends. A service that does not answer is asked again. The registration
// ends with the process: the methods of the library that end it have data races, and the rows of members that leave are removed anyway.
func (w *Watch) Run(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	missing, failing := true, false
	for {
		registered, err := w.registered(ctx)
		if err == nil && !registered && missing {
			err = w.register(ctx)
		}
		missing = !registered // the provider repeats an expired registration before the next check
		if err != nil && !failing && ctx.Err() == nil {
			w.settings.Log.Warn("the provider of the cluster does not answer; servers that end are replaced after CLUSTER_EXPIRY", "cause", err)
		} else if err == nil && failing {
			w.settings.Log.Info("the provider of the cluster answers again")
		}
		failing = err != nil
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (w *Watch) registered(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	return w.settings.Service.Registered(ctx, w.settings.Self.ID)
}

// register begins a session. The provider works in the background until the process ends.
func (w *Watch) register(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	provider, err := w.settings.Service.register(ctx, w.settings.Self.ID)
	if err != nil {
		return err
	}
	actors := w.settings.NewSystem()
	actors.ID = w.settings.Self.ID
	actors.ProcessRegistry.Address = w.settings.Self.Address
	unused := remote.Configure("", 0)
	c := cluster.New(actors, cluster.Configure(name, provider, nil, unused))
	c.Remote = remote.NewRemote(actors, unused)
	session := w.sessions.Add(1)
	actors.EventStream.Subscribe(func(event any) {
		if topology, is := event.(*cluster.ClusterTopology); is {
			w.adopt(session, topology.GetMembers())
			// The list of members, which is locked here, ignores a member for ever after it was missing once. A new value forgets that.
			c.Remote = remote.NewRemote(actors, unused)
		}
	})
	if err := provider.StartMember(c); err != nil {
		return fmt.Errorf("register this server: %w", err)
	}
	w.settings.Log.Info("registered at the provider of the cluster")
	return nil
}

func (w *Watch) adopt(session uint64, members []*cluster.Member) {
	if w.sessions.Load() != session {
		return
	}
	ids := make(map[string]bool, len(members))
	for _, member := range members {
		ids[strings.TrimPrefix(member.GetId(), name+"@")] = true
	}
	w.listed.Store(&list{session, ids})
}

// Ended returns the ids of the given members whose registration has ended: they were listed at one of the previous calls, but no longer. The
// end counts for the time of two leases. A member that renews its row for longer lives, for example without a connection to the service.
func (w *Watch) Ended(members []messages.Node) (ids []string) {
	listed := w.listed.Load()
	if listed == nil {
		return nil
	}
	if listed.session != w.session {
		w.session, w.seen = listed.session, nil
	}
	now, seen := w.settings.Now(), make(map[string]time.Time, len(members))
	for _, member := range members {
		if listed.ids[member.ID] {
			seen[member.ID] = now
		} else if at, before := w.seen[member.ID]; before && now.Sub(at) < 2*w.settings.Lease {
			seen[member.ID], ids = at, append(ids, member.ID)
		}
	}
	w.seen = seen
	return ids
}

package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/cluster/provider"
	"equity/actors/system"
	"equity/config"
	"equity/messages"
	"equity/persistence"
)

// clusterService returns the service of CLUSTER_PROVIDER. It returns false for the database.
func clusterService(c config.Cluster) (service provider.Service, found bool, err error) {
	urls := make([]string, len(c.ProviderURL))
	for i, url := range c.ProviderURL {
		urls[i] = url.Reveal()
	}
	switch c.Provider {
	case config.ClusterDatabase:
		return nil, false, nil
	case config.ClusterEtcd:
		service, err = provider.NewEtcd(urls)
	case config.ClusterConsul:
		service, err = provider.NewConsul(urls[0])
	case config.ClusterKubernetes:
		service, err = provider.NewKubernetes()
	}
	return service, true, err
}

// newWatch returns the list of members at the provider; nil with the database as the provider.
func newWatch(c config.Config, self messages.Node, now func() time.Time, log *slog.Logger) (*provider.Watch, error) {
	service, found, err := clusterService(c.Cluster)
	if !found || err != nil {
		return nil, err
	}
	return provider.New(provider.Settings{
		Service: service, Self: self, Lease: c.Cluster.Lease, NewSystem: func() *actor.ActorSystem { return system.New(log) }, Now: now, Log: log,
	}), nil
}

// evidenceOf returns the watch as evidence for the end of members; nil without it.
func evidenceOf(watch *provider.Watch) persistence.Evidence {
	if watch == nil { // an interface with a nil pointer is not nil
		return nil
	}
	return watch
}

// follow registers this server at the provider, and follows the list of members until the server closes.
func (c *clusterParts) follow(ctx context.Context, a *assembly) {
	if c.watch == nil {
		return
	}
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.watch.Run(running)
	}()
	a.closeWith(func(context.Context) error {
		stop()
		<-ended
		return nil
	})
}

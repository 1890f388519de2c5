package main

import (
	"context"
	"log/slog"
	"time"

	"equity/actors/cluster/provider"
	"equity/config"
	"equity/messages"
	"equity/persistence"
)

// clusterService returns the service of CLUSTER_PROVIDER; nil for the database.
func clusterService(c config.Cluster) (provider.Service, error) {
	urls := make([]string, len(c.ProviderURL))
	for i, url := range c.ProviderURL {
		urls[i] = url.Reveal()
	}
	switch c.Provider {
	case config.ClusterEtcd:
		return provider.NewEtcd(urls)
	case config.ClusterConsul:
		return provider.NewConsul(urls[0])
	case config.ClusterKubernetes:
		return provider.NewKubernetes()
	default:
		return nil, nil
	}
}

// newWatch returns the list of members at the provider; nil with the database as the provider.
func newWatch(c config.Config, self messages.Node, now func() time.Time, log *slog.Logger) (*provider.Watch, error) {
	service, err := clusterService(c.Cluster)
	if service == nil || err != nil {
		return nil, err
	}
	return provider.New(provider.Settings{Service: service, Self: self, Lease: c.Cluster.Lease, Now: now, Log: log}), nil
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

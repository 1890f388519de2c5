package provider

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/url"

	"github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/cluster/clusterproviders/etcd"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// etcdKey is the prefix of all keys.
const etcdKey = "/cluster"

// Etcd is a cluster of etcd. Each member has a key with a lease of 3 s, a constant of the library.
type Etcd struct {
	config clientv3.Config
	// client is created by the first call of Registered, because that signs in.
	client *clientv3.Client
}

// NewEtcd returns the etcd with the endpoints, each a URL. The first one may contain a user and a password.
func NewEtcd(endpoints []string) (*Etcd, error) {
	config := clientv3.Config{Logger: zap.NewNop(), DialTimeout: checkWithin, DialKeepAliveTime: checkEvery, DialKeepAliveTimeout: checkWithin}
	for i, endpoint := range endpoints {
		u, err := url.Parse(endpoint)
		if err != nil {
			return nil, err
		}
		if i == 0 && u.User != nil {
			config.Username = u.User.Username()
			config.Password, _ = u.User.Password()
		}
		if u.User = nil; u.Scheme == "https" {
			config.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
		}
		config.Endpoints = append(config.Endpoints, u.String())
	}
	return &Etcd{config: config}, nil
}

// Registered reports whether the key of the member exists. It must not be called concurrently.
func (e *Etcd) Registered(ctx context.Context, id string) (bool, error) {
	if e.client == nil {
		client, err := clientv3.New(e.config)
		if err != nil {
			return false, fmt.Errorf("etcd: %w", err)
		}
		e.client = client
	}
	found, err := e.client.Get(ctx, etcdKey+"/"+name+"/"+name+"@"+id, clientv3.WithCountOnly())
	if err != nil {
		return false, fmt.Errorf("etcd: %w", err)
	}
	return found.Count > 0, nil
}

func (e *Etcd) register(context.Context, string) (cluster.ClusterProvider, error) {
	return etcd.NewWithConfig(etcdKey, e.config)
}

package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/cluster/clusterproviders/consul"
	"github.com/hashicorp/consul/api"

	"equity/egress"
)

// Consul is an agent of Consul. Each member is a service with a check that it passes each second; the check fails after 3 s.
type Consul struct {
	config *api.Config
	client *api.Client
}

// NewConsul returns the agent at the URL. Its password is the token.
func NewConsul(address string) (*Consul, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	token, _ := u.User.Password()
	transport, is := http.DefaultTransport.(*http.Transport)
	if !is {
		return nil, errors.New("consul: the default transport was replaced")
	}
	transport = transport.Clone()
	transport.Proxy = nil
	config := &api.Config{Address: u.Host, Scheme: u.Scheme, Token: token, HttpClient: egress.NewClient(paced{authorized{transport, token}}, 0)}
	client, err := api.NewClient(config)
	if err != nil {
		return nil, fmt.Errorf("consul: %w", err)
	}
	return &Consul{config, client}, nil
}

// Registered reports whether the agent knows the service of the member.
func (c *Consul) Registered(ctx context.Context, id string) (bool, error) {
	_, _, err := c.client.Agent().Service(id, (&api.QueryOptions{}).WithContext(ctx))
	if refused, is := errors.AsType[api.StatusError](err); is && refused.Code == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("consul: %w", err)
	}
	return true, nil
}

func (c *Consul) register(context.Context, string) (cluster.ClusterProvider, error) {
	config := *c.config // the library changes it
	return consul.NewWithConfig(&config)
}

// authorized adds the token to requests without one: the library watches the members without it, and an agent with access control
// then lists none.
type authorized struct {
	next  http.RoundTripper
	token string
}

const authorization = "X-Consul-Token"

// RoundTrip sends the request.
func (a authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	if a.token != "" && request.Header.Get(authorization) == "" {
		request = request.Clone(request.Context())
		request.Header.Set(authorization, a.token)
	}
	return a.next.RoundTrip(request)
}

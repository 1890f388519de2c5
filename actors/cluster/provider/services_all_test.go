//go:build providers

package provider_test

import "equity/actors/cluster/provider"

// services returns the services of 'make providers' by name.
func services() map[string]service {
	return map[string]service{
		"etcd":   etcd(),
		"consul": {"TEST_CONSUL_URL", func(address string) (provider.Service, error) { return provider.NewConsul(address) }},
	}
}

//go:build providers

package provider_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"equity/actors/cluster/provider"
)

// services returns the services of 'make providers' by name.
func services() map[string]service {
	return map[string]service{
		"etcd":   etcd(),
		"consul": {"TEST_CONSUL_URL", func(address string) (provider.Service, error) { return provider.NewConsul(address) }},
	}
}

// TestWrongTokenOfConsulIsReported asks an agent with access control.
func TestWrongTokenOfConsulIsReported(t *testing.T) {
	t.Parallel()
	address, err := url.Parse(os.Getenv("TEST_CONSUL_URL"))
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("", "00000000-0000-4000-8000-000000000000")
	consul, err := provider.NewConsul(address.String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := consul.Registered(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("another token: %v", err)
	}
}

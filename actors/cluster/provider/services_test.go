//go:build !providers

package provider_test

// services returns the services of 'make test' by name.
func services() map[string]service { return map[string]service{"etcd": etcd()} }

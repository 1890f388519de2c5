package config_test

import (
	"strings"
	"testing"

	"equity/config"
)

func TestMembersOfAClusterNeedTheSharedServices(t *testing.T) {
	t.Parallel()
	complete := map[string]string{
		"DATABASE_URL": "postgres://u:p@localhost/equity", "CLUSTER_ADDRESS": "10.0.0.1:7443",
		"CLUSTER_CA": "ca.pem", "CLUSTER_CERT": "node.pem", "CLUSTER_KEY": "node.key",
		"STORE_URL": "https://s3.example.com", "STORE_BUCKET": "equity", "STORE_ACCESS_KEY": "key", "STORE_SECRET_KEY": "secret",
	}
	load := func(changed, value string) (config.Config, error) {
		return config.Load(config.Source{Environment: func(name string) (string, bool) {
			if name == changed {
				return value, value != ""
			}
			text, ok := complete[name]
			return text, ok
		}})
	}
	c, err := load("", "")
	if err != nil || !c.HasCluster() || c.Cluster.Listen != "10.0.0.1:7443" {
		t.Errorf("%+v: %v", c.Cluster, err)
	}
	for _, wrong := range []struct{ name, value string }{
		{"DATABASE_URL", ""},
		{"STORE_URL", ""},
		{"CLUSTER_CA", ""},
		{"CLUSTER_CERT", ""},
		{"CLUSTER_KEY", ""},
		{"CLUSTER_ADDRESS", ":7443"},
		{"CLUSTER_ADDRESS", "10.0.0.1:0"},
		{"CLUSTER_LEASE", "300ms"},
		{"CLUSTER_EXPIRY", "1500ms"},
		{"CLUSTER_PROVIDER", "zookeeper"},
		{"CLUSTER_PROVIDER_URL", "http://127.0.0.1:2379"},
	} {
		if _, err := load(wrong.name, wrong.value); err == nil || !strings.Contains(err.Error(), wrong.name) {
			t.Errorf("%s=%q: %v", wrong.name, wrong.value, err)
		}
	}
}

func TestProviderOfAClusterNeedsItsService(t *testing.T) {
	t.Parallel()
	load := func(values map[string]string) (config.Config, error) {
		values["DATABASE_URL"], values["STORE_URL"], values["STORE_BUCKET"] = "postgres://u:p@localhost/equity", "https://s3.example.com", "equity"
		values["STORE_ACCESS_KEY"], values["STORE_SECRET_KEY"] = "key", "secret"
		values["CLUSTER_CA"], values["CLUSTER_CERT"], values["CLUSTER_KEY"] = "ca.pem", "node.pem", "node.key"
		return config.Load(config.Source{Environment: func(name string) (string, bool) {
			text, ok := values[name]
			return text, ok
		}})
	}
	const address = "10.0.0.1:7443"
	for _, right := range []map[string]string{
		{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "etcd", "CLUSTER_PROVIDER_URL": "https://u:p@one:2379, https://two:2379"},
		{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "consul", "CLUSTER_PROVIDER_URL": "http://127.0.0.1:8500"},
		{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "kubernetes"},
	} {
		if _, err := load(right); err != nil {
			t.Errorf("%v: %v", right, err)
		}
	}
	for _, wrong := range []struct {
		name   string
		values map[string]string
	}{
		{"CLUSTER_PROVIDER", map[string]string{"CLUSTER_PROVIDER": "kubernetes"}},
		{"CLUSTER_PROVIDER_URL", map[string]string{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "etcd"}},
		{"CLUSTER_PROVIDER_URL", map[string]string{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "etcd", "CLUSTER_PROVIDER_URL": "one:2379"}},
		{"CLUSTER_PROVIDER_URL", map[string]string{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "consul"}},
		{"CLUSTER_PROVIDER_URL", map[string]string{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "consul", "CLUSTER_PROVIDER_URL": "http://a,http://b"}},
		{"CLUSTER_PROVIDER_URL", map[string]string{"CLUSTER_ADDRESS": address, "CLUSTER_PROVIDER": "kubernetes", "CLUSTER_PROVIDER_URL": "http://a"}},
	} {
		if _, err := load(wrong.values); err == nil || !strings.Contains(err.Error(), wrong.name+" ") {
			t.Errorf("%v: %v", wrong.values, err)
		}
	}
}

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
		{"CLUSTER_FOLLOW", "20"},
	} {
		if _, err := load(wrong.name, wrong.value); err == nil || !strings.Contains(err.Error(), wrong.name) {
			t.Errorf("%s=%q: %v", wrong.name, wrong.value, err)
		}
	}
}

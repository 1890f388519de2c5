package config

import (
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/url"
	"time"
)

// Cluster are the settings of a server that is part of a cluster.
type Cluster struct {
	Address     string // private host:port; "" for a server of its own
	Listen      string // host:port
	CA          string // paths of PEM files
	Certificate string
	Key         string
	Heartbeat   time.Duration
}

func clusterSettings() []Setting {
	const group = "Cluster"
	return []Setting{
		define(group, "CLUSTER_ADDRESS", "", listenAddress(),
			func(c *Config) *string { return &c.Cluster.Address },
			"Private host and port at which the other servers of a cluster reach this one. Each server has its own, and all share DATABASE_URL (PostgreSQL), REDIS_URL and STORE_URL. "+
				"Default: a server of its own, which refuses to start while another one uses the database."),
		define(group, "CLUSTER_LISTEN", "${CLUSTER_ADDRESS}", listenAddress(),
			func(c *Config) *string { return &c.Cluster.Listen },
			"Address at which this server receives the connections of the others, if it differs from CLUSTER_ADDRESS."),
		define(group, "CLUSTER_CA", "", path(),
			func(c *Config) *string { return &c.Cluster.CA },
			"File with the certificate (PEM) of the authority of the cluster. 'equity cluster certificate' creates all three files."),
		define(group, "CLUSTER_CERT", "", path(),
			func(c *Config) *string { return &c.Cluster.Certificate },
			"File with the certificate (PEM) of this server, for the name equity-cluster and for both sides of a connection."),
		define(group, "CLUSTER_KEY", "", path(),
			func(c *Config) *string { return &c.Cluster.Key },
			"File with the private key (PEM) of CLUSTER_CERT."),
		define(group, "CLUSTER_HEARTBEAT", "250ms", duration(50*time.Millisecond, time.Minute),
			func(c *Config) *time.Duration { return &c.Cluster.Heartbeat },
			"Interval at which a server of a cluster sends a heartbeat in the database. Without four of them, the others do not ask it any more."),
	}
}

// Fingerprints returns hashes of the settings that the servers of a cluster must share, by name. They contain no user and no password.
func (c Config) Fingerprints() map[string]string {
	found := map[string]string{}
	for name, value := range map[string]string{
		"PUBLIC_URL": c.PublicURL, "REDIS_URL": withoutUser(c.RedisURL.Reveal()), "STORE_BUCKET": c.Files.Bucket,
		"STORE_URL": withoutUser(c.Files.URL),
	} {
		hash := sha256.Sum256([]byte(name + "=" + value))
		found[name] = hex.EncodeToString(hash[:])
	}
	return found
}

func withoutUser(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.User = nil
	return u.String()
}

// HasCluster reports whether the server is part of a cluster.
func (c Config) HasCluster() bool { return c.Cluster.Address != "" }

// clusterProblems returns the problems of the settings of the cluster.
func (c Config) clusterProblems() (problems SettingsError) {
	own := c.Cluster
	if own.Address == "" {
		return nil
	}
	_, embedded := c.SQLitePath()
	host, port, _ := net.SplitHostPort(own.Address)
	for _, rule := range []struct {
		broken  bool
		problem Problem
	}{
		{embedded, Problem{"DATABASE_URL", "is an SQLite file, but must be a PostgreSQL server with CLUSTER_ADDRESS"}},
		{c.Files.URL == "", Problem{
			"STORE_URL",
			"is not set, but is required with CLUSTER_ADDRESS, because other servers cannot read the files in a folder of this one",
		}},
		{host == "" || port == "0", Problem{"CLUSTER_ADDRESS", "must have a host and a port, because other servers connect to it"}},
		{own.CA == "", Problem{"CLUSTER_CA", "is not set, but is required with CLUSTER_ADDRESS"}},
		{own.Certificate == "", Problem{"CLUSTER_CERT", "is not set, but is required with CLUSTER_ADDRESS"}},
		{own.Key == "", Problem{"CLUSTER_KEY", "is not set, but is required with CLUSTER_ADDRESS"}},
	} {
		if rule.broken {
			problems = append(problems, rule.problem)
		}
	}
	return problems
}

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
	Lease       time.Duration
	Expiry      time.Duration
	Follow      int // reads in ten seconds; 0 for never
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
			"Interval at which a server of a cluster renews its lease in the database."),
		define(group, "CLUSTER_LEASE", "1s", duration(100*time.Millisecond, 10*time.Minute),
			func(c *Config) *time.Duration { return &c.Cluster.Lease },
			"Time after a renewal during which the server may answer. After that time, others take over if PostgreSQL reports that the connection of the server has ended."),
		define(group, "CLUSTER_EXPIRY", "4s", duration(200*time.Millisecond, time.Hour),
			func(c *Config) *time.Duration { return &c.Cluster.Expiry },
			"Time after a renewal at which others take over in any case. A server that was paused or cut off for longer ends itself."),
		define(group, "CLUSTER_FOLLOW", "20", number(0, 1_000_000),
			func(c *Config) *int { return &c.Cluster.Follow },
			"Number of reads in ten seconds from which a server answers the reads of an organization of another server itself, from a copy for which it has a read lease of that server. 0 forwards all."),
	}
}

// Fingerprints returns hashes of the settings that the servers of a cluster must share, by name. They contain no user and no password.
func (c Config) Fingerprints() map[string]string {
	found := map[string]string{}
	for name, value := range map[string]string{
		"PUBLIC_URL": c.PublicURL, "REDIS_URL": withoutUser(c.RedisURL.Reveal()), "STORE_BUCKET": c.Files.Bucket, "STORE_URL": withoutUser(c.Files.URL),
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
		{c.Files.URL == "", Problem{"STORE_URL", "is not set, but is required with CLUSTER_ADDRESS, because other servers cannot read the files in a folder of this one"}},
		{host == "" || port == "0", Problem{"CLUSTER_ADDRESS", "must have a host and a port, because other servers connect to it"}},
		{own.CA == "", Problem{"CLUSTER_CA", "is not set, but is required with CLUSTER_ADDRESS"}},
		{own.Certificate == "", Problem{"CLUSTER_CERT", "is not set, but is required with CLUSTER_ADDRESS"}},
		{own.Key == "", Problem{"CLUSTER_KEY", "is not set, but is required with CLUSTER_ADDRESS"}},
		{own.Lease < 2*own.Heartbeat, Problem{"CLUSTER_LEASE", "must be at least two times CLUSTER_HEARTBEAT"}},
		{own.Expiry < 2*own.Lease, Problem{"CLUSTER_EXPIRY", "must be at least two times CLUSTER_LEASE"}},
	} {
		if rule.broken {
			problems = append(problems, rule.problem)
		}
	}
	return problems
}

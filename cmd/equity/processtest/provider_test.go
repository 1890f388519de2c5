package processtest_test

import (
	"net/url"
	"os"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// providerExpiry is longer than the time in which a provider reports the end of a server.
const providerExpiry = 10 * time.Second

// startWithProvider starts three nodes with the provider, which they reach through a proxy.
func startWithProvider(t *testing.T, settings processtest.Settings, name, variable string) (*processtest.Cluster, *storetest.Proxy) {
	t.Helper()
	address, err := url.Parse(os.Getenv(variable))
	if err != nil || address.Host == "" {
		t.Fatalf("%s is not set to an address: 'make test' starts the service", variable)
	}
	proxy := storetest.NewProxy(t, address.Host)
	address.Host = proxy.Address()
	return processtest.StartCluster(t, settings, 3, func(_ int, node processtest.Settings) processtest.Settings {
		return node.With("CLUSTER_PROVIDER", name).With("CLUSTER_PROVIDER_URL", address.String()).With("CLUSTER_EXPIRY", providerExpiry.String())
	}), proxy
}

// afterTheKill kills the owner and returns the time to the next acknowledged write. The owner is started again. The other nodes have renewed
// for the expiry before.
func afterTheKill(t *testing.T, l *clusterLoad) time.Duration {
	t.Helper()
	time.Sleep(providerExpiry + time.Second)
	l.answeredAfter(t, 0, 1, 2)
	owner := l.cluster.OwnerOf(t, l.company)
	l.cluster.Node(owner).Kill()
	took := l.answeredAfter(t, others(l, owner)...)
	l.cluster.Restart(t, owner)
	l.answeredAfter(t, 0, 1, 2)
	return took
}

func TestProviderReportsAKilledOwnerBeforeItsExpiry(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster, _ := startWithProvider(t, settings, "etcd", "TEST_ETCD_URL")
	l := loadOf(t, cluster, settings, fewWriters, false)
	took := afterTheKill(t, l)
	t.Logf("time from the kill of the owner to the next acknowledged write: %v", took)
	if took > providerExpiry-2*time.Second {
		t.Errorf("a failover took %s, of an expiry of %s", took, providerExpiry)
	}
	l.end(t, settings)
}

// TestOutageOfTheProviderEndsNoServer interrupts the connections of all nodes to the provider. A killed owner is replaced after its expiry
// meanwhile, and earlier again afterwards.
func TestOutageOfTheProviderEndsNoServer(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	cluster, proxy := startWithProvider(t, settings, "etcd", "TEST_ETCD_URL")
	l := loadOf(t, cluster, settings, fewWriters, false)
	l.answeredAfter(t, 0, 1, 2)
	proxy.Refuse(true)
	took := afterTheKill(t, l)
	t.Logf("time from the kill of the owner to the next acknowledged write, without the provider: %v", took)
	if took < providerExpiry-2*time.Second {
		t.Errorf("a node was replaced after %s without evidence", took)
	}
	proxy.Refuse(false)
	if took = afterTheKill(t, l); took > providerExpiry-2*time.Second {
		t.Errorf("a failover took %s after the outage of the provider", took)
	}
	l.end(t, settings)
}

package processtest_test

import (
	"net"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestFailoverOfTheDatabaseLosesNoWrite cuts the synchronous standby off from its primary under load. After the link has healed, the
// primary fails: its process, which refuses connections afterwards, or its machine, which does not answer. The standby is promoted. All servers
// stay members.
func TestFailoverOfTheDatabaseLosesNoWrite(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(t *testing.T, primary *storetest.Server, machine *storetest.Proxy){
		"process": func(t *testing.T, primary *storetest.Server, machine *storetest.Proxy) {
			t.Helper()
			machine.Refuse(true)
			primary.Kill(t, "data")
		},
		"machine": func(t *testing.T, _ *storetest.Server, machine *storetest.Proxy) {
			t.Helper()
			machine.Freeze(true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFailover(t, fail)
		})
	}
}

func testFailover(t *testing.T, fail func(*testing.T, *storetest.Server, *storetest.Proxy)) {
	t.Helper()
	primary, standby := storetest.NewServer(t), storetest.NewServer(t)
	primary.Initialize(t, "data")
	primary.Start(t, "data")
	storetest.Cleanup(t, func() { primary.KillQuietly("data") })
	link := storetest.NewProxy(t, primary.Host())
	_, port, err := net.SplitHostPort(link.Address())
	if err != nil {
		t.Fatal(err)
	}
	standby.Copy(t, primary, "data", "-X", "stream", "-R", "-d", "application_name=standby", "-p", port)
	standby.Start(t, "data")
	storetest.Cleanup(t, func() { standby.KillQuietly("data") })
	primary.Configure(t, "data", "synchronous_standby_names = 'standby'")
	primary.Query(t, `SELECT pg_reload_conf()::text`)
	for deadline := time.Now().Add(20 * time.Second); primary.Query(t, `SELECT COUNT(*)::text FROM pg_stat_replication WHERE sync_state = 'sync'`) != "1"; {
		if time.Now().After(deadline) {
			t.Fatal("the standby does not follow")
		}
		time.Sleep(50 * time.Millisecond)
	}
	machine := storetest.NewProxy(t, primary.Host())
	settings := processtest.ClusterServices(t).
		With("DATABASE_URL", "postgres://equity@"+machine.Address()+","+standby.Host()+"/postgres?sslmode=disable&target_session_attrs=read-write")
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadWith(t, cluster, settings, fewWriters, false, processtest.NewBusyLedger())
	l.answeredAfter(t, 0, 1, 2)
	partitionOfTheStandby(t, l, link)
	begin := time.Now()
	fail(t, primary, machine)
	time.Sleep(time.Second) // until the failure is known
	standby.Promote(t, "data")
	promoted := time.Since(begin)
	l.answeredAfter(t, 0, 1, 2)
	t.Logf("%s from the failure to the end of the promotion, %s to acknowledged writes through all servers", promoted, time.Since(begin))
	time.Sleep(6 * time.Second) // longer than the expiry
	for node := range cluster.Size() {
		if cluster.Node(node).HasEnded() {
			t.Errorf("node %d has ended", node)
		}
	}
	l.answeredAfter(t, 0, 1, 2)
	l.end(t, settings)
}

// partitionOfTheStandby drops the data between the primary and the standby for longer than the expiry. No write is acknowledged meanwhile,
// because commits wait for the standby. Afterwards writes go on.
func partitionOfTheStandby(t *testing.T, l *clusterLoad, link *storetest.Proxy) {
	t.Helper()
	link.Freeze(true)
	time.Sleep(200 * time.Millisecond) // until the answers of earlier commits have arrived
	before := len(l.ledger.Of(processtest.Acknowledged))
	time.Sleep(7800 * time.Millisecond)
	if during := len(l.ledger.Of(processtest.Acknowledged)) - before; during > 0 {
		t.Errorf("%d writes were acknowledged without the synchronous standby", during)
	}
	link.Freeze(false)
	l.healed(t, "primary and standby")
}

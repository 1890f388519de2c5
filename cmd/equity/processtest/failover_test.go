package processtest_test

import (
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestFailoverOfTheDatabaseLosesNoWrite cuts the synchronous standby off from its primary under load. After the link has healed, the
// primary and its Patroni fail: they are killed and refuse connections, or they do not answer, like a machine without power. Patroni promotes the
// standby. All nodes stay members. The former primary returns as the synchronous standby.
func TestFailoverOfTheDatabaseLosesNoWrite(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*processtest.Database){
		"process": (*processtest.Database).Kill,
		"machine": (*processtest.Database).Pause,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFailover(t, fail)
		})
	}
}

func testFailover(t *testing.T, fail func(*processtest.Database)) {
	t.Helper()
	databases := processtest.StartPatroni(t)
	settings := processtest.ClusterServices(t).With("DATABASE_URL", databases.Address())
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadWith(t, cluster, settings, fewWriters, false, processtest.NewBusyLedger())
	l.answeredAfter(t, 0, 1, 2)
	partitionOfTheStandby(t, l, databases.Link)
	begin := time.Now()
	fail(databases.Primary)
	l.answeredAfter(t, 0)
	first := time.Since(begin)
	l.answeredAfter(t, 1, 2)
	t.Logf("%s from the failure to the next acknowledged write, %s to acknowledged writes through all nodes", first, time.Since(begin))
	databases.Standby.Await(t, "/primary")
	for node := range cluster.Size() {
		if cluster.Node(node).HasEnded() {
			t.Errorf("node %d has ended", node)
		}
	}
	begin = time.Now()
	databases.Primary.Kill() // a machine that did not answer starts again
	databases.Primary.Start(t)
	l.end(t, settings)
	databases.Primary.Await(t, "/sync")
	t.Logf("%s until the former primary is the synchronous standby", time.Since(begin))
}

// partitionOfTheStandby drops the data between the primary and the standby for longer than the lease of the primary. No write is acknowledged
// meanwhile, because commits wait for the standby. Afterwards writes go on.
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

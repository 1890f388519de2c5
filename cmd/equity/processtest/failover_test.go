package processtest_test

import (
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestFailoverOfTheDatabaseLosesNoWrite kills the primary under load, and promotes its synchronous standby. All servers stay members.
func TestFailoverOfTheDatabaseLosesNoWrite(t *testing.T) {
	t.Parallel()
	primary, standby := storetest.NewServer(t), storetest.NewServer(t)
	primary.Initialize(t, "data")
	primary.Start(t, "data")
	storetest.Cleanup(t, func() { primary.KillQuietly("data") })
	standby.Copy(t, primary, "data", "-X", "stream", "-R", "-d", "application_name=standby")
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
	settings := processtest.ClusterServices(t).
		With("DATABASE_URL", "postgres://equity@"+primary.Host()+","+standby.Host()+"/postgres?sslmode=disable&target_session_attrs=read-write")
	cluster := processtest.StartCluster(t, settings, 3, nil)
	l := loadOf(t, cluster, settings, false)
	l.answeredAfter(t, 0, 1, 2)
	begin := time.Now()
	primary.Kill(t, "data")
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

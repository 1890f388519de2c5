package processtest_test

import (
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// TestBackupBesideAClusterIsRestored backs up a store while the writes of a company reach all members. A restore is refused until they have ended.
func TestBackupBesideAClusterIsRestored(t *testing.T) {
	t.Parallel()
	settings := processtest.ClusterServices(t)
	settings = settings.With("DATABASE_URL", settings["DATABASE_URL"]+"&application_name=restore"+strings.ToLower(rand.Text()))
	cluster := processtest.StartCluster(t, settings, 2, nil)
	l := loadOf(t, cluster, settings, fewWriters, false)
	l.answeredAfter(t, 0, 1)
	before := l.ledger.Of(processtest.Acknowledged)
	program, folder := processtest.PlainProgram(t), filepath.Join(t.TempDir(), "backup")
	if out, err := processtest.RunWith(t, settings, program, "backup", folder); err != nil {
		t.Fatalf("backup: %v\n%s", err, out)
	}
	if out, err := processtest.RunWith(t, settings, program, "restore", "--replace", folder); err == nil || !strings.Contains(out, "stop all servers") {
		t.Fatalf("restore beside members: %v\n%s", err, out)
	}
	l.answeredAfter(t, 0, 1)
	l.stop()
	l.work.Wait()
	l.unfollow()
	l.following.Wait()
	for node := range cluster.Size() {
		if err := cluster.Node(node).Stop(t, 40*time.Second); err != nil {
			t.Errorf("stop of node %d: %v", node, err)
		}
	}
	if out, err := processtest.RunWith(t, settings, program, "restore", "--replace", folder); err != nil || !strings.Contains(out, "0 with faults") {
		t.Fatalf("restore: %v\n%s", err, out)
	}
	cluster.Restart(t, 0)
	restored := map[string]int{}
	for _, record := range l.direct.At(cluster.Node(0)).Shareholdings(t, l.company) {
		id, _ := record["externalId"].(string)
		restored[id]++
	}
	for _, id := range before {
		if restored[id] != 1 {
			t.Errorf("the write %s was acknowledged before the backup and is restored %d times", id, restored[id])
		}
	}
	if written := len(l.ledger.Of(processtest.Acknowledged)) + len(l.ledger.Of(processtest.Unknown)); len(restored) > written {
		t.Errorf("%d writes are restored; %d were sent", len(restored), written)
	}
}

package processtest_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// TestStatementsOfRequestsReadOnePartition collects the plans of all statements that two nodes send while they change, read, stream and deliver the
// events of three organizations. A statement on the tables of the journal reads one partition by the index of its key. The comparison with the ends of
// journals concerns several organizations; it reads their rows of journal_head, which has no partitions, by the index of its key.
func TestStatementsOfRequestsReadOnePartition(t *testing.T) {
	t.Parallel()
	// PostgreSQL writes the plan of each statement, so that it answers late while other tests start their servers.
	settings := processtest.ClusterServices(t).With("WEBHOOK_ALLOW_PRIVATE", "true").With("STORE_TIMEOUT", "30s")
	storetest.Open(t, settings["DATABASE_URL"]) // migrates without plans
	explained, plans := storetest.Explained(t, settings["DATABASE_URL"])
	cluster := processtest.StartCluster(t, settings.With("DATABASE_URL", explained), 2, nil)
	direct := processtest.SignIn(t, cluster.Node(0), settings, user)
	client := cluster.Balanced(direct)
	received := newReceiver(t, func(string) bool { return false })
	plans() // without those of the start, which read all organizations
	var work sync.WaitGroup
	for _, name := range []string{"a", "b", "c"} {
		company := client.NewCompany(t, "1000000")
		path := "/v1/organization/" + company.ID
		client.Must(t, http.StatusCreated, "POST", path+"/webhook", map[string]any{"url": received.URL, "events": []string{"shareholding.created"}})
		work.Go(func() { changesAndReads(t, client, company, path, name, received) })
	}
	work.Wait()
	read := map[string]int{} // statements by table
	for _, plan := range plans() {
		tables, partitions, whole := storetest.Partitions(plan)
		for table := range tables {
			read[table]++
		}
		if len(partitions) > 1 || len(whole) > 0 {
			t.Errorf("a statement reads %d partitions, or whole ones (%v):\n%s", len(partitions), whole, plan)
		}
	}
	for _, table := range []string{"journal", "journal_head", "snapshot"} {
		if read[table] == 0 {
			t.Errorf("no statement has read %s", table)
		}
	}
	t.Logf("statements by table: %v", read)
}

// changesAndReads makes changes of a company, and reads it in all ways that use the journal.
func changesAndReads(t *testing.T, client *processtest.Client, company processtest.Company, path, name string, received *receiver) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	stream := &processtest.Stream{}
	var following sync.WaitGroup
	first := client.JournalLength(t, company)
	following.Go(func() { stream.Follow(ctx, t, client, company, first) })
	defer following.Wait()
	defer cancel()
	ledger := processtest.NewLedger()
	writing, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	ledger.WriteThrough(writing, t, client, company, name, 2, false)
	ledger.Check(t, client, company)
	ledger.Retry(t, client, company)
	today := time.Now().UTC().Format(time.DateOnly)
	for _, read := range []string{
		"/captable", "/captable?asOf=" + today, "/captable?knownAt=3", "/shareholding", "/journal?limit=5", "/journal?limit=5&type=shareholdingIssued",
	} {
		client.Must(t, http.StatusOK, "GET", path+read, nil)
	}
	stream.WaitFor(t, client.JournalLength(t, company))
	waitFor(t, "the delivery of all events", func() bool {
		for _, id := range ledger.Of(processtest.Acknowledged) {
			if len(received.times(id)) == 0 {
				return false
			}
		}
		return true
	})
}

package persistence_test

import (
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// fill adds alarms and mail that are not due, so that PostgreSQL plans for large tables.
func fill(t *testing.T, db *persistence.Database) {
	t.Helper()
	for _, statement := range []string{
		`INSERT INTO alarm SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), 'mail', 4000000000000000 + n, 0, 1, 1 FROM generate_series(1, 20000) n`,
		`INSERT INTO outbox (id, recipient, subject, plain_text, html, created_at, attempts, next_attempt_at, failure, organization, cause)
			SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), '', '', '', '', 1, 0, 1772366500000000 + n, '', '', '' FROM generate_series(1, 20000) n`,
		`ANALYZE alarm`, `ANALYZE outbox`,
	} {
		_, err := db.Writer().ExecContext(t.Context(), statement)
		must(t, err)
	}
}

func TestHotStatementsReadARangeOfAnIndex(t *testing.T) {
	t.Parallel()
	db, plans := explained(t)
	journal, consumers, now := storetest.OpenJournal(t, db), persistence.NewConsumers(db), storetest.Epoch()
	outbox, tokens := persistence.NewOutbox(db), persistence.NewAPITokens(db)
	writer, key := storetest.NewWriter(), [16]byte(storetest.NewID[organization.User]())
	id, version := writer.ID, uint64(0)
	batch := writer.Next(`{}`)
	batch.Resources = []messages.Resource{{ID: key, Kind: "member"}}
	storetest.MustPut(t, journal, batch)
	fill(t, db)
	nodes := nodeStore(t, db)
	must(t, nodes.Admit(t.Context(), firstNode))
	statements := map[string]func() error{
		"locate":                  func() error { _, _, err := journal.Locate(t.Context(), key); return err },
		"organizations of a user": func() error { _, err := journal.OrganizationsOf(t.Context(), key); return err },
		"organizations held":      func() error { _, err := journal.OrganizationsHeldBy(t.Context(), key); return err },
		"derived rows":            func() error { _, err := journal.Derived(t.Context(), id); return err },
		"each organization":       func() error { return journal.EachOrganization(t.Context(), func(organization.ID) error { return nil }) },
		"claim alarms":            func() error { _, err := consumers.Claim(t.Context(), now, time.Minute, 100); return err },
		"claim requested alarms": func() error {
			_, err := consumers.For(firstNode).ClaimEach(
				t.Context(), now, time.Minute, []messages.Alarm{{Organization: id, Consumer: "mail"}, {Organization: id, Consumer: "chat"}},
			)
			return err
		},
		"ends of journals": func() error { _, err := journal.Heads(t.Context(), []organization.ID{id, writer.ID}); return err },
		"load consumer":    func() error { _, _, err := consumers.Load(t.Context(), id, "mail"); return err },
		"save consumer": func() error {
			err := consumers.Save(t.Context(), id, "mail", messages.Cursor{State: messages.ConsumerOK, Version: version}, &messages.Rest{DueAt: now})
			version++
			return err
		},
		"states of consumers": func() error { _, err := consumers.Status(t.Context(), id); return err },
		"use of a token":      func() error { _, _, err := tokens.Use(t.Context(), "token", now); return err },
		"claim mail":          func() error { _, err := outbox.Claim(t.Context(), now, time.Minute, 100); return err },
		"unfinished onboardings": func() error {
			_, err := persistence.NewOnboardings(db).Unfinished(t.Context(), now)
			return err
		},
		"release of onboardings": func() error { return persistence.NewOnboardings(db).Release(t.Context(), "a") },
	}
	for name, do := range statements {
		plans()
		for range 8 { // after five executions PostgreSQL may choose a plan that is independent of the arguments
			must(t, do())
		}
		found := plans()
		if len(found) == 0 {
			t.Errorf("%s: no plan was reported", name)
		}
		for _, plan := range found {
			if scans := storetest.UnlimitedScans(plan); len(scans) > 0 {
				t.Errorf("%s reads whole tables or indexes (%s):\n%s", name, strings.Join(scans, ", "), plan)
			}
		}
	}
	plans()
	beats(t, nodes, firstNode)
	if found := strings.Join(plans(), "\n"); strings.Count(found, " on alarm") > 0 || !strings.Contains(found, " on node") {
		t.Errorf("a heartbeat reads other tables than the list of servers:\n%s", found)
	}
}

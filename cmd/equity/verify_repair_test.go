package main

import (
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// onBoth runs a test with the demo company on SQLite and on PostgreSQL.
func onBoth(t *testing.T, run func(t *testing.T, s *shell)) {
	t.Helper()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.variables["DATABASE_URL"] = factory(t)
			s.variables["SNAPSHOT_EVERY"] = "10"
			s.demo(t)
			mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
			run(t, s)
		})
	}
}

const aNewID = `CAST('0123456789abcdef' AS BYTEA)`

// TestDerivedTablesAreCheckedAndRebuilt damages the derived tables one after another.
func TestDerivedTablesAreCheckedAndRebuilt(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *shell) {
		t.Helper()
		for _, test := range []struct{ statement, want string }{
			{`DELETE FROM resource`, "resource: "},
			{`UPDATE resource SET kind = 'wrong'`, "resource: "},
			{`UPDATE resource SET id = ` + aNewID + ` WHERE kind = 'legend' AND id IN (SELECT id FROM resource WHERE kind = 'legend' LIMIT 1)`, "resource: 1 rows"},
			{`DELETE FROM resource WHERE kind = 'member'`, "resource: "},
			{`DELETE FROM membership`, "membership: 1 rows are missing"},
			{`INSERT INTO membership (user_id, organization) SELECT ` + aNewID + `, organization FROM membership`, "membership: 1 rows are not of this journal"},
			{`DELETE FROM stake`, "stake: "},
			{`INSERT INTO stake (entity, organization) SELECT ` + aNewID + `, organization FROM membership`, "stake: 1 rows are not of this journal"},
			{`DELETE FROM person`, "the row is missing"},
			{`UPDATE person SET user_id = ` + aNewID, "the account does not exist"},
			{`UPDATE person SET entity = ` + aNewID, "the row is missing"},
			{`DELETE FROM journal_head`, "journal_head: sequence 0 is stored"},
			{`UPDATE snapshot SET state = CAST('nonsense' AS BYTEA)`, "differs from a replay"},
			{`UPDATE snapshot SET hash = ` + aNewID, "belongs to another row"},
			{`UPDATE snapshot SET sequence = sequence + 100000`, "is of no row"},
			{`UPDATE snapshot SET sequence = sequence - 1 WHERE sequence > 1`, "the snapshot of sequence"},
		} {
			s.alter(t, test.statement)
			mustContain(t, s.refused(t, statusFailed, "verify"), test.want)
			s.run(t, "verify", "--repair")
			mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
		}
	})
}

func TestDamagedJournalIsNotRepaired(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		statements []string
		want       string
	}{
		"a missing tail":                    {[]string{`DELETE FROM journal WHERE sequence > (SELECT MAX(sequence) - 3 FROM journal)`}, "rows are missing"},
		"a missing tail and no stored head": {[]string{`DELETE FROM journal WHERE sequence > 12`, `DELETE FROM journal_head`}, "rows are missing"},
		"an emptied journal":                {[]string{`DELETE FROM journal`}, "rows are missing"},
		"an emptied journal without a head": {[]string{`DELETE FROM journal`, `DELETE FROM journal_head`, `DELETE FROM snapshot`}, "rows are missing"},
		"a changed row":                     {[]string{`UPDATE journal SET actor = 'somebody' WHERE sequence = 3`}, "the row of sequence 3 or an earlier row was altered"},
		"a replaced hash of the last row":   {[]string{`UPDATE journal_head SET hash = ` + aNewID}, "different hash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, s *shell) {
				t.Helper()
				for _, statement := range test.statements {
					s.alter(t, statement)
				}
				mustContain(t, s.refused(t, statusFailed, "verify"), test.want, "1 with faults")
				mustContain(t, s.refused(t, statusFailed, "verify", "--repair"), test.want, "not repaired")
				mustContain(t, s.refused(t, statusFailed, "verify"), test.want)
			})
		})
	}
}

func TestOperatorMayAcceptTheEndOfAJournal(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *shell) {
		t.Helper()
		s.alter(t, `DELETE FROM journal WHERE sequence > (SELECT MAX(sequence) - 3 FROM journal)`)
		mustContain(t, s.run(t, "verify", "--repair", "--accept-end"), "rows are missing", "rebuilt")
		mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
	})
}

// TestVerifyingRepairsNothingUnasked runs verify twice and compares the findings.
func TestVerifyingRepairsNothingUnasked(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	s.alter(t, `DELETE FROM stake`)
	first := s.refused(t, statusFailed, "verify")
	if second := s.refused(t, statusFailed, "verify"); first != second || !strings.Contains(first, "stake: ") {
		t.Errorf("first %s\nthen %s", first, second)
	}
}

package actors_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"equity/messages"
	"equity/persistence"
	"equity/persistence/storetest"
)

// damagedBy creates a company with some events, applies the change to the stopped store,
// and starts again.
func damagedBy(t *testing.T, change func(*company)) *company {
	t.Helper()
	c := setup(t, every(10))
	for range 25 {
		c.must(c.issue(c.ada, 1))
		time.Sleep(time.Second)
	}
	c.stop(c.Organizations)
	good := c.store.stored(c.id)
	storetest.Cleanup(t, func() { // the store verifies its content at the end
		c.store.mu.Lock()
		defer c.store.mu.Unlock()
		c.store.rows[c.id] = good
	})
	change(c)
	c.start()
	return c
}

// rewrite replaces the stored rows.
func (c *company) rewrite(change func([]messages.Row) []messages.Row) {
	rows := change(c.store.stored(c.id))
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.store.rows[c.id] = rows
}

func TestDamagedJournalIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*company){
		"a changed payload behind the snapshot": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row {
				last := &rows[len(rows)-1]
				last.Payload = append([]byte(" "), last.Payload...)
				return rows
			})
		},
		"a changed author of the snapshot's own row": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row {
				saved := c.store.saved(c.id)
				rows[saved[len(saved)-1]-1].By = "somebody"
				return rows
			})
		},
		"a changed moment": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row {
				rows[len(rows)-2].RecordedAt = rows[len(rows)-2].RecordedAt.Add(time.Second)
				return rows
			})
		},
		"a missing tail": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row { return rows[:len(rows)-1] })
		},
		"a tail that is missing beyond the snapshot": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row { return rows[:3] })
		},
		"a journal without any row": func(c *company) {
			c.rewrite(func([]messages.Row) []messages.Row { return nil })
		},
		"a last row that was written anew with a fitting hash": func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row {
				last := &rows[len(rows)-1]
				last.By = "somebody"
				last.Seal(last.PreviousHash)
				return rows
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := damagedBy(t, change)
				_, err := c.View(context.Background(), c.id)
				refused(t, err, messages.ErrDamaged.Code)
				_, err = c.do(c.issue(c.ada, 1))
				refused(t, err, messages.ErrDamaged.Code)
				if n := c.Stats().Damaged; n != 1 {
					t.Errorf("%d organizations are reported as damaged", n)
				}
				other := c.newID()
				c.must(c.create(other))
			})
		})
	}
}

func TestJournalWithUnknownEventsIsRefusedAsSuch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := damagedBy(t, func(c *company) {
			c.rewrite(func(rows []messages.Row) []messages.Row {
				last := &rows[len(rows)-1]
				last.Type = "laterEvent"
				last.Seal(last.PreviousHash)
				return rows
			})
			c.store.mu.Lock()
			defer c.store.mu.Unlock()
			good, rows := c.store.heads[c.id], c.store.rows[c.id]
			c.store.heads[c.id] = rows[len(rows)-1]
			storetest.Cleanup(t, func() {
				c.store.mu.Lock()
				defer c.store.mu.Unlock()
				c.store.heads[c.id] = good
			})
		})
		_, err := c.View(context.Background(), c.id)
		refused(t, err, messages.ErrUnknownEvent.Code)
		_, err = c.do(c.issue(c.ada, 1))
		refused(t, err, messages.ErrUnknownEvent.Code)
		if n := c.Stats().Damaged; n != 0 {
			t.Errorf("%d organizations are reported as damaged", n)
		}
	})
}

func TestDamagedOrganizationIsServedAfterRepair(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var good []messages.Row
		c := damagedBy(t, func(c *company) {
			good = c.store.stored(c.id)
			c.rewrite(func(rows []messages.Row) []messages.Row { return rows[:len(rows)-1] })
		})
		_, err := c.View(context.Background(), c.id)
		refused(t, err, messages.ErrDamaged.Code)
		scans := c.store.scanned()
		for range 10 {
			_, err := c.View(context.Background(), c.id)
			refused(t, err, messages.ErrDamaged.Code)
		}
		if c.store.scanned() != scans {
			t.Error("each refusal reads the journal again")
		}
		c.rewrite(func([]messages.Row) []messages.Row { return good })
		time.Sleep(2 * time.Minute)
		if _, err := c.View(context.Background(), c.id); err != nil {
			t.Fatal(err)
		}
		if n := c.Stats().Damaged; n != 0 {
			t.Errorf("%d organizations are still reported as damaged", n)
		}
	})
}

func TestSnapshotOfAnotherRowIsNotUsed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := damagedBy(t, func(c *company) {
			saved := c.store.snapshots[c.id]
			saved[len(saved)-1].Hash[0]++
		})
		view, err := c.View(context.Background(), c.id)
		if err != nil {
			t.Fatal(err)
		}
		same(t, view.State, c.store.replay(c.id))
	})
}

func TestDamageInRealStoresIsRefused(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"a changed payload":     `UPDATE journal SET payload = payload || CAST(' ' AS BYTEA) WHERE sequence = 4`,
		"a changed author":      `UPDATE journal SET actor = 'somebody' WHERE sequence = 3`,
		"a missing row":         `DELETE FROM journal WHERE sequence = 2`,
		"a missing tail":        `DELETE FROM journal WHERE sequence = (SELECT MAX(sequence) FROM journal)`,
		"an emptied journal":    `DELETE FROM journal`,
		"a changed last hash":   `UPDATE journal SET hash = previous_hash WHERE sequence = (SELECT MAX(sequence) FROM journal)`,
		"a changed first event": `UPDATE journal SET type = 'memberAdded' WHERE sequence = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, db *persistence.Database) {
				t.Helper()
				r := setupReal(t, db)
				for range 5 {
					r.carry(r.issue(r.ada, 1))
				}
				r.stop(r.Organizations)
				if _, err := db.Writer().ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
				r.Organizations = r.serve()
				_, err := r.View(context.Background(), r.id)
				refused(t, err, messages.ErrDamaged.Code)
			})
		})
	}
}

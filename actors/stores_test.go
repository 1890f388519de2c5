package actors_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

var _ actors.Journal = (*persistence.Journal)(nil)

// trader is a company on a real store, with real time.
type trader struct {
	*company
	journal *persistence.Journal
}

func setupReal(t *testing.T, db *persistence.Database) *trader {
	t.Helper()
	r := &trader{company: &company{TB: t, ids: &atomic.Uint64{}}, journal: storetest.OpenJournal(t, db)}
	r.settings = actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: time.Hour, SnapshotEvery: 50, RememberKeys: time.Hour, Patience: 30 * time.Second,
		Now: time.Now, NewID: func() [16]byte { return uuid.Must(uuid.NewV7()) },
	}
	r.Organizations = r.serve()
	r.id, r.founder = r.settings.NewID(), organization.Founder{User: r.settings.NewID(), Entity: r.settings.NewID(), Name: "Fay"}
	r.carry(r.create(r.id))
	r.ada = r.founder.Entity
	reply := r.carry(asking(r.company, captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(authorized)),
	}}))
	security, err := messages.ResultOf[*captable.Security](reply)
	if err != nil {
		t.Fatal(err)
	}
	r.security = security.ID
	return r
}

// serve starts actors, like a separate server.
func (r *trader) serve() *actors.Organizations {
	r.Helper()
	log := slog.New(slog.DiscardHandler)
	organizations := actors.NewOrganizations(system.New(log), r.journal, r.settings, log)
	r.Cleanup(func() { r.stop(organizations) })
	return organizations
}

func (r *trader) carry(command messages.Command) messages.Reply {
	r.Helper()
	reply, err := r.do(command)
	if err != nil {
		r.Fatalf("%T: %v", command.Body, err)
	}
	return reply
}

// proven reads the whole journal, checks its chain, and returns its end.
func (r *trader) proven() uint64 {
	r.Helper()
	last := messages.Row{}
	err := r.journal.Scan(context.Background(), r.id, 0, 0, func(row messages.Row) error {
		if row.Sequence != last.Sequence+1 || !row.Fits(last.Hash) {
			r.Errorf("row %d does not fit behind row %d", row.Sequence, last.Sequence)
		}
		last = row
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
	return last.Sequence
}

func TestRealStores(t *testing.T) {
	t.Parallel()
	t.Run("each acknowledged change is durable, and a restart finds it", func(t *testing.T) {
		t.Parallel()
		storetest.Each(t, func(t *testing.T, db *persistence.Database) {
			t.Helper()
			r := setupReal(t, db)
			founding := r.proven()
			var everybody sync.WaitGroup
			for range 16 {
				everybody.Go(func() {
					for range 20 {
						reply, err := r.do(r.issue(r.ada, 1))
						if err != nil {
							t.Error(err)
							return
						}
						head, _, err := r.journal.Head(context.Background(), r.id)
						if err != nil || head < reply.Sequence {
							t.Errorf("sequence %d was acknowledged when the journal ended at %d, %v", reply.Sequence, head, err)
						}
						if view, err := r.View(context.Background(), r.id); err != nil || view.Sequence < reply.Sequence {
							t.Errorf("a read behind the write of %d: %v", reply.Sequence, err)
						}
					}
				})
			}
			everybody.Wait()
			command := keyed(r.issue(r.ada, 1), "k", "body")
			first := r.carry(command)
			if head := r.proven(); head != founding+16*20+1 {
				t.Errorf("the journal ends at %d", head)
			}
			before, err := r.View(context.Background(), r.id)
			if err != nil {
				t.Fatal(err)
			}
			r.stop(r.Organizations)
			r.Organizations = r.serve()
			after, err := r.View(context.Background(), r.id)
			if err != nil {
				t.Fatal(err)
			}
			same(t, after.State, before.State)
			if found, err := r.journal.LoadSnapshot(context.Background(), r.id, 0); err != nil || found.Sequence == 0 {
				t.Errorf("no snapshot was taken: %v", err)
			}
			again := r.carry(command)
			alike(t, again, first)
			past, err := r.ViewAt(context.Background(), r.id, founding+7)
			if err != nil || held(past.State, r.ada) != "7" {
				t.Errorf("the view at %d: %v", founding+7, err)
			}
		})
	})
	t.Run("two servers never both win", func(t *testing.T) {
		t.Parallel()
		storetest.Each(t, func(t *testing.T, db *persistence.Database) {
			t.Helper()
			r := setupReal(t, db)
			founding := r.proven()
			servers := []*actors.Organizations{r.Organizations, r.serve()}
			var acknowledged atomic.Uint64
			var everybody sync.WaitGroup
			for caller := range 8 {
				everybody.Go(func() {
					for range 15 {
						_, err := servers[caller%2].Do(context.Background(), r.issue(r.ada, 1))
						if err == nil {
							acknowledged.Add(1)
							continue
						}
						refused(t, err, messages.ErrUnavailable.Code)
					}
				})
			}
			everybody.Wait()
			if stored := r.proven() - founding; stored != acknowledged.Load() {
				t.Errorf("%d were acknowledged, and the journal has %d", acknowledged.Load(), stored)
			}
		})
	})
}

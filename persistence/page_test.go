package persistence_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// longList is a list of a user with records of others between those of the user.
type longList struct {
	// add stores a record of the time, and one of another owner.
	add func(ctx context.Context, id [16]byte, at time.Time) error
	// page returns the keys of a page.
	page func(ctx context.Context, page messages.PageQuery) ([]messages.RecordKey, error)
	// remove deletes a record.
	remove string
	// byID lists have the order of ids, the others the reverse order of times and ids.
	byID bool
}

// longLists returns the lists with pages in the store, by name.
func longLists(t *testing.T, db *persistence.Database) map[string]longList {
	t.Helper()
	ada, bob := newUser("ada@example.org"), newUser("bob@example.org")
	for _, user := range []persistence.User{ada, bob} {
		must(t, persistence.NewUsers(db).Create(t.Context(), user))
	}
	in := storetest.NewID[organization.Organization]()
	steps, talks, referrals := persistence.NewSteps(db), persistence.NewConversations(db), persistence.NewReferrals(db)
	return map[string]longList{
		"steps": {remove: `DELETE FROM agent_step WHERE id = $1`, byID: true, add: func(ctx context.Context, id [16]byte, at time.Time) error {
			step := messages.Step{
				ID: id, User: ada.ID, Credential: "session", Status: messages.StepPending, CreatedAt: at, ExpiresAt: at.Add(24 * time.Hour),
			}
			other := step
			other.ID, other.Status = storetest.NewID[struct{}](), messages.StepRejected
			if err := steps.Add(ctx, other); err != nil {
				return err
			}
			return steps.Add(ctx, step)
		}, page: func(ctx context.Context, page messages.PageQuery) ([]messages.RecordKey, error) {
			found, err := steps.DecidedBy(ctx, ada.ID, "session", storetest.Epoch(), page)
			return keysOf(found, func(s messages.Step) messages.RecordKey { return messages.RecordKey{ID: s.ID} }), err
		}},
		"conversations": {remove: `DELETE FROM agent_conversation WHERE id = $1`, add: func(ctx context.Context, id [16]byte, at time.Time) error {
			talk := messages.Conversation{ID: id, Organization: in, User: ada.ID, CreatedAt: at, UpdatedAt: at}
			other := talk
			other.ID, other.Organization = storetest.NewID[struct{}](), storetest.NewID[organization.Organization]()
			if err := talks.Append(ctx, other, true, nil); err != nil {
				return err
			}
			return talks.Append(ctx, talk, true, nil)
		}, page: func(ctx context.Context, page messages.PageQuery) ([]messages.RecordKey, error) {
			found, err := talks.List(ctx, in, ada.ID, page)
			return keysOf(found, func(c messages.Conversation) messages.RecordKey { return messages.RecordKey{At: c.UpdatedAt, ID: c.ID} }), err
		}},
		"invitations": {remove: `DELETE FROM invitation WHERE id = $1`, add: func(ctx context.Context, id [16]byte, at time.Time) error {
			email := fmt.Sprintf("%x@example.org", id)
			for _, one := range []messages.Invitation{{ID: storetest.NewID[messages.Invitation](), User: bob.ID}, {ID: id, User: ada.ID}} {
				one.Email, one.SentAt = email, at
				if _, _, err := referrals.Invite(ctx, messages.Once{}, one, newMail(email), time.Hour); err != nil {
					return err
				}
			}
			return nil
		}, page: func(ctx context.Context, page messages.PageQuery) ([]messages.RecordKey, error) {
			found, err := referrals.Invitations(ctx, ada.ID, page)
			return keysOf(found, func(i messages.Invitation) messages.RecordKey { return messages.RecordKey{At: i.SentAt, ID: i.ID} }), err
		}},
	}
}

func keysOf[R any](found []R, key func(R) messages.RecordKey) (keys []messages.RecordKey) {
	for _, one := range found {
		keys = append(keys, key(one))
	}
	return keys
}

// fill stores records, three of each time, and returns their keys in the order of the list. The order of ids differs from that of times.
func (l longList) fill(t *testing.T, records int) (want []messages.RecordKey) {
	t.Helper()
	ids := make([][16]byte, records)
	for i := range ids {
		ids[i] = storetest.NewID[struct{}]()
	}
	for i := range records {
		key := messages.RecordKey{At: storetest.Epoch().Add(time.Duration(i/3) * time.Second), ID: ids[i*77%records]}
		must(t, l.add(t.Context(), key.ID, key.At))
		if l.byID {
			key.At = time.Time{}
		}
		want = append(want, key)
	}
	slices.SortFunc(want, func(a, b messages.RecordKey) int {
		if l.byID {
			return slices.Compare(a.ID[:], b.ID[:])
		}
		if latest := b.At.Compare(a.At); latest != 0 {
			return latest
		}
		return slices.Compare(b.ID[:], a.ID[:])
	})
	return want
}

// pages returns the keys of all pages.
func (l longList) pages(t *testing.T, limit int) (found []messages.RecordKey) {
	t.Helper()
	for query := (messages.PageQuery{Limit: limit}); ; query.After = found[len(found)-1] {
		page, err := l.page(t.Context(), query)
		must(t, err)
		if len(page) > limit {
			t.Fatalf("%d records on a page of %d", len(page), limit)
		}
		if len(page) == 0 {
			return found
		}
		found = append(found, page...)
	}
}

func TestPagesOfLongListsHaveEachRecordOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		for name, list := range longLists(t, db) {
			want := list.fill(t, 205)
			for _, limit := range []int{1, 7, 200, 1000} {
				if got := list.pages(t, limit); !slices.Equal(got, want) {
					t.Errorf("%s: %d records on pages of %d, want %d, or another order", name, len(got), limit, len(want))
				}
			}
			must(t, func() error { _, err := db.Writer().ExecContext(t.Context(), list.remove, want[199].ID[:]); return err }())
			got, err := list.page(t.Context(), messages.PageQuery{After: want[199], Limit: 200})
			if err != nil || !slices.Equal(got, want[200:]) {
				t.Errorf("%s after a removed record: %d records, %v", name, len(got), err)
			}
		}
	})
}

func TestPagesOfLongListsReadARangeOfAnIndex(t *testing.T) {
	t.Parallel()
	db, plans := explained(t)
	for name, list := range longLists(t, db) {
		want := list.fill(t, 10) // so few that PostgreSQL keeps no statistics, and plans for a table of unknown size
		plans()
		for range 8 { // after five executions PostgreSQL may choose a plan that is independent of the arguments
			_, err := list.page(t.Context(), messages.PageQuery{After: want[4], Limit: 3})
			must(t, err)
		}
		for _, plan := range plans() {
			if scans := storetest.UnlimitedScans(plan); len(scans) > 0 || strings.Contains(plan, "Sort Key") {
				t.Errorf("%s reads more than the page (%s):\n%s", name, strings.Join(scans, ", "), plan)
			}
		}
	}
}

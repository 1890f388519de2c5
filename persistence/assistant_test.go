package persistence_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// agentUser creates an account.
func agentUser(t *testing.T, db *persistence.Database) messages.User {
	t.Helper()
	user := messages.User{
		ID: storetest.NewID[organization.User](), Entity: storetest.NewID[captable.Entity](), Email: "ada@example.com", Username: "ada",
		CreatedAt: time.UnixMicro(1).UTC(),
	}
	must(t, persistence.NewUsers(db).Create(t.Context(), user))
	return user
}

func TestConversationsKeepTheirMessages(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		talks, ada := persistence.NewConversations(db), agentUser(t, db)
		at := time.UnixMicro(1_000_000).UTC()
		talk := messages.Conversation{
			ID: storetest.NewID[struct{}](), Organization: storetest.NewID[organization.Organization](), User: ada.ID, Title: "hello",
			CreatedAt: at, UpdatedAt: at,
		}
		said := []messages.ConversationMessage{
			{Role: messages.RoleUser, Content: "hello", ToolCalls: []byte("[]"), At: at},
			{Role: messages.RoleAssistant, Content: "hi", ToolCalls: []byte(`[{"id":"a"}]`), At: at},
		}
		must(t, talks.Append(t.Context(), talk, true, said))
		must(t, talks.Append(t.Context(), talk, false, said)) // in the same instant
		got, err := talks.Messages(t.Context(), talk.ID, 3)
		if err != nil || len(got) != 3 || got[0].Content != "hi" || got[1].Content != "hello" || string(got[2].ToolCalls) != `[{"id":"a"}]` {
			t.Errorf("%+v %v", got, err)
		}
		found, err := talks.List(t.Context(), talk.Organization, ada.ID, messages.PageQuery{Limit: 10})
		if err != nil || !slices.Equal(found, []messages.Conversation{talk}) {
			t.Errorf("%+v %v", found, err)
		}
		_, err = talks.Find(t.Context(), talk.Organization, storetest.NewID[organization.User](), talk.ID)
		refused(t, err, fault.NotFound)
		if found, err := talks.Delete(t.Context(), talk.Organization, ada.ID, talk.ID); err != nil || !found {
			t.Errorf("%t %v", found, err)
		}
		must(t, talks.Append(t.Context(), talk, false, said)) // deleted in between
		_, err = talks.Find(t.Context(), talk.Organization, ada.ID, talk.ID)
		refused(t, err, fault.NotFound)
	})
}

func TestErasedAccountHasNoConversations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		talks, steps, ada := persistence.NewConversations(db), persistence.NewSteps(db), agentUser(t, db)
		talk := messages.Conversation{ID: storetest.NewID[struct{}](), Organization: storetest.NewID[organization.Organization](), User: ada.ID}
		must(t, talks.Append(
			t.Context(), talk, true, []messages.ConversationMessage{{Role: messages.RoleUser, Content: "private", ToolCalls: []byte("[]")}},
		))
		step := messages.Step{
			ID: storetest.NewID[struct{}](), User: ada.ID, Conversation: talk.ID, Status: messages.StepPending,
			ExpiresAt: time.UnixMicro(9).UTC(),
		}
		must(t, steps.Add(t.Context(), step))
		must(t, persistence.NewUsers(db).Erase(t.Context(), ada))
		if got, err := talks.Messages(t.Context(), talk.ID, 10); err != nil || len(got) != 0 {
			t.Errorf("%+v %v", got, err)
		}
		if got, err := steps.Of(t.Context(), talk.ID, time.UnixMicro(1)); err != nil || len(got) != 0 {
			t.Errorf("%+v %v", got, err)
		}
	})
}

func TestStepIsDecidedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		steps, ada := persistence.NewSteps(db), agentUser(t, db)
		step := messages.Step{
			ID: storetest.NewID[struct{}](), Organization: storetest.NewID[organization.Organization](), User: ada.ID, Credential: "one",
			Conversation: storetest.NewID[struct{}](), Operation: "addMember", Class: messages.ToolWrite, Title: "Add a member",
			Arguments: []byte(`{"body":{}}`), Preview: []byte(`{"dryRun":true}`),
			Previewed: messages.Previewed{At: time.UnixMicro(5).UTC(), Digests: []messages.Hash{{1}, {2}}}, Basis: 7, Status: messages.StepPending,
			CreatedAt: time.UnixMicro(5).UTC(), ExpiresAt: time.UnixMicro(9).UTC(),
		}
		must(t, steps.Add(t.Context(), step))
		found, err := steps.Find(t.Context(), ada.ID, step.ID)
		if err != nil || found.Previewed.At != step.Previewed.At || !slices.Equal(found.Previewed.Digests, step.Previewed.Digests) ||
			string(found.Arguments) != string(step.Arguments) || found.Basis != 7 || found.Conversation != step.Conversation {
			t.Errorf("%+v %v", found, err)
		}
		next := step
		next.ID = storetest.NewID[struct{}]()
		step.Status, step.Next = messages.StepSuperseded, next.ID
		for i, want := range []bool{true, false} {
			if done, err := steps.Supersede(t.Context(), messages.StepPending, step, next); err != nil || done != want {
				t.Errorf("attempt %d: %t %v", i, done, err)
			}
		}
		if waiting, err := steps.Of(t.Context(), step.Conversation, time.UnixMicro(8)); err != nil || len(waiting) != 1 || waiting[0].ID != next.ID {
			t.Errorf("%+v %v", waiting, err)
		}
		if waiting, err := steps.Of(t.Context(), step.Conversation, time.UnixMicro(9)); err != nil || len(waiting) != 0 {
			t.Errorf("after the expiry: %+v %v", waiting, err)
		}
		next.Status, next.Sequence, next.DecidedAt = messages.StepExecuted, 8, time.UnixMicro(8).UTC()
		if done, err := steps.Decide(t.Context(), messages.StepPending, next); err != nil || !done {
			t.Errorf("%t %v", done, err)
		}
		if found, err := steps.Find(t.Context(), ada.ID, next.ID); err != nil || found.Status != messages.StepExecuted || found.Sequence != 8 {
			t.Errorf("%+v %v", found, err)
		}
		_, err = steps.Find(t.Context(), storetest.NewID[organization.User](), step.ID)
		refused(t, err, fault.NotFound)
	})
}

func TestTakenStepsWithoutAResultAreFound(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		steps, ada := persistence.NewSteps(db), agentUser(t, db)
		for i, status := range []messages.StepStatus{
			messages.StepPending, messages.StepTaken, messages.StepTaken, messages.StepExecuted, messages.StepTaken,
		} {
			must(t, steps.Add(t.Context(), messages.Step{
				ID: storetest.NewID[struct{}](), User: ada.ID, Operation: string(status), Status: status,
				DecidedAt: time.UnixMicro(int64(10 - i)).UTC(),
			}))
		}
		found, err := steps.Unsettled(t.Context(), time.UnixMicro(6), time.UnixMicro(9), 5)
		if err != nil || len(found) != 2 || found[0].DecidedAt.UnixMicro() != 8 || found[1].DecidedAt.UnixMicro() != 9 {
			t.Errorf("%+v %v", found, err)
		}
	})
}

// TestConcurrentDecisionsOfAStepHaveOneWinner decides from several callers at once.
func TestConcurrentDecisionsOfAStepHaveOneWinner(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		steps, ada := persistence.NewSteps(db), agentUser(t, db)
		step := messages.Step{ID: storetest.NewID[struct{}](), User: ada.ID, Status: messages.StepPending}
		must(t, steps.Add(t.Context(), step))
		var won atomic.Int32
		var all sync.WaitGroup
		for _, status := range []messages.StepStatus{messages.StepTaken, messages.StepRejected, messages.StepExpired, messages.StepTaken} {
			decided := step
			decided.Status = status
			all.Go(func() {
				done, err := steps.Decide(t.Context(), messages.StepPending, decided)
				if err != nil {
					t.Error(err)
				}
				if done {
					won.Add(1)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("%d decisions", won.Load())
		}
	})
}

package token_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/features/hook/token"
	"equity/organization"
)

// commanded returns the state of an organization, and a function that executes commands.
func commanded(t *testing.T) (*organization.State, func(organization.Command) error) {
	t.Helper()
	state, sequence, ids := organization.NewState(), uint64(0), byte(0)
	do := func(command organization.Command) error {
		newID := func() (id [16]byte) {
			ids++
			id[0] = ids
			return id
		}
		events, err := organization.Decide(state, command, organization.DecideContext{
			Schema: organization.NewSchema(token.Extension()), Now: time.Unix(1, 0), NewID: newID,
		})
		for _, event := range events {
			sequence++
			state.Apply(event, captable.Stamp{Sequence: sequence, At: captable.InstantOf(time.Unix(1, 0))})
		}
		return err
	}
	err := do(organization.Create{
		ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return state, do
}

func TestHookTokensAreAtMostTwo(t *testing.T) {
	t.Parallel()
	state, do := commanded(t)
	for i := range byte(token.Most) {
		if err := do(token.Create{ID: token.ID{i + 1}, Name: " CI "}); err != nil {
			t.Fatal(err)
		}
	}
	third := token.Create{ID: token.ID{9}, Name: "third"}
	if err := do(third); !fault.Is(err, organization.CodeLimit) {
		t.Errorf("a third token: %v", err)
	}
	if err := do(token.Revoke{ID: token.ID{1}}); err != nil {
		t.Fatal(err)
	}
	if err := do(token.Revoke{ID: token.ID{1}}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a second revocation: %v", err)
	}
	if err := do(third); err != nil {
		t.Errorf("after a revocation: %v", err)
	}
	if got, ok := token.Of(state).Get(token.ID{2}); !ok || got.Name != "CI" || len(token.Of(state).All()) != 2 {
		t.Errorf("%+v %v", got, ok)
	}
}

func TestHookTokenNeedsAName(t *testing.T) {
	t.Parallel()
	_, do := commanded(t)
	for _, name := range []string{"", " \t", strings.Repeat("n", 101)} {
		if err := do(token.Create{ID: token.ID{1}, Name: name}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSnapshotContainsHookTokens(t *testing.T) {
	t.Parallel()
	state, do := commanded(t)
	if err := do(token.Create{ID: token.ID{1}, Name: "CI"}); err != nil {
		t.Fatal(err)
	}
	restored, err := organization.NewSchema(token.Extension()).Restore(string(state.Snapshot()))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := token.Of(state).Get(token.ID{1})
	if got, ok := token.Of(restored).Get(want.ID); !ok || *got != *want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestStoredEventsStayReadable decodes the names in the journals of existing installations.
func TestStoredEventsStayReadable(t *testing.T) {
	t.Parallel()
	schema := organization.NewSchema(token.Extension())
	for _, name := range []string{"hookTokenCreated", "hookTokenRevoked"} {
		event, err := schema.Decode(name, []byte(`{}`))
		if err != nil || event.EventType() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRevokedTokenIsAffected(t *testing.T) {
	t.Parallel()
	id := token.ID{1}
	want := []organization.Reference{{Kind: "hookToken", ID: id}}
	if got := (token.Revoked{ID: id}).Affects(organization.NewState()); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

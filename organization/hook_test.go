package organization_test

import (
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// commanded returns the state of an organization, and a function that executes commands.
func commanded(t *testing.T) (*organization.State, func(organization.Command) error) {
	t.Helper()
	state, sequence, ids := organization.NewState(), uint64(0), byte(0)
	do := func(command organization.Command) error {
		events, err := organization.Decide(state, command, organization.DecideContext{Now: time.Unix(1, 0), NewID: func() (id [16]byte) {
			ids++
			id[0] = ids
			return id
		}})
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
	for i := range byte(organization.MostHookTokens) {
		if err := do(organization.CreateHookToken{ID: organization.HookTokenID{i + 1}, Name: " CI "}); err != nil {
			t.Fatal(err)
		}
	}
	third := organization.CreateHookToken{ID: organization.HookTokenID{9}, Name: "third"}
	if err := do(third); !fault.Is(err, organization.CodeLimit) {
		t.Errorf("a third token: %v", err)
	}
	if err := do(organization.RevokeHookToken{ID: organization.HookTokenID{1}}); err != nil {
		t.Fatal(err)
	}
	if err := do(organization.RevokeHookToken{ID: organization.HookTokenID{1}}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a second revocation: %v", err)
	}
	if err := do(third); err != nil {
		t.Errorf("after a revocation: %v", err)
	}
	if token, ok := state.HookToken(organization.HookTokenID{2}); !ok || token.Name != "CI" || len(state.HookTokens()) != 2 {
		t.Errorf("%+v %v", token, ok)
	}
}

func TestHookTokenNeedsAName(t *testing.T) {
	t.Parallel()
	_, do := commanded(t)
	for _, name := range []string{"", " \t", strings.Repeat("n", 101)} {
		if err := do(organization.CreateHookToken{ID: organization.HookTokenID{1}, Name: name}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSnapshotContainsHookTokens(t *testing.T) {
	t.Parallel()
	state, do := commanded(t)
	if err := do(organization.CreateHookToken{ID: organization.HookTokenID{1}, Name: "CI"}); err != nil {
		t.Fatal(err)
	}
	restored, err := restore(state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	want, _ := state.HookToken(organization.HookTokenID{1})
	if got, ok := restored.HookToken(want.ID); !ok || *got != *want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

package organization_test

import (
	"strings"
	"testing"

	"equity/fault"
	"equity/organization"
)

func TestHookTokensAreAtMostTwo(t *testing.T) {
	t.Parallel()
	state, _, do := hooked(t)
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
	_, _, do := hooked(t)
	for _, name := range []string{"", " \t", strings.Repeat("n", 101)} {
		if err := do(organization.CreateHookToken{ID: organization.HookTokenID{1}, Name: name}); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSnapshotContainsHookTokens(t *testing.T) {
	t.Parallel()
	state, _, do := hooked(t)
	if err := do(organization.CreateHookToken{ID: organization.HookTokenID{1}, Name: "CI"}); err != nil {
		t.Fatal(err)
	}
	restored, err := organization.Restore(state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	want, _ := state.HookToken(organization.HookTokenID{1})
	if got, ok := restored.HookToken(want.ID); !ok || *got != *want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

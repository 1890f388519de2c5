package organization_test

import (
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/organization"
)

// hooked returns a state with one webhook, and a function that executes further commands.
func hooked(t *testing.T) (*organization.State, organization.WebhookID, func(organization.Command) error) {
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
	founder := organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"}
	id := organization.WebhookID{9}
	for _, command := range []organization.Command{
		organization.Create{ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"}, Creator: founder},
		organization.CreateWebhook{ID: id, WebhookTerms: organization.WebhookTerms{URL: "https://a.example", Active: true}},
	} {
		if err := do(command); err != nil {
			t.Fatal(err)
		}
	}
	return state, id, do
}

func TestWebhookStartsAnewWhenItIsTurnedOnAgain(t *testing.T) {
	t.Parallel()
	state, id, do := hooked(t)
	created, _ := state.Webhook(id)
	if err := do(organization.DisableWebhook{ID: id, Reason: "gone"}); err != nil {
		t.Fatal(err)
	}
	disabled, _ := state.Webhook(id)
	if disabled.Active || disabled.DisabledReason != "gone" || disabled.Selects("member.added") {
		t.Errorf("%+v", disabled)
	}
	if err := do(organization.ChangeWebhook{ID: id, Patch: []byte(`{"active":true}`)}); err != nil {
		t.Fatal(err)
	}
	active, _ := state.Webhook(id)
	if !active.Active || active.DisabledReason != "" || active.Since <= created.Since || active.URL != "https://a.example" {
		t.Errorf("%+v", active)
	}
}

func TestWebhookSelectsTypesOfEvents(t *testing.T) {
	t.Parallel()
	state, id, do := hooked(t)
	for _, c := range []struct {
		patch    string
		selected string
		want     bool
	}{
		{`{"events":["*"]}`, "member.added", true},
		{`{"events":["*"]}`, "journal.memberAdded", false},
		{`{"events":["journal.memberAdded"]}`, "journal.memberAdded", true},
		{`{"events":["journal.memberAdded"]}`, "member.added", false},
		{`{"events":["role.created","member.added"]}`, "member.added", true},
	} {
		if err := do(organization.ChangeWebhook{ID: id, Patch: []byte(c.patch)}); err != nil {
			t.Fatal(err)
		}
		if webhook, _ := state.Webhook(id); webhook.Selects(c.selected) != c.want {
			t.Errorf("%s selects %s: %t", c.patch, c.selected, !c.want)
		}
	}
}

func TestInvalidWebhookIsRefused(t *testing.T) {
	t.Parallel()
	_, id, do := hooked(t)
	for _, patch := range []string{
		`{"url":""}`, `{"url":"https://` + strings.Repeat("a", 2048) + `"}`, `{"events":["member.sold"]}`, `{"events":["journal.sold"]}`,
		`{"description":"` + strings.Repeat("a", 501) + `"}`,
	} {
		if err := do(organization.ChangeWebhook{ID: id, Patch: []byte(patch)}); err == nil {
			t.Errorf("accepted: %.80s", patch)
		}
	}
}

func TestOrganizationHasAtMostTwentyWebhooks(t *testing.T) {
	t.Parallel()
	_, id, do := hooked(t)
	var err error
	for number := byte(1); err == nil; number++ {
		if number > organization.MostWebhooks {
			t.Fatal("accepted too many webhooks")
		}
		err = do(organization.CreateWebhook{ID: organization.WebhookID{9, number}, WebhookTerms: organization.WebhookTerms{URL: "https://a.example"}})
	}
	if err := do(organization.DeleteWebhook{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := do(organization.CreateWebhook{ID: id, WebhookTerms: organization.WebhookTerms{URL: "https://a.example"}}); err != nil {
		t.Errorf("no webhook can follow a deleted one: %v", err)
	}
}

func TestWebhooksSurviveASnapshot(t *testing.T) {
	t.Parallel()
	state, id, _ := hooked(t)
	restored, err := organization.Restore(state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	got, ok := restored.Webhook(id)
	want, _ := state.Webhook(id)
	if !ok || got.URL != want.URL || got.Since != want.Since || got.Version != want.Version || !got.Selects("member.added") {
		t.Errorf("%+v instead of %+v", got, want)
	}
}

func TestWebhookNameIsReversible(t *testing.T) {
	t.Parallel()
	id := organization.WebhookID{1, 2, 255}
	if got, ok := organization.ParseWebhookName(organization.WebhookName(id)); !ok || got != id {
		t.Errorf("%v %t", got, ok)
	}
	for _, name := range []string{"", "wh_", "wh_00", "WH_0102ff00000000000000000000000000", "wh_0102FF00000000000000000000000000"} {
		if _, ok := organization.ParseWebhookName(name); ok {
			t.Errorf("%q is not a name", name)
		}
	}
}

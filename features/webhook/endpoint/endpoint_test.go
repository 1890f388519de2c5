package endpoint_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/features/webhook/endpoint"
	"equity/organization"
)

// schema returns the schema with the extension of the room.
func schema() *organization.Schema { return organization.NewSchema(endpoint.Extension()) }

// hooked returns a state with one webhook, and a function that executes further commands.
func hooked(t *testing.T) (*organization.State, endpoint.ID, func(organization.Command) error) {
	t.Helper()
	state, sequence, ids := organization.NewState(), uint64(0), byte(0)
	do := func(command organization.Command) error {
		newID := func() (id [16]byte) {
			ids++
			id[0] = ids
			return id
		}
		events, err := organization.Decide(
			state, command, organization.DecideContext{Schema: schema(), Now: time.Unix(1, 0), NewID: newID},
		)
		for _, event := range events {
			sequence++
			state.Apply(event, captable.Stamp{Sequence: sequence, At: captable.InstantOf(time.Unix(1, 0))})
		}
		return err
	}
	founder := organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{2}, Name: "Fay"}
	id := endpoint.ID{9}
	for _, command := range []organization.Command{
		organization.Create{ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"}, Creator: founder},
		endpoint.Create{ID: id, Terms: endpoint.Terms{URL: "https://a.example", Active: true}},
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
	created, _ := endpoint.Of(state).Get(id)
	if err := do(endpoint.Disable{ID: id, Reason: "gone"}); err != nil {
		t.Fatal(err)
	}
	disabled, _ := endpoint.Of(state).Get(id)
	if disabled.Active || disabled.DisabledReason != "gone" || disabled.Selects("member.added") {
		t.Errorf("%+v", disabled)
	}
	if err := do(endpoint.Change{ID: id, Patch: []byte(`{"active":true}`)}); err != nil {
		t.Fatal(err)
	}
	active, _ := endpoint.Of(state).Get(id)
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
		if err := do(endpoint.Change{ID: id, Patch: []byte(c.patch)}); err != nil {
			t.Fatal(err)
		}
		if webhook, _ := endpoint.Of(state).Get(id); webhook.Selects(c.selected) != c.want {
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
		if err := do(endpoint.Change{ID: id, Patch: []byte(patch)}); err == nil {
			t.Errorf("accepted: %.80s", patch)
		}
	}
}

func TestOrganizationHasAtMostTwentyWebhooks(t *testing.T) {
	t.Parallel()
	_, id, do := hooked(t)
	var err error
	for number := byte(1); err == nil; number++ {
		if number > 20 {
			t.Fatal("accepted too many webhooks")
		}
		err = do(endpoint.Create{ID: endpoint.ID{9, number}, Terms: endpoint.Terms{URL: "https://a.example"}})
	}
	if err := do(endpoint.Delete{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := do(endpoint.Create{ID: id, Terms: endpoint.Terms{URL: "https://a.example"}}); err != nil {
		t.Errorf("no webhook can follow a deleted one: %v", err)
	}
}

func TestWebhooksSurviveASnapshot(t *testing.T) {
	t.Parallel()
	state, id, _ := hooked(t)
	restored, err := schema().Restore(string(state.Snapshot()))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := endpoint.Of(restored).Get(id)
	want, _ := endpoint.Of(state).Get(id)
	if !ok || got.URL != want.URL || got.Since != want.Since || got.Version != want.Version || !got.Selects("member.added") {
		t.Errorf("%+v instead of %+v", got, want)
	}
}

func TestWebhookNameIsReversible(t *testing.T) {
	t.Parallel()
	id := endpoint.ID{1, 2, 255}
	if got, ok := endpoint.ParseName(endpoint.Name(id)); !ok || got != id {
		t.Errorf("%v %t", got, ok)
	}
	for _, name := range []string{"", "wh_", "wh_00", "WH_0102ff00000000000000000000000000", "wh_0102FF00000000000000000000000000"} {
		if _, ok := endpoint.ParseName(name); ok {
			t.Errorf("%q is not a name", name)
		}
	}
}

// TestStoredEventsStayReadable decodes the names and the fields in the journals of existing installations.
func TestStoredEventsStayReadable(t *testing.T) {
	t.Parallel()
	const id = `"id":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"`
	state := organization.NewState()
	for sequence, row := range []struct{ name, payload string }{
		{"webhookCreated", `{` + id + `,"rights":{"permissions":["viewCapTable"],"roles":["Legal"]},"terms":{"active":true,"events":["*"],"url":"https://a.example"}}`},
		{"webhookDisabled", `{` + id + `,"reason":"gone"}`},
		{"webhookChanged", `{` + id + `,"terms":{"url":"https://b.example","events":["role.created"],"description":"B","active":true}}`},
		{"webhookChanged", `{` + id + `,"terms":{"url":"https://c.example","events":["role.created"],"active":true},"secretReplaced":true}`},
	} {
		event, err := schema().Decode(row.name, []byte(row.payload))
		if err != nil || event.EventType() != row.name {
			t.Fatalf("%s: %v", row.name, err)
		}
		state.Apply(event, captable.Stamp{Sequence: uint64(sequence) + 2, By: "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e11"})
	}
	all := endpoint.Of(state).All()
	if len(all) != 1 {
		t.Fatalf("%d webhooks", len(all))
	}
	got, err := json.Marshal(all[0])
	want := `{` + id + `,"url":"https://c.example","events":["role.created"],"active":true,"since":4,"author":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e11",`
	if err != nil || !strings.HasPrefix(string(got), want) {
		t.Errorf("%s\nwant %s %v", got, want, err)
	}
}

func TestEventsOfADeletedWebhookNameIt(t *testing.T) {
	t.Parallel()
	id := [16]byte{15: 7}
	want := []organization.Reference{{Kind: "webhook", ID: id}}
	for _, event := range []organization.Event{
		endpoint.Created{ID: id}, endpoint.Changed{ID: id}, endpoint.Disabled{ID: id}, endpoint.Deleted{ID: id},
	} {
		if got := schema().References(event, organization.NewState()); !slices.Equal(got, want) {
			t.Errorf("%s: %v", event.EventType(), got)
		}
	}
}

func TestAuthorsGainByNoEventOfWebhooks(t *testing.T) {
	t.Parallel()
	core := organization.NewSchema().Types()
	for _, name := range schema().Types() {
		if !slices.Contains(core, name) && organization.MayGain(name) {
			t.Errorf("%s may be a gain", name)
		}
	}
}

// TestHashesCommitToAddresses compares the events whose addresses only some members read with the format of the journal.
func TestHashesCommitToAddresses(t *testing.T) {
	t.Parallel()
	reader := organization.Reader{Member: &organization.Member{}, Permissions: organization.NewPermissions(organization.ViewCapTable)}
	journal, core := organization.NewState().JournalFor(reader), organization.NewSchema().Types()
	for _, name := range schema().Types() {
		if slices.Contains(core, name) {
			continue
		}
		private := organization.PrivateFields(name, organization.PrivateVersion)
		if guarded := !schema().Reads(journal, name, []byte(`{}`)); guarded != (private != nil) {
			t.Errorf("%s: guarded %t, private %v", name, guarded, private)
		}
	}
}

func TestViewersOfWebhooksMayViewOrChangeTheOrganization(t *testing.T) {
	t.Parallel()
	reference := organization.Reference{Kind: "webhook", ID: [16]byte{1}}
	for permission, sees := range map[organization.Permission]bool{
		organization.ViewOrganization: true, organization.EditOrganizationDetails: true, organization.ViewCapTable: false,
	} {
		access := organization.Reader{Member: &organization.Member{}, Permissions: organization.NewPermissions(permission)}.Access()
		if schema().Sees(access, organization.NewState(), reference) != sees {
			t.Errorf("%v", permission)
		}
	}
}

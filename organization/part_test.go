package organization_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// bells is a part that counts its events.
type bells struct {
	rung    uint64
	version uint64
}

const bellsName = "bells"

func (b *bells) Version() uint64         { return b.version }
func (b *bells) Copy() organization.Part { return new(*b) }

var errTooMany = errors.New("more than 100 bells")

func (b *bells) Pack(p *captable.Packer) error {
	if p.Uint(&b.rung); b.rung > 100 {
		return errTooMany
	}
	return nil
}

// bellRung is the event of the part.
type bellRung struct {
	Times uint64 `json:"times"`
}

func (bellRung) EventType() string                 { return "bellRung" }
func (bellRung) Creates() []captable.Created       { return nil }
func (bellRung) Records(*organization.State) []any { return nil }

func (e bellRung) Apply(s *organization.State, _ captable.Stamp) {
	organization.ChangePart(s, bellsName, func() *bells { return &bells{version: 1} }).rung += e.Times
}

func ringing(version uint64) organization.Extension {
	return organization.Extension{
		Name: bellsName, New: func() organization.Part { return &bells{version: version} },
		Events: []organization.Declaration{organization.Declare(bellRung{})},
	}
}

// bell is the record of an extension.
type bell struct{ id captable.ID[bell] }

func (*bell) Revision() uint64 { return 1 }

// towered is the extension with a kind of records, and an event with private fields.
func towered(declared organization.Declaration) organization.Extension {
	extension := ringing(1)
	kind := organization.KindOf(
		"bell", func(*organization.State, captable.ID[bell]) (*bell, bool) { return nil, false }, func(b *bell) captable.ID[bell] { return b.id },
	)
	extension.Events = []organization.Declaration{declared}
	extension.Kinds = []organization.Kind{kind.SeenBy(organization.EditBilling, organization.EditDocuments)}
	return extension
}

func TestViewersOfAnExtensionHaveOneOfItsPermissions(t *testing.T) {
	t.Parallel()
	schema := organization.NewSchema(towered(organization.Declare(bellRung{})))
	reference, known := schema.ReferenceTo(&bell{captable.ID[bell]{7}}, acme)
	equal(t, "the kind", reference.Kind, "bell")
	equal(t, "known", known, true)
	for permission, sees := range map[organization.Permission]bool{
		organization.EditBilling: true, organization.EditDocuments: true, organization.ViewCapTable: false,
	} {
		access := organization.Reader{Member: &organization.Member{}, Permissions: organization.NewPermissions(permission)}.Access()
		if schema.Sees(access, organization.NewState(), reference) != sees {
			t.Errorf("%v", permission)
		}
	}
}

func TestReadersOfAnEventOfAnExtensionHaveItsPermission(t *testing.T) {
	t.Parallel()
	guarded := organization.NewSchema(towered(organization.Declare(bellRung{}).ReadBy(organization.EditBilling)))
	open := organization.NewSchema(towered(organization.Declare(bellRung{})))
	for permission, reads := range map[organization.Permission]bool{organization.EditBilling: true, organization.ViewCapTable: false} {
		journal := organization.NewState().JournalFor(organization.Reader{
			Member: &organization.Member{}, Permissions: organization.NewPermissions(permission),
		})
		equal(t, "with a reader", guarded.Reads(journal, "bellRung", []byte(`{}`)), reads)
		equal(t, "without", open.Reads(journal, "bellRung", []byte(`{}`)), true)
	}
}

func rung(s *organization.State) uint64 {
	if part, ok := organization.PartOf[*bells](s, bellsName); ok {
		return part.rung
	}
	return 0
}

func TestPart(t *testing.T) {
	t.Parallel()
	schema := organization.NewSchema(ringing(1))
	rings := func(t *testing.T, state *organization.State, times uint64) {
		t.Helper()
		event, err := schema.Decode("bellRung", []byte(`{"times":`+string(rune('0'+times))+`}`))
		if err != nil {
			t.Fatal(err)
		}
		state.Apply(event, captable.Stamp{Sequence: 2})
	}
	t.Run("the first event creates a part", func(t *testing.T) {
		t.Parallel()
		state := organization.NewState()
		_, exists := organization.PartOf[*bells](state, bellsName)
		equal(t, "before", exists, false)
		rings(t, state, 3)
		rings(t, state, 4)
		equal(t, "after", rung(state), 7)
	})
	t.Run("a copy has a part of its own", func(t *testing.T) {
		t.Parallel()
		state := organization.NewState()
		rings(t, state, 3)
		other := state.Copy()
		rings(t, state, 1)
		equal(t, "the copy", rung(other), 3)
		equal(t, "the state", rung(state), 4)
	})
	t.Run("a snapshot keeps a part", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		rings(t, b.state, 5)
		restored, err := schema.Restore(string(b.state.Snapshot()))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "the part", rung(restored), 5)
		equal(t, "the same snapshot", bytes.Equal(restored.Snapshot(), b.state.Snapshot()), true)
	})
	t.Run("a snapshot with a part of another version is older, not damaged", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		rings(t, b.state, 5)
		snapshot := string(b.state.Snapshot())
		for what, other := range map[string]*organization.Schema{
			"another version": organization.NewSchema(ringing(2)), "no such extension": organization.NewSchema(),
		} {
			if _, err := other.Restore(snapshot); !errors.Is(err, organization.ErrOtherSnapshot) {
				t.Errorf("%s: %v", what, err)
			}
			equal(t, what, other.Older(snapshot), true)
		}
		equal(t, "the same program", schema.Older(snapshot), false)
	})
	t.Run("a part refuses content that it cannot read", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		rings(t, b.state, 5)
		snapshot := b.state.Snapshot()
		last := len(snapshot) - 5 // before the checksum
		equal(t, "the byte of the part", snapshot[last], 5)
		snapshot[last] = 101
		_, err := schema.Restore(string(resealed(snapshot)))
		if !errors.Is(err, organization.ErrOtherSnapshot) {
			t.Errorf("%v", err)
		}
	})
	t.Run("a part cannot read beyond its own content", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		rings(t, b.state, 5)
		snapshot := b.state.Snapshot()
		last := len(snapshot) - 5
		longer := slices.Concat(snapshot[:last-1], []byte{2, 5, 5}, snapshot[last+1:]) // two bytes of content in place of one
		if _, err := schema.Restore(string(resealed(longer))); !errors.Is(err, organization.ErrOtherSnapshot) {
			t.Errorf("%v", err)
		}
	})
}

func TestSchemaRefusesEqualNames(t *testing.T) {
	t.Parallel()
	type extension = organization.Extension
	created, tower := organization.Declare(organization.RoleCreated{}), towered(organization.Declare(bellRung{}))
	other := tower
	other.Name, other.Events = "other", nil
	for what, extensions := range map[string][]extension{
		"two extensions":               {ringing(1), ringing(1)},
		"two events":                   {{Name: "a", Events: ringing(1).Events}, {Name: "b", Events: ringing(1).Events}},
		"two kinds":                    {tower, other},
		"an event of the organization": {{Name: "a", Events: []organization.Declaration{created}}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("they are accepted")
				}
			}()
			organization.NewSchema(extensions...)
		})
	}
}

func TestUnknownEventIsNamed(t *testing.T) {
	t.Parallel()
	_, err := organization.NewSchema().Decode("bellRung", []byte(`{}`))
	unknown, ok := errors.AsType[*organization.UnknownEventError](err)
	if !ok || unknown.Type != "bellRung" {
		t.Errorf("%v", err)
	}
}

func TestGuardOfAnExtensionRefusesDecisionsOfTheCore(t *testing.T) {
	t.Parallel()
	extension := ringing(1)
	extension.Guard = func(d *organization.Decision) error {
		if before, after := d.Before.Profile(), d.After().Profile(); before.Name != after.Name {
			return fault.Refuse(fault.Conflict, before.Name+" keeps its name.")
		}
		return nil
	}
	f := founded(t)
	moment := organization.DecideContext{Schema: organization.NewSchema(extension), NewID: func() [16]byte { return [16]byte{1} }}
	for patch, refused := range map[string]bool{`{"name":"Other"}`: true, `{"legalName":"Other"}`: false} {
		events, err := organization.Decide(f.state, organization.Amend{Patch: []byte(patch)}, moment)
		if fault.Is(err, fault.Conflict) != refused || refused != (len(events) == 0) {
			t.Errorf("%s: %v %v", patch, events, err)
		}
	}
}

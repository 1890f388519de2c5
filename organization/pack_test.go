package organization_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"reflect"
	"slices"
	"sync"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/organization"
)

// full returns an organization with a value in every field of the profile and of a member. It uses reflection, so
// that new fields are included.
func full(tb testing.TB) (*bundle, organization.Profile, organization.Member) {
	tb.Helper()
	b := unfounded(tb)
	var profile organization.Profile
	captabletest.Fill(reflect.ValueOf(&profile).Elem(), new(int))
	var member organization.Member
	captabletest.Fill(reflect.ValueOf(&member).Elem(), new(int))
	b.apply([]organization.Event{organization.Created{ID: acme, Profile: profile}, organization.MemberAdded{Member: member}})
	b.apply([]organization.Event{organization.MemberChanged{ID: member.ID, Terms: member.MemberTerms}})
	b.issue(captable.HolderRef{Entity: member.Entity}, 5)
	return b, profile, *b.member(member.ID)
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	t.Run("a snapshot keeps every field of the profile and of a member", func(t *testing.T) {
		t.Parallel()
		b, profile, member := full(t)
		restored, err := restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		got, _ := restored.Member(member.ID)
		if !reflect.DeepEqual(*got, member) {
			t.Errorf("restored %+v, was %+v", *got, member)
		}
		for field, value := range reflect.ValueOf(member).Fields() {
			if value.IsZero() {
				t.Errorf("nothing sets %s", field.Name)
			}
		}
		if !reflect.DeepEqual(restored.Profile(), profile) {
			t.Errorf("restored %+v, was %+v", restored.Profile(), profile)
		}
		equal(t, "id", restored.ID(), acme)
		equal(t, "meta", restored.Meta(), b.state.Meta())
		equal(t, "holds", restored.Table().Holds(member.Entity), true)
		_, known := restored.MemberBy(member.User)
		equal(t, "found by account", known, true)
	})
	t.Run("a snapshot of a restored state is identical", func(t *testing.T) {
		t.Parallel()
		b, _, _ := full(t)
		restored, err := restore(b.state.Snapshot())
		if err != nil || !bytes.Equal(restored.Snapshot(), b.state.Snapshot()) {
			t.Errorf("the restored state packs differently: %v", err)
		}
	})
	t.Run("several snapshots of a state can be taken at the same time", func(t *testing.T) {
		t.Parallel()
		b, _, _ := full(t)
		rare := organization.MemberID{3}
		b.apply([]organization.Event{organization.MemberAdded{Member: organization.Member{ID: rare}}})
		want := b.state.Snapshot()
		equal(t, "the member has no list of roles still", b.member(rare).Roles == nil, true)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if !bytes.Equal(b.state.Snapshot(), want) {
					t.Error("the snapshots differ")
				}
			})
		}
		group.Wait()
	})
	t.Run("a restored member without roles has an empty list", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.do(adding(bob, "Bob"))[0].(organization.MemberAdded).Member.ID
		restored, err := restore(b.state.Snapshot())
		if err != nil {
			t.Fatal(err)
		}
		member, _ := restored.Member(id)
		equal(t, "roles", text(t, member.Roles), "[]")
	})
}

func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	b, _, _ := full(t)
	snapshot := b.state.Snapshot()
	refuses := func(t *testing.T, what string, damaged []byte) {
		t.Helper()
		if _, err := restore(damaged); !errors.Is(err, organization.ErrOtherSnapshot) {
			t.Errorf("%s was restored: %v", what, err)
		}
	}
	t.Run("a truncated snapshot", func(t *testing.T) {
		t.Parallel()
		for n := range snapshot {
			refuses(t, "a part", snapshot[:n])
		}
	})
	t.Run("a snapshot with trailing bytes", func(t *testing.T) {
		t.Parallel()
		refuses(t, "more", append(slices.Clone(snapshot), 0))
	})
	t.Run("a snapshot with a flipped bit", func(t *testing.T) {
		t.Parallel()
		for i := range snapshot {
			damaged := slices.Clone(snapshot)
			damaged[i] ^= 1 << (i % 8)
			refuses(t, "a damaged one", damaged)
		}
	})
	t.Run("a snapshot of another version", func(t *testing.T) {
		t.Parallel()
		other := slices.Clone(snapshot)
		other[0] = 99
		refuses(t, "another version", resealed(other))
	})
	t.Run("a snapshot with an impossible number of members", func(t *testing.T) {
		t.Parallel()
		p, profile, many := captable.NewPacker(), `{}`, uint64(900)
		var id [16]byte
		var meta captable.Meta
		p.UUID(&id)
		p.Text(&profile)
		p.Meta(&meta)
		p.Uint(&many)
		header := slices.Clone(snapshot[:2]) // a version below 128, and no parts
		refuses(t, "the claim", resealed(slices.Concat(header, p.Bytes(), make([]byte, many+4))))
	})
	t.Run("an empty snapshot", func(t *testing.T) {
		t.Parallel()
		refuses(t, "nothing", nil)
	})
}

// resealed returns the snapshot with a correct checksum.
func resealed(snapshot []byte) []byte {
	if len(snapshot) < 4 {
		return snapshot
	}
	body := slices.Clone(snapshot[:len(snapshot)-4])
	return binary.BigEndian.AppendUint32(body, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

func FuzzRestore(f *testing.F) {
	b, _, _ := full(f)
	f.Add(b.state.Snapshot())
	f.Add(founded(f).state.Snapshot())
	f.Add([]byte{2})
	f.Fuzz(func(t *testing.T, damaged []byte) {
		for _, snapshot := range [][]byte{damaged, resealed(damaged)} { // a correct checksum does not make a snapshot valid
			state, err := restore(snapshot)
			if err != nil {
				continue
			}
			for member := range state.Members() {
				_, _ = state.Permissions(member.User)
			}
			table := state.Table().TableOn(exact.MustDate(today), state.NameOf)
			_ = text(t, table)
		}
	})
}

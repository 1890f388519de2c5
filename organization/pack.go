package organization

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"slices"

	"equity/captable"
)

// snapshotVersion changes whenever the walk over a record does. A snapshot of
// another version is not read: the journal is.
const snapshotVersion = 14

// ErrOtherSnapshot says that a snapshot is damaged or of another version.
var ErrOtherSnapshot = errors.New("organization: the snapshot is not one of this version")

// Snapshot packs the state, so that it need not be replayed from its first event.
func (s *State) Snapshot() []byte {
	p := captable.NewPacker()
	s.pack(p)
	return binary.BigEndian.AppendUint32(p.Bytes(), checksum(p.Bytes()))
}

// checksum finds what storage has damaged: a digit that was changed reads as well as
// the right one.
func checksum(packed []byte) uint32 { return crc32.Checksum(packed, crc32.MakeTable(crc32.Castagnoli)) }

// Restore gives the state that was packed.
func Restore(snapshot []byte) (*State, error) {
	end := len(snapshot) - crc32.Size
	if end < 0 || binary.BigEndian.Uint32(snapshot[end:]) != checksum(snapshot[:end]) {
		return nil, ErrOtherSnapshot
	}
	s := NewState()
	p := captable.NewUnpacker(snapshot[:end])
	if !s.pack(p) || p.Err() != nil {
		return nil, ErrOtherSnapshot
	}
	return s, nil
}

// pack writes or reads the whole state in one pass, so that the two cannot disagree about the order of fields. It
// reports false for a snapshot of another version, which is then made anew from the journal.
func (s *State) pack(p *captable.Packer) bool {
	version := uint64(snapshotVersion)
	if p.Uint(&version); version != snapshotVersion {
		return false
	}
	p.UUID((*[16]byte)(&s.id))
	profile, err := json.Marshal(s.profile)
	text := string(profile)
	p.Text(&text)
	if p.Reading() {
		err = json.Unmarshal([]byte(text), &s.profile)
	}
	p.Meta(&s.meta)
	n := p.LenOf(s.members.Len(), leastMember)
	if p.Reading() {
		for range n {
			member := &Member{}
			packMember(p, member)
			s.setMember(member)
		}
	} else {
		for member := range s.Members() {
			packMember(p, member)
		}
	}
	err = errors.Join(err, s.packRoles(p))
	s.table.Pack(p)
	return err == nil
}

// packRoles packs the organization's own roles, which are few, as JSON.
func (s *State) packRoles(p *captable.Packer) error {
	roles := slices.Collect(s.roles.All())
	packed, err := json.Marshal(roles)
	text := string(packed)
	p.Text(&text)
	if !p.Reading() {
		return err
	}
	if err := json.Unmarshal([]byte(text), &roles); err != nil {
		return err
	}
	for _, role := range roles {
		s.setRole(role)
	}
	return nil
}

// leastMember is fewer bytes than any packed member takes: it has three ids.
const leastMember = 48

// packMember packs a member, of which there may be tens of thousands, field by field.
func packMember(p *captable.Packer, m *Member) {
	p.UUID((*[16]byte)(&m.ID))
	p.UUID((*[16]byte)(&m.Entity))
	p.UUID((*[16]byte)(&m.User))
	for _, text := range []*string{&m.Kind, &m.FullName, &m.Title, &m.Relationship, &m.Status, &m.TerminationReason, &m.ExternalID} {
		p.Text(text)
	}
	captable.List(p, &m.Roles, p.Text)
	if p.Reading() && m.Roles == nil {
		m.Roles = []string{}
	}
	p.Date(&m.StartDate)
	p.Date(&m.TerminationDate)
	captable.List(p, &m.Comments, p.Text)
	packInvitation(p, m)
	p.Meta(&m.Meta)
}

// packInvitation packs the one that the member has, if any.
func packInvitation(p *captable.Packer, m *Member) {
	has := m.Invitation != nil
	if p.Bool(&has); !has {
		return
	}
	if p.Reading() {
		m.Invitation = &Invitation{}
	}
	i := m.Invitation
	p.UUID((*[16]byte)(i.Hash[:16]))
	p.UUID((*[16]byte)(i.Hash[16:]))
	p.Instant(&i.SentAt)
	p.Instant(&i.ExpiresAt)
	p.Uint(&i.Times)
	p.Bool(&i.Unnamed)
	p.UUID((*[16]byte)(&i.Sender))
}

// OlderSnapshot reports whether the snapshot is undamaged and of a version that this build does not read.
func OlderSnapshot(snapshot []byte) bool {
	end := len(snapshot) - crc32.Size
	if end < 0 || binary.BigEndian.Uint32(snapshot[end:]) != checksum(snapshot[:end]) {
		return false
	}
	version := uint64(snapshotVersion)
	captable.NewUnpacker(snapshot[:end]).Uint(&version)
	return version != snapshotVersion
}

package organization

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"slices"

	"equity/captable"
)

// snapshotVersion changes with every change of a packed form outside the parts of extensions, which have versions of their own. A snapshot
// of another version is not read. The state is then rebuilt from the journal.
const snapshotVersion = 35

// ErrOtherSnapshot is the error of a damaged snapshot or one of another version.
var ErrOtherSnapshot = errors.New("organization: the snapshot is damaged or of another version")

// Snapshot packs the state, so that a restart need not replay the whole journal.
func (s *State) Snapshot() []byte {
	p := captable.NewPacker()
	s.packHeader(p)
	s.pack(p)
	return binary.BigEndian.AppendUint32(p.Bytes(), checksum(p.Bytes()))
}

// checksum detects damage by the storage, which could otherwise turn one valid number into another.
func checksum[S string | []byte](packed S) (sum uint32) {
	table, block := crc32.MakeTable(crc32.Castagnoli), make([]byte, 32<<10)
	for len(packed) > 0 {
		n := copy(block, packed)
		sum, packed = crc32.Update(sum, table, block[:n]), packed[n:]
	}
	return sum
}

// checked returns the packed state without its checksum, or false if the snapshot is damaged.
func checked(snapshot string) (packed string, ok bool) {
	end := len(snapshot) - crc32.Size
	if end < 0 {
		return packed, false
	}
	packed = snapshot[:end]
	return packed, binary.BigEndian.Uint32([]byte(snapshot[end:])) == checksum(packed)
}

// Restore returns the packed state. Its texts share the memory of the snapshot.
func (s *Schema) Restore(snapshot string) (*State, error) {
	packed, ok := checked(snapshot)
	if !ok {
		return nil, ErrOtherSnapshot
	}
	state, p := NewState(), captable.NewUnpacker(packed)
	if s.unpackHeader(state, p) != nil || !state.pack(p) || p.Err() != nil {
		return nil, ErrOtherSnapshot
	}
	return state, nil
}

// pack writes or reads the state behind the header in one pass, so that both use the same order of fields. It returns false for a snapshot
// that cannot be read. The state is then rebuilt from the journal.
func (s *State) pack(p *captable.Packer) bool {
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
	err = errors.Join(err, s.packSubscription(p), s.packHookTokens(p))
	s.table.Pack(p)
	s.documents.Pack(p)
	return errors.Join(err, s.packParts(p)) == nil
}

// packRoles packs the organization's own roles as JSON, because there are only a few.
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

// leastMember is a lower bound of a packed member's size in bytes: it has three ids.
const leastMember = 48

// packMember packs a member field by field, because there may be tens of thousands.
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
	packAddressChange(p, m)
	p.Meta(&m.Meta)
}

// packInvitation packs the member's invitation, if any.
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
	p.Uint(&i.Arrived)
	p.Bool(&i.Unnamed)
	p.UUID((*[16]byte)(&i.Sender))
}

// packAddressChange packs the last change of the member's address, if any.
func packAddressChange(p *captable.Packer, m *Member) {
	has := m.AddressChange != nil
	if p.Bool(&has); !has {
		return
	}
	if p.Reading() {
		m.AddressChange = &AddressChange{}
	}
	c := m.AddressChange
	p.Instant(&c.ChangedAt)
	p.Instant(&c.WaitsUntil)
	for _, hash := range []*TokenHash{&c.Token, &c.Only} {
		p.UUID((*[16]byte)(hash[:16]))
		p.UUID((*[16]byte)(hash[16:]))
	}
}

// Older reports whether the snapshot is undamaged, and was written by another version or by a program with other extensions.
func (s *Schema) Older(snapshot string) bool {
	packed, ok := checked(snapshot)
	return ok && errors.Is(s.unpackHeader(NewState(), captable.NewUnpacker(packed)), errHeader)
}

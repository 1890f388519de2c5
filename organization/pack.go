package organization

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"slices"

	"equity/captable"
)

// snapshotVersion changes with every change of a record's packed form. A snapshot of another version is not read.
// The state is then rebuilt from the journal.
const snapshotVersion = 29

// ErrOtherSnapshot is the error of a damaged snapshot or one of another version.
var ErrOtherSnapshot = errors.New("organization: the snapshot is damaged or of another version")

// Snapshot packs the state, so that a restart need not replay the whole journal.
func (s *State) Snapshot() []byte {
	p := captable.NewPacker()
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
func checked[S string | []byte](snapshot S) (packed S, ok bool) {
	end := len(snapshot) - crc32.Size
	if end < 0 {
		return packed, false
	}
	packed = snapshot[:end]
	return packed, binary.BigEndian.Uint32([]byte(snapshot[end:])) == checksum(packed)
}

// Restore returns the packed state. Its texts share the memory of a snapshot that is a string.
func Restore[S string | []byte](snapshot S) (*State, error) {
	packed, ok := checked(snapshot)
	if !ok {
		return nil, ErrOtherSnapshot
	}
	s := NewState()
	p := captable.NewUnpacker(packed)
	if !s.pack(p) || p.Err() != nil {
		return nil, ErrOtherSnapshot
	}
	return s, nil
}

// pack writes or reads the whole state in one pass, so that both use the same order of fields. It returns false
// for a snapshot of another version, which is then rebuilt from the journal.
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
	err = errors.Join(err, s.packWebhooks(p), s.packChatTeam(p), s.packSubscription(p), s.packDrive(p), s.packHookTokens(p))
	s.table.Pack(p)
	s.documents.Pack(p)
	return err == nil
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

// OlderSnapshot reports whether the snapshot is undamaged and of a version that this build does not read.
func OlderSnapshot(snapshot string) bool {
	packed, ok := checked(snapshot)
	if !ok {
		return false
	}
	version := uint64(snapshotVersion)
	captable.NewUnpacker(packed).Uint(&version)
	return version != snapshotVersion
}

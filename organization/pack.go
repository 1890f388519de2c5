package organization

import (
	"encoding/json"
	"errors"

	"equity/captable"
)

// snapshotVersion changes whenever the walk over a record does. A snapshot of
// another version is not read: the journal is.
const snapshotVersion = 2

// ErrOtherSnapshot says that a snapshot is damaged or of another version.
var ErrOtherSnapshot = errors.New("organization: the snapshot is not one of this version")

// Snapshot packs the state, so that it need not be replayed from its first event.
func (s *State) Snapshot() []byte {
	p := captable.NewPacker()
	s.pack(p)
	return p.Bytes()
}

// Restore gives the state that was packed.
func Restore(snapshot []byte) (*State, error) {
	s := NewState()
	p := captable.NewUnpacker(snapshot)
	if !s.pack(p) || p.Err() != nil {
		return nil, ErrOtherSnapshot
	}
	return s, nil
}

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
	n := p.Len(s.members.Len())
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
	s.table.Pack(p)
	return err == nil
}

func packMember(p *captable.Packer, m *Member) {
	p.UUID((*[16]byte)(&m.ID))
	p.UUID((*[16]byte)(&m.Entity))
	p.UUID((*[16]byte)(&m.User))
	for _, text := range []*string{&m.Kind, &m.FullName, &m.Title, &m.Relationship, &m.Status, &m.TerminationReason, &m.ExternalID} {
		p.Text(text)
	}
	captable.List(p, &m.Roles, p.Text)
	if m.Roles == nil {
		m.Roles = []string{}
	}
	p.Date(&m.StartDate)
	p.Date(&m.TerminationDate)
	captable.List(p, &m.Comments, p.Text)
	p.Meta(&m.Meta)
}

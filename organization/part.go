package organization

import (
	"cmp"
	"errors"
	"slices"

	"equity/captable"
)

// Extension is a named part of the aggregate that this package does not know: its events, its part of the state and its kinds of
// records. Its events implement [Event], and its commands [Command].
type Extension struct {
	// Name identifies the part in snapshots. It never changes.
	Name string
	// New returns an empty part, into which a snapshot is read.
	New func() Part
	// Events are the declarations of its events; see [Declare].
	Events []Declaration
	// Kinds are its kinds of records; see [KindOf].
	Kinds []Kind
	// Guard refuses decisions of the core and of other extensions that contradict the part, or is nil.
	Guard func(d *Decision) error
}

// Decision is a decided command before its events are recorded.
type Decision struct {
	Before  *State
	Command Command
	Events  []Event
	Context DecideContext

	after *State
}

// After returns the state with the events, which is made once.
func (d *Decision) After() *State {
	if d.after == nil {
		d.after = d.Before.Copy()
		for _, event := range d.Events {
			d.after.Apply(event, captable.Stamp{})
		}
	}
	return d.after
}

// Part is the state of an extension in one organization, with the rules of [State.Copy]. The first event of the extension creates it, so
// that an organization that does not use the extension carries nothing.
type Part interface {
	// Version changes with each change of the packed form. A snapshot with a part of another version is not read.
	Version() uint64
	// Copy returns an independent copy in constant time.
	Copy() Part
	// Pack writes or reads the part. It returns an error for content that it cannot read.
	Pack(p *captable.Packer) error
}

// namedPart is a part with the name of its extension.
type namedPart struct {
	name string
	part Part
}

// PartOf returns the part with the name for reading, or false if no event has created it.
func PartOf[P Part](s *State, name string) (part P, ok bool) {
	if i, found := s.partAt(name); found {
		part, ok = s.parts[i].part.(P)
	}
	return part, ok
}

// ChangePart returns the part with the name for a change, and creates it before its first event. Only [Event.Apply] calls it: other
// goroutines read the parts of published states.
func ChangePart[P Part](s *State, name string, create func() P) P {
	if part, ok := PartOf[P](s, name); ok {
		return part
	}
	part := create()
	s.setPart(name, part)
	return part
}

func (s *State) partAt(name string) (int, bool) {
	return slices.BinarySearchFunc(s.parts, name, func(p namedPart, name string) int { return cmp.Compare(p.name, name) })
}

func (s *State) setPart(name string, part Part) {
	i, _ := s.partAt(name)
	s.parts = slices.Insert(s.parts, i, namedPart{name, part})
}

// copyParts returns copies of the parts in the order of their names.
func (s *State) copyParts() []namedPart {
	if len(s.parts) == 0 {
		return nil
	}
	copies := make([]namedPart, len(s.parts))
	for i, p := range s.parts {
		copies[i] = namedPart{p.name, p.part.Copy()}
	}
	return copies
}

// errHeader is the error of a snapshot that another version wrote, or a program with other rooms.
var errHeader = errors.New("organization: the snapshot is of another version")

// packHeader writes the versions of the packed state and of its parts.
func (s *State) packHeader(p *captable.Packer) {
	version := uint64(snapshotVersion)
	p.Uint(&version)
	p.Len(len(s.parts))
	for _, named := range s.parts {
		version = named.part.Version()
		p.Text(&named.name)
		p.Uint(&version)
	}
}

// unpackHeader adds the parts that the header names to the state, still empty. It returns errHeader if this program cannot read the snapshot.
func (s *Schema) unpackHeader(state *State, p *captable.Packer) error {
	var version uint64
	if p.Uint(&version); version != snapshotVersion {
		return errHeader
	}
	for range p.Len(0) {
		var name string
		p.Text(&name)
		p.Uint(&version)
		extension, ok := s.extensions[name]
		if !ok {
			return errHeader
		}
		part := extension.New()
		if part.Version() != version {
			return errHeader
		}
		state.setPart(name, part)
	}
	return nil
}

// packParts packs each part by itself, so that no extension can read beyond its own.
func (s *State) packParts(p *captable.Packer) error {
	for i := range s.parts {
		var content string
		if !p.Reading() {
			own := captable.NewPacker()
			if err := s.parts[i].part.Pack(own); err != nil {
				return err
			}
			content = string(own.Bytes())
		}
		p.Text(&content)
		if !p.Reading() {
			continue
		}
		own := captable.NewUnpacker(content)
		if err := errors.Join(s.parts[i].part.Pack(own), own.Err()); err != nil {
			return err
		}
	}
	return nil
}

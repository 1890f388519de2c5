package organization

import (
	"strings"
	"unicode"

	"equity/captable"
	"equity/fault"
)

// holderNames finds members by the texts in the rows of a file. It is built once per file.
type holderNames struct {
	// exact is keyed by externalId. folded is keyed by id, entity and full name, case-insensitive.
	exact  map[string]captable.EntityID
	ids    map[string]captable.EntityID
	folded map[string]named
}

// named contains the members with a full name, of which there may be several.
type named struct {
	entity captable.EntityID
	number int
}

// holders returns the index of the state's members. It is valid until the next change of a member.
func (s *State) holders() *holderNames {
	if s.names != nil {
		return s.names
	}
	size := s.members.Len()
	names := &holderNames{
		exact: map[string]captable.EntityID{}, ids: make(map[string]captable.EntityID, 2*size), folded: make(map[string]named, size),
	}
	for member := range s.Members() {
		if _, taken := names.exact[member.ExternalID]; !taken && member.ExternalID != "" {
			names.exact[member.ExternalID] = member.Entity
		}
		names.ids[member.ID.String()] = member.Entity
		names.ids[member.Entity.String()] = member.Entity
		same := names.folded[fold(member.FullName)]
		names.folded[fold(member.FullName)] = named{member.Entity, same.number + 1}
	}
	s.names = names
	return names
}

// fold returns equal texts for texts that are equal under [strings.EqualFold].
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, text)
}

// holderNamed returns the holder identified by a text. Members with equal names are distinguished by externalId or
// id.
func (s *State) holderNamed(faults *fault.Fields, text string) captable.EntityID {
	if text == "" {
		faults.Add("/holder", "required", "holder is required.")
		return captable.EntityID{}
	}
	names := s.holders()
	if entity, ok := names.exact[text]; ok {
		return entity
	}
	if entity, ok := names.ids[strings.ToLower(text)]; ok {
		return entity
	}
	found := names.folded[fold(text)]
	switch found.number {
	case 0:
		faults.Add("/holder", "unknownReference", "Use the name, externalId or id of a member.")
	case 1:
		return found.entity
	default:
		faults.Add("/holder", "ambiguous", "Several members have this name. Use an externalId or id.")
	}
	return captable.EntityID{}
}

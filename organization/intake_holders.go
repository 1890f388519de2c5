package organization

import (
	"strings"
	"unicode"

	"equity/captable"
)

// holderNames finds members by the texts that rows of a file name them with. It is built once for a file.
type holderNames struct {
	// exact finds a member by externalId; folded by id, entity or full name in any case.
	exact  map[string]captable.EntityID
	ids    map[string]captable.EntityID
	folded map[string]named
}

// named is whose a full name is; several members may have it.
type named struct {
	entity captable.EntityID
	number int
}

// holders returns the index of the state's members. It is valid until a member is added or changed.
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

// fold returns the same text for all spellings that [strings.EqualFold] regards as equal.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, text)
}

// holderNamed finds the holder that a text means. Members of the same name are distinguished by externalId or id.
func (s *State) holderNamed(faults *captable.Faults, text string) captable.EntityID {
	if text == "" {
		faults.Add("/holder", "required", "A holder is needed.")
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
		faults.Add("/holder", "unknownReference", "No member has this name, externalId or id.")
	case 1:
		return found.entity
	default:
		faults.Add("/holder", "ambiguous", "Several members have this name: name the one by its externalId or id.")
	}
	return captable.EntityID{}
}

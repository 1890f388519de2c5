package ocf

import (
	"encoding/json"
	"slices"
	"strings"

	"equity/captable"
)

// Stakeholder is a holder in the terms of the cap table, without personal particulars. These
// are returned by [Package.Particulars].
type Stakeholder struct {
	// ID is the id of the stakeholder in the package.
	ID string
	// Entity is assigned by [Package.Prepare]; zero before.
	Entity captable.EntityID
	Name   string
	// Kind is individual or institution.
	Kind string
	// Relationship is the first relationship in the package, such as boardMember. It may be
	// empty.
	Relationship string
	Comments     []string
	Source       captable.Source

	private *record // the fields removed from Source
	email   string
}

// Particular is one personal field of a stakeholder. It may be erased later and is therefore
// never part of an event.
type Particular struct {
	Entity captable.EntityID
	// Field is email, or [ParticularsField] for all other personal data.
	Field string
	Value json.RawMessage
}

// ParticularsField is the field name of an object with all fields of a stakeholder that are
// not stored in the journal.
const ParticularsField = "ocf"

// publicFields returns the stakeholder fields that the journal may store. All other fields,
// including unknown ones, are particulars, because they may contain personal data.
func publicFields() []string {
	return []string{
		"id", "object_type", "name", "stakeholder_type", "issuer_assigned_id", "current_relationship",
		"current_relationships", "current_status", "comments",
	}
}

// Prepare assigns a new entity to every stakeholder. It must be called once, before
// [Package.Particulars] and [Package.Enter].
func (p *Package) Prepare(newID func() [16]byte) {
	for i := range p.Stakeholders {
		p.Stakeholders[i].Entity = newID()
	}
}

// Particulars returns the personal particulars of the stakeholders. They must be stored
// outside the journal, in the transaction of the import.
func (p *Package) Particulars() []Particular {
	var all []Particular
	for _, s := range p.Stakeholders {
		if s.email != "" {
			email, _ := json.Marshal(s.email) //nolint:errchkjson // strings always marshal
			all = append(all, Particular{s.Entity, "email", email})
		}
		if len(s.private.fields) > 0 {
			all = append(all, Particular{s.Entity, ParticularsField, s.private.json()})
		}
	}
	return all
}

// stakeholder parses a holder and separates private fields from public ones. The journal is
// immutable and must not contain a birth date or an address.
func (r *reader) stakeholder(o *Object) {
	fields, err := parseRecord(o.Raw)
	if err != nil {
		r.findings.refuse(o, "", codeWrongType, "The object cannot be read: "+err.Error()+".")
		return
	}
	s := Stakeholder{
		ID: o.ID, Name: legalName(o), Kind: strings.ToLower(o.text("stakeholder_type")), Comments: o.texts("comments"),
		Relationship: camel(o.text("current_relationship")),
	}
	if relationships := o.texts("current_relationships"); s.Relationship == "" && len(relationships) > 0 {
		s.Relationship = camel(relationships[0])
	}
	for _, contact := range contacts() {
		if s.email == "" {
			s.email = emailIn(o.value(contact))
		}
	}
	s.private = &record{}
	public := fields.clone()
	for _, f := range fields.fields {
		if !slices.Contains(publicFields(), f.name) {
			s.private.set(f.name, f.value)
			public.delete(f.name)
		}
	}
	s.Source = captable.Source{File: o.File, Order: o.Order, Object: public.json()}
	r.pack.Stakeholders = append(r.pack.Stakeholders, s)
}

func legalName(o *Object) string { return strings.TrimSpace(textIn(o.value("name"), "legal_name")) }

// emailIn returns the first e-mail address of a contact.
func emailIn(contact any) string {
	info, _ := contact.(map[string]any)
	list, _ := info["emails"].([]any)
	if len(list) == 0 {
		return ""
	}
	return textIn(list[0], "email_address")
}

// camel converts BOARD_MEMBER to boardMember.
func camel(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// snake converts boardMember to BOARD_MEMBER.
func snake(name string) string {
	var b strings.Builder
	for _, letter := range name {
		if letter >= 'A' && letter <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(letter)
	}
	return strings.ToUpper(b.String())
}

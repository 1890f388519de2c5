package ocf

import (
	"encoding/json"
	"slices"
	"strings"

	"equity/captable"
)

// Stakeholder is a holder as a package describes it, in our terms and without the
// personal particulars, which are handed out beside: see [Package.Particulars].
type Stakeholder struct {
	// ID is the stakeholder's in the package.
	ID string
	// Entity is what [Package.Prepare] gave it; zero before.
	Entity captable.EntityID
	Name   string
	// Kind is individual or institution.
	Kind string
	// Relationship is the first one of the package, such as boardMember; may be empty.
	Relationship string
	Comments     []string
	Source       captable.Source

	private *record // the fields that were taken out of Source
	email   string
}

// Particular is one personal field of a stakeholder: what may be erased one day and
// hence is never part of an event.
type Particular struct {
	Entity captable.EntityID
	// Field is email, or [ParticularsField] for everything else that the package says.
	Field string
	Value json.RawMessage
}

// ParticularsField names the particular that keeps what a package said of a person:
// an object with the fields of the format that are not in the journal.
const ParticularsField = "ocf"

// The stakeholder's fields that the journal may keep. Whatever else there is goes to
// the particulars, unknown fields too: nobody can tell what is in them.
func publicFields() []string {
	return []string{
		"id", "object_type", "name", "stakeholder_type", "issuer_assigned_id", "current_relationship",
		"current_relationships", "current_status", "comments",
	}
}

// Prepare gives every stakeholder an entity of its own. It is done once, before
// [Package.Particulars] and before the package is entered.
func (p *Package) Prepare(newID func() [16]byte) {
	for i := range p.Stakeholders {
		p.Stakeholders[i].Entity = newID()
	}
}

// Particulars are the personal particulars of the stakeholders, to be stored beside
// the journal in the transaction of the import.
func (p *Package) Particulars() []Particular {
	var all []Particular
	for _, s := range p.Stakeholders {
		if s.email != "" {
			email, _ := json.Marshal(s.email) //nolint:errchkjson // a string
			all = append(all, Particular{s.Entity, "email", email})
		}
		if len(s.private.fields) > 0 {
			all = append(all, Particular{s.Entity, ParticularsField, s.private.json()})
		}
	}
	return all
}

// stakeholder reads a holder, and parts what is private from the rest: the journal is never
// changed, and so it is never told a birth date or an address.
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
			s.email = emailIn(o.values[contact])
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

func legalName(o *Object) string { return strings.TrimSpace(textIn(o.values["name"], "legal_name")) }

// emailIn gives the first e-mail address of a contact.
func emailIn(contact any) string {
	info, _ := contact.(map[string]any)
	list, _ := info["emails"].([]any)
	if len(list) == 0 {
		return ""
	}
	return textIn(list[0], "email_address")
}

// camel gives BOARD_MEMBER as boardMember.
func camel(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// snake gives boardMember as BOARD_MEMBER.
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

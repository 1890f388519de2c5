package ocf

import (
	"encoding/json"
	"slices"

	"equity/captable"
)

// Holder holds the member data that the format can represent.
type Holder struct {
	Entity       captable.EntityID
	ExternalID   string
	Name         string
	Kind         string // individual or institution
	Relationship string
	Comments     []string
}

// holder is a member at the import and in the current state. The field changed is set only if
// data that the format represents differs.
type holder = stated[Holder]

// Holder sets the current data of a member. The last call takes effect. Source is the source
// of the member's first event.
func (x *Exporter) Holder(now Holder, source *captable.Source) {
	if known := x.holders[now.Entity]; known != nil {
		known.keep()
		known.now, known.changed = now, !now.reads(known.initial())
		return
	}
	id := x.name(typeStakeholder, now.ExternalID, now.Entity.String())
	h := enter(x, id, now, source)
	x.holders[now.Entity] = &h
}

type (
	stakeholderObject struct {
		ID            string     `json:"id"`
		Type          string     `json:"object_type"`
		Name          nameObject `json:"name"`
		Kind          string     `json:"stakeholder_type"`
		Relationships []string   `json:"current_relationships,omitempty"`
		Comments      []string   `json:"comments,omitempty"`
	}
	nameObject struct {
		LegalName string `json:"legal_name"`
	}
)

// reads reports whether both members have the same representation in the format.
func (h Holder) reads(other Holder) bool {
	return h.Name == other.Name && h.Kind == other.Kind && h.Relationship == other.Relationship && slices.Equal(h.Comments, other.Comments)
}

func (h Holder) object(id string) stakeholderObject {
	object := stakeholderObject{
		ID: id, Type: typeStakeholder, Name: nameObject{h.Name}, Kind: "INDIVIDUAL", Comments: h.Comments,
	}
	if h.Kind == "institution" {
		object.Kind = "INSTITUTION"
	}
	if relationship := snake(h.Relationship); slices.Contains(relationships(), relationship) {
		object.Relationships = []string{relationship}
	}
	return object
}

// relationships returns the relationships of the format.
func relationships() []string {
	return []string{
		"ADVISOR", "BOARD_MEMBER", "CONSULTANT", "EMPLOYEE", "EX_ADVISOR", "EX_CONSULTANT", "EX_EMPLOYEE", "EXECUTIVE",
		"FOUNDER", "INVESTOR", "NON_US_EMPLOYEE", "OFFICER", "OTHER",
	}
}

// stakeholder returns the stakeholder object with the particulars stored outside the journal.
// Erased particulars are absent.
func stakeholder(h *holder, particulars map[string]json.RawMessage) json.RawMessage {
	now := h.now.object(h.id)
	object, err := parseRecord(h.json(func(of Holder) any { return of.object(h.id) }))
	if err != nil {
		return recordOf(now).json()
	}
	private, err := parseRecord(particulars[ParticularsField])
	if err == nil {
		for _, f := range private.fields {
			object.set(f.name, f.value)
		}
	}
	if email := stringOf(particulars["email"]); email != "" && !isReached(object, email) {
		contact, holds := contactOf(object, now)
		reach(object, contact, holds, email)
	}
	return object.json()
}

// contacts returns the address fields in the order in which an import reads them.
func contacts() []string { return []string{"contact_info", "primary_contact"} }

// isReached reports whether any contact of the stakeholder already has the address.
func isReached(object *record, email string) bool {
	return slices.ContainsFunc(contacts(), func(contact string) bool {
		var info struct {
			Emails []emailObject `json:"emails"`
		}
		return json.Unmarshal(object.get(contact), &info) == nil &&
			slices.ContainsFunc(info.Emails, func(e emailObject) bool { return e.Address == email })
	})
}

// contactOf returns the contact from which an import reads the address, and a new value for a
// stakeholder without that contact. Institutions have a primary contact with a name.
func contactOf(object *record, now stakeholderObject) (contact string, empty *record) {
	name, _ := json.Marshal(now.Name) //nolint:errchkjson // strings always marshal
	named := &record{[]field{{"name", name}, {"emails", nil}}}
	for _, contact := range contacts() {
		var info struct {
			Emails []emailObject `json:"emails"`
		}
		if json.Unmarshal(object.get(contact), &info) == nil && len(info.Emails) > 0 {
			return contact, named
		}
	}
	if now.Kind == "INSTITUTION" || object.get("primary_contact") != nil && object.get("contact_info") == nil {
		return "primary_contact", named
	}
	return "contact_info", &record{[]field{{"emails", nil}}}
}

// reach replaces the first imported address with the current address of the holder.
func reach(object *record, contact string, holds *record, email string) {
	first, _ := json.Marshal(emailObject{"OTHER", email}) //nolint:errchkjson // strings always marshal
	known, err := parseRecord(object.get(contact))
	if err == nil {
		holds = known
	}
	var emails []json.RawMessage
	_ = json.Unmarshal(holds.get("emails"), &emails) // an absent list is empty
	if len(emails) > 0 {
		emails = emails[1:]
	}
	list, _ := json.Marshal(append([]json.RawMessage{first}, emails...)) //nolint:errchkjson // valid JSON always marshals
	holds.set("emails", list)
	object.set(contact, holds.json())
}

// legend is a legend at its creation and in its current state.
type legend = stated[captable.LegendTerms]

type legendObject struct {
	ID       string   `json:"id"`
	Type     string   `json:"object_type"`
	Name     string   `json:"name"`
	Text     string   `json:"text"`
	Comments []string `json:"comments,omitempty"`
}

func (e *export) addLegends() {
	for _, l := range e.legends {
		e.add(fileLegends, l.place, l.json(func(terms captable.LegendTerms) any {
			return legendObject{l.id, typeLegend, terms.Name, terms.Text, terms.Comments}
		}))
	}
}

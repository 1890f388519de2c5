package ocf

import (
	"bytes"
	"encoding/json"
	"slices"

	"equity/captable"
)

// Holder is a member of the organization, as far as the format has words for one.
type Holder struct {
	Entity       captable.EntityID
	ExternalID   string
	Name         string
	Kind         string // individual or institution
	Relationship string
	Comments     []string
}

type holder struct {
	place    place
	source   *captable.Source
	was, now Holder
	id       string
}

// Holder says who a member is; the last word counts. Source is that of the member's
// first event.
func (x *Exporter) Holder(now Holder, source *captable.Source) {
	if known := x.holders[now.Entity]; known != nil {
		known.now = now
		return
	}
	x.holders[now.Entity] = &holder{
		place: x.place(source), source: source, was: now, now: now, id: x.name(typeStakeholder, now.ExternalID, now.Entity.String()),
	}
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

func (h *holder) object(of Holder) stakeholderObject {
	object := stakeholderObject{
		ID: h.id, Type: typeStakeholder, Name: nameObject{of.Name}, Kind: "INDIVIDUAL", Comments: of.Comments,
	}
	if of.Kind == "institution" {
		object.Kind = "INSTITUTION"
	}
	if relationship := snake(of.Relationship); slices.Contains(relationships(), relationship) {
		object.Relationships = []string{relationship}
	}
	return object
}

// relationships are those that the format knows.
func relationships() []string {
	return []string{
		"ADVISOR", "BOARD_MEMBER", "CONSULTANT", "EMPLOYEE", "EX_ADVISOR", "EX_CONSULTANT", "EX_EMPLOYEE", "EXECUTIVE",
		"FOUNDER", "INVESTOR", "NON_US_EMPLOYEE", "OFFICER", "OTHER",
	}
}

// json writes the holder with the particulars that are kept beside the journal; none
// when they were erased.
func (h *holder) json(particulars map[string]json.RawMessage) json.RawMessage {
	was, now := h.object(h.was), h.object(h.now)
	object, err := parseRecord(written(h.source, h.changed(), was, now))
	if err != nil {
		return recordOf(now).json()
	}
	private, err := parseRecord(particulars[ParticularsField])
	if err == nil {
		for _, f := range private.fields {
			object.set(f.name, f.value)
		}
	}
	contact, holds := "contact_info", &record{[]field{{"emails", nil}}}
	if now.Kind == "INSTITUTION" {
		contact = "primary_contact"
		name, _ := json.Marshal(now.Name) //nolint:errchkjson // a text in a struct
		holds = &record{[]field{{"name", name}, {"emails", nil}}}
	}
	if email := stringOf(particulars["email"]); email != "" && !bytes.Contains(object.get(contact), particulars["email"]) {
		h.reach(object, contact, holds, email)
	}
	return object.json()
}

// reach puts the address that the holder has now in the place of the first that came in.
func (h *holder) reach(object *record, contact string, holds *record, email string) {
	first, _ := json.Marshal(emailObject{"OTHER", email}) //nolint:errchkjson // two texts
	known, err := parseRecord(object.get(contact))
	if err == nil {
		holds = known
	}
	var emails []json.RawMessage
	_ = json.Unmarshal(holds.get("emails"), &emails) // none when there are none
	if len(emails) > 0 {
		emails = emails[1:]
	}
	list, _ := json.Marshal(append([]json.RawMessage{first}, emails...)) //nolint:errchkjson // read from JSON
	holds.set("emails", list)
	object.set(contact, holds.json())
}

func (h *holder) changed() bool {
	return h.was.Name != h.now.Name || h.was.Kind != h.now.Kind || h.was.Relationship != h.now.Relationship ||
		!slices.Equal(h.was.Comments, h.now.Comments)
}

// legend is a legend as it was created and as it is.
type legend struct {
	place    place
	source   *captable.Source
	was, now captable.LegendTerms
	id       string
	changed  bool
}

type legendObject struct {
	ID       string   `json:"id"`
	Type     string   `json:"object_type"`
	Name     string   `json:"name"`
	Text     string   `json:"text"`
	Comments []string `json:"comments,omitempty"`
}

func (l *legend) json() json.RawMessage {
	object := func(terms captable.LegendTerms) legendObject {
		return legendObject{l.id, typeLegend, terms.Name, terms.Text, terms.Comments}
	}
	return written(l.source, l.changed, object(l.was), object(l.now))
}

package organization

import (
	"equity/captable"
	"equity/captable/ocf"
)

// Exporter folds the journal of one organization, in order, into a package of the
// Open Cap Format. It is used by one goroutine.
type Exporter struct {
	table   *ocf.Exporter
	id      ID
	members map[MemberID]Member
	sources map[MemberID]*captable.Source
	order   []MemberID
}

// NewExporter makes an Exporter of an organization that has no history yet.
func NewExporter() *Exporter {
	return &Exporter{table: ocf.NewExporter(), members: map[MemberID]Member{}, sources: map[MemberID]*captable.Source{}}
}

// Apply takes the next event of the journal in.
func (x *Exporter) Apply(event Event, stamp captable.Stamp) {
	switch e := event.(type) {
	case TableEvent:
		x.table.Apply(e.Event, stamp)
	case Created:
		x.id = e.ID
		x.table.Issuer(issuerOf(x.id, e.Profile))
	case Changed:
		x.table.Issuer(issuerOf(x.id, e.Profile))
	case MemberAdded:
		x.sources[e.Member.ID] = e.Source
		x.order = append(x.order, e.Member.ID)
		x.member(e.Member.ID, e.Member)
	case MemberReturned:
		x.memberTerms(e.ID, e.Terms)
	case MemberChanged:
		x.memberTerms(e.ID, e.Terms)
	case MemberJoined:
		terms := x.members[e.ID].MemberTerms
		terms.FullName = nameOr(e.Name, terms.FullName)
		x.memberTerms(e.ID, terms)
	case MemberRemoved: // who held shares is a holder still
	}
}

func (x *Exporter) memberTerms(id MemberID, terms MemberTerms) {
	if member, known := x.members[id]; known {
		member.MemberTerms = terms
		x.member(id, member)
	}
}

func (x *Exporter) member(id MemberID, member Member) {
	x.members[id] = member
	x.table.Holder(ocf.Holder{
		Entity: member.Entity, ExternalID: member.ExternalID, Name: member.FullName, Kind: member.Kind,
		Relationship: member.Relationship, Comments: member.Comments,
	}, x.sources[id])
}

// Entities are all that were ever members, in the order in which they came: those
// whose particulars an export may show.
func (x *Exporter) Entities() []captable.EntityID {
	entities := make([]captable.EntityID, len(x.order))
	for i, id := range x.order {
		entities[i] = x.members[id].Entity
	}
	return entities
}

// Package writes what the journal said so far; see [ocf.Exporter.Package].
func (x *Exporter) Package(cover ocf.Cover) (*ocf.Archive, error) { return x.table.Package(cover) }

package organization

import (
	"equity/captable"
	"equity/captable/ocf"
)

// Exporter converts the journal of one organization, event by event, into a package of the Open Cap Format. Only
// one goroutine may use it.
type Exporter struct {
	table   *ocf.Exporter
	id      ID
	members map[MemberID]Member
	sources map[MemberID]*captable.Source
	order   []MemberID
}

// NewExporter returns an Exporter without events.
func NewExporter() *Exporter {
	return &Exporter{table: ocf.NewExporter(), members: map[MemberID]Member{}, sources: map[MemberID]*captable.Source{}}
}

// Apply adds the next event of the journal.
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
	case MemberRemoved: // a removed member may still be a holder
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

// Entities returns all current and former members, in order of joining. An export may contain their particulars.
func (x *Exporter) Entities() []captable.EntityID {
	entities := make([]captable.EntityID, len(x.order))
	for i, id := range x.order {
		entities[i] = x.members[id].Entity
	}
	return entities
}

// Package returns the package as of the last applied event: see [ocf.Exporter.Package].
func (x *Exporter) Package(cover ocf.Cover) (*ocf.Archive, error) { return x.table.Package(cover) }

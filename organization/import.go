package organization

import (
	"errors"

	"equity/captable"
	"equity/captable/ocf"
)

// CodePackageRefused refuses a package; Fields names every finding that does.
const CodePackageRefused captable.Code = "packageRefused"

// ImportPackage asks to take in a package of the Open Cap Format: all of it, or
// nothing. The package is prepared (see [ocf.Package.Prepare]) by the caller, who
// sends its particulars along, as those are no part of events.
type ImportPackage struct{ Package *ocf.Package }

// importing is a package on its way into a copy of the organization.
type importing struct {
	scratch  *State
	moment   Moment
	events   []Event
	findings ocf.Findings
}

// decide enters everything into a copy and gives the events of that, in an order in
// which they can be applied:
//
//  1. the profile takes what it lacks from the issuer, while there are no securities;
//  2. stakeholders become members without roles, each a new entity;
//  3. the cap table decides the rest command by command, in the order of dates;
//  4. objects that nobody knows yet are kept as they came;
//  5. one refusing finding, of the package or of any rule, refuses all.
func (c ImportPackage) decide(s *State, m Moment) ([]Event, error) {
	i := &importing{scratch: s.Copy(), moment: m, findings: c.Package.Findings()}
	i.issuer(c.Package.Issuer)
	i.record(TableEvent{captable.PackageImported{
		Version: c.Package.Version, Manifest: c.Package.Manifest, Issuer: c.Package.Issuer.Raw, Objects: c.Package.Objects,
	}})
	entities := i.members(c.Package.Stakeholders)
	i.findings = append(i.findings, c.Package.Enter(entities, i)...)
	for _, carried := range c.Package.Carried {
		i.record(TableEvent{captable.ObjectCarried{Source: carried}})
	}
	if i.findings.Refused() {
		return nil, &captable.Error{
			Code: CodePackageRefused, Message: "The package cannot be taken in; nothing of it was stored.", Fields: i.findings.Refusals(),
		}
	}
	return i.events, nil
}

func (i *importing) record(events ...Event) {
	for _, event := range events {
		i.scratch.Apply(event, captable.Stamp{})
		i.events = append(i.events, event)
	}
}

// Decide decides a command of the cap table and applies it at once.
func (i *importing) Decide(command captable.Command) ([]captable.Event, error) {
	events, err := captable.Decide(i.scratch.table, command, i.scratch.tableMoment(i.moment))
	for _, event := range events {
		i.record(TableEvent{event})
	}
	return events, err
}

// Mark remembers the organization and its events so far.
func (i *importing) Mark() (back func()) {
	scratch, events := i.scratch.Copy(), len(i.events)
	return func() { i.scratch, i.events = scratch, i.events[:events] }
}

// issuer lets the profile take what it lacks from the issuer. The name and the
// currency stay the organization's own.
func (i *importing) issuer(issuer ocf.Issuer) {
	if securities, _, _ := i.scratch.table.Counts(); securities > 0 {
		return
	}
	profile, gained := i.scratch.profile, false
	for _, field := range []struct {
		own   *string
		given string
	}{
		{&profile.LegalName, issuer.LegalName},
		{&profile.Jurisdiction, issuer.Jurisdiction},
		{&profile.TaxID, issuer.TaxID},
		{&profile.PhoneNumber, issuer.Phone},
		{&profile.ExternalID, issuer.ID},
	} {
		if *field.own == "" && field.given != "" {
			*field.own, gained = field.given, true
		}
	}
	if profile.FormationDate.IsZero() && !issuer.FormationDate.IsZero() {
		profile.FormationDate, gained = issuer.FormationDate, true
	}
	if profile.Address == nil && issuer.Address != (ocf.Address{}) {
		profile.Address, gained = addressOf(issuer.Address), true
	}
	if gained {
		i.record(Changed{Profile: profile})
	}
}

// members makes a member of every stakeholder, and tells who it is. What a member
// cannot be is a finding.
func (i *importing) members(stakeholders []ocf.Stakeholder) map[string]captable.EntityID {
	entities := make(map[string]captable.EntityID, len(stakeholders))
	for _, stakeholder := range stakeholders {
		source := stakeholder.Source
		events, err := AddMember{
			MemberTerms: MemberTerms{
				Kind: stakeholder.Kind, FullName: stakeholder.Name, Relationship: stakeholder.Relationship,
				ExternalID: stakeholder.ID, Comments: stakeholder.Comments,
			},
			Entity: stakeholder.Entity, Source: &source,
		}.decide(i.scratch, i.moment)
		if refusal, refused := errors.AsType[*captable.Error](err); refused {
			i.findings = append(i.findings, stakeholder.Refused(refusal)...)
			continue
		}
		i.record(events...)
		for _, event := range events {
			if added, ok := event.(MemberAdded); ok {
				entities[stakeholder.ID] = added.Member.Entity
			}
		}
	}
	return entities
}

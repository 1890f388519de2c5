package organization

import (
	"errors"

	"equity/captable"
	"equity/captable/ocf"
	"equity/fault"
)

// ImportPackage imports a package of the Open Cap Format completely, or not at all. The caller prepares the
// package (see [ocf.Package.Prepare]) and sends its particulars separately, because events do not contain them.
type ImportPackage struct{ Package *ocf.Package }

// importing is an import in progress, on a copy of the organization.
type importing struct {
	scratch  *State
	moment   DecideContext
	events   []Event
	findings ocf.Findings
}

// Decide imports the package into a copy and returns the resulting events, in an order in which they can be
// applied:
//
//  1. While there are no securities, empty profile fields are filled from the issuer.
//  2. Stakeholders become members without roles, each with a new entity.
//  3. The cap table decides the other commands one by one, in order of date.
//  4. Unsupported objects are stored unchanged.
//  5. Any finding that is an error, of the package or of a rule, refuses the whole package.
func (c ImportPackage) Decide(s *State, m DecideContext) ([]Event, error) {
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
		return nil, &fault.Error{
			Code: fault.PackageRefused, Message: "The package cannot be imported. No change was recorded.", Fields: i.findings.Refusals(),
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

// Decide decides a command of the cap table and applies its events.
func (i *importing) Decide(command captable.Command) ([]captable.Event, error) {
	events, err := captable.Decide(i.scratch.table, command, i.scratch.tableMoment(i.moment))
	for _, event := range events {
		i.record(TableEvent{event})
	}
	return events, err
}

// Mark saves the current organization and events. The result restores them.
func (i *importing) Mark() (back func()) {
	scratch, events := i.scratch.Copy(), len(i.events)
	return func() { i.scratch, i.events = scratch, i.events[:events] }
}

// issuer fills empty profile fields from the issuer. It never changes the name and the currency.
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

// members creates a member for every stakeholder and returns their entities. A stakeholder that cannot be a member
// is a finding.
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
		}.Decide(i.scratch, i.moment)
		if refusal, refused := errors.AsType[*fault.Error](err); refused {
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

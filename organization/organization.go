package organization

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/organization/document"
)

// Organization is the phantom type of organization ids.
type Organization struct{}

// User is the phantom type of user ids.
type User struct{}

// The identifiers around an organization.
type (
	// ID identifies an organization. It is also the id of the organization's own entity.
	ID = captable.ID[Organization]
	// UserID identifies an account.
	UserID = captable.ID[User]
	// MemberID identifies an entity's membership of an organization.
	MemberID = captable.MemberID
)

// Address is a postal address. Country is an ISO 3166 alpha-2 code.
type Address struct {
	Street1    string `json:"street1,omitempty"`
	Street2    string `json:"street2,omitempty"`
	Street3    string `json:"street3,omitempty"`
	City       string `json:"city,omitempty"`
	Province   string `json:"province,omitempty"`
	PostalCode string `json:"postalCode,omitempty"`
	Country    string `json:"country,omitempty"`
}

// Profile is the public description of an organization, and the body of creating one.
type Profile struct {
	Name               string        `json:"name"`
	LegalName          string        `json:"legalName,omitempty"`
	Type               string        `json:"type,omitempty"`
	Subtype            string        `json:"subtype,omitempty"`
	Jurisdiction       string        `json:"jurisdiction,omitempty"`
	FormationDate      captable.Date `json:"formationDate,omitzero"`
	RegistrationNumber string        `json:"registrationNumber,omitempty"`
	TaxID              string        `json:"taxId,omitempty"`
	Website            string        `json:"website,omitempty"`
	PhoneNumber        string        `json:"phoneNumber,omitempty"`
	Address            *Address      `json:"address,omitempty"`
	Logo               string        `json:"logo,omitempty"`
	// Currency is the ISO 4217 code of amounts without a currency of their own.
	Currency        string `json:"currency"`
	FiscalYearEnd   string `json:"fiscalYearEnd,omitempty"`
	RegisteredAgent string `json:"registeredAgent,omitempty"`
	// Storage is dataRoom or officeSuite.
	Storage    string   `json:"storage,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
	// ChatPosts are the types of events that are posted in the team of the organization at the chat server.
	ChatPosts []string `json:"chatPosts,omitempty"`
	// SecondPerson refuses entries by which their author gains. Only Owners change it.
	SecondPerson bool `json:"secondPerson,omitempty"`
}

// PrintedName returns the name on documents: the legal name, or else the name.
func (p Profile) PrintedName() string {
	if p.LegalName != "" {
		return p.LegalName
	}
	return p.Name
}

// Create creates an organization. Its creator becomes the first member, an Owner.
type Create struct {
	ID ID `json:"-"`
	Profile
	// Creator is the membership of the founder.
	Creator Founder `json:"-"`
}

// Founder is the user who creates an organization.
type Founder struct {
	User   UserID
	Entity captable.EntityID
	Name   string
}

// Amend updates the profile fields in the merge patch.
type Amend struct{ Patch []byte }

// Created records a new organization.
type Created struct {
	ID      ID      `json:"id"`
	Profile Profile `json:"profile"`
}

// EventType returns the event's name in the journal.
func (Created) EventType() string { return "organizationCreated" }

// Creates returns the organization.
func (e Created) Creates() []captable.Created {
	return []captable.Created{{ID: e.ID, Kind: "organization"}}
}

// Records returns nil: the organization is the state itself.
func (Created) Records(*State) []any { return nil }

func (Created) Affects(s *State) []Reference { return affected(KindOrganization, s.ID()) }

// Changed records the new profile.
type Changed struct {
	Profile Profile `json:"profile"`
	// SecondPersonEnds reports that the profile no longer requires a second person.
	SecondPersonEnds bool `json:"secondPersonEnds,omitempty"`
}

// EventType returns the event's name in the journal.
func (Changed) EventType() string { return "organizationChanged" }

// Creates returns nil.
func (Changed) Creates() []captable.Created { return nil }

// Records returns nil: the organization is the state itself.
func (Changed) Records(*State) []any { return nil }

func (Changed) Affects(s *State) []Reference { return affected(KindOrganization, s.ID()) }

// Decide creates the organization together with its first Owner, so that it is never without one.
func (c Create) Decide(s *State, m DecideContext) ([]Event, error) {
	if !s.id.IsZero() {
		return nil, fault.Refuse(fault.Conflict, "The organization exists already.")
	}
	profile := c.withDefaults()
	if err := profile.faults(m).Err(); err != nil {
		return nil, err
	}
	founder := Member{
		ID: m.NewID(), Entity: c.Creator.Entity, User: c.Creator.User, Status: StatusJoined,
		MemberTerms: MemberTerms{
			Kind: "individual", FullName: c.Creator.Name, Relationship: "founder", Roles: []string{RoleOwner},
		},
	}
	return []Event{Created{ID: c.ID, Profile: profile}, MemberAdded{Member: founder}}, nil
}

// Decide patches the profile. The currency is fixed once securities exist, because prices without a currency are
// in it.
func (c Amend) Decide(s *State, m DecideContext) ([]Event, error) {
	profile, err := captable.Patched(s.profile, c.Patch)
	if err != nil {
		return nil, err
	}
	profile = profile.withDefaults()
	if err := profile.faults(m).Err(); err != nil {
		return nil, err
	}
	securities, _, _ := s.table.Counts()
	if profile.Currency != s.profile.Currency && securities > 0 {
		return nil, fault.Refuse(
			fault.Conflict, "The currency cannot change after the first security, because amounts are in this currency.",
		)
	}
	if profile.Storage != s.profile.Storage && s.documents.Len() > 0 {
		return nil, StorageInUse()
	}
	if author, ok := s.MemberBy(m.By); profile.SecondPerson != s.profile.SecondPerson && !m.By.IsZero() && (!ok || !author.Owns()) {
		return nil, fault.Refuse(fault.Forbidden, "Only an Owner can change secondPerson.")
	}
	return []Event{Changed{Profile: profile, SecondPersonEnds: s.profile.SecondPerson && !profile.SecondPerson}}, nil
}

// CodeStorage refuses another storage while the present one holds documents.
const CodeStorage fault.Code = "storageInUse"

// StorageInUse returns the refusal of another storage.
func StorageInUse() error {
	return fault.Refuse(CodeStorage, "The storage cannot change while it holds documents or has a connection to a cloud drive.")
}

// The storages of documents.
const (
	storageRoom        = "dataRoom"
	storageOfficeSuite = string(document.OfficeSuite)
)

// InOfficeSuite reports whether the documents of the organization are in the office suite.
func (s *State) InOfficeSuite() bool { return s.profile.Storage == storageOfficeSuite }

func (p Profile) withDefaults() Profile {
	p.Name, p.LegalName = strings.TrimSpace(p.Name), strings.TrimSpace(p.LegalName)
	if p.Type == "" {
		p.Type = "corporation"
	}
	if p.Storage == "" {
		p.Storage = storageRoom
	}
	return p
}

// faults returns the faults of a profile with its defaults.
func (p Profile) faults(m DecideContext) fault.Fields {
	var faults fault.Fields
	if p.Name == "" {
		faults.Add("/name", "required", "name is required.")
	}
	if !captable.IsCurrency(p.Currency) {
		faults.Add("/currency", "pattern", "currency must be an ISO 4217 code such as USD.")
	}
	if !slices.Contains([]string{"corporation", "llc", "partnership", "other"}, p.Type) {
		faults.Add("/type", "enum", "type must be corporation, llc, partnership or other.")
	}
	if !slices.Contains([]string{storageRoom, storageOfficeSuite}, p.Storage) {
		faults.Add("/storage", "enum", "storage must be dataRoom or officeSuite.")
	}
	if a := p.Address; a != nil && a.Country != "" && (len(a.Country) != 2 || strings.Trim(a.Country, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		faults.Add("/address/country", "pattern", "country must be an ISO 3166 code such as US.")
	}
	return append(faults, p.chatPostFaults(m)...)
}

func (e Created) Apply(s *State, stamp captable.Stamp) {
	s.id, s.profile, s.meta = e.ID, e.Profile, captable.NewMeta(stamp)
}

func (e Changed) Apply(s *State, stamp captable.Stamp) {
	s.profile = e.Profile
	s.meta.Touch(stamp)
}

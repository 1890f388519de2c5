package api

import (
	"context"
	"encoding/json"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Organizations provides the actors of organizations and their views.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	// View returns the organization as of its last durable event. If it does not exist, it returns a
	// fault.Error with code resourceNotFound.
	View(ctx context.Context, id organization.ID) (*messages.View, error)
	// ViewAt returns the organization as of the sequence.
	ViewAt(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error)
}

// Index finds records across organizations.
type Index interface {
	// Locate returns the organization of a record and its kind; zero values for an unknown record.
	Locate(ctx context.Context, id [16]byte) (organization.ID, string, error)
	// OrganizationsOf returns the organizations of which the user is a member.
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
	// Person returns the owner of the entity; the zero ID if the entity has no account.
	Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error)
	// EntitiesOf returns the entities of the user's memberships.
	EntitiesOf(ctx context.Context, user organization.UserID) ([]captable.EntityID, error)
	// EntitiesByEmail returns the entities that organizations store with an e-mail address.
	EntitiesByEmail(ctx context.Context, email string) ([]messages.KnownEntity, error)
	// AddressesIn returns the e-mail addresses of an organization's members with accounts.
	AddressesIn(ctx context.Context, id organization.ID) (map[organization.UserID]string, error)
	// Particulars returns the particulars of the entities, as JSON by field; of all entities if the
	// list is empty.
	Particulars(ctx context.Context, id organization.ID, entities ...captable.EntityID) (
		map[captable.EntityID]map[string]json.RawMessage, error)
}

// Journal reads the events of an organization.
type Journal interface {
	// Page returns events, newest first.
	Page(ctx context.Context, id organization.ID, query messages.JournalQuery) ([]messages.Row, error)
	// Scan calls each for the events above after up to upTo, oldest first. An upTo of 0 means the end.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error
	// SequenceAt returns the sequence of the last event recorded at or before t; 0 if there is no such
	// event.
	SequenceAt(ctx context.Context, id organization.ID, t time.Time) (uint64, error)
}

// Throttle counts attempts across all servers.
type Throttle interface {
	// Take counts one attempt. It returns the time to wait if the attempts in the window exceed the
	// limit; else zero.
	Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
	// Forgive resets the attempts of the subject.
	Forgive(ctx context.Context, subject string) error
}

package http

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Organizations is the way to the organizations' actors and their views.
type Organizations interface {
	// Do carries out a command and returns when its events are durable.
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	// View gives the organization as of its last durable event; a captable.Error with
	// code resourceNotFound when there is none.
	View(ctx context.Context, id organization.ID) (*messages.View, error)
	// ViewAt gives the organization as it was known at the sequence.
	ViewAt(ctx context.Context, id organization.ID, sequence uint64) (*messages.View, error)
}

// Index finds things across organizations.
type Index interface {
	// Locate says to which organization a record belongs, and its kind; a zero id and
	// no kind when nobody knows it.
	Locate(ctx context.Context, id [16]byte) (organization.ID, string, error)
	// OrganizationsOf lists the organizations that the user is a member of.
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
	// Person gives whose the entity is; the zero id for nobody's.
	Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error)
	// EntitiesOf lists the entities that the user became by membership.
	EntitiesOf(ctx context.Context, user organization.UserID) ([]captable.EntityID, error)
	// KnownBy gives the entities that organizations know by an e-mail address.
	KnownBy(ctx context.Context, email string) ([]messages.Known, error)
	// AddressesIn gives the e-mail addresses of the accounts that are members of an organization.
	AddressesIn(ctx context.Context, id organization.ID) (map[organization.UserID]string, error)
	// Particulars gives the personal particulars of the entities, JSON by field; of all
	// entities when none is named.
	Particulars(ctx context.Context, id organization.ID, entities ...captable.EntityID) (
		map[captable.EntityID]map[string]json.RawMessage, error)
}

// Journal reads the events of an organization.
type Journal interface {
	// Page gives events, newest first.
	Page(ctx context.Context, id organization.ID, query messages.JournalQuery) ([]messages.Row, error)
	// Scan gives the events above after up to upTo, oldest first; upTo 0 means to the end.
	Scan(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error
	// SequenceAt gives the last event recorded at or before t; 0 when there is none.
	SequenceAt(ctx context.Context, id organization.ID, t time.Time) (uint64, error)
}

// Sessions keeps who is signed in behind the session cookie.
type Sessions interface {
	// Load gives the session that the request presents and pushes its expiry forward;
	// false without a valid one. While the store does not answer, it gives a session that
	// was verified a short time ago, with VerifiedAt set, or an error.
	Load(r *http.Request) (messages.Session, bool, error)
	// Refresh sets the session's cookie again, as every answer does.
	Refresh(w http.ResponseWriter, session messages.Session)
	// Create ends the session that the request presents, if any, and gives a new one.
	Create(w http.ResponseWriter, r *http.Request, signIn messages.SignIn) (messages.Session, error)
	// Destroy ends the session that the request presents and clears the cookie.
	Destroy(w http.ResponseWriter, r *http.Request) error
	// List gives the user's sessions, the one used last first.
	List(ctx context.Context, user organization.UserID) ([]messages.ListedSession, error)
	// End ends the user's session with the handle; false when they have none.
	End(ctx context.Context, user organization.UserID, handle string) (bool, error)
	// RevokeUser ends all of the user's sessions.
	RevokeUser(ctx context.Context, user organization.UserID) error
}

// Throttle counts attempts across all servers.
type Throttle interface {
	// Take counts one attempt and gives how long to wait when there were more than the
	// limit in the window; else zero.
	Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
	// Forgive forgets the attempts on the subject.
	Forgive(ctx context.Context, subject string) error
}

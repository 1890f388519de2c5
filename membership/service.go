// Package membership contains the use cases of memberships in organizations: members, invitations, claims, imports and
// leaving. It also decides on behalf of which entities a user may act. It has no transport.
package membership

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Organizations provides the actors of organizations and their views.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	// View returns the organization as of its last durable event. If it does not exist, it returns a
	// fault.Error with code resourceNotFound.
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Index finds memberships across organizations.
type Index interface {
	// OrganizationsOf returns the organizations of which the user is a member.
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
	// Person returns the owner of the entity; the zero ID if the entity has no account.
	Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error)
	// EntitiesByEmail returns the entities that organizations store with an e-mail address.
	EntitiesByEmail(ctx context.Context, email string) ([]messages.KnownEntity, error)
	// AddressesIn returns the e-mail addresses of an organization's members with accounts.
	AddressesIn(ctx context.Context, id organization.ID) (map[organization.UserID]string, error)
	// Particulars returns the particulars of the entities, as JSON by field; of all entities if the
	// list is empty.
	Particulars(ctx context.Context, id organization.ID, entities ...captable.EntityID) (
		map[captable.EntityID]map[string]json.RawMessage, error)
}

// Stakes finds the holdings of entities across organizations.
type Stakes interface {
	// OrganizationsHeldBy returns the organizations in which the entity holds equity.
	OrganizationsHeldBy(ctx context.Context, entity captable.EntityID) ([]organization.ID, error)
}

// Accounts finds accounts. If there is no account, the error is a fault.Error with code userNotFound.
type Accounts interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
	// ByEmail ignores case.
	ByEmail(ctx context.Context, email string) (messages.User, error)
}

// Throttle counts attempts across all servers.
type Throttle interface {
	// Take counts one attempt. It returns the time to wait if the attempts in the window exceed the
	// limit; else zero.
	Take(ctx context.Context, subject string, limit int, window time.Duration) (time.Duration, error)
}

// Letters writes the mails of invitations.
type Letters interface {
	Invitation(mail InvitationMail) (messages.Mail, error)
	// Readdressed returns the mail to the former address of a holder.
	Readdressed(mail ReaddressedMail) (messages.Mail, error)
}

// Services are the dependencies of the use cases.
type Services struct {
	Organizations Organizations
	Index         Index
	Stakes        Stakes
	Accounts      Accounts
	Throttle      Throttle
	Letters       Letters
	// CheckMember returns the faults of a new member in the form of the contract.
	CheckMember func(body []byte) fault.Fields
	// NewID returns a new UUID of version 7. Random is a secure source.
	NewID  func() [16]byte
	Random io.Reader
}

// Service carries out the use cases. It is safe for concurrent use.
type Service struct {
	Services
	*Rights
	answerTokens
	AddressChanges
}

// New returns a service.
func New(services Services) *Service {
	tokens := answerTokens{attempts{services.Throttle}, services.Organizations}
	return &Service{services, NewRights(services.Index, services.Organizations), tokens, AddressChanges{tokens}}
}

// attempts limits the attempts of callers.
type attempts struct{ throttle Throttle }

// limit counts an attempt of the subject. It returns an error if the attempts exceed the rate limit.
func (a attempts) limit(ctx context.Context, subject string, most int, window time.Duration) error {
	return refuseAttempt(a.throttle.Take(ctx, subject, most, window))
}

// limitMail counts a mail to a chosen address. It returns an error if the mail exceeds a limit.
func (a attempts) limitMail(ctx context.Context, mail messages.ChosenMail) error {
	return refuseAttempt(mail.Take(ctx, a.throttle))
}

// refuseAttempt returns the error of an attempt that must wait.
func refuseAttempt(wait time.Duration, err error) error {
	if err != nil {
		return messages.Unreachable("The store", err)
	}
	if wait > 0 {
		return &fault.FailureError{Refusal: fault.Refuse(fault.TooManyAttempts, "Too many attempts. Try again later."), RetryAfter: wait}
	}
	return nil
}

// Joined is an organization of which a user is a member.
type Joined struct {
	ID    organization.ID
	Name  string
	Roles []string
}

// Of returns the organizations of which the user is a member. It omits organizations with a damaged journal.
func (s *Service) Of(ctx context.Context, user organization.UserID) ([]Joined, error) {
	ids, err := s.Index.OrganizationsOf(ctx, user)
	if err != nil {
		return nil, messages.Unavailable(ctx, "list organizations", err)
	}
	all := make([]Joined, 0, len(ids))
	for state, err := range statesOf(ctx, s.Organizations, ids) {
		if err != nil {
			return nil, err
		}
		if member, ok := state.MemberBy(user); ok {
			all = append(all, Joined{state.ID(), state.Profile().Name, member.Roles})
		}
	}
	return all, nil
}

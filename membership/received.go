package membership

import (
	"bytes"
	"context"
	"slices"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Inbox contains the use cases of invitations to the verified address of an account.
type Inbox struct{ service *Service }

// InboxOf returns the inbox of the service.
func InboxOf(s *Service) Inbox { return Inbox{s} }

// maxReceivedReads is the number of organizations that one page of received invitations reads.
const maxReceivedReads = 200

// Received is an open invitation to the verified address of an account.
type Received struct {
	Organization organization.ID
	Name         string
	Member       organization.MemberID
	Roles        []string
	// Inviter is the name of the last sender. It is empty for the system.
	Inviter           string
	SentAt, ExpiresAt captable.Instant
	// WaitsUntil is the time before which it cannot be accepted; zero if it can.
	WaitsUntil captable.Instant
}

// ReceivedQuery selects a page of the invitations of an account.
type ReceivedQuery struct {
	User organization.UserID
	At   time.Time
	// After is the last organization of the former page; zero for the first page.
	After organization.ID
	Limit int
	// Reaches reports whether the caller may read the organization.
	Reaches func(organization.ID) bool
}

// ReceivedPage is a page in the order of the creation of the organizations. Next is zero at the end of the list.
type ReceivedPage struct {
	Data []Received
	Next organization.ID
}

// List returns open invitations to the verified address of the account. It finds them by the address, and reads at
// most maxReceivedReads organizations. A page can therefore have fewer invitations than the limit although another follows.
func (i Inbox) List(ctx context.Context, q ReceivedQuery) (page ReceivedPage, err error) {
	account, err := i.service.userOf(ctx, q.User)
	if err != nil {
		return page, err
	}
	known, err := i.addressed(ctx, account)
	if err != nil {
		return page, err
	}
	own, err := i.service.Index.OrganizationsOf(ctx, account.ID)
	if err != nil {
		return page, messages.Unavailable(ctx, "list organizations", err)
	}
	member := make(map[organization.ID]bool, len(own))
	for _, id := range own {
		member[id] = true
	}
	entities := map[organization.ID][]captable.EntityID{}
	var ids []organization.ID // ascending, as known is
	for _, one := range known {
		if bytes.Compare(one.Organization[:], q.After[:]) <= 0 || !q.Reaches(one.Organization) || member[one.Organization] {
			continue
		}
		if len(entities[one.Organization]) == 0 {
			ids = append(ids, one.Organization)
		}
		entities[one.Organization] = append(entities[one.Organization], one.Entity)
	}
	read := func(ctx context.Context, id organization.ID) (*Received, error) {
		return i.invitationFrom(ctx, account.ID, q.At, id, entities[id])
	}
	done := 0
	for found, err := range InOrder(ctx, ParallelReads, ids[:min(len(ids), maxReceivedReads)], read) {
		if err != nil {
			return ReceivedPage{}, err
		}
		if done++; found != nil {
			page.Data = append(page.Data, *found)
		}
		if len(page.Data) == q.Limit {
			break
		}
	}
	if done < len(ids) {
		page.Next = ids[done-1]
	}
	return page, nil
}

// addressed returns the entities with the verified address of the account, ordered by organization.
func (i Inbox) addressed(ctx context.Context, account messages.User) ([]messages.KnownEntity, error) {
	if account.EmailVerifiedAt.IsZero() {
		return nil, nil
	}
	known, err := i.service.Index.EntitiesByEmail(ctx, account.Email)
	return known, messages.Unavailable(ctx, "find holders", err)
}

// invitationFrom returns the invitation of one of the entities that the user may accept, or nil. It omits an organization with a
// damaged journal.
func (i Inbox) invitationFrom(
	ctx context.Context, user organization.UserID, at time.Time, id organization.ID, entities []captable.EntityID,
) (*Received, error) {
	view, err := i.service.Organizations.View(ctx, id)
	if messages.IsUnreadable(err) || fault.Is(err, fault.NotFound) {
		return nil, nil //nolint:nilnil // nil means no invitation
	}
	if err != nil {
		return nil, err
	}
	for _, entity := range entities {
		member, ok := view.State.MemberOf(entity)
		if !ok || !view.State.Answerable(member, at) {
			continue
		}
		person, err := i.service.Index.Person(ctx, entity)
		if err != nil {
			return nil, messages.Unavailable(ctx, "find person", err)
		}
		if !person.IsZero() && person != user { // only the former account may return
			continue
		}
		found := Received{
			Organization: id, Name: view.State.Profile().Name, Member: member.ID, Roles: member.Roles,
			SentAt: member.Invitation.SentAt, ExpiresAt: member.Invitation.ExpiresAt,
		}
		found.WaitsUntil, _ = member.ClaimWaitsUntil(at)
		if sender, ok := view.State.MemberBy(member.Invitation.Sender); ok {
			found.Inviter = sender.FullName
		}
		return &found, nil
	}
	return nil, nil //nolint:nilnil // nil means no invitation
}

// ReceivedAnswer is the answer of an account to an invitation to its verified address.
type ReceivedAnswer struct {
	User         organization.UserID
	Organization organization.ID
	Member       organization.MemberID
	At           time.Time
}

// open returns the organization of the invitation, its hash, and the account.
func (i Inbox) open(ctx context.Context, a ReceivedAnswer) (*messages.View, organization.TokenHash, messages.User, error) {
	account, err := i.service.userOf(ctx, a.User)
	if err != nil {
		return nil, organization.TokenHash{}, account, err
	}
	known, err := i.addressed(ctx, account)
	if err != nil {
		return nil, organization.TokenHash{}, account, err
	}
	if !slices.ContainsFunc(known, func(one messages.KnownEntity) bool { return one.Organization == a.Organization }) {
		return nil, organization.TokenHash{}, account, errInvitation()
	}
	view, err := i.service.Organizations.View(ctx, a.Organization)
	if err != nil {
		return nil, organization.TokenHash{}, account, err
	}
	member, ok := view.State.Member(a.Member)
	if !ok || !view.State.Answerable(member, a.At) || !slices.Contains(
		known, messages.KnownEntity{Organization: a.Organization, Entity: member.Entity},
	) {
		return nil, organization.TokenHash{}, account, errInvitation()
	}
	return view, member.Invitation.Hash, account, nil
}

// Accept makes the account a member, without the token of the mail. The verified address proves that the account reads
// the mails to the invited address.
func (i Inbox) Accept(
	ctx context.Context, a ReceivedAnswer, command func(organization.ID) (messages.Command, error),
) (Joined, error) {
	view, hash, account, err := i.open(ctx, a)
	if err != nil {
		return Joined{}, err
	}
	return i.service.accept(ctx, view, hash, account, a.At, command)
}

// Decline declines the invitation, without the token of the mail.
func (i Inbox) Decline(
	ctx context.Context, a ReceivedAnswer, command func(organization.ID) (messages.Command, error),
) error {
	_, hash, _, err := i.open(ctx, a)
	if err != nil {
		return err
	}
	change, err := command(a.Organization)
	if err != nil {
		return err
	}
	change.Body = organization.DeclineInvitation{Hash: hash}
	_, err = i.service.Organizations.Do(ctx, change)
	return messages.Wrap(ctx, "decline invitation of "+a.Organization.String(), err)
}

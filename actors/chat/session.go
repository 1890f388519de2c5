package chat

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"equity/actors/consumer"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// Accounts stores the accounts of users at the chat server.
type Accounts interface {
	// Account returns the account of the user, or false.
	Account(ctx context.Context, user organization.UserID) (messages.ChatAccount, bool, error)
	// UserOf returns the user with the account, or false.
	UserOf(ctx context.Context, chatUser string) (organization.UserID, bool, error)
	// Link stores the account of the user, or returns [messages.ErrChatUserTaken].
	Link(ctx context.Context, user organization.UserID, chatUser string) error
	// ReplaceToken stores a token in place of that with the given id. It returns false if the user has another one.
	ReplaceToken(ctx context.Context, user organization.UserID, was string, token messages.ChatToken) (bool, error)
	// Forget removes the account of the user.
	Forget(ctx context.Context, user organization.UserID) error
}

// Teams stores the teams of organizations at the chat server.
type Teams interface {
	// Team returns the team of the organization; empty without one.
	Team(ctx context.Context, id organization.ID) (string, error)
	// OrganizationOf returns the organization with the team, or false.
	OrganizationOf(ctx context.Context, team string) (organization.ID, bool, error)
	// Link stores the team of the organization, unless it has one, and returns the stored one.
	Link(ctx context.Context, id organization.ID, team string) (string, error)
}

// Users finds accounts. The error of an unknown one has the code userNotFound.
type Users interface {
	ByID(ctx context.Context, id organization.UserID) (messages.User, error)
}

// Memberships finds the organizations of users.
type Memberships interface {
	OrganizationsOf(ctx context.Context, user organization.UserID) ([]organization.ID, error)
}

// Organizations executes commands and returns the present state of organizations.
type Organizations interface {
	Do(ctx context.Context, command messages.Command) (messages.Reply, error)
	View(ctx context.Context, id organization.ID) (*messages.View, error)
}

// Options are the dependencies of the [Provisioner].
type Options struct {
	// URL is the address of the chat server, Token the access token of its administrator.
	URL, Token string
	// MaxTokenAge is the age at which the token of a user is replaced.
	MaxTokenAge time.Duration
	Accounts    Accounts
	Teams       Teams
	Users       Users
	Memberships Memberships
	// Organizations returns the actors, which start after their consumers.
	Organizations func() Organizations
	Breakers      *consumer.Breakers
	Log           *slog.Logger
	Now           func() time.Time
	// Random is a secure source.
	Random io.Reader
}

// Provisioner creates the objects of organizations and users at the chat server. It is safe for concurrent use.
type Provisioner struct {
	Options
	server *server
	turns  *turns[organization.UserID]
	teams  *turns[organization.ID]
}

// NewProvisioner returns a Provisioner. It makes no call.
func NewProvisioner(o Options) (*Provisioner, error) {
	s, err := newServer(o.URL, o.Token, o.Breakers, o.Now)
	if err != nil {
		return nil, err
	}
	return &Provisioner{o, s, newTurns[organization.UserID](), newTurns[organization.ID]()}, nil
}

// Ping returns an error if the chat server does not accept the token of its administrator.
func (p *Provisioner) Ping(ctx context.Context) error {
	_, err := p.server.bot(ctx)
	return err
}

// IsAdministrator reports whether the token of the administrator has the role that the calls of this package need.
func (p *Provisioner) IsAdministrator(ctx context.Context) (bool, error) {
	me, err := p.server.bot(ctx)
	return err == nil && me.IsSystemAdmin(), err
}

// Open provisions the chat for a member of the organization. It returns a [fault.Error].
func (p *Provisioner) Open(ctx context.Context, view *messages.View, user organization.UserID) (messages.ChatSession, error) {
	session, err := p.open(ctx, view, user)
	return session, p.public(err)
}

func (p *Provisioner) open(ctx context.Context, view *messages.View, user organization.UserID) (messages.ChatSession, error) {
	account, may, err := p.entitled(ctx, view, user)
	if err != nil {
		return messages.ChatSession{}, err
	}
	if !may {
		return messages.ChatSession{}, errNotEntitled()
	}
	end, err := p.turns.take(ctx, user)
	if err != nil {
		return messages.ChatSession{}, err
	}
	defer end()
	chatUser, err := p.account(ctx, account)
	if err != nil {
		return messages.ChatSession{}, err
	}
	token, err := p.token(ctx, user, chatUser)
	if err != nil {
		return messages.ChatSession{}, err
	}
	team, err := p.team(ctx, view)
	if err != nil {
		return messages.ChatSession{}, err
	}
	err = p.admit(ctx, view.State.ID(), team, messages.ChatAccount{User: user, ChatUser: chatUser, Token: token})
	if err != nil {
		return messages.ChatSession{}, err
	}
	return messages.ChatSession{
		Token: token.Secret, BaseURL: p.URL, TeamName: TeamName(view.State.ID()), ChatUser: chatUser,
		ExpiresAt: token.IssuedAt.Add(p.MaxTokenAge),
	}, nil
}

// Sync adds missing members of the organization to its team and removes others. It returns the number of members that should be in the
// team and are, and a [fault.Error].
func (p *Provisioner) Sync(ctx context.Context, view *messages.View) (int, error) {
	team, err := p.team(ctx, view)
	if err != nil {
		return 0, p.public(err)
	}
	synced, err := p.synchronize(ctx, view, team)
	return synced, p.public(err)
}

// public logs the cause of a failure and returns its public refusal.
func (p *Provisioner) public(err error) error {
	if _, is := errors.AsType[*fault.Error](err); err == nil || is {
		return err
	}
	p.Log.Warn("chat server not used", "cause", err)
	return &fault.FailureError{Refusal: messages.ErrChatUnavailable, Cause: err}
}

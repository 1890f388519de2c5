package chat

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"equity/actors/consumer"
	"equity/app"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

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
	Accounts    *Accounts
	Teams       *Teams
	Users       app.Users
	Memberships app.Memberships
	// Organizations are called after the server has started.
	Organizations Organizations
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
func (p *Provisioner) Open(ctx context.Context, view *messages.View, user organization.UserID) (Session, error) {
	session, err := p.open(ctx, view, user)
	return session, p.public(err)
}

func (p *Provisioner) open(ctx context.Context, view *messages.View, user organization.UserID) (Session, error) {
	account, may, err := p.entitled(ctx, view, user)
	if err != nil {
		return Session{}, err
	}
	if !may {
		return Session{}, errNotEntitled()
	}
	end, err := p.turns.take(ctx, user)
	if err != nil {
		return Session{}, err
	}
	defer end()
	chatUser, err := p.account(ctx, account)
	if err != nil {
		return Session{}, err
	}
	token, err := p.token(ctx, user, chatUser)
	if err != nil {
		return Session{}, err
	}
	team, err := p.team(ctx, view)
	if err != nil {
		return Session{}, err
	}
	err = p.admit(ctx, view.State.ID(), team, Account{User: user, ChatUser: chatUser, Token: token})
	if err != nil {
		return Session{}, err
	}
	return Session{
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
	return &fault.FailureError{Refusal: ErrUnavailable, Cause: err}
}

package membership

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// A token contains the organization's id, a secret and a digest of the address of its mail. It is sufficient to answer the invitation.
const (
	secretBytes    = 16
	tokenBytes     = 48
	idBytes        = 16
	answersPerHour = 60
	answerWindow   = time.Hour
	byInvitation   = "system:invitation"
)

// newToken returns a random token for a mail to the address, and its hash, which the organization stores. The token contains a digest
// of the address, so that it proves which mailbox its bearer reads.
func newToken(random io.Reader, id organization.ID, address string) (string, organization.TokenHash, error) {
	content := make([]byte, idBytes+secretBytes, tokenBytes)
	copy(content, id[:])
	if _, err := io.ReadFull(random, content[idBytes:]); err != nil {
		return "", organization.TokenHash{}, fmt.Errorf("draw invitation: %w", err)
	}
	content = append(content, addressDigest(content, address)...)
	return base64.RawURLEncoding.EncodeToString(content), sha256.Sum256(content), nil
}

// addressDigest returns the digest of an address in a token that begins with the id and the secret.
func addressDigest(begin []byte, address string) []byte {
	mac := hmac.New(sha256.New, begin)
	mac.Write([]byte(messages.CanonicalEmail(address)))
	return mac.Sum(nil)[:tokenBytes-len(begin)]
}

// mailedTo reports whether the token, which the organization knows, was mailed to the address. In tokens of earlier versions, random
// bytes take the place of the digest, so that they match no address.
func mailedTo(token, address string) bool {
	content, err := base64.RawURLEncoding.DecodeString(token)
	return err == nil && address != "" && len(content) == tokenBytes &&
		hmac.Equal(content[idBytes+secretBytes:], addressDigest(content[:idBytes+secretBytes], address))
}

func errInvitation() error {
	return fault.Refuse(fault.NotFound, "The invitation does not exist, was answered, or has expired.")
}

// Answer is the reply of an invited person.
type Answer struct {
	// Token is that of the mail. Network is the key by which attempts are counted.
	Token, Network string
	At             time.Time
}

// answerTokens finds the organizations of the tokens in mails.
type answerTokens struct {
	attempts
	organizations Organizations
}

// open returns the organization of the token and the hash by which it knows the token.
func (t answerTokens) open(ctx context.Context, a Answer) (*messages.View, organization.TokenHash, error) {
	if err := t.limit(ctx, "invitation answer "+a.Network, answersPerHour, answerWindow); err != nil {
		return nil, organization.TokenHash{}, err
	}
	content, err := base64.RawURLEncoding.DecodeString(a.Token)
	if err != nil || len(content) != tokenBytes {
		return nil, organization.TokenHash{}, errInvitation()
	}
	view, err := t.organizations.View(ctx, organization.ID(content[:idBytes]))
	if fault.Is(err, fault.NotFound) {
		return nil, organization.TokenHash{}, errInvitation()
	}
	return view, sha256.Sum256(content), err
}

// Read returns the organization of an invitation and the invited member.
func (s *Service) Read(ctx context.Context, a Answer) (*organization.State, *organization.Member, error) {
	view, hash, err := s.open(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	member, err := view.State.Invited(hash, a.At)
	return view.State, member, err
}

// Invites reports whether an open invitation with the token was mailed to the address.
func (s *Service) Invites(ctx context.Context, token, email, network string, at time.Time) (bool, error) {
	_, _, err := s.Read(ctx, Answer{Token: token, Network: network, At: at})
	return err == nil && mailedTo(token, email), err
}

// InvitedPerson is the person to whom an invitation was mailed, as the organization knows them.
type InvitedPerson struct {
	// Email is empty if the mail was sent to another address.
	Email string
	// Name is empty if it is provisional.
	Name string
	// Registered reports that the address has an account.
	Registered bool
}

// Invited returns the recipient of the invitation with the token.
func (s *Service) Invited(
	ctx context.Context, state *organization.State, member *organization.Member, token string,
) (InvitedPerson, error) {
	var person InvitedPerson
	if !member.Invitation.Unnamed {
		person.Name = member.FullName
	}
	stored, err := s.Index.Particulars(ctx, state.ID(), member.Entity)
	if err != nil {
		return person, messages.Unavailable(ctx, "read particulars", err)
	}
	address := emailOf(stored[member.Entity][fieldEmail])
	if !mailedTo(token, address) {
		return person, nil
	}
	person.Email = address
	_, err = s.Accounts.ByEmail(ctx, address)
	person.Registered = err == nil
	if fault.Is(err, fault.UserNotFound) {
		return person, nil
	}
	return person, messages.Unavailable(ctx, "find account", err)
}

// Accept makes the caller a member of the invitation's organization. Their address is verified, because sessions require
// that. It may differ from the invited address: the recipient may have an account with another one. The command
// returns the command of the change without a body, for the organization of the invitation.
func (s *Service) Accept(
	ctx context.Context, user organization.UserID, a Answer, command func(organization.ID) (messages.Command, error),
) (Joined, error) {
	view, hash, err := s.open(ctx, a)
	if err != nil {
		return Joined{}, err
	}
	account, err := s.userOf(ctx, user)
	if err != nil {
		return Joined{}, err
	}
	return s.accept(ctx, view, hash, account, a.At, command)
}

// accept makes the account the member with the hash.
func (s *Service) accept(
	ctx context.Context, view *messages.View, hash organization.TokenHash, account messages.User, at time.Time,
	command func(organization.ID) (messages.Command, error),
) (Joined, error) {
	id := view.State.ID()
	if err := s.checkReturningUser(ctx, view, hash, account, at); err != nil {
		return Joined{}, err
	}
	change, err := command(id)
	if err != nil {
		return Joined{}, err
	}
	change.Body = organization.AcceptInvitation{Hash: hash, User: account.ID, Name: account.FullName()}
	if _, err := s.Organizations.Do(ctx, change); err != nil {
		return Joined{}, messages.Wrap(ctx, "accept invitation of "+id.String(), err)
	}
	after, err := s.Organizations.View(ctx, id)
	if err != nil {
		return Joined{}, err
	}
	member, ok := after.State.MemberBy(account.ID)
	if !ok {
		return Joined{}, fmt.Errorf("accept invitation of %s: %w", id, errNotJoined)
	}
	return Joined{id, after.State.Profile().Name, member.Roles}, nil
}

var errNotJoined = errors.New("the change affected no member")

// checkReturningUser refuses a returning member with another account than before, and a holder whom another organization knows by another
// address.
func (s *Service) checkReturningUser(
	ctx context.Context, view *messages.View, hash organization.TokenHash, account messages.User, at time.Time,
) error {
	member, err := view.State.Invited(hash, at)
	if err != nil {
		return nil //nolint:nilerr // the organization refuses the command or recognizes a repetition
	}
	person, err := s.Person(ctx, member.Entity)
	if err != nil || person == account.ID {
		return err
	}
	if !person.IsZero() {
		return fault.Refuse(fault.Conflict, "The invited person was a member before. Accept the invitation with the account of that time.")
	}
	return s.checkElsewhere(ctx, account, view.State.ID(), member.Entity, at)
}

// Decline declines an invitation. It does not require an account.
func (s *Service) Decline(ctx context.Context, a Answer) error {
	view, hash, err := s.open(ctx, a)
	if err != nil {
		return err
	}
	id := view.State.ID()
	_, err = s.Organizations.Do(ctx, messages.Command{
		Organization: id, By: byInvitation, Origin: messages.OriginRequest, At: a.At, Body: organization.DeclineInvitation{Hash: hash},
	})
	return messages.Wrap(ctx, "decline invitation of "+id.String(), err)
}

package chat

import (
	"context"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/messages"
	"equity/organization"
)

// The forms of accounts.
const (
	mostSlug      = 40
	mostName      = 64
	shortSuffix   = 6
	passwordBytes = 32
)

// account returns the account of the user at the chat server. It creates the account if it does not exist.
func (p *Provisioner) account(ctx context.Context, user messages.User) (string, error) {
	known, mapped, err := p.Accounts.Account(ctx, user.ID)
	if err != nil {
		return "", err
	}
	var found *model.User
	if mapped {
		found, _, err = p.server.GetUser(ctx, known.ChatUser, "")
		if err != nil && !isMissing(err) {
			return "", fmt.Errorf("read account: %w", err)
		}
	}
	if found == nil {
		if found, err = p.provided(ctx, user); err != nil {
			return "", err
		}
	}
	if reason := unusable(found); reason != "" {
		return "", p.refuse(user.ID, reason)
	}
	err = p.Accounts.Link(ctx, user.ID, found.Id)
	if errors.Is(err, ErrUserTaken) {
		return "", p.refuse(user.ID, "another user has it")
	}
	return found.Id, err
}

// provided returns the account with the address of the user, which it creates if it does not exist. An account whose address the chat server
// has not verified may be that of another person.
func (p *Provisioner) provided(ctx context.Context, user messages.User) (*model.User, error) {
	if user.EmailVerifiedAt.IsZero() {
		return nil, p.refuse(user.ID, "the address of the user is not verified")
	}
	email := messages.CanonicalEmail(user.Email)
	for _, suffix := range suffixes(user.ID) {
		found, _, err := p.server.GetUserByEmail(ctx, email, "")
		if err == nil || !isMissing(err) {
			return p.adopted(ctx, user, found, err)
		}
		made, err := p.newAccount(user, email, suffix)
		if err != nil {
			return nil, err
		}
		created, _, err := p.server.CreateUser(ctx, made)
		switch status := statusOf(err); {
		case err == nil:
			return created, nil
		case has(err, errorEmailExists), has(err, errorUsernameExists): // another server was faster, or the name is taken
		case status == 400:
			return nil, p.refuse(user.ID, err.Error())
		default:
			return nil, fmt.Errorf("create account: %w", err)
		}
	}
	found, _, err := p.server.GetUserByEmail(ctx, email, "")
	if isMissing(err) {
		return nil, p.refuse(user.ID, "its name is taken")
	}
	return p.adopted(ctx, user, found, err)
}

// adopted returns an existing account with the address of the user.
func (p *Provisioner) adopted(ctx context.Context, user messages.User, found *model.User, err error) (*model.User, error) {
	if err != nil {
		return nil, wrapped("find account", err)
	}
	if reason := unusable(found); reason != "" {
		return nil, p.refuse(user.ID, reason)
	}
	verified, err := p.hasVerifiedAddress(ctx, found.Id)
	if err == nil && !verified {
		err = p.refuse(user.ID, "its address is not verified at the chat server")
	}
	return found, err
}

// hasVerifiedAddress reports whether the chat server verified the address of the account. It tells this to the account itself only.
func (p *Provisioner) hasVerifiedAddress(ctx context.Context, account string) (verified bool, err error) {
	made, _, err := p.server.CreateUserAccessToken(ctx, account, tokenDescription, 0)
	if err != nil {
		return false, fmt.Errorf("create access token: %w", err)
	}
	defer func() { err = errors.Join(err, p.revoke(context.WithoutCancel(ctx), made.Id)) }()
	me, _, err := p.server.as(p.URL, made.Token).GetMe(ctx, "")
	if err != nil {
		return false, fmt.Errorf("read account: %w", err)
	}
	return me.EmailVerified, nil
}

// newAccount returns the account of a user. Its password is random and not stored.
func (p *Provisioner) newAccount(user messages.User, email, suffix string) (*model.User, error) {
	password := make([]byte, passwordBytes)
	if _, err := io.ReadFull(p.Random, password); err != nil {
		return nil, fmt.Errorf("create account: %w", err)
	}
	return &model.User{
		Username: slug(user.FullName()) + "-" + suffix, Email: email, FirstName: cut(user.FirstName, mostName),
		LastName:      cut(user.LastName, mostName),
		EmailVerified: true,                                                    // by the account of the user
		Password:      "Aa1!" + base64.RawURLEncoding.EncodeToString(password), // each class of characters that a server may require
	}, nil
}

// suffixes returns the endings of the names of accounts. The random end of the id comes first.
func suffixes(id organization.UserID) []string {
	slices.Reverse(id[:])
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:]))
	return []string{text[:shortSuffix], text[:2*shortSuffix], text[:3*shortSuffix]}
}

// slug returns the name in the characters of user names: at most 40, beginning with a letter.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == mostSlug {
			break
		}
	}
	if text := strings.Trim(b.String(), "-"); text != "" {
		return text
	}
	return "member"
}

// cut returns at most so many characters of the text.
func cut(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}

// unusable returns the reason for which the account must not be handed to a user, or an empty text. An account with rights on the
// chat server would hand the server over.
func unusable(account *model.User) string {
	usual := []string{
		model.SystemUserRoleId, model.SystemGuestRoleId, model.SystemUserAccessTokenRoleId, model.SystemPostAllRoleId,
		model.SystemPostAllPublicRoleId,
	}
	for role := range strings.FieldsSeq(account.Roles) {
		if !slices.Contains(usual, role) {
			return "it has the role " + role
		}
	}
	switch {
	case account.DeleteAt != 0:
		return "it is deactivated"
	case account.IsBot:
		return "it is a bot"
	}
	return ""
}

// refuse logs the reason of a refused account and returns the refusal.
func (p *Provisioner) refuse(user organization.UserID, reason string) error {
	p.Log.Warn("chat account refused", "user", user.String(), "reason", reason)
	return ErrAccountRefused
}

// wrapped adds the operation to an error.
func wrapped(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", operation, err)
}

package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/fault"
	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
)

// join makes the account a member of the team and of its channels.
func (p *Provisioner) join(ctx context.Context, team, chatUser string) error {
	_, _, err := p.server.AddTeamMember(ctx, team, chatUser)
	switch {
	case has(err, errorTeamFull), has(err, errorTeamFilled):
		return ErrTeamFull
	case err != nil && !has(err, errorMemberExists):
		return fmt.Errorf("add team member: %w", err)
	}
	ids, err := p.channels(ctx, team)
	if err != nil {
		return err
	}
	joined, _, err := p.server.GetChannelMembersForUser(ctx, chatUser, team, "")
	if err != nil {
		return fmt.Errorf("list channels of a member: %w", err)
	}
	for _, name := range channels() {
		if slices.ContainsFunc(joined, func(m model.ChannelMember) bool { return m.ChannelId == ids[name] }) {
			continue
		}
		if err := p.joinChannel(ctx, ids[name], chatUser); err != nil {
			return fmt.Errorf("add member of channel %s: %w", name, err)
		}
	}
	return nil
}

// joinChannel makes the account a member of the channel. A concurrent addition makes the chat server fail.
func (p *Provisioner) joinChannel(ctx context.Context, channel, chatUser string) error {
	_, _, err := p.server.AddChannelMember(ctx, channel, chatUser)
	if err == nil {
		return nil
	}
	if _, _, absent := p.server.GetChannelMember(ctx, channel, chatUser, ""); absent == nil {
		return nil
	}
	return err
}

// admit makes the account a member of the team, and ends the membership again if the user lost the right to it meanwhile: the removal may
// have been handled before the account joined, or between two calls of the addition, which then fails.
func (p *Provisioner) admit(ctx context.Context, id organization.ID, team string, account Account) error {
	joined := p.join(ctx, team, account.ChatUser)
	view, err := p.Organizations.View(ctx, id)
	if err != nil {
		return errors.Join(joined, err)
	}
	_, may, err := p.entitled(ctx, view, account.User)
	if err != nil || may {
		return errors.Join(joined, err)
	}
	ctx = context.WithoutCancel(ctx)
	if stored, mapped, err := p.Accounts.Account(ctx, account.User); err != nil {
		return errors.Join(joined, err)
	} else if mapped {
		account = stored // with its token
	}
	return errors.Join(p.expel(ctx, team, account), errNotEntitled())
}

// errNotEntitled returns the refusal of a user without a right to the membership.
func errNotEntitled() error {
	return fault.Refuse(fault.Forbidden, "Your roles do not permit team chat. Ask for a role that permits more than your own records.")
}

// entitled returns the account of the user if it may be a member of the team: the user is a member of the organization with a permission
// beyond their own records, and the account is enabled.
func (p *Provisioner) entitled(ctx context.Context, view *messages.View, user organization.UserID) (messages.User, bool, error) {
	if !team.MayChat(view.State, user) {
		return messages.User{}, false, nil
	}
	found, err := p.Users.ByID(ctx, user)
	if fault.Is(err, fault.UserNotFound) {
		return messages.User{}, false, nil
	}
	return found, err == nil && found.DisabledAt.IsZero(), err
}

// reconcile makes the membership of the user equal to their present right. Refused accounts and full teams are logged: they must not
// delay others.
func (p *Provisioner) reconcile(ctx context.Context, view *messages.View, team string, user organization.UserID) error {
	account, may, err := p.entitled(ctx, view, user)
	switch {
	case err != nil:
		return err
	case !may:
		return p.leave(ctx, team, user)
	}
	end, err := p.turns.take(ctx, user)
	if err != nil {
		return err
	}
	defer end()
	chatUser, err := p.account(ctx, account)
	if err == nil {
		err = p.admit(ctx, view.State.ID(), team, Account{User: user, ChatUser: chatUser})
	}
	return p.tolerated(view.State.ID(), user, err)
}

// tolerated logs a refusal that concerns one member only, and returns other errors.
func (p *Provisioner) tolerated(id organization.ID, user organization.UserID, err error) error {
	if errors.Is(err, ErrAccountRefused) || errors.Is(err, ErrTeamFull) || fault.Is(err, fault.Forbidden) {
		p.Log.Warn("member not added to the team", "organization", id.String(), "user", user.String(), "cause", err)
		return nil
	}
	return err
}

// leave ends the membership of the user, if they have an account. It waits for the end of a session that is being opened.
func (p *Provisioner) leave(ctx context.Context, team string, user organization.UserID) error {
	end, err := p.turns.take(ctx, user)
	if err != nil {
		return err
	}
	defer end()
	account, mapped, err := p.Accounts.Account(ctx, user)
	if err != nil || !mapped {
		return err
	}
	return p.expel(ctx, team, account)
}

// expel ends the membership of the account and revokes its tokens. It forgets the account if the user is a member of no organization.
func (p *Provisioner) expel(ctx context.Context, team string, account Account) error {
	if err := p.revokeAll(ctx, account); err != nil {
		return err
	}
	if err := p.removeMember(ctx, team, account.ChatUser); err != nil {
		return err
	}
	homes, err := p.Memberships.OrganizationsOf(ctx, account.User)
	if err != nil || len(homes) > 0 {
		return err
	}
	return p.Accounts.Forget(ctx, account.User)
}

// removeMember ends a membership. A missing membership is no error.
func (p *Provisioner) removeMember(ctx context.Context, team, chatUser string) error {
	_, err := p.server.RemoveTeamMember(ctx, team, chatUser)
	if isMissing(err) {
		return nil
	}
	return wrapped("remove team member", err)
}

// members returns the accounts in the team.
func (p *Provisioner) members(ctx context.Context, team string) (map[string]bool, error) {
	all := map[string]bool{}
	for page := 0; ; page++ {
		found, _, err := p.server.GetTeamMembers(ctx, team, page, pageSize, "")
		if err != nil {
			return nil, fmt.Errorf("list team members: %w", err)
		}
		for _, member := range found {
			if member.DeleteAt == 0 {
				all[member.UserId] = true
			}
		}
		if len(found) < pageSize {
			return all, nil
		}
	}
}

// synchronize adds the members without a membership of the team, and removes the accounts of other users. Accounts without a user of this
// program stay. It returns the number of members that should be in the team and are.
func (p *Provisioner) synchronize(ctx context.Context, view *messages.View, team string) (synced int, err error) {
	present, err := p.members(ctx, team)
	if err != nil {
		return 0, err
	}
	for chatUser := range present {
		if err := p.reviewed(ctx, view, team, chatUser); err != nil {
			return 0, err
		}
	}
	full := false
	for member := range view.State.Members() {
		account, may, err := p.entitled(ctx, view, member.User)
		if err != nil {
			return 0, err
		}
		if !may || member.Status != organization.StatusJoined {
			continue
		}
		joined, err := p.synchronized(ctx, view.State.ID(), team, account, present)
		full = full || errors.Is(err, ErrTeamFull)
		if err := p.tolerated(view.State.ID(), member.User, err); err != nil {
			return 0, err
		}
		if joined {
			synced++
		}
	}
	if full {
		return synced, ErrTeamFull
	}
	return synced, nil
}

// synchronized makes the user a member of the team unless they are one, and reports whether they are.
func (p *Provisioner) synchronized(
	ctx context.Context, id organization.ID, team string, user messages.User, present map[string]bool,
) (bool, error) {
	end, err := p.turns.take(ctx, user.ID)
	if err != nil {
		return false, err
	}
	defer end()
	chatUser, err := p.account(ctx, user)
	if err == nil && !present[chatUser] {
		err = p.admit(ctx, id, team, Account{User: user.ID, ChatUser: chatUser})
	}
	return err == nil, err
}

// reviewed ends the membership of an account without a right to it.
func (p *Provisioner) reviewed(ctx context.Context, view *messages.View, team, chatUser string) error {
	user, mapped, err := p.Accounts.UserOf(ctx, chatUser)
	if err != nil || !mapped {
		return err
	}
	if _, may, err := p.entitled(ctx, view, user); err != nil || may {
		return err
	}
	return p.leave(ctx, team, user)
}

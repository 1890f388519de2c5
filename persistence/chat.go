package persistence

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
)

// ChatAccounts stores the accounts of users at the chat server and their access tokens.
type ChatAccounts struct{ db *Database }

// NewChatAccounts returns the ChatAccounts of db.
func NewChatAccounts(db *Database) *ChatAccounts { return &ChatAccounts{db: db} }

// chatTokenName returns the name that binds a stored token to its user.
func chatTokenName(user organization.UserID) string { return "chat_user/" + user.String() }

// Account returns the account of the user, or false.
func (s *ChatAccounts) Account(ctx context.Context, user organization.UserID) (messages.ChatAccount, bool, error) {
	account := messages.ChatAccount{User: user}
	var token []byte
	var issued int64
	found, err := scanRow(s.db.reader.QueryRowContext(ctx, `SELECT chat_user_id, token_id, token, token_at, ending = token_id AND ending <> ''
		FROM chat_user WHERE user_id = $1`, user[:]), "read chat account", &account.ChatUser, &account.Token.ID, &token, &issued, &account.Ending)
	switch {
	case !found:
		return messages.ChatAccount{}, false, err
	case account.Token.ID == "":
		return account, true, nil
	}
	secret, err := s.db.openValue(ctx, organization.ID{}, chatTokenName(user), token)
	if errors.Is(err, messages.ErrUnreadable) { // a token without its key is replaced
		return account, true, nil
	}
	account.Token.Secret, account.Token.IssuedAt = string(secret), moment(issued)
	return account, err == nil, err
}

// UserOf returns the user with the account at the chat server, or false.
func (s *ChatAccounts) UserOf(ctx context.Context, chatUser string) (organization.UserID, bool, error) {
	return first(ctx, s.db.reader, "find user of the chat", identifier[organization.UserID], `SELECT user_id FROM chat_user WHERE chat_user_id = $1`, chatUser)
}

// Link stores the account of the user. An account without a change keeps its token. It returns messages.ErrChatUserTaken if
// another user has the account.
func (s *ChatAccounts) Link(ctx context.Context, user organization.UserID, chatUser string) error {
	err := execute(ctx, s.db.writer, "link chat account", `INSERT INTO chat_user (user_id, chat_user_id, token_id, token_at)
		VALUES ($1, $2, '', 0) ON CONFLICT (user_id) DO UPDATE SET chat_user_id = excluded.chat_user_id, token_id = '', token = NULL
		WHERE chat_user.chat_user_id <> excluded.chat_user_id`, user[:], chatUser)
	if IsDuplicate(err) {
		return messages.ErrChatUserTaken
	}
	return err
}

// ReplaceToken stores a token in place of that with the given id, or in place of no token if the id is empty. It returns false if the user has another
// token or no account.
func (s *ChatAccounts) ReplaceToken(
	ctx context.Context, user organization.UserID, was string, token messages.ChatToken,
) (bool, error) {
	var sealed []byte
	if token.ID != "" {
		var err error
		if sealed, err = s.db.sealValue(organization.ID{}, chatTokenName(user), []byte(token.Secret)); err != nil {
			return false, err
		}
	}
	return affect(ctx, s.db.writer, "replace chat token", `UPDATE chat_user SET token_id = $3, token = $4, token_at = $5
		WHERE user_id = $1 AND token_id = $2`, user[:], was, token.ID, sealed, leasedMicros(token.IssuedAt))
}

// EndToken makes the departures end the present access token of the user, whose sessions have ended. A later token is not affected.
func (s *ChatAccounts) EndToken(ctx context.Context, user organization.UserID) error {
	return execute(ctx, s.db.writer, "end chat token", `UPDATE chat_user SET ending = token_id, leaving_at = 0 WHERE user_id = $1 AND token_id <> ''`, user[:])
}

// Forget removes the account of the user.
func (s *ChatAccounts) Forget(ctx context.Context, user organization.UserID) error {
	return execute(ctx, s.db.writer, "forget chat account", `DELETE FROM chat_user WHERE user_id = $1`, user[:])
}

// Stay cancels the departure of the user.
func (s *ChatAccounts) Stay(ctx context.Context, user organization.UserID) error {
	return execute(ctx, s.db.writer, "cancel departure", `UPDATE chat_user SET leaving_at = NULL WHERE user_id = $1`, user[:])
}

// ClaimLeaving returns at most limit users whose accounts were disabled or erased, or whose tokens end or were issued until the given time. No other server receives them until the lease
// ends. A lease that is far ahead was written by a clock that was ahead.
func (s *ChatAccounts) ClaimLeaving(
	ctx context.Context, now, issued time.Time, lease time.Duration, limit int,
) ([]organization.UserID, error) {
	const due = `(leaving_at <= $1 OR leaving_at > $4 OR leaving_at IS NULL AND token_id <> '' AND token_at <= $5)`
	return collect(ctx, s.db.writer, "claim departures", identifier[organization.UserID], `UPDATE chat_user SET leaving_at = $2
		WHERE `+due+` AND user_id IN (SELECT user_id FROM chat_user WHERE `+due+` ORDER BY COALESCE(leaving_at, $1) LIMIT $3)
		RETURNING user_id`, micros(now), micros(now.Add(lease)), limit, micros(now.Add(maxDelay)), micros(issued))
}

// leaveChat makes the user leave the chat. It runs in the transaction that disables or erases the account.
const leaveChat = `UPDATE chat_user SET leaving_at = 0 WHERE user_id = $1`

// ChatTeams stores the teams of organizations at the chat server.
type ChatTeams struct{ db *Database }

// NewChatTeams returns the ChatTeams of db.
func NewChatTeams(db *Database) *ChatTeams { return &ChatTeams{db: db} }

// Team returns the team of the organization; empty without one.
func (s *ChatTeams) Team(ctx context.Context, id organization.ID) (string, error) {
	team, _, err := first(ctx, s.db.reader, "find team", value[string], `SELECT team_id FROM chat_team WHERE organization = $1`, id[:])
	return team, err
}

// OrganizationOf returns the organization with the team, or false.
func (s *ChatTeams) OrganizationOf(ctx context.Context, team string) (organization.ID, bool, error) {
	return first(ctx, s.db.reader, "find organization of the team", identifier[organization.ID],
		`SELECT organization FROM chat_team WHERE team_id = $1`, team)
}

// Link stores the team of the organization, unless it has one, and returns the stored one.
func (s *ChatTeams) Link(ctx context.Context, id organization.ID, team string) (string, error) {
	err := execute(ctx, s.db.writer, "link team", `INSERT INTO chat_team (organization, team_id) VALUES ($1, $2)
		ON CONFLICT (organization) DO NOTHING`, id[:], team)
	if err != nil {
		return "", err
	}
	return s.Team(ctx, id)
}

package chat

import (
	"context"
	"errors"
	"time"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// Accounts stores the accounts of users at the chat server and their access tokens.
type Accounts struct{ db *persistence.Database }

// NewAccounts returns the Accounts of db.
func NewAccounts(db *persistence.Database) *Accounts { return &Accounts{db: db} }

// tokenName returns the name that binds a stored token to its user.
func tokenName(user organization.UserID) string { return "chat_user/" + user.String() }

// Account returns the account of the user, or false.
func (s *Accounts) Account(ctx context.Context, user organization.UserID) (Account, bool, error) {
	var token []byte
	var issued time.Time
	account, found, err := persistence.First(ctx, s.db.Reader(), "read chat account", func(row persistence.Row) (read Account, err error) {
		read.User = user
		err = row.Scan(&read.ChatUser, &read.Token.ID, &token, persistence.IntoLease(&issued), &read.Ending)
		return read, err
	}, `SELECT chat_user_id, token_id, token, token_at, ending = token_id AND ending <> '' FROM chat_user WHERE user_id = $1`, user[:])
	switch {
	case !found:
		return Account{}, false, err
	case account.Token.ID == "":
		return account, true, nil
	}
	secret, err := s.db.OpenValue(ctx, organization.ID{}, tokenName(user), token)
	if errors.Is(err, messages.ErrUnreadable) { // a token without its key is replaced
		return account, true, nil
	}
	account.Token.Secret, account.Token.IssuedAt = string(secret), issued
	return account, err == nil, err
}

// UserOf returns the user with the account at the chat server, or false.
func (s *Accounts) UserOf(ctx context.Context, chatUser string) (organization.UserID, bool, error) {
	return persistence.First(
		ctx, s.db.Reader(), "find user of the chat", persistence.Identifier[organization.UserID],
		`SELECT user_id FROM chat_user WHERE chat_user_id = $1`, chatUser,
	)
}

// Link stores the account of the user. An account without a change keeps its token. It returns ErrUserTaken if
// another user has the account.
func (s *Accounts) Link(ctx context.Context, user organization.UserID, chatUser string) error {
	err := persistence.Execute(ctx, s.db.Writer(), "link chat account", `INSERT INTO chat_user (user_id, chat_user_id, token_id, token_at)
		VALUES ($1, $2, '', 0) ON CONFLICT (user_id) DO UPDATE SET chat_user_id = excluded.chat_user_id, token_id = '', token = NULL
		WHERE chat_user.chat_user_id <> excluded.chat_user_id`, user[:], chatUser)
	if persistence.IsDuplicate(err) {
		return ErrUserTaken
	}
	return err
}

// ReplaceToken stores a token in place of that with the given id, or in place of no token if the id is empty. It returns false if the user
// has another token or no account.
func (s *Accounts) ReplaceToken(
	ctx context.Context, user organization.UserID, was string, token Token,
) (bool, error) {
	var sealed []byte
	if token.ID != "" {
		var err error
		if sealed, err = s.db.SealValue(organization.ID{}, tokenName(user), []byte(token.Secret)); err != nil {
			return false, err
		}
	}
	return persistence.Affect(ctx, s.db.Writer(), "replace chat token", `UPDATE chat_user SET token_id = $3, token = $4, token_at = $5
		WHERE user_id = $1 AND token_id = $2`, user[:], was, token.ID, sealed, persistence.LeasedMicros(token.IssuedAt))
}

// EndToken makes the departures end the present access token of the user, whose sessions have ended. A later token is not affected.
func (s *Accounts) EndToken(ctx context.Context, user organization.UserID) error {
	return persistence.Execute(
		ctx, s.db.Writer(), "end chat token",
		`UPDATE chat_user SET ending = token_id, leaving_at = 0 WHERE user_id = $1 AND token_id <> ''`, user[:],
	)
}

// Forget removes the account of the user.
func (s *Accounts) Forget(ctx context.Context, user organization.UserID) error {
	return persistence.Execute(ctx, s.db.Writer(), "forget chat account", `DELETE FROM chat_user WHERE user_id = $1`, user[:])
}

// Stay cancels the departure of the user.
func (s *Accounts) Stay(ctx context.Context, user organization.UserID) error {
	return persistence.Execute(ctx, s.db.Writer(), "cancel departure", `UPDATE chat_user SET leaving_at = NULL WHERE user_id = $1`, user[:])
}

// ClaimLeaving returns at most limit users whose accounts were disabled or erased, or whose tokens end or were issued until the given time.
// No other server receives them until the lease ends. A lease that is far ahead was written by a clock that was ahead.
func (s *Accounts) ClaimLeaving(
	ctx context.Context, now, issued time.Time, lease time.Duration, limit int,
) ([]organization.UserID, error) {
	const due = `(leaving_at <= $1 OR leaving_at > $4 OR leaving_at IS NULL AND token_id <> '' AND token_at <= $5)`
	return persistence.Collect(ctx, s.db.Writer(), "claim departures", persistence.Identifier[organization.UserID], `UPDATE chat_user SET leaving_at = $2
		WHERE `+due+` AND user_id IN (SELECT user_id FROM chat_user WHERE `+due+` ORDER BY COALESCE(leaving_at, $1) LIMIT $3)
		RETURNING user_id`,
		persistence.Micros(now), persistence.Micros(now.Add(lease)), limit, persistence.Micros(now.Add(persistence.MaxDelay)),
		persistence.Micros(issued))
}

// departure makes the user leave the chat. It runs in the transaction that disables or erases the account. The row is removed when the
// account has left its teams.
func departure(user organization.UserID) persistence.Statement {
	return persistence.Statement{
		Operation: "leave chat", Text: `UPDATE chat_user SET leaving_at = 0 WHERE user_id = $1`, Arguments: []any{user[:]},
	}
}

// Teams stores the teams of organizations at the chat server.
type Teams struct{ db *persistence.Database }

// NewTeams returns the Teams of db.
func NewTeams(db *persistence.Database) *Teams { return &Teams{db: db} }

// Team returns the team of the organization; empty without one.
func (s *Teams) Team(ctx context.Context, id organization.ID) (string, error) {
	team, _, err := persistence.First(
		ctx, s.db.Reader(), "find team", persistence.Value[string], `SELECT team_id FROM chat_team WHERE organization = $1`, id[:],
	)
	return team, err
}

// OrganizationOf returns the organization with the team, or false.
func (s *Teams) OrganizationOf(ctx context.Context, team string) (organization.ID, bool, error) {
	return persistence.First(ctx, s.db.Reader(), "find organization of the team", persistence.Identifier[organization.ID],
		`SELECT organization FROM chat_team WHERE team_id = $1`, team)
}

// Link stores the team of the organization, unless it has one, and returns the stored one.
func (s *Teams) Link(ctx context.Context, id organization.ID, team string) (string, error) {
	err := persistence.Execute(ctx, s.db.Writer(), "link team", `INSERT INTO chat_team (organization, team_id) VALUES ($1, $2)
		ON CONFLICT (organization) DO NOTHING`, id[:], team)
	if err != nil {
		return "", err
	}
	return s.Team(ctx, id)
}

package chat

import (
	"time"

	"equity/fault"
	"equity/organization"
)

// Account is the account of a user at the chat server.
type Account struct {
	User organization.UserID
	// ChatUser is the id of the account at the chat server.
	ChatUser string
	// Token is the stored access token; or zero.
	Token Token
	// Ending reports that the token ends, because the sessions of the user have ended.
	Ending bool
}

// Token is an access token for the chat server.
type Token struct {
	// ID identifies the token at the chat server. It is not secret.
	ID string
	// Secret authorizes requests. The store encrypts it.
	Secret   string
	IssuedAt time.Time
}

// Session is an opened chat of a user.
type Session struct {
	Token    string
	BaseURL  string
	TeamName string
	ChatUser string
	// ExpiresAt is the time at which the token is replaced.
	ExpiresAt time.Time
}

// TokenState is the result of the check of an access token.
type TokenState string

// The results of the check of an access token.
const (
	TokenValid   TokenState = "valid"
	TokenInvalid TokenState = "invalid"
	// TokenNone reports that no token is stored.
	TokenNone TokenState = "no_token"
	// TokenUnchecked reports that the chat server gave no answer.
	TokenUnchecked TokenState = "check_failed"
)

// The refusals of the chat. Their status is 500, as the interface requires.
var (
	// ErrNotConfigured reports a server without chat.
	ErrNotConfigured = fault.Refuse("notConfigured", "Team chat is not configured. Set CHAT_URL and CHAT_ADMIN_BOT_TOKEN.")
	// ErrUnavailable reports a chat server that did not answer as expected. The log has the cause.
	ErrUnavailable = fault.Refuse("chatUnavailable", "The chat server cannot be reached at the moment. Try again.")
	// ErrAccountRefused reports that the account at the chat server cannot be used. The log has the cause.
	ErrAccountRefused = fault.Refuse(
		"chatAccountRefused", "The account with your address at the chat server cannot be used. Contact its administrator.",
	)
	// ErrTeamFull reports that the team has the largest number of members that the chat server accepts.
	ErrTeamFull = fault.Refuse("chatTeamFull", "The team at the chat server is full. Ask its administrator to raise the limit.")
	// ErrLookup reports that a mapping could not be read.
	ErrLookup = fault.Refuse("lookupFailed", "The mapping could not be read. Try again.")
	// ErrUserTaken reports that the account at the chat server belongs to another user.
	ErrUserTaken = fault.Refuse(fault.Conflict, "The account at the chat server belongs to another user.")
)

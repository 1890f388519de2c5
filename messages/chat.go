package messages

import (
	"time"

	"equity/fault"
	"equity/organization"
)

// ChatAccount is the account of a user at the chat server.
type ChatAccount struct {
	User organization.UserID
	// ChatUser is the id of the account at the chat server.
	ChatUser string
	// Token is the stored access token; or zero.
	Token ChatToken
	// Ending reports that the token ends, because the sessions of the user have ended.
	Ending bool
}

// ChatToken is an access token for the chat server.
type ChatToken struct {
	// ID identifies the token at the chat server. It is not secret.
	ID string
	// Secret authorizes requests. The store encrypts it.
	Secret   string
	IssuedAt time.Time
}

// ChatSession is an opened chat of a user.
type ChatSession struct {
	Token    string
	BaseURL  string
	TeamName string
	ChatUser string
	// ExpiresAt is the time at which the token is replaced.
	ExpiresAt time.Time
}

// ChatTokenState is the result of the check of an access token.
type ChatTokenState string

// The results of the check of an access token.
const (
	ChatTokenValid   ChatTokenState = "valid"
	ChatTokenInvalid ChatTokenState = "invalid"
	// ChatTokenNone reports that no token is stored.
	ChatTokenNone ChatTokenState = "no_token"
	// ChatTokenUnchecked reports that the chat server gave no answer.
	ChatTokenUnchecked ChatTokenState = "check_failed"
)

// The refusals of the chat. Their status is 500, as the interface requires.
var (
	// ErrChatNotConfigured reports a server without chat.
	ErrChatNotConfigured = fault.Refuse("notConfigured", "Team chat is not configured. Set CHAT_URL and CHAT_ADMIN_BOT_TOKEN.")
	// ErrChatUnavailable reports a chat server that did not answer as expected. The log has the cause.
	ErrChatUnavailable = fault.Refuse("chatUnavailable", "The chat server cannot be reached at the moment. Try again.")
	// ErrChatAccountRefused reports that the account at the chat server cannot be used. The log has the cause.
	ErrChatAccountRefused = fault.Refuse(
		"chatAccountRefused", "The account with your address at the chat server cannot be used. Contact its administrator.",
	)
	// ErrChatTeamFull reports that the team has the largest number of members that the chat server accepts.
	ErrChatTeamFull = fault.Refuse("chatTeamFull", "The team at the chat server is full. Ask its administrator to raise the limit.")
	// ErrChatLookup reports that a mapping could not be read.
	ErrChatLookup = fault.Refuse("lookupFailed", "The mapping could not be read. Try again.")
	// ErrChatUserTaken reports that the account at the chat server belongs to another user.
	ErrChatUserTaken = fault.Refuse(fault.Conflict, "The account at the chat server belongs to another user.")
)

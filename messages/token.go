package messages

import (
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// APITokenID identifies an API token. It grants no access.
type APITokenID = captable.ID[APIToken]

// APIToken is a credential that a user created for a program. The token itself is not stored, only its hash.
type APIToken struct {
	ID   APITokenID
	User organization.UserID
	Name string
	// Scopes are the classes of operations that the token permits. No class includes another.
	Scopes []ToolClass
	// Organization confines the token; the zero ID permits all organizations of the user.
	Organization         organization.ID
	CreatedAt, ExpiresAt time.Time
	// Rights bound those of the user in the organizations of the user at the creation. Tokens of earlier versions have none.
	Rights TokenRights
	// Authorized reports a grant to a client of OAuth, which has the name of the client. It is listed and revoked like a token.
	Authorized bool
	// LastUsedAt is accurate to about a minute; zero before the first use.
	LastUsedAt time.Time
}

// The properties of the texts of tokens.
const (
	// APITokenPrefix begins each API token, so that scanners recognize a published one.
	APITokenPrefix = "eqt_"
	// TokenBytes is the number of random bytes of a token.
	TokenBytes = 32
	// MaxAPITokens is the maximum number of valid tokens of a user.
	MaxAPITokens = 50
)

// TokenRights are the rights of a user at the creation of a token, by organization. An organization without an entry is not bound: the user
// joined it later, or the token is of an earlier version.
type TokenRights map[organization.ID]organization.Rights

// TokenGrant is what a bearer token permits.
type TokenGrant struct {
	// Handle identifies the token to its owner, as the handle of a session does. It grants no access.
	Handle string
	User   organization.UserID
	// Scopes are the classes of permitted operations.
	Scopes []ToolClass
	// Organization confines the token; the zero ID permits all organizations of the user.
	Organization organization.ID
	// Rights bound those of the user.
	Rights TokenRights
	// MustChangePassword reports that the user must choose a password first.
	MustChangePassword bool
}

const tokenHandlePrefix = "token:"

// TokenHandle returns the handle of a token.
func TokenHandle(id [16]byte) string { return tokenHandlePrefix + captable.ID[APIToken](id).String() }

// TokenOfHandle returns the token with the handle; false for the handle of a session.
func TokenOfHandle(handle string) (APITokenID, bool) {
	text, found := strings.CutPrefix(handle, tokenHandlePrefix)
	if !found {
		return APITokenID{}, false
	}
	id, err := captable.ParseID[APIToken](text)
	return id, err == nil
}

// IsTokenHandle reports whether the handle is that of a token, not of a session.
func IsTokenHandle(handle string) bool { return strings.HasPrefix(handle, tokenHandlePrefix) }

// Check returns the refusal of an operation of the class; empty for an operation without a class.
func (g *TokenGrant) Check(class ToolClass) error {
	switch {
	case g == nil || class != "" && slices.Contains(g.Scopes, class):
		return nil
	case class == "":
		return ErrSessionRequired
	default:
		return fault.Refuse(fault.ScopeMissing,
			"This operation requires a token with the scope "+string(class)+".").With("scope", string(class))
	}
}

// Bound returns the bound of the rights in the organization; nil without one.
func (g *TokenGrant) Bound(id organization.ID) *organization.Rights {
	if g == nil {
		return nil
	}
	bound, ok := g.Rights[id]
	if !ok {
		return nil
	}
	return &bound
}

// Reaches reports whether the token permits operations in the organization. The zero ID stands for operations outside of organizations.
func (g *TokenGrant) Reaches(id organization.ID) bool {
	return g == nil || g.Organization.IsZero() || g.Organization == id
}

// The errors of requests with a bearer token.
var (
	// ErrSessionRequired refuses an operation that no token permits.
	ErrSessionRequired = fault.Refuse(fault.SessionRequired, "This operation requires a session. Tokens cannot be used for it.")
	// ErrOtherOrganization refuses an operation beyond the organization of a token.
	ErrOtherOrganization = fault.Refuse(fault.OtherOrganization, "The token is confined to another organization.")
	// ErrInvalidToken refuses a token that is unknown, expired or revoked.
	ErrInvalidToken = fault.Refuse(fault.Unauthorized, "The bearer token is invalid, expired or revoked.")
)

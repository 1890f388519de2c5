package api

// The targets of links in mails and of redirects. The browser app answers those of AppPages; it receives their queries.
const (
	VerifyPath     = "/verify"
	LoginPath      = "/login"
	RegisterPath   = "/register"
	PasswordPath   = "/password"
	InvitationPath = "/invitation"
	AddressPath    = "/address"
	SharePath      = "/share/" // followed by the token
	AuthorizePath  = "/oauth/authorize"
)

// AppPages returns the pages of the browser app to which mails and redirects lead.
func AppPages() []string {
	return []string{VerifyPath, LoginPath, RegisterPath, PasswordPath, InvitationPath, AddressPath}
}

// SignedInPath is the page after a sign-in without another target.
const SignedInPath = LoginPath + "?authenticated=true"

// RedirectPath is the operation to which the identity provider's page posts its token.
const RedirectPath = "/user/idp-auth/redirect"

// The prefixes of the routes of the API and of the browser app.
const (
	Prefix    = "/v1"
	AppPrefix = "/api"
)

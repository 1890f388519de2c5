package api

// The pages for the links in mails and for the identity provider's form. They need no script and no
// browser app. They use only operations of the contract, so an app of this site may replace them.
const (
	VerifyPath     = "/verify"
	LoginPath      = "/login"
	RegisterPath   = "/register"
	PasswordPath   = "/password"
	InvitationPath = "/invitation"
	SharePath      = "/share/" // followed by the token
	AuthorizePath  = "/oauth/authorize"
)

// SignedInPath is the page after a sign-in without another target.
const SignedInPath = LoginPath + "?authenticated=true"

// RedirectPath is the operation to which the identity provider's page posts its token.
const RedirectPath = "/user/idp-auth/redirect"

// The prefixes of the routes of the API and of the browser app.
const (
	Prefix    = "/v1"
	AppPrefix = "/api"
)

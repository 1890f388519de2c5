package fault

// Code is the kind of a refusal. Clients branch on codes, so codes are stable: they may be added but never
// changed or removed.
type Code string

// The codes of refused commands.
const (
	// Invalid refuses a command with invalid fields. Fields lists all of them.
	Invalid Code = "invalidFields"
	// NotFound refuses a command that refers to a record that does not exist.
	NotFound Code = "resourceNotFound"
	// Conflict refuses a change that the present state does not allow.
	Conflict Code = "conflict"
	// InsufficientShares refuses to issue, transfer or end more shares than are available.
	InsufficientShares Code = "insufficientShares"
	// InsufficientCredit refuses a booking that exceeds the balance of its source account.
	InsufficientCredit Code = "insufficientCredit"
	// HasResults refuses to void or correct a record from which other records result.
	HasResults Code = "hasResults"
	// InUse refuses to delete a record with references.
	InUse Code = "inUse"
	// Stale refuses a change based on an older version of the record.
	Stale Code = "stale"
	// Forbidden refuses a command that exceeds the author's permissions.
	Forbidden Code = "forbidden"
	// LastOwner refuses a change that would remove the last Owner.
	LastOwner Code = "lastOwner"
	// PackageRefused refuses a package. Fields contains all findings that are errors.
	PackageRefused Code = "packageRefused"
	// RowsRefused refuses a file of rows. Fields contains all findings. Their pointers start with /rows and the line
	// of the row.
	RowsRefused Code = "rowsRefused"
)

// The codes of requests that were not carried out.
const (
	// Unauthorized refuses a request without a session.
	Unauthorized Code = "unauthorized"
	// MustChangePassword refuses all other requests of a session that a temporary password started.
	MustChangePassword Code = "mustChangePassword"
	// SessionRequired refuses a bearer token for an operation that requires a session.
	SessionRequired Code = "sessionRequired"
	// SecondFactorNeeded refuses an operation without a second factor in the last minutes of the session.
	SecondFactorNeeded Code = "secondFactorRequired"
	// ScopeMissing refuses a bearer token without the scope of the operation.
	ScopeMissing Code = "scopeMissing"
	// OtherOrganization refuses a bearer token that is confined to another organization.
	OtherOrganization Code = "otherOrganization"
	MethodNotAllowed  Code = "methodNotAllowed"
	MediaType         Code = "unsupportedMediaType"
	MissingFile       Code = "missingFileArgument"
	TooLarge          Code = "tooLarge"
	TooManyAttempts   Code = "tooManyAttempts"
	TooManyExports    Code = "tooManyExports"
	TooManyStreams    Code = "tooManyStreams"
	QueryTimeUsed     Code = "queryTimeUsed"
	// Unavailable states that a service cannot be reached and that no change was stored.
	Unavailable Code = "unavailable"
	// OutcomeUnknown states that a change may have been stored.
	OutcomeUnknown Code = "outcomeUnknown"
	Overloaded     Code = "overloaded"
	Internal       Code = "internal"
)

// The codes of billing.
const (
	// UnknownPlan refuses a plan that the billing provider does not offer.
	UnknownPlan Code = "unknownPlan"
	// InvalidCoupon refuses a coupon that does not exist or has expired.
	InvalidCoupon Code = "invalidCoupon"
	// AlreadySubscribed refuses a second subscription to the same plan.
	AlreadySubscribed Code = "alreadySubscribed"
	// InvalidSignature refuses an event that the billing provider did not sign.
	InvalidSignature Code = "invalidSignature"
)

// The codes of accounts, invitations and sign-in.
const (
	// EmailUnavailable refuses to register an address that is registered.
	EmailUnavailable Code = "emailUnavailable"
	// EmailBlocked refuses to register an address on the blocklist.
	EmailBlocked Code = "emailBlacklisted"
	// DomainBlocked refuses to register an address of a domain on the blocklist.
	DomainBlocked Code = "domainBlacklisted"
	// AddressLimit refuses a registration if too many came from the same network address.
	AddressLimit Code = "ipLimit"
	// EmailNotVerified refuses a sign-in before the address is verified.
	EmailNotVerified Code = "emailNotVerified"
	// InvalidVerification refuses a code that is wrong, used, expired, or was guessed too often.
	InvalidVerification Code = "invalidEmailVerificationCode"
	// RecentVerification refuses to send a code within the cooldown.
	RecentVerification Code = "recentEmailVerification"
	// ActiveTemporaryPassword refuses to send a temporary password while another one is valid.
	ActiveTemporaryPassword Code = "existingActiveTempPassword"
	// RecentInvitation refuses to send an invitation within the cooldown.
	RecentInvitation Code = "recentInvitation"
	// UserNotFound refuses an operation on an unknown user.
	UserNotFound       Code = "userNotFound"
	InvalidCredentials Code = "invalidCredentials"
	InvalidTwoFactor   Code = "invalidTwoFactorToken"
	// AuthenticationFailed refuses a sign-in without details.
	AuthenticationFailed Code = "authenticationFailed"
)

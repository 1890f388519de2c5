package persistence

import "equity/captable"

// The codes of refusals of registration, confirmation and sign-in, in addition to the codes of the domain.
const (
	// CodeEmailUnavailable refuses to register an address that is registered.
	CodeEmailUnavailable captable.Code = "emailUnavailable"
	// CodeEmailBlocked refuses to register an address on the blocklist.
	CodeEmailBlocked captable.Code = "emailBlacklisted"
	// CodeDomainBlocked refuses to register an address of a domain on the blocklist.
	CodeDomainBlocked captable.Code = "domainBlacklisted"
	// CodeAddressLimit refuses a registration if too many came from the same network address.
	CodeAddressLimit captable.Code = "ipLimit"
	// CodeVerificationInvalid refuses a code that is wrong, used, expired, or was guessed too often.
	CodeVerificationInvalid captable.Code = "invalidEmailVerificationCode"
	// CodeVerificationRecent refuses to send a code within the cooldown.
	CodeVerificationRecent captable.Code = "recentEmailVerification"
	// CodeTemporaryActive refuses to send a temporary password while another one is valid.
	CodeTemporaryActive captable.Code = "existingActiveTempPassword"
	// CodeInvitationRecent refuses to send an invitation within the cooldown.
	CodeInvitationRecent captable.Code = "recentInvitation"
	// CodeUserNotFound refuses an operation on an unknown user.
	CodeUserNotFound captable.Code = "userNotFound"
)

func errEmailUnavailable() error {
	return captable.Refuse(CodeEmailUnavailable, "This email address is registered already.")
}

func errEmailBlocked() error {
	return captable.Refuse(CodeEmailBlocked, "This email address cannot be used.")
}

func errDomainBlocked() error {
	return captable.Refuse(CodeDomainBlocked, "Email addresses of this domain cannot be used.")
}

func errAddressLimit() error {
	return captable.Refuse(CodeAddressLimit, "Too many accounts were registered from this network address.")
}

func errVerificationInvalid() error {
	return captable.Refuse(CodeVerificationInvalid, "The code is invalid or expired.")
}

func errVerificationRecent() error {
	return captable.Refuse(CodeVerificationRecent, "A code was sent a short while ago.")
}

func errTemporaryActive() error {
	return captable.Refuse(CodeTemporaryActive, "A temporary password was sent a short while ago.")
}

func errTwoFactorEnabled() error {
	return captable.Refuse(captable.CodeConflict, "Two-factor authentication is on already.")
}

func errChangedMeanwhile() error {
	return captable.Refuse(captable.CodeConflict, "This was changed by another request meanwhile.")
}

func errUserNotFound() error {
	return captable.Refuse(CodeUserNotFound, "There is no such user.")
}

func errRecordNotFound() error {
	return captable.Refuse(captable.CodeNotFound, "There is no such record.")
}

func errWalletThere() error {
	return captable.Refuse(captable.CodeConflict, "The entity has a wallet with this address already.")
}

func errInvitationRecent() error {
	return captable.Refuse(CodeInvitationRecent, "You invited this address a short while ago.")
}

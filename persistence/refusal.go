package persistence

import "equity/captable"

// The codes of what people are refused when they register, confirm their address or sign in, beside those of the domain.
const (
	// CodeEmailUnavailable refuses to register an address that is registered.
	CodeEmailUnavailable captable.Code = "emailUnavailable"
	// CodeEmailBlocked refuses to register an address on the blocklist.
	CodeEmailBlocked captable.Code = "emailBlacklisted"
	// CodeDomainBlocked refuses to register an address of a domain on the blocklist.
	CodeDomainBlocked captable.Code = "domainBlacklisted"
	// CodeAddressLimit refuses to register when too many did so from the same network address.
	CodeAddressLimit captable.Code = "ipLimit"
	// CodeVerificationInvalid refuses a code that is wrong, used, too old, or guessed at too often.
	CodeVerificationInvalid captable.Code = "invalidEmailVerificationCode"
	// CodeVerificationRecent refuses to send a code so soon after the last one.
	CodeVerificationRecent captable.Code = "recentEmailVerification"
	// CodeTemporaryActive refuses to send a temporary password while another one waits to be used.
	CodeTemporaryActive captable.Code = "existingActiveTempPassword"
	// CodeInvitationRecent refuses to send an invitation so soon after the last one.
	CodeInvitationRecent captable.Code = "recentInvitation"
	// CodeUserNotFound refuses what concerns a user who does not exist.
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
	return captable.Refuse(CodeVerificationInvalid, "This code is not valid, or not any more.")
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

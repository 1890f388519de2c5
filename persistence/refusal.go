package persistence

import (
	"equity/fault"
)

func errEmailUnavailable() error {
	return fault.Refuse(fault.EmailUnavailable, "This email address is registered already.")
}

func errEmailBlocked() error {
	return fault.Refuse(fault.EmailBlocked, "This email address cannot be used.")
}

func errDomainBlocked() error {
	return fault.Refuse(fault.DomainBlocked, "Email addresses of this domain cannot be used.")
}

func errAddressLimit() error {
	return fault.Refuse(fault.AddressLimit, "Too many accounts were registered from this network address. Try again later.")
}

func errVerificationInvalid() error {
	return fault.Refuse(fault.InvalidVerification, "The code is invalid or expired.")
}

func errTemporaryActive() error {
	return fault.Refuse(fault.ActiveTemporaryPassword, "An earlier temporary password is still valid. Check your mail.")
}

func errTwoFactorEnabled() error {
	return fault.Refuse(fault.Conflict, "Two-factor authentication is on already.")
}

func errChangedMeanwhile() error {
	return fault.Refuse(fault.Conflict, "Another request changed the account meanwhile. Try again.")
}

func errUserNotFound() error {
	return fault.Refuse(fault.UserNotFound, "There is no such user.")
}

func errRecordNotFound() error {
	return fault.Refuse(fault.NotFound, "There is no such record.")
}

func errWalletThere() error {
	return fault.Refuse(fault.Conflict, "The entity has a wallet with this address already.")
}

func errInvitationRecent() error {
	return fault.Refuse(fault.RecentInvitation, "You invited this address recently. Wait before you invite it again.")
}

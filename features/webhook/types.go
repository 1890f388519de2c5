package webhook

import "strings"

// types returns the types of webhook events that a type of the journal can cause, for the choice of consumers.
func types(journalType string) []string {
	switch journalType {
	case "shareholdingIssued":
		return []string{"shareholding.created"}
	case "shareholdingVoided":
		return []string{"shareholding.voided"}
	case "shareholdingTransferred":
		return []string{"shareholding.transferred", "shareholding.created"}
	case "securityCreated":
		return []string{"security.created"}
	case "securityDeleted":
		return []string{"security.deleted"}
	case "sharesAuthorized":
		return []string{"security.updated"}
	case "holdingIssued", "optionGranted":
		return []string{"holding.created"}
	case "holdingVoided", "holdingRetracted", "optionVoided", "optionRetracted":
		return []string{"holding.deleted"}
	case "holdingConverted":
		return []string{"holding.converted", "shareholding.created"}
	case "holdingRepaid":
		return []string{"holding.repaid"}
	case "optionExercised":
		return []string{"option.exercised", "shareholding.created"}
	case "optionExerciseRequested":
		return []string{"option.exercise_requested"}
	}
	switch {
	case strings.HasPrefix(journalType, "shareholding"):
		return []string{"shareholding.updated", "shareholding.created"}
	case strings.HasPrefix(journalType, "security"):
		return []string{"security.updated"}
	case strings.HasPrefix(journalType, "holding"), strings.HasPrefix(journalType, "option"):
		return []string{"holding.updated", "shareholding.created", "holding.created"}
	}
	return otherTypes(journalType)
}

// otherTypes returns the types for events outside of the cap table.
func otherTypes(journalType string) []string {
	switch journalType {
	case "valuationCreated":
		return []string{"valuation.created"}
	case "valuationChanged":
		return []string{"valuation.updated"}
	case "organizationCreated":
		return []string{"organization.created"}
	case "organizationChanged":
		return []string{"organization.updated"}
	case "memberInvited":
		return []string{"member.invited"}
	case "memberAdded", "memberReturned":
		return []string{"member.added"}
	case "memberJoined", "memberClaimed", "memberChanged":
		return []string{"member.added", "member.updated"}
	case "memberRemoved":
		return []string{"member.removed"}
	case "roleCreated":
		return []string{"role.created"}
	case "roleChanged":
		return []string{"role.updated"}
	case "roleDeleted":
		return []string{"role.deleted"}
	case "documentAdded", "documentVersioned", "fileStored":
		return []string{"document.uploaded"}
	case "documentMoved":
		return []string{"document.moved"}
	case "documentDeleted":
		return []string{"document.deleted"}
	case "folderCreated":
		return []string{"folder.created"}
	case "subscriptionChanged":
		return []string{"subscription.created", "subscription.cancelled"}
	case "paymentSucceeded":
		return []string{"payment.succeeded"}
	case "paymentFailed":
		return []string{"payment.failed"}
	}
	return nil
}

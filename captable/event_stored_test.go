package captable_test

import (
	"maps"
	"slices"
	"testing"

	"equity/captable"
)

// TestStoredEventsStayReadable compares the decoders with the names in the journals of existing installations.
func TestStoredEventsStayReadable(t *testing.T) {
	t.Parallel()
	stored := []string{
		"blockChanged", "blockCreated", "blockDeleted", "capitalChangeAmended", "capitalChanged", "configurationChanged",
		"holdingAccepted", "holdingAmended", "holdingCancelled", "holdingConverted", "holdingCorrected", "holdingExercised",
		"holdingExpired", "holdingIssued", "holdingRepaid", "holdingRetracted", "holdingTransferred", "holdingVoided",
		"legendChanged", "legendCreated", "legendDeleted", "objectCarried", "optionAccepted", "optionAmended",
		"optionCancelled", "optionCorrected", "optionExerciseDeclined", "optionExerciseRequested", "optionExercised",
		"optionExpired", "optionGranted", "optionReleased", "optionRepriced", "optionRetracted", "optionTerminated",
		"optionVestingChanged", "optionVoided", "packageImported", "planChanged", "planCreated", "planDeleted",
		"poolAdjusted", "securityChanged", "securityConversionAdjusted", "securityCreated", "securityDeleted",
		"securitySplit", "shareholdingAccepted", "shareholdingAmended", "shareholdingCancelled", "shareholdingConsolidated",
		"shareholdingConverted", "shareholdingCorrected", "shareholdingIssued", "shareholdingReissued",
		"shareholdingRepurchased", "shareholdingRetracted", "shareholdingTransferred", "shareholdingVestingStopped",
		"shareholdingVoided", "sharesAuthorized", "valuationChanged", "valuationCreated", "vestingScheduleCreated",
		"vestingScheduleDeleted", "vestingScheduleSuperseded",
	}
	if names := slices.Sorted(maps.Keys(captable.Decoders())); !slices.Equal(names, stored) {
		t.Errorf("the names are %q", names)
	}
}

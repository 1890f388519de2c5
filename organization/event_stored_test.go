package organization_test

import (
	"testing"

	"equity/organization"
)

// TestStoredEventsStayReadable decodes the names in the journals of existing installations.
func TestStoredEventsStayReadable(t *testing.T) {
	t.Parallel()
	decoder := organization.NewDecoder()
	for _, name := range []string{
		"hookTokenCreated", "hookTokenRevoked", "invitationBounced", "invitationWithdrawn", "legendCreated", "memberAdded", "memberChanged", "memberClaimed",
		"memberDeclined", "memberInvited", "memberJoined", "memberRemoved", "memberReturned", "organizationChanged",
		"organizationCreated", "paymentFailed", "paymentSucceeded", "roleChanged", "roleCreated", "roleDeleted", "subscriptionChanged",
		"webhookChanged", "webhookCreated", "webhookDeleted", "webhookDisabled",
	} {
		event, err := decoder.Decode(name, []byte(`{}`))
		if err != nil || event.EventType() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

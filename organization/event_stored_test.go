package organization_test

import (
	"testing"

	"equity/organization"
)

// TestStoredEventsStayReadable decodes the names in the journals of existing installations.
func TestStoredEventsStayReadable(t *testing.T) {
	t.Parallel()
	decoder := organization.NewSchema()
	for _, name := range []string{
		"addressConfirmed", "hookTokenCreated", "hookTokenRevoked", "invitationBounced", "invitationWithdrawn", "legendCreated",
		"memberAdded", "memberChanged", "memberClaimed",
		"memberDeclined", "memberInvited", "memberJoined", "memberReaddressed", "memberRemoved", "memberReturned", "organizationChanged",
		"organizationCreated", "paymentFailed", "paymentSucceeded", "roleChanged", "roleCreated", "roleDeleted", "subscriptionChanged",
	} {
		event, err := decoder.Decode(name, []byte(`{}`))
		if err != nil || event.EventType() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

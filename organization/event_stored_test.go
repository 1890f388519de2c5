package organization_test

import (
	"encoding/json"
	"os"
	"slices"
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
		"webhookChanged", "webhookCreated", "webhookDeleted", "webhookDisabled",
	} {
		event, err := decoder.Decode(name, []byte(`{}`))
		if err != nil || event.EventType() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBrowserAppKnowsEveryEvent compares the events with the list for which the browser app tests its sentences.
func TestBrowserAppKnowsEveryEvent(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../web/src/journal/events.json")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	if err := json.Unmarshal(content, &listed); err != nil {
		t.Fatal(err)
	}
	if types := organization.NewSchema().Types(); !slices.Equal(types, listed) {
		t.Errorf("web/src/journal/events.json should list %q", types)
	}
}

package http_test

import (
	"context"
	"maps"
	"testing"

	"github.com/google/uuid"

	"equity/http/apitest"
	"equity/messages"
	"equity/persistence"
)

// integrations creates the records of the rooms, and failing consumers.
func (e *estate) integrations(tb testing.TB) {
	tb.Helper()
	for _, room := range rooms() {
		if room.Records != nil {
			maps.Copy(e.ids, room.Records(tb, e.Firm, e.name))
		}
	}
	e.ids["conversation"] = uuid.NewString()
	e.ids["onboarding"] = e.onboarding(tb)
	e.ids["onboardingId"], e.ids["itemId"], e.ids["questionId"] = e.ids["onboarding"], uuid.NewString(), uuid.NewString()
	e.ids["integration"] = "mail"
	e.billing(tb)
	e.ids["skipIntegrationEvent.integration"] = "skipped" // a retry changes the state that a skip requires
	for _, name := range []string{"mail", "skipped"} {
		failConsumer(tb, e.Firm, name)
	}
}

// failConsumer stops a consumer at the second event of the organization.
func failConsumer(tb testing.TB, f *apitest.Firm, consumer string) {
	tb.Helper()
	failed := messages.Cursor{Sequence: 1, State: messages.ConsumerFailed, Failures: 1, LastError: "refused"}
	if err := persistence.NewConsumers(f.DB).Save(
		context.Background(), apitest.OrganizationID(tb, f.ID), consumer, failed, nil,
	); err != nil {
		tb.Fatal(err)
	}
}

package organization_test

import (
	"slices"
	"testing"

	"equity/captable"
	"equity/organization"
)

// TestEventsOutsideTheCapTableNameTheirRecord checks the events whose records are not found by their ids in a later state.
func TestEventsOutsideTheCapTableNameTheirRecord(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := [16]byte{15: 7}
	of := func(kind string) organization.Reference { return organization.Reference{Kind: kind, ID: id} }
	for _, c := range []struct {
		event organization.Event
		want  organization.Reference
	}{
		{organization.HookTokenRevoked{ID: id}, of(organization.KindHookToken)},
		{organization.RoleDeleted{ID: id}, of(organization.KindRole)},
		{organization.SubscriptionChanged{SubscriptionTerms: organization.SubscriptionTerms{ID: id}}, of(organization.KindSubscription)},
		{organization.PaymentSucceeded{Payment: organization.Payment{Invoice: id}}, of(organization.KindInvoice)},
		{organization.PaymentFailed{Payment: organization.Payment{Invoice: id}}, of(organization.KindInvoice)},
		{organization.TableEvent{Event: captable.PlanDeleted{ID: id}}, of(organization.KindPlan)},
	} {
		if got := organization.NewSchema().References(c.event, b.state); !slices.Equal(got, []organization.Reference{c.want}) {
			t.Errorf("%s: got %v, want %v", c.event.EventType(), got, c.want)
		}
	}
}

package organization_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

func TestUnknownTypeOfPostsIsRefused(t *testing.T) {
	t.Parallel()
	b := founded(t)
	choose := func(eventType string) ([]organization.Event, error) {
		return organization.Decide(b.state, organization.Amend{Patch: []byte(`{"chatPosts":["` + eventType + `"]}`)}, organization.DecideContext{
			Now: b.now, NewID: b.newID, Schema: organization.NewSchema(),
		})
	}
	if _, err := choose("shareholdingissued"); !fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
	events, err := choose("shareholdingIssued")
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		b.state.Apply(event, captable.Stamp{Sequence: 9, At: captable.InstantOf(b.now)})
	}
	if !b.state.PostsToChat("shareholdingIssued") || b.state.PostsToChat("memberAdded") {
		t.Errorf("%v", b.state.Profile().ChatPosts)
	}
}

package organization_test

import (
	"testing"

	"equity/captable"
	"equity/organization"
)

// TestResultOfARemovalIsTheRemovedMember removes a member whose invitation of another person ends in the same command.
func TestResultOfARemovalIsTheRemovedMember(t *testing.T) {
	t.Parallel()
	b := founded(t)
	_, sender := sentBy(b)
	command := organization.RemoveMember{ID: sender}
	events, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, By: owner, NewID: b.newID})
	if err != nil {
		t.Fatal(err)
	}
	b.apply(events)
	result, ok := organization.ResultOf(command, events, b.state)
	if !ok || result.ID != sender {
		t.Errorf("the result is %v", result)
	}
}

func TestResultOfAReturnIsTheMember(t *testing.T) {
	t.Parallel()
	b := founded(t)
	add := organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Bob"}}
	events := b.do(add)
	member, _ := organization.ResultOf(add, events, b.state)
	b.do(organization.RemoveMember{ID: member.ID})
	add.Entity = member.Entity
	again, ok := organization.ResultOf(add, b.do(add), b.state)
	if !ok || again.ID != member.ID {
		t.Errorf("the result is %v", again)
	}
}

func TestResultOfATableCommandIsThatOfTheTable(t *testing.T) {
	t.Parallel()
	b := founded(t)
	command := organization.TableCommand(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "A", Text: "T"}})
	legend, ok := organization.ResultOf(command, b.do(command), b.state)
	if !ok || legend.Name != "A" {
		t.Errorf("the result is %v", legend)
	}
}

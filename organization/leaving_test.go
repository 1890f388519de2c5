package organization_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

func TestLeavingMemberKeepsHoldings(t *testing.T) {
	t.Parallel()
	b := founded(t)
	id := b.add(bob, "Bob", organization.RoleManager)
	b.issue(captable.HolderRef{Member: id}, 10)
	b.do(organization.LeaveOrganization{User: bob})
	equal(t, "status", b.member(id).Status, organization.StatusRemoved)
	equal(t, "holds", b.state.Table().Holds(captable.EntityID(bob)), true)
	b.refused(organization.LeaveOrganization{User: bob}, fault.NotFound)
}

func TestLastOwnerCannotLeave(t *testing.T) {
	t.Parallel()
	b := founded(t)
	b.refused(organization.LeaveOrganization{User: owner}, fault.LastOwner)
	b.add(bob, "Bob", organization.RoleOwner)
	b.do(organization.LeaveOrganization{User: owner})
	b.refused(organization.LeaveOrganization{User: bob}, fault.LastOwner)
}

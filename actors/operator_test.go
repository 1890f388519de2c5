package actors_test

import (
	"testing"
	"testing/synctest"

	"equity/actors"
	"equity/organization"
)

func TestLimitsOfAPlanDoNotApplyToTheOperator(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := setup(t, func(s *actors.Settings) { // the founder and two others are members
			s.StartLimits = func() organization.PlanLimits { return organization.PlanLimits{Members: 3} }
		})
		add := c.command(organization.AddMember{Entity: c.newID(), MemberTerms: organization.MemberTerms{FullName: "Eve"}})
		_, err := c.do(add)
		refused(t, err, organization.CodePlanLimit)
		add.ByOperator = true
		c.must(add)
	})
}

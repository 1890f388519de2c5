package actors_test

import (
	"testing"
	"testing/synctest"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// memory.verify compares the indexes with the state after every
// test. These cases could make them differ.
func TestIndexes(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*company){
		"a member with transferred shares and new ones in the next append is a holder": func(c *company) {
			h := holding(c, c.must(c.issue(c.ada, 10)))
			gone := c.asked(c.transfer(h.ID, c.bob, 10))
			again := c.asked(c.issue(c.ada, 1)) // decided during the append of the transfer
			<-gone
			<-again
		},
		"a member with transferred shares and new ones in the same append is a holder": func(c *company) {
			h := holding(c, c.must(c.issue(c.ada, 10)))
			c.asked(c.issue(c.bob, 1))
			c.asked(c.transfer(h.ID, c.bob, 10))
			c.asked(c.issue(c.ada, 1))
		},
		"a member with shares received and transferred in one append is not a holder": func(c *company) {
			c.asked(c.issue(c.bob, 1))
			h := c.asked(c.issue(c.ada, 10))
			synctest.Wait()
			rehearsed := c.issue(c.ada, 1) // answered when the append is durable
			rehearsed.DryRun = true
			_, _ = c.do(rehearsed)
			c.must(c.transfer(holding(c, (<-h).Reply).ID, c.bob, 10))
		},
		"a corrected holder is not a holder": func(c *company) {
			h := holding(c, c.must(c.issue(c.ada, 10)))
			c.must(c.correct(h, c.bob))
		},
		"a holder between two corrections in one append is not a holder": func(c *company) {
			h := holding(c, c.must(c.issue(c.ada, 10)))
			c.asked(c.issue(c.ada, 1))
			c.asked(c.correct(h, c.bob))
			c.asked(c.correct(h, c.founder.Entity))
		},
		"a user removed and added again in one append is a member": func(c *company) {
			member, _ := c.view().State.MemberOf(c.bob)
			back := organization.AddMember{
				MemberTerms: organization.MemberTerms{FullName: "Bob"}, Entity: c.bob,
			}
			c.asked(c.issue(c.ada, 1))
			c.asked(c.command(organization.RemoveMember{ID: member.ID}))
			c.asked(c.command(back))
			c.asked(c.command(organization.ClaimMember{Entity: c.bob, User: member.User}))
		},
		"a removed user is not a member": func(c *company) {
			member, _ := c.view().State.MemberOf(c.bob)
			c.must(c.command(organization.RemoveMember{ID: member.ID}))
		},
	}
	for name, run := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { run(setup(t)) })
		})
	}
}

// correct corrects the holder of the shareholding.
func (c *company) correct(h *captable.Shareholding, to captable.EntityID) messages.Command {
	return c.table(captable.CorrectShareholding{
		ID: h.ID, HolderRef: captable.HolderRef{Entity: to}, Security: h.Security, Shares: h.Shares,
		IssueDate: h.IssueDate, Reason: "entered for the wrong holder",
	})
}

package organization_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// limited decides a command under limits of 2 shareholders and 3 members for the plan start.
func (b *bundle) limited(command organization.Command) ([]organization.Event, error) {
	b.Helper()
	before := b.state.Snapshot()
	events, err := organization.Decide(b.state, command, organization.DecideContext{
		Now: b.now, NewID: b.newID, StartLimits: &organization.PlanLimits{Shareholders: 2, Members: 3},
	})
	if string(before) != string(b.state.Snapshot()) {
		b.Fatalf("deciding %T changed the state", command)
	}
	return events, err
}

// beyond checks that the command is refused with the figures.
func (b *bundle) beyond(command organization.Command, count, limit, used string) {
	b.Helper()
	_, err := b.limited(command)
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok || refusal.Code != organization.CodePlanLimit {
		b.Fatalf("%T: %v", command, err)
	}
	equal(b, "figures", fmt.Sprint(refusal.Details), fmt.Sprint(map[string]string{"count": count, "limit": limit, "used": used}))
}

func (b *bundle) permitted(command organization.Command) {
	b.Helper()
	if _, err := b.limited(command); err != nil {
		b.Errorf("%T: %v", command, err)
	}
}

// filled returns an organization with as many holders and members as the limits allow.
func filled(t *testing.T) (b *bundle, held captable.ShareholdingID) {
	t.Helper()
	b = founded(t)
	b.do(adding(bob, "Bob"))
	b.do(adding(cleo, "Cleo"))
	held = b.issue(holder(owner), 100)
	b.issue(holder(bob), 100)
	equal(t, "counts", b.state.Counts(), organization.Counts{Shareholders: 2, Members: 3})
	return b, held
}

func holder(user organization.UserID) captable.HolderRef {
	return captable.HolderRef{Entity: captable.EntityID(user)}
}

func (b *bundle) issuing(to organization.UserID) organization.Command {
	b.Helper()
	for class := range b.state.Table().Securities() {
		return organization.TableCommand(captable.IssueShareholding{
			HolderRef: holder(to), Security: class.ID, Shares: exact.NewDecimal(1), IssueDate: exact.MustDate(today),
		})
	}
	b.Fatal("there is no security")
	return nil
}

func TestPlanLimits(t *testing.T) {
	t.Parallel()
	dora := organization.UserID{15: 0xd}
	for name, prove := range map[string]func(*bundle, captable.ShareholdingID){
		"a new holder beyond the limit is refused": func(b *bundle, _ captable.ShareholdingID) {
			b.beyond(b.issuing(cleo), "shareholders", "2", "2")
		},
		"a new member beyond the limit is refused": func(b *bundle, _ captable.ShareholdingID) {
			b.beyond(adding(dora, "Dora"), "members", "3", "3")
		},
		"an invitation beyond the limit is refused": func(b *bundle, _ captable.ShareholdingID) {
			invite := organization.Invite{Fresh: b.newID(), Name: "Guest", Hash: [32]byte{1}}
			b.beyond(organization.InviteMembers{Invites: []organization.Invite{invite}, Roles: []string{organization.RoleGuest}}, "members", "3", "3")
		},
		"rows of a file beyond the limit are refused": func(b *bundle, _ captable.ShareholdingID) {
			b.beyond(organization.Intake{Rows: []organization.IntakeRow{{Place: "1", Command: adding(dora, "Dora")}}}, "members", "3", "3")
		},
		"a present holder receives more": func(b *bundle, _ captable.ShareholdingID) { b.permitted(b.issuing(bob)) },
		"a transfer to a new holder is permitted": func(b *bundle, held captable.ShareholdingID) {
			b.permitted(organization.TableCommand(captable.TransferShareholding{
				Shareholding: held, To: holder(cleo), Shares: exact.NewDecimal(50), Date: exact.MustDate(today), Kind: "gift",
			}))
		},
		"voiding and leaving are permitted": func(b *bundle, held captable.ShareholdingID) {
			b.permitted(organization.TableCommand(captable.VoidShareholding{ID: held, Reason: "error"}))
			b.permitted(organization.RemoveMember{ID: b.memberOf(cleo).ID})
		},
		"a subscription brings the limits of its plan": func(b *bundle, _ captable.ShareholdingID) {
			b.observe(terms(organization.SubscriptionActive))
			b.permitted(b.issuing(cleo))
			b.permitted(adding(dora, "Dora"))
		},
		"the limits of the plan remain during the grace only": func(b *bundle, _ captable.ShareholdingID) {
			b.observe(terms(organization.SubscriptionPastDue))
			b.now = b.now.Add(grace - time.Second)
			b.permitted(b.issuing(cleo))
			b.now = b.now.Add(time.Second)
			b.beyond(b.issuing(cleo), "shareholders", "2", "2")
		},
		"an unpaid or cancelled subscription has the limits of start": func(b *bundle, _ captable.ShareholdingID) {
			for _, status := range []string{
				organization.SubscriptionUnpaid, organization.SubscriptionCancelled, organization.SubscriptionPaused,
				organization.SubscriptionIncomplete,
			} {
				b.observe(terms(status))
				b.beyond(b.issuing(cleo), "shareholders", "2", "2")
			}
		},
		"an organization beyond the limits keeps all other changes": func(b *bundle, _ captable.ShareholdingID) {
			b.issue(holder(cleo), 10)
			b.do(adding(dora, "Dora"))
			b.permitted(b.issuing(cleo))
			b.permitted(organization.AmendMember{ID: b.memberOf(dora).ID, Patch: []byte(`{"title":"CTO"}`)})
			b.beyond(b.issuing(dora), "shareholders", "2", "3")
		},
		"a server without billing has no limits": func(b *bundle, _ captable.ShareholdingID) {
			b.do(b.issuing(cleo))
			b.do(adding(dora, "Dora"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prove(filled(t))
		})
	}
}

func TestCountsFollowRemovalsAndReturns(t *testing.T) {
	t.Parallel()
	b, _ := filled(t)
	b.do(organization.RemoveMember{ID: b.memberOf(cleo).ID})
	equal(t, "members", b.state.Counts().Members, 2)
	b.do(adding(cleo, "Cleo"))
	equal(t, "members", b.state.Counts().Members, 3)
	restored, err := restore(b.state.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "counts of a snapshot", restored.Counts(), b.state.Counts())
}

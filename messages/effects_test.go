package messages_test

import (
	"encoding/binary"
	"slices"
	"strconv"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// bundle is a test organization whose changes are collected in an append.
type bundle struct {
	testing.TB
	state  *organization.State
	ids    uint64
	append messages.Append
	class  captable.SecurityID
}

var (
	ada = organization.UserID{15: 0xa}
	bob = organization.UserID{15: 0xb}
)

const today = "2026-01-15"

// setup returns an organization with Ada as owner, Bob as a member and one class. The
// append starts after these events.
func setup(tb testing.TB) *bundle {
	tb.Helper()
	b := &bundle{TB: tb, state: organization.NewState()}
	b.do(organization.Create{
		ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: ada, Entity: captable.EntityID(ada), Name: "Ada"},
	})
	b.do(member(bob))
	b.do(claim(bob))
	terms := captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true}}
	b.class = b.table(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
	b.append = messages.Append{}
	return b
}

func member(user organization.UserID) organization.AddMember {
	return organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Somebody"}, Entity: captable.EntityID(user)}
}

func claim(user organization.UserID) organization.ClaimMember {
	return organization.ClaimMember{Entity: captable.EntityID(user), User: user}
}

// do executes the command like an actor and adds its effects.
func (b *bundle) do(command organization.Command) []organization.Event {
	b.Helper()
	events, err := organization.Decide(b.state, command, organization.DecideContext{
		Now: exact.MustDate(today).Time().Add(9 * time.Hour),
		NewID: func() (id [16]byte) {
			b.ids++
			binary.BigEndian.PutUint64(id[:], b.ids)
			return id
		},
	})
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	former := messages.FormerHolders(events, b.state)
	for _, event := range events {
		b.state.Apply(event, captable.Stamp{})
	}
	b.append.AddEffects(nil, events, b.state)
	b.append.AddStakes(nil, former, b.state)
	return events
}

func (b *bundle) table(command captable.Command) []captable.Event {
	b.Helper()
	var events []captable.Event
	for _, event := range b.do(organization.Table{Command: command}) {
		events = append(events, event.(organization.TableEvent).Event)
	}
	return events
}

func (b *bundle) issue(to organization.UserID, shares int64) captable.ShareholdingID {
	b.Helper()
	return b.table(captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: captable.EntityID(to)}, Security: b.class,
		Shares: exact.NewDecimal(shares), IssueDate: exact.MustDate(today),
	})[0].(captable.ShareholdingIssued).ID
}

// stakes checks the stakes of the append, in order.
func (b *bundle) stakes(want ...messages.Stake) {
	b.Helper()
	if !slices.Equal(b.append.Stakes, want) {
		b.Errorf("stakes are %v, want %v", b.append.Stakes, want)
	}
}

func stake(user organization.UserID, holds bool) messages.Stake {
	return messages.Stake{Entity: captable.EntityID(user), Holds: holds}
}

func TestAddEffects(t *testing.T) {
	t.Parallel()
	day := exact.MustDate(today)
	t.Run("a new organization adds its records and the membership of its founder", func(t *testing.T) {
		t.Parallel()
		b := &bundle{TB: t, state: organization.NewState()}
		b.do(organization.Create{
			ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
			Creator: organization.Founder{User: ada, Entity: captable.EntityID(ada), Name: "Ada"},
		})
		if r := b.append.Resources; len(r) != 2 || r[0] != (messages.Resource{ID: organization.ID{1}, Kind: "organization"}) || r[1].Kind != "member" {
			t.Errorf("resources are %v", b.append.Resources)
		}
		if want := []messages.Membership{{User: ada, Entity: captable.EntityID(ada), Member: true}}; !slices.Equal(b.append.Memberships, want) {
			t.Errorf("memberships are %v", b.append.Memberships)
		}
		b.stakes()
	})
	t.Run("added and removed members with an account are memberships in order", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		found, _ := b.state.MemberBy(bob)
		b.do(organization.RemoveMember{ID: found.ID})
		b.do(member(bob))
		b.do(claim(bob))
		nobody := member(organization.UserID{})
		nobody.Entity = captable.EntityID{9}
		b.do(nobody)
		as := captable.EntityID(bob)
		if want := []messages.Membership{{User: bob, Entity: as}, {User: bob, Entity: as, Member: true}}; !slices.Equal(b.append.Memberships, want) {
			t.Errorf("memberships are %v", b.append.Memberships)
		}
	})
	t.Run("issued and transferred shares are stakes, with the last state of each entity", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.issue(ada, 10)
		b.stakes(stake(ada, true))
		b.table(captable.TransferShareholding{
			Shareholding: id, To: captable.HolderRef{Entity: captable.EntityID(bob)}, Shares: exact.NewDecimal(10), Date: day, Kind: "gift",
		})
		b.stakes(stake(ada, false), stake(bob, true))
		b.issue(ada, 1)
		b.stakes(stake(ada, true), stake(bob, true))
		if len(b.append.Resources) != 3 {
			t.Errorf("resources are %v", b.append.Resources)
		}
	})
	t.Run("a void and a correction of the holder end the stake", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.table(captable.VoidShareholding{ID: b.issue(ada, 10)})
		b.stakes(stake(ada, false))
		id := b.issue(ada, 10)
		b.table(captable.CorrectShareholding{
			ID: id, HolderRef: captable.HolderRef{Entity: captable.EntityID(bob)}, Security: b.class, Shares: exact.NewDecimal(10),
			IssueDate: day, Reason: "r",
		})
		b.stakes(stake(ada, false), stake(bob, true))
	})
	t.Run("a convertible is a stake of its holder until it is corrected or transferred", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := captable.IssueInstrument{HolderRef: captable.HolderRef{Entity: captable.EntityID(ada)}}
		command.Kind, command.IssueDate, command.Principal = captable.KindSAFE, day, &captable.Money{Amount: exact.NewDecimal(5), Currency: "USD"}
		id := b.table(command)[0].(captable.InstrumentIssued).ID
		b.stakes(stake(ada, true))
		command.Entity = captable.EntityID(bob)
		b.table(captable.CorrectInstrument{ID: id, HolderRef: command.HolderRef, InstrumentFacts: command.InstrumentFacts, Reason: "r"})
		b.stakes(stake(ada, false), stake(bob, true))
		b.table(captable.TransferInstrument{ID: id, To: captable.HolderRef{Entity: captable.EntityID(ada)}, Date: day, Kind: "gift"})
		b.stakes(stake(ada, true), stake(bob, false))
	})
	t.Run("a split that rounds a warrant to zero ends the stake", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := captable.IssueInstrument{HolderRef: captable.HolderRef{Entity: captable.EntityID(ada)}}
		command.Kind, command.IssueDate, command.Security, command.Quantity = captable.KindWarrant, day, b.class, exact.NewDecimal(5)
		command.ExercisePrice = &captable.Price{Amount: exact.NewDecimal(1)}
		b.table(command)
		b.table(captable.SplitSecurity{ID: b.class, Numerator: exact.NewDecimal(1), Denominator: exact.NewDecimal(10), Date: day})
		b.stakes(stake(ada, false))
	})
	t.Run("an option is a stake until its holder is corrected or a split rounds it to zero", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		plan := b.table(captable.CreatePlan{PlanTerms: captable.PlanTerms{
			PlanDetails: captable.PlanDetails{Name: "Plan"},
			Pools:       []captable.PoolTerms{{Name: "Main", Security: b.class, TotalShares: exact.NewDecimal(50)}},
		}})[0].(captable.PlanCreated)
		command := captable.GrantOption{
			HolderRef: captable.HolderRef{Entity: captable.EntityID(ada)}, Quantity: exact.NewDecimal(5),
			ExercisePrice: &captable.Price{Amount: exact.NewDecimal(1)},
		}
		command.Plan, command.Pool, command.Type, command.IssueDate = plan.ID, plan.Terms.Pools[0].ID, captable.GrantNSO, day
		id := b.table(command)[0].(captable.OptionGranted).ID
		b.stakes(stake(ada, true))
		command.Entity = captable.EntityID(bob)
		b.table(captable.CorrectGrant{ID: id, GrantOption: command, Reason: "r"})
		b.stakes(stake(ada, false), stake(bob, true))
		b.table(captable.SplitSecurity{ID: b.class, Numerator: exact.NewDecimal(1), Denominator: exact.NewDecimal(10), Date: day})
		b.stakes(stake(ada, false), stake(bob, false))
	})
	t.Run("a split that rounds a shareholding to zero ends the stake", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.issue(ada, 9)
		b.issue(bob, 9)
		b.issue(bob, 100)
		b.append = messages.Append{}
		b.table(captable.SplitSecurity{ID: b.class, Numerator: exact.NewDecimal(1), Denominator: exact.NewDecimal(10), Date: day})
		b.stakes(stake(ada, false), stake(bob, true))
	})
	t.Run("stakes omit entities that held equity before the append and still do", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.issue(ada, 10)
		before := b.state.Copy()
		b.append = messages.Append{}
		for range 2 {
			events, err := organization.Decide(b.state, organization.Table{Command: captable.IssueShareholding{
				HolderRef: captable.HolderRef{Entity: captable.EntityID(ada)}, Security: b.class, Shares: exact.NewDecimal(1), IssueDate: day,
			}}, organization.DecideContext{Now: day.Time(), NewID: func() (id [16]byte) { b.ids++; id[0], id[15] = 9, byte(b.ids); return id }})
			if err != nil {
				t.Fatal(err)
			}
			b.state.Apply(events[0], captable.Stamp{})
			b.append.AddEffects(before, events, b.state)
		}
		b.stakes()
	})
}

func BenchmarkAddEffectsOfAnImport(b *testing.B) {
	state, events := organization.NewState(), []organization.Event{}
	for i := range 20_000 {
		var id [16]byte
		binary.BigEndian.PutUint64(id[:], uint64(i)+1)
		event := organization.TableEvent{Event: captable.ShareholdingIssued{Issue: captable.Issue{
			ID: id, Entity: captable.EntityID(id), Shares: exact.NewDecimal(1),
			ShareholdingDetails: captable.ShareholdingDetails{Certificate: strconv.Itoa(i)},
		}}}
		state.Apply(event, captable.Stamp{})
		events = append(events, event)
	}
	b.ReportAllocs()
	for b.Loop() {
		var batch messages.Append
		batch.AddEffects(nil, events, state)
	}
}

package organization_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// today is the current date of every test.
const today = captabletest.Today

// bundle is an organization with the inputs of its commands. It is the same in every run.
type bundle struct {
	testing.TB
	state    *organization.State
	now      time.Time
	ids      captabletest.IDs
	recorded []recorded
}

// recorded is an event as in the journal.
type recorded struct {
	kind    string
	payload []byte
	stamp   captable.Stamp
}

// The organization and the people of the tests.
var (
	acme  = organization.ID{15: 1}
	owner = organization.UserID{15: 0xa}
	bob   = organization.UserID{15: 0xb}
	cleo  = organization.UserID{15: 0xc}
)

// founded returns an organization with one Owner.
func founded(tb testing.TB) *bundle {
	tb.Helper()
	b := unfounded(tb)
	b.do(create())
	return b
}

func unfounded(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{TB: tb, state: organization.NewState(), now: captabletest.Now()}
}

func create() organization.Create {
	return organization.Create{
		ID: acme, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: owner, Entity: captable.EntityID(owner), Name: "Ada Lovelace"},
	}
}

func (b *bundle) newID() [16]byte { return b.ids.New() }

// Decide decides a command and checks that the state is unchanged.
func (b *bundle) decide(command organization.Command) ([]organization.Event, error) {
	b.Helper()
	before := b.state.Snapshot()
	events, err := organization.Decide(b.state, command, organization.DecideContext{Now: b.now, NewID: b.newID})
	if !bytes.Equal(before, b.state.Snapshot()) {
		b.Fatalf("deciding %T changed the state", command)
	}
	return events, err
}

func (b *bundle) do(command organization.Command) []organization.Event {
	b.Helper()
	events, err := b.decide(command)
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	b.apply(events)
	return events
}

func (b *bundle) apply(events []organization.Event) {
	b.Helper()
	for _, event := range events {
		payload, err := json.Marshal(event)
		if err != nil {
			b.Fatal(err)
		}
		stamp := captable.Stamp{Sequence: uint64(len(b.recorded) + 1), At: captable.InstantOf(b.now), By: "tester"}
		b.recorded = append(b.recorded, recorded{event.EventType(), payload, stamp})
		b.state.Apply(event, stamp)
	}
}

// refusal is the error returned to a caller.
type refusal struct {
	Message string
	Details map[string]string
}

// refused decides the command, which must be refused with the code and exactly these faulty fields, each as
// "/pointer code".
func (b *bundle) refused(command organization.Command, code fault.Code, fields ...string) refusal {
	b.Helper()
	_, err := b.decide(command)
	refused := captabletest.Refusal(b, err, code, fields...)
	return refusal{refused.Message, refused.Details}
}

// add makes the user a member with the roles, linked to the account, and returns the id.
func (b *bundle) add(user organization.UserID, name string, roles ...string) organization.MemberID {
	b.Helper()
	b.do(adding(user, name, roles...))
	b.claim(user)
	return b.memberOf(user).ID
}

// adding returns a command that adds an entity with the user's id.
func adding(user organization.UserID, name string, roles ...string) organization.AddMember {
	return organization.AddMember{MemberTerms: organization.MemberTerms{FullName: name, Roles: roles}, Entity: captable.EntityID(user)}
}

// claim links the entity with the user's id to the user.
func (b *bundle) claim(user organization.UserID) {
	b.Helper()
	b.do(organization.ClaimMember{Entity: captable.EntityID(user), User: user})
}

func (b *bundle) member(id organization.MemberID) *organization.Member {
	b.Helper()
	member, ok := b.state.Member(id)
	if !ok {
		b.Fatalf("there is no member %s", id)
	}
	return member
}

// memberOf returns the membership of the user.
func (b *bundle) memberOf(user organization.UserID) *organization.Member {
	b.Helper()
	member, ok := b.state.MemberOf(captable.EntityID(user))
	if !ok {
		b.Fatalf("%s is no member", user)
	}
	return member
}

// issue issues shares to the entity and returns the id.
func (b *bundle) issue(to captable.HolderRef, shares int64) captable.ShareholdingID {
	b.Helper()
	var class captable.SecurityID
	for security := range b.state.Table().Securities() {
		class = security.ID
	}
	if class.IsZero() {
		terms := captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true}}
		class = b.table(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
	}
	command := captable.IssueShareholding{HolderRef: to, Security: class, Shares: exact.NewDecimal(shares), IssueDate: exact.MustDate(today)}
	return b.table(command)[0].(captable.ShareholdingIssued).ID
}

// table executes a command of the cap table.
func (b *bundle) table(command captable.Command) []captable.Event {
	b.Helper()
	var events []captable.Event
	for _, event := range b.do(organization.Table{Command: command}) {
		events = append(events, event.(organization.TableEvent).Event)
	}
	return events
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func text(tb testing.TB, value any) string {
	tb.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(encoded)
}

func restore(snapshot []byte) (*organization.State, error) {
	return organization.NewSchema().Restore(string(snapshot))
}

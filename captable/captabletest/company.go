// Package captabletest contains the shared fixtures of tests that use a cap table.
package captabletest

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// Today is the date at the start of every test.
const Today = "2026-01-15"

// Entity returns the id of a holder.
func Entity(number byte) captable.EntityID { return captable.EntityID{15: number} }

// Register maps entities to the names of holders. A member has the id of its entity.
type Register map[captable.EntityID]string

// Holders returns a register of three holders: Ada Lovelace is [Entity] 10, Bob Noyce 11, and Cleo Ltd 12.
func Holders() Register {
	return Register{Entity(0xa): "Ada Lovelace", Entity(0xb): "Bob Noyce", Entity(0xc): "Cleo Ltd"}
}

// Holder returns the holder of the reference, or false if it is not in the register.
func (r Register) Holder(ref captable.HolderRef) (captable.Holder, bool) {
	entity := ref.Entity
	if entity.IsZero() {
		entity = captable.EntityID(ref.Member)
	}
	name, known := r[entity]
	return captable.Holder{Entity: entity, Member: captable.MemberID(entity), Name: name}, known
}

// IDs generates the ids of records in a fixed order.
type IDs uint64

// New returns the next id.
func (n *IDs) New() (id [16]byte) {
	*n++
	binary.BigEndian.PutUint64(id[:], uint64(*n))
	id[15] = 0x77
	return id
}

// Company is a cap table with the inputs of its commands. It is the same in every run.
type Company struct {
	testing.TB
	State   *captable.State
	Holders Register

	ids IDs
}

// New returns an empty cap table with the register of [Holders].
func New(tb testing.TB) *Company {
	tb.Helper()
	return &Company{TB: tb, State: captable.NewState(), Holders: Holders()}
}

// NameOf returns the name of a holder.
func (c *Company) NameOf(id captable.EntityID) string { return c.Holders[id] }

// Now returns 9:00 UTC of [Today].
func Now() time.Time { return exact.MustDate(Today).Time().Add(9 * time.Hour) }

// DecideContext returns the inputs of a command.
func (c *Company) DecideContext() captable.DecideContext {
	return captable.DecideContext{Now: Now(), NewID: c.ids.New, Register: c.Holders, Currency: "USD"}
}

// Do carries out the command and returns its events. The test fails if the command is refused.
func (c *Company) Do(command captable.Command) []captable.Event {
	c.Helper()
	events, err := captable.Decide(c.State, command, c.DecideContext())
	if err != nil {
		c.Fatalf("%T: %v", command, err)
	}
	for _, event := range events {
		c.State.Apply(event, captable.Stamp{})
	}
	return events
}

// Security creates a class of shares.
func (c *Company) Security(terms captable.SecurityTerms) captable.SecurityID {
	c.Helper()
	return c.Do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
}

// Common creates a class of common stock with the number of authorized shares.
func (c *Company) Common(authorized string) captable.SecurityID {
	c.Helper()
	return c.Security(captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Shares: Number(authorized)},
	})
}

// Class returns an existing class of shares.
func (c *Company) Class(id captable.SecurityID) *captable.Security {
	c.Helper()
	security, ok := c.State.Security(id)
	if !ok {
		c.Fatalf("security %s does not exist", id)
	}
	return security
}

// Issue issues shares of a class to a holder on a day.
func (c *Company) Issue(to captable.EntityID, of captable.SecurityID, shares, on string) captable.ShareholdingID {
	c.Helper()
	return c.Do(Issue(to, of, shares, on))[0].(captable.ShareholdingIssued).ID
}

// Plan creates a plan and returns its first pool.
func (c *Company) Plan(terms captable.PlanTerms) captable.PoolRef {
	c.Helper()
	created := c.Do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated)
	return captable.PoolRef{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
}

// Instrument issues a convertible or a warrant.
func (c *Company) Instrument(command captable.IssueInstrument) captable.InstrumentID {
	c.Helper()
	return c.Do(command)[0].(captable.InstrumentIssued).ID
}

// Refusal checks that the error is a refusal with the code and exactly these fields, each as "/pointer code". It returns
// the refusal.
func Refusal(tb testing.TB, err error, code fault.Code, fields ...string) *fault.Error {
	tb.Helper()
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok {
		tb.Fatalf("got %v; want a refusal with %s", err, code)
	}
	var got []string
	for _, field := range refusal.Fields {
		got = append(got, field.Pointer+" "+field.Code)
		if field.Message == "" {
			tb.Errorf("%s has no message", field.Pointer)
		}
	}
	limit := refusal.Details["date"] != "" && len(fields) == 0 // a refused limit has a field, but most tests check its figures only
	if refusal.Code != code || !limit && !slices.Equal(got, fields) {
		tb.Errorf("refused with %s %q (%v); want %s %q", refusal.Code, got, refusal, code, fields)
	}
	return refusal
}

// Equal reports a value that differs from the expected one.
func Equal[T comparable](tb testing.TB, name string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", name, got, want)
	}
}

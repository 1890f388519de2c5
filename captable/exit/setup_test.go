package exit_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// today is the date of every test.
const today = "2026-01-15"

// bundle is a cap table with the dependencies of its commands. It is deterministic.
type bundle struct {
	testing.TB
	state   *captable.State
	ids     uint64
	holders register
}

// register maps entities to the names of holders.
type register map[captable.EntityID]string

func (r register) Holder(ref captable.HolderRef) (captable.Holder, bool) {
	name, known := r[ref.Entity]
	return captable.Holder{Entity: ref.Entity, Name: name}, known
}

// Holders of the tests.
var (
	ada  = captable.EntityID{15: 0xa}
	bob  = captable.EntityID{15: 0xb}
	cleo = captable.EntityID{15: 0xc}
)

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{TB: tb, state: captable.NewState(), holders: register{ada: "Ada Lovelace", bob: "Bob Noyce", cleo: "Cleo Ltd"}}
}

func (b *bundle) nameOf(id captable.EntityID) string { return b.holders[id] }

func (b *bundle) moment() captable.Moment {
	now := exact.MustDate(today).Time().Add(9 * time.Hour)
	return captable.Moment{Now: now, NewID: b.newID, Register: b.holders, Currency: "USD"}
}

func (b *bundle) newID() (id [16]byte) {
	b.ids++
	binary.BigEndian.PutUint64(id[:], b.ids)
	id[15] = 0x77
	return id
}

// do carries out the command and returns its events.
func (b *bundle) do(command captable.Command) []captable.Event {
	b.Helper()
	events, err := captable.Decide(b.state, command, b.moment())
	if err != nil {
		b.Fatalf("%T: %v", command, err)
	}
	for _, event := range events {
		b.state.Apply(event, captable.Stamp{})
	}
	return events
}

// refusal checks that the error is a refusal with the code and exactly these fields, each as
// "/pointer code". It returns the figures of the refusal.
func (b *bundle) refusal(err error, code fault.Code, fields ...string) map[string]string {
	b.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		b.Fatalf("got %v; want a refusal with %s", err, code)
	}
	var got []string
	for _, field := range refusal.Fields {
		got = append(got, field.Pointer+" "+field.Code)
	}
	if refusal.Code != code || !slices.Equal(got, fields) {
		b.Errorf("refused with %s %q (%v); want %s %q", refusal.Code, got, refusal, code, fields)
	}
	return refusal.Details
}

func (b *bundle) security(terms captable.SecurityTerms) captable.SecurityID {
	b.Helper()
	return b.do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
}

func (b *bundle) issue(to captable.EntityID, of captable.SecurityID, shares, on string) {
	b.Helper()
	b.do(captable.IssueShareholding{HolderRef: holder(to), Security: of, Shares: number(shares), IssueDate: exact.MustDate(on)})
}

func (b *bundle) plan(terms captable.PlanTerms) captable.PoolRef {
	b.Helper()
	created := b.do(captable.CreatePlan{PlanTerms: terms})[0].(captable.PlanCreated)
	return captable.PoolRef{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
}

func (b *bundle) instrument(command captable.IssueInstrument) captable.InstrumentID {
	b.Helper()
	return b.do(command)[0].(captable.InstrumentIssued).ID
}

func (b *bundle) class(id captable.SecurityID) *captable.Security {
	b.Helper()
	security, ok := b.state.Security(id)
	if !ok {
		b.Fatalf("there is no security %s", id)
	}
	return security
}

// preferred returns the second class, which [backed] creates.
func (b *bundle) preferred() captable.SecurityID {
	b.Helper()
	return slices.Collect(b.state.Securities())[1].ID
}

// founded returns a company with 8,000,000 of 20,000,000 authorized common shares issued to Ada.
func founded(tb testing.TB) (*bundle, captable.SecurityID) {
	tb.Helper()
	b := setup(tb)
	class := b.security(captable.SecurityTerms{
		Name: "Common Stock", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Shares: number("20000000")},
	})
	b.issue(ada, class, "8000000", "2025-01-01")
	return b, class
}

func planned(class captable.SecurityID, shares string) captable.PlanTerms {
	return captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "2020 Plan"},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: class, TotalShares: number(shares)}},
	}
}

// option returns the command to grant options with an exercise price of 1.5.
func option(to captable.EntityID, ref captable.PoolRef, quantity, on string) captable.GrantOption {
	return captable.GrantOption{
		HolderRef:  holder(to),
		GrantTerms: captable.GrantTerms{Plan: ref.Plan, Pool: ref.Pool, Type: captable.GrantNSO, IssueDate: exact.MustDate(on)},
		Quantity:   number(quantity), ExercisePrice: price("1.5"),
	}
}

// monthly returns vesting over 48 months with a cliff of 12 months.
func monthly() *vesting.Scheme {
	return &vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		Cliff: &vesting.Cliff{After: vesting.Period{N: 12, Unit: vesting.Months}},
	}}
}

// note returns the command to issue a note over 10,000 with interest of 1 per day.
func note(to captable.EntityID, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef: holder(to),
		InstrumentFacts: captable.InstrumentFacts{
			Kind: captable.KindNote, IssueDate: exact.MustDate(on), Principal: dollars("10000"),
		},
		InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{
			Interest: &conversion.Interest{Rates: []conversion.Rate{{Rate: number("0.0365"), From: exact.MustDate(on)}}},
		}},
	}
}

// safe returns the command to issue a SAFE with a pre-money cap of 5,000,000.
func safe(to captable.EntityID, principal, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef:       holder(to),
		InstrumentFacts: captable.InstrumentFacts{Kind: captable.KindSAFE, IssueDate: exact.MustDate(on), Principal: dollars(principal)},
		InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{ValuationCap: price("5000000")}},
	}
}

// postMoney returns the command to issue a SAFE over 1,000,000 with a cap of 10,000,000.
func postMoney(to captable.EntityID) captable.IssueInstrument {
	command := safe(to, "1000000", "2025-02-01")
	command.ValuationCap = price("10000000")
	return command
}

// warrant returns the command to issue a warrant with an exercise price of 1.5.
func warrant(to captable.EntityID, of captable.SecurityID, quantity, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef: holder(to),
		InstrumentFacts: captable.InstrumentFacts{
			Kind: captable.KindWarrant, IssueDate: exact.MustDate(on), Security: of, Quantity: number(quantity),
		},
		InstrumentTerms: captable.InstrumentTerms{WarrantTerms: captable.WarrantTerms{ExercisePrice: price("1.5")}},
	}
}

func equal[T comparable](tb testing.TB, name string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", name, got, want)
	}
}

func number(text string) captable.Decimal { return exact.MustDecimal(text) }

func figure(text string) *captable.Decimal { return new(number(text)) }

func price(text string) *captable.Price { return &captable.Price{Amount: number(text)} }

func dollars(amount string) *captable.Money {
	return &captable.Money{Amount: number(amount), Currency: "USD"}
}

func holder(entity captable.EntityID) captable.HolderRef { return captable.HolderRef{Entity: entity} }

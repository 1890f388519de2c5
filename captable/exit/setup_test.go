package exit_test

import (
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// today is the date of every test.
const today = captabletest.Today

// bundle is a cap table with the dependencies of its commands.
type bundle struct{ *captabletest.Company }

// Holders of the tests.
var (
	ada  = captabletest.Entity(0xa)
	bob  = captabletest.Entity(0xb)
	cleo = captabletest.Entity(0xc)
)

// Shared values and commands, with short names.
var (
	number, figure, price, dollars = captabletest.Number, captabletest.Figure, captabletest.Price, captabletest.Dollars
	holder, planned, monthly       = captabletest.Holder, captabletest.Plan, captabletest.Monthly
	safe, postMoney, warrant       = captabletest.SAFE, captabletest.PostMoney, captabletest.Warrant
)

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{captabletest.New(tb)}
}

// preferred returns the second class, which [backed] creates.
func (b *bundle) preferred() captable.SecurityID {
	b.Helper()
	return slices.Collect(b.State.Securities())[1].ID
}

// founded returns a company with 8,000,000 of 20,000,000 authorized common shares issued to Ada.
func founded(tb testing.TB) (*bundle, captable.SecurityID) {
	tb.Helper()
	b := setup(tb)
	class := b.Common("20000000")
	b.Issue(ada, class, "8000000", "2025-01-01")
	return b, class
}

// option returns the command to grant options with an exercise price of 1.5.
func option(to captable.EntityID, ref captable.PoolRef, quantity, on string) captable.GrantOption {
	return captable.GrantOption{
		HolderRef:  holder(to),
		GrantTerms: captable.GrantTerms{Plan: ref.Plan, Pool: ref.Pool, Type: captable.GrantNSO, IssueDate: exact.MustDate(on)},
		Quantity:   number(quantity), ExercisePrice: price("1.5"),
	}
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

// refusal checks that the error is a refusal with the code and exactly these fields. It returns the figures of the
// refusal.
func (b *bundle) refusal(err error, code fault.Code, fields ...string) map[string]string {
	b.Helper()
	return captabletest.Refusal(b, err, code, fields...).Details
}

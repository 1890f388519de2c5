package captabletest

import (
	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// Number parses a decimal.
func Number(text string) captable.Decimal { return exact.MustDecimal(text) }

// Figure parses a decimal of an optional field.
func Figure(text string) *captable.Decimal { return new(Number(text)) }

// Price parses a price in the currency of the company.
func Price(text string) *captable.Price { return &captable.Price{Amount: Number(text)} }

// Dollars parses an amount in US dollars.
func Dollars(amount string) *captable.Money {
	return &captable.Money{Amount: Number(amount), Currency: "USD"}
}

// Holder returns the reference to an entity as holder.
func Holder(entity captable.EntityID) captable.HolderRef { return captable.HolderRef{Entity: entity} }

// Issue returns the command to issue shares.
func Issue(to captable.EntityID, of captable.SecurityID, shares, on string) captable.IssueShareholding {
	return captable.IssueShareholding{HolderRef: Holder(to), Security: of, Shares: Number(shares), IssueDate: exact.MustDate(on)}
}

// Plan returns the terms of a plan with one pool of shares.
func Plan(class captable.SecurityID, shares string) captable.PlanTerms {
	return captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "2020 Plan"},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: class, TotalShares: Number(shares)}},
	}
}

// Monthly returns vesting over 48 months with a cliff of 12 months.
func Monthly() *vesting.Scheme {
	return &vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		Cliff: &vesting.Cliff{After: vesting.Period{N: 12, Unit: vesting.Months}},
	}}
}

// SAFE returns the command to issue a SAFE with a pre-money cap of 5,000,000.
func SAFE(to captable.EntityID, principal, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef:       Holder(to),
		InstrumentFacts: captable.InstrumentFacts{Kind: captable.KindSAFE, IssueDate: exact.MustDate(on), Principal: Dollars(principal)},
		InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{ValuationCap: Price("5000000")}},
	}
}

// PostMoney returns the command to issue a SAFE over 1,000,000 with a cap of 10,000,000.
func PostMoney(to captable.EntityID) captable.IssueInstrument {
	command := SAFE(to, "1000000", "2025-02-01")
	command.ValuationCap = Price("10000000")
	return command
}

// Warrant returns the command to issue a warrant with an exercise price of 1.5.
func Warrant(to captable.EntityID, of captable.SecurityID, quantity, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef: Holder(to),
		InstrumentFacts: captable.InstrumentFacts{
			Kind: captable.KindWarrant, IssueDate: exact.MustDate(on), Security: of, Quantity: Number(quantity),
		},
		InstrumentTerms: captable.InstrumentTerms{WarrantTerms: captable.WarrantTerms{ExercisePrice: Price("1.5")}},
	}
}

package main

import (
	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
)

// dollars returns an amount in the company's currency.
func dollars(amount string) *captable.Money {
	return &captable.Money{Amount: exact.MustDecimal(amount), Currency: "USD"}
}

// round creates the record of a funding round. Later issues belong to it until the
// next round.
func (d *demoCompany) round(name, kind, closed, preMoney, raised string, securities ...captable.SecurityID) {
	d.table(name, captable.CreateBlock{BlockTerms: captable.BlockTerms{
		Name: name, Kind: kind, CloseDate: exact.MustDate(closed), PreMoney: dollars(preMoney), Raised: dollars(raised),
		Securities: securities,
	}})
	d.block = name
}

// right issues and accepts a convertible or a warrant.
func (d *demoCompany) right(holder, date string, facts captable.InstrumentFacts, terms captable.InstrumentTerms) captable.InstrumentID {
	facts.IssueDate, terms.BoardApprovalDate = exact.MustDate(date), exact.MustDate(date)
	made := inTable(d, holder, captable.IssueInstrument{
		HolderRef: captable.HolderRef{Entity: d.holders[holder]}, InstrumentFacts: facts, InstrumentTerms: terms,
	})
	if made == nil {
		return captable.InstrumentID{}
	}
	d.table(holder+" accepts", captable.AcceptInstrument{ID: made.ID, Date: exact.MustDate(date) + 1})
	return made.ID
}

// demoSAFE is a SAFE of an early investor.
type demoSAFE struct{ holder, date, amount, limit, discount string }

// safes issues SAFEs before the first priced round: one with a cap, one with a discount, one with both.
func (d *demoCompany) safes() {
	for _, safe := range []demoSAFE{
		{"Harbour Street Angels LLC", "2019-06-03", "150000", "3500000", ""},
		{"Dmitri Sokolov", "2019-09-16", "50000", "", "0.2"},
		{"Émilie Laurent", "2020-01-20", "75000", "4000000", "0.05"},
	} {
		terms := captable.InstrumentTerms{}
		if safe.limit != "" {
			terms.ValuationCap = &captable.Price{Amount: exact.MustDecimal(safe.limit)}
		}
		if safe.discount != "" {
			discount := exact.MustDecimal(safe.discount)
			terms.Discount = &discount
		}
		d.converting = append(
			d.converting,
			d.right(safe.holder, safe.date, captable.InstrumentFacts{Kind: captable.KindSAFE, Principal: dollars(safe.amount)}, terms),
		)
	}
}

// convertSAFEs converts the SAFEs into shares of the seed round, each at the best price
// of its terms.
func (d *demoCompany) convertSAFEs() {
	capitalization := exact.NewDecimal(5_000_000) // the founders' shares, after their split
	for _, safe := range d.converting {
		d.table("a SAFE converts", captable.ConvertInstrument{
			ID: safe, Security: d.seed, Date: exact.MustDate("2020-06-30"), Capitalization: &capitalization,
			PricePerShare: &captable.Price{Amount: exact.MustDecimal("0.85")},
		})
	}
}

// debts creates a partially repaid note with interest and a partially exercised
// warrant.
func (d *demoCompany) debts() {
	day := exact.MustDate
	discount := exact.MustDecimal("0.2")
	note := d.right("Fjord Ventures II, L.P.", "2025-03-03", captable.InstrumentFacts{
		Kind: captable.KindNote, Principal: dollars("400000"),
	},
		captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{
			MaturityDate: day("2027-03-03"), Discount: &discount, ValuationCap: &captable.Price{Amount: exact.MustDecimal("30000000")},
			Interest: &conversion.Interest{Rates: []conversion.Rate{{Rate: exact.MustDecimal("0.06"), From: day("2025-03-03")}}},
		}})
	d.table("a repayment", captable.RepayInstrument{
		ID: note, Amount: captable.Price{Amount: exact.MustDecimal("50000")}, Date: day("2025-09-03"), InterestFirst: true,
	})
	warrant := d.right("Cobalt Capital GmbH & Co. KG", "2022-05-02", captable.InstrumentFacts{
		Kind: captable.KindWarrant, Security: d.common, Quantity: exact.NewDecimal(60_000),
	}, captable.InstrumentTerms{WarrantTerms: captable.WarrantTerms{
		ExercisePrice: &captable.Price{Amount: exact.MustDecimal("1.1")}, ExpirationDate: day("2032-05-01"),
	}})
	d.table("a warrant is exercised", captable.ExerciseWarrant{
		ID: warrant, Quantity: exact.NewDecimal(20_000), Date: day("2024-05-06"), Payment: captable.PayCash,
	})
}

package main

import (
	"equity/captable"
	"equity/captable/exact"
)

// issue issues and accepts shares.
func (d *demoCompany) issue(holder string, security captable.SecurityID, shares int64, date, price, kind string) {
	details := captable.ShareholdingDetails{IssuanceType: kind, BoardApprovalDate: exact.MustDate(date), Block: d.block}
	if price != "" {
		details.PricePerShare = &captable.Price{Amount: exact.MustDecimal(price)}
	}
	held := inTable(d, holder, captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: d.holders[holder]}, Security: security, Shares: exact.NewDecimal(shares),
		IssueDate: exact.MustDate(date), ShareholdingDetails: details,
	})
	if held == nil {
		return
	}
	d.issued[demoHolding{holder, security}] = held.ID
	d.table(holder, captable.AcceptShareholding{ID: held.ID, Date: exact.MustDate(date)})
}

// founding issues the founders' shares and splits them two for one before the first
// round. The first investors buy SAFEs.
func (d *demoCompany) founding() {
	for i, shares := range []int64{1_100_000, 900_000, 500_000} {
		d.issue(demoFounders()[i], d.common, shares, "2019-03-04", "0.00001", "founders")
	}
	d.safes()
	d.table("split", captable.SplitSecurity{
		ID: d.common, Numerator: exact.NewDecimal(2), Denominator: exact.NewDecimal(1), Date: exact.MustDate("2020-05-01"),
	})
}

func (d *demoCompany) seedRound() {
	d.seed = d.preferred("Series Seed Preferred Stock", "SS", "0.85", "2020-06-15", 2_000_000, 1)
	d.round("Seed", "seed", "2020-06-30", "4250000", "943353", d.seed)
	for i, angel := range demoAngels() {
		d.issue(angel, d.seed, 58_800+int64(i*i)*350, "2020-06-30", "0.85", "standard")
	}
	d.block = ""
	d.convertSAFEs()
}

// team issues restricted stock over the years, one grant twice by mistake.
func (d *demoCompany) team() {
	days := []string{"2020-09-01", "2021-01-15", "2021-06-01", "2021-11-15", "2023-03-01"}
	for i, name := range demoTeam() {
		d.issue(name, d.common, 12_000+int64(i%7)*4_500, days[i/4], "0.21", "restrictedStockAward")
	}
	again := inTable(d, "mistake", captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: d.holders["Priya Raman"]}, Security: d.common, Shares: exact.NewDecimal(12_000),
		IssueDate: exact.MustDate("2020-09-01"),
	})
	if again != nil {
		d.table("void", captable.VoidShareholding{ID: again.ID, Reason: "Entered twice: the grant is CS-4."})
	}
}

func (d *demoCompany) seriesARound() {
	d.seriesA = d.preferred("Series A Preferred Stock", "SA", "2.4", "2022-04-20", 3_000_000, 2)
	d.round("Series A", "seriesA", "2022-05-02", "19200000", "4500006", d.seriesA, d.nonVoting)
	for i, shares := range []int64{1_041_667, 416_667, 208_334, 125_000, 83_334} {
		d.issue(demoFunds()[i], d.seriesA, shares, "2022-05-02", "2.4", "standard")
	}
	d.issue("Old Quay Family Office", d.nonVoting, 60_000, "2022-05-02", "1.1", "standard")
	d.block = ""
}

// lifecycle creates one of each event of a shareholding.
func (d *demoCompany) lifecycle() {
	day := exact.MustDate
	price := func(text string) *captable.Price { return &captable.Price{Amount: exact.MustDecimal(text)} }
	held := func(holder string, security captable.SecurityID) captable.ShareholdingID {
		return d.issued[demoHolding{holder, security}]
	}
	d.table("secondary sale", captable.TransferShareholding{
		Shareholding: held("Björn Okafor", d.common), To: captable.HolderRef{Entity: d.holders["Fjord Ventures II, L.P."]},
		Shares: exact.NewDecimal(250_000), Date: day("2022-09-12"), PricePerShare: price("1.9"), Kind: "sale",
	})
	d.table("gift", captable.TransferShareholding{
		Shareholding: held("Chiara Moretti", d.common), To: captable.HolderRef{Entity: d.holders["The Moretti Family Trust"]},
		Shares: exact.NewDecimal(200_000), Date: day("2023-01-10"), Kind: "gift",
	})
	d.table("inheritance", captable.TransferShareholding{
		Shareholding: held("Gustavo Ferreira", d.seed), To: captable.HolderRef{Entity: d.holders["Lucía Fernández"]},
		Shares: exact.NewDecimal(67_550), Date: day("2023-08-21"), Kind: "inheritance",
	})
	d.table("repurchase", captable.RepurchaseShareholding{
		ID: held("Tariq Haddad", d.common), Shares: exact.NewDecimal(18_000), Price: price("0.21"), Date: day("2023-05-31"),
		ToTreasury: true, Reason: "Left the company; unvested shares at cost.",
	})
	part := exact.NewDecimal(9_000)
	d.table("forfeiture", captable.CancelShareholding{
		ID: held("Xin Zhao", d.common), Shares: &part, Date: day("2024-02-29"), Reason: "Unvested shares forfeited on leaving.",
	})
	d.table("conversion", captable.ConvertShareholding{ID: held("Ivan Horvat", d.seed), Security: d.common, Date: day("2024-07-01")})
	d.table("more shares", captable.AuthorizeShares{
		ID: d.seriesA, Quantity: exact.NewDecimal(500_000), EffectiveDate: day("2025-01-15"), BoardApprovalDate: day("2025-01-10"),
	})
	d.issue("Lantern Peak Fund I, L.P.", d.seriesA, 208_333, "2025-02-03", "2.4", "standard")
	// The latest grant is not accepted yet.
	d.table("grant", captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: d.holders["Isla MacLeod"]}, Security: d.common, Shares: exact.NewDecimal(15_000),
		IssueDate: day("2025-09-01"), ShareholdingDetails: captable.ShareholdingDetails{
			PricePerShare: price("0.74"), IssuanceType: "restrictedStockAward", BoardApprovalDate: day("2025-08-20"),
		},
	})
}

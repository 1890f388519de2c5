package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
)

// issued issues a convertible or warrant to Ada, dated 2024-02-01.
func (b *born) issued(kind captable.InstrumentKind, change func(*captable.IssueInstrument)) captable.InstrumentID {
	b.Helper()
	command := captable.IssueInstrument{HolderRef: holder(b.ada)}
	command.Kind, command.IssueDate = kind, exact.MustDate("2024-02-01")
	if kind == captable.KindWarrant {
		command.Security, command.Quantity, command.ExercisePrice = b.common, number("100"), &captable.Price{Amount: number("3")}
	} else {
		command.Principal = &captable.Money{Amount: number("1000"), Currency: "USD"}
	}
	change(&command)
	return b.do(command)[0].(captable.InstrumentIssued).ID
}

func rates() *conversion.Interest {
	return &conversion.Interest{
		Rates: []conversion.Rate{{Rate: number("0.0365"), From: exact.MustDate("2024-02-01"), To: exact.MustDate("2030-01-01")}},
	}
}

// promises creates a company with warrants, every kind of convertible, and transactions on
// them.
func promises(t *testing.T) *born {
	t.Helper()
	b := company(t)
	day, half := exact.MustDate, number("400")
	note := b.issued(captable.KindNote, func(c *captable.IssueInstrument) {
		c.Interest, c.MaturityDate, c.Discount, c.ExternalID = rates(), day("2027-01-01"), new(number("0.2")), "note"
		c.ValuationCap, c.Seniority = &captable.Price{Amount: number("5000000")}, new(2)
	})
	b.do(captable.AcceptInstrument{ID: note, Date: day("2024-02-02")})
	b.do(captable.TransferInstrument{
		ID: note, To: holder(b.bob), Part: captable.Part{Amount: &captable.Price{Amount: half}}, Date: day("2024-05-11"), Kind: "sale",
		Price: &captable.Price{Amount: number("500")},
	})
	b.issued(captable.KindSAFE, func(c *captable.IssueInstrument) {
		c.ValuationCap, c.ProRata, c.ExternalID = &captable.Price{Amount: number("80")}, true, "safe"
	})
	b.issued(captable.KindCustom, func(c *captable.IssueInstrument) { c.ConversionTerms, c.ExternalID = "Tokens.", "custom" })
	fixed := b.issued(captable.KindSAFE, func(c *captable.IssueInstrument) {
		c.FixedConversion = &captable.FixedConversion{Security: b.common, Shares: new(number("20"))}
	})
	b.do(captable.ConvertInstrument{ID: fixed, Security: b.common, Date: day("2024-06-01")})
	b.do(captable.VoidInstrument{ID: b.issued(captable.KindSAFE, func(*captable.IssueInstrument) {}), Reason: "twice"})
	debt := b.issued(captable.KindNote, func(c *captable.IssueInstrument) { c.ExternalID = "debt" })
	b.do(captable.RepayInstrument{ID: debt, Amount: captable.Price{Amount: number("300")}, Date: day("2024-06-01")})
	b.do(captable.RepayInstrument{ID: debt, Amount: captable.Price{Amount: number("700")}, Date: day("2024-07-01")})
	warrant := b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) { c.ExpirationDate, c.ExternalID = day("2030-01-01"), "warrant" })
	b.do(captable.SplitSecurity{ID: b.common, Numerator: number("3"), Denominator: number("1"), Date: day("2024-08-01")})
	b.do(captable.ExerciseWarrant{ID: warrant, Quantity: number("50"), Date: day("2024-09-01")})
	b.do(captable.CancelInstrument{ID: warrant, Part: captable.Part{Quantity: new(number("40"))}, Date: day("2024-10-01"), Reason: "waived"})
	b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) {
		c.Security, c.Quantity, c.Coverage, c.ExternalID = captable.SecurityID{}, captable.Decimal{}, new(number("0.25")), "coverage"
	})
	return b
}

func TestExportOfInstruments(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	b := promises(t)
	objects := b.exported(today)
	byType := map[string]int{}
	for _, object := range objects {
		byType[object["object_type"].(string)]++
	}
	for kind, count := range map[string]int{
		"TX_CONVERTIBLE_ISSUANCE": 7, "TX_CONVERTIBLE_ACCEPTANCE": 1, "TX_CONVERTIBLE_TRANSFER": 1, "TX_CONVERTIBLE_CONVERSION": 1,
		"TX_CONVERTIBLE_CANCELLATION": 1,
		"TX_WARRANT_ISSUANCE":         5, "TX_WARRANT_TRANSFER": 1, "TX_WARRANT_EXERCISE": 1, "TX_WARRANT_CANCELLATION": 1,
	} {
		equal(t, kind, byType[kind], count)
	}
	valid(t, b.export(today))
	again := setup(t)
	again.taken(b.export(today))
	got, want := again.rights("2025-02-01"), b.rights("2025-02-01")
	for _, id := range []string{"note", "safe", "custom", "debt"} {
		equal(t, id, got[id], want[id])
	}
	_, carried := got["coverage"]
	equal(t, "counted", carried, true)
	name := func(captable.EntityID) string { return "" }
	table, now := again.state.TableOn(exact.MustDate(today), name), b.state.TableOn(exact.MustDate(today), name)
	equal(t, "fully diluted", table.Totals.FullyDiluted.String(), now.Totals.FullyDiluted.String())
	equal(t, "warrants", table.Totals.Warrants.String(), now.Totals.Warrants.String())
	equal(t, "owed", table.Totals.Convertibles[0], now.Totals.Convertibles[0])
	if faults := again.state.Audit(); len(faults) > 0 {
		t.Error(faults)
	}
	second := again.export(today)
	for file, content := range b.export(today) {
		equal(t, file, string(second[file].Data), string(content.Data))
	}
}

func TestRepaymentsStayInThePackageOfAnAmendedConvertible(t *testing.T) {
	t.Parallel()
	b := company(t)
	id := b.issued(captable.KindNote, func(*captable.IssueInstrument) {})
	b.do(captable.RepayInstrument{ID: id, Amount: captable.Price{Amount: number("300")}, Date: exact.MustDate("2024-03-01")})
	b.do(captable.AmendInstrument{ID: id, Patch: []byte(`{"comments":["noted"]}`)})
	again := setup(t)
	again.taken(b.export("2026-03-01"))
	table := again.state.TableOn(exact.MustDate("2026-03-01"), func(captable.EntityID) string { return "" })
	equal(t, "owed", table.Convertibles[0].Balance.String(), "700")
}

func TestExportOfChangedInstruments(t *testing.T) {
	t.Parallel()
	p := sound()
	p.transactions = append(p.transactions, promised("n", "2024-02-01"), warranted("w", "2024-02-01", "50"))
	w := setup(t)
	w.taken(p.files())
	for i := range w.state.Instruments() {
		if i.Kind == captable.KindWarrant {
			w.do(captable.AmendInstrument{ID: i.ID, Patch: []byte(`{"expirationDate":"2031-01-01"}`)})
		} else {
			w.do(captable.AmendInstrument{ID: i.ID, Patch: []byte(`{"comments":["c"]}`)})
		}
	}
	files := w.export("2026-01-01")
	objects := contentOf(t, files).objects["OCF_TRANSACTIONS_FILE"]
	for _, one := range objects {
		object, _ := one.(map[string]any)
		switch object["id"] {
		case "issue-n":
			equal(t, "comments", fields(object, "comments"), `[["c"]]`)
			equal(t, "the rest stays", object["conversion_triggers"].([]any)[0].(map[string]any)["trigger_id"].(string), "T.1")
		case "issue-w":
			equal(t, "expires", fields(object, "warrant_expiration_date", "quantity"), `["2031-01-01","50"]`)
		}
	}
}

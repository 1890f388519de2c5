package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

func convertInstrument(id captable.InstrumentID, into captable.SecurityID, on string) captable.ConvertInstrument {
	return captable.ConvertInstrument{ID: id, Security: into, Date: exact.MustDate(on)}
}

// at sets the price per share of the new money and the capitalization for the cap, if any.
func at(command captable.ConvertInstrument, pricePerShare, capitalization string) captable.ConvertInstrument {
	command.PricePerShare = price(pricePerShare)
	if capitalization != "" {
		command.Capitalization = figure(capitalization)
	}
	return command
}

// becomes carries out a conversion and returns its event.
func (b *bundle) becomes(command captable.ConvertInstrument) captable.InstrumentConverted {
	b.Helper()
	return b.do(command)[0].(captable.InstrumentConverted)
}

func TestConvertingByFixedTerms(t *testing.T) {
	t.Parallel()
	for want, fixed := range map[string]captable.FixedConversion{
		"fixedPrice 400":   {Price: figure("2.5")},
		"fixedShares 70":   {Shares: figure("70")},
		"fixedPercent 100": {Fraction: figure("0.1")},
	} {
		t.Run("a fixed conversion has the basis and the shares "+want, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			class := b.common("unlimited")
			b.issue(bob, class, "900", "2025-01-01")
			command := safe(ada, "1000", "2025-01-01")
			fixed.Security, command.FixedConversion = class, &fixed
			id := b.instrument(command)
			if fixed.Price == nil { // a part would convert into a different number of shares
				b.refused(transferInstrument(id, bob, "1", today), fault.Conflict)
			}
			b.refused(at(convertInstrument(id, class, today), "1", ""), fault.Invalid, "/pricePerShare notOfThisKind")
			event := b.becomes(convertInstrument(id, class, today))
			equal(t, "shares", string(event.Basis)+" "+event.Result.Shares.String(), want)
		})
	}
}

func TestConverting(t *testing.T) {
	t.Parallel()
	t.Run("a conversion creates shares for principal and interest and pays fractions in cash", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		id := b.instrument(note(ada, "2025-01-01"))
		event := b.becomes(at(convertInstrument(id, class, "2025-04-11"), "3.75", "")) // 10,100 / 3 = 3366.67
		equal(t, "basis", event.Basis, conversion.Discount)
		equal(t, "figures", event.PricePerShare.String()+" "+event.Amount.String()+" "+event.Interest.String()+" "+event.Cash.String(), "3 10100 100 2")
		held := b.holding(event.Result.ID)
		equal(t, "shares", held.Shares.String()+" of "+held.Consideration.DebtCancelled.String(), "3366 of 10098")
		equal(t, "origin", text(t, held.Origin), `{"kind":"converted","holding":"`+id.String()+`"}`)
		equal(t, "status", b.right(id).Status, captable.StatusConverted)
		b.owes(id, "2025-04-11", "0", "0")
		b.owes(id, "2025-04-10", "10099", "99")
		was, _ := b.right(id).On(exact.MustDate("2025-04-10"))
		equal(t, "then", was.Conversion == nil && was.Status == captable.StatusActive, true)
	})
	t.Run("a converted instrument and its shares cannot be converted, voided or corrected", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		command := at(convertInstrument(b.instrument(note(ada, "2025-01-01")), class, today), "1", "")
		event := b.becomes(command)
		equal(t, "status", b.refused(command, fault.Conflict)["status"], "converted")
		b.refused(captable.VoidInstrument{ID: command.ID}, fault.HasResults)
		b.refused(captable.VoidShareholding{ID: event.Result.ID}, fault.HasResults)
		b.refused(captable.CorrectShareholding{
			ID: event.Result.ID, HolderRef: holder(bob), Security: class, Shares: event.Result.Shares, IssueDate: event.Date, Reason: "r",
		}, fault.HasResults)
		b.refused(at(convertInstrument(b.instrument(warrant(ada, class, "1", today)), class, today), "1", ""), fault.Conflict)
	})
	t.Run("a conversion pays interest in cash if the terms require it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := note(ada, "2025-01-01")
		command.Interest.Payout, command.Discount = conversion.Cash, nil
		event := b.becomes(at(convertInstrument(b.instrument(command), b.common("unlimited"), "2025-04-11"), "10", ""))
		equal(t, "figures", event.Result.Shares.String()+" "+event.Interest.String()+" "+event.InterestDue.String(), "1000 0 100")
	})
	t.Run("a conversion uses the cap if it gives more shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		id := b.instrument(safe(ada, "1000000", "2025-01-01"))
		event := b.becomes(at(convertInstrument(id, class, today), "2", "10000000"))
		equal(t, "shares", string(event.Basis)+" "+event.Result.Shares.String()+" at "+event.PricePerShare.String(), "cap 2000000 at 0.5")
		equal(t, "paid", b.holding(event.Result.ID).Consideration.Cash.String(), "1000000")
	})
	t.Run("a cap without a stated capitalization is divided by the shares of the company", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(bob, class, "8000000", "2025-01-01")
		id := b.instrument(safe(ada, "1000000", "2025-01-01")) // 20 % of the company after the conversion
		event := b.becomes(at(convertInstrument(id, class, today), "2", ""))
		equal(t, "shares", string(event.Basis)+" "+event.Result.Shares.String(), "cap 2000000")
	})
	t.Run("a conversion without a price uses the cap and the shares of the company", func(t *testing.T) {
		t.Parallel()
		for basis, want := range map[string]string{"post": "cap 2000000 at 0.5", "pre": "cap 1600000 at 0.625"} {
			b := setup(t)
			class := b.common("unlimited")
			b.issue(bob, class, "8000000", "2025-01-01")
			command := safe(ada, "1000000", "2025-01-01") // 20 % of the company after (post) or before (pre) the conversion
			command.CapBasis = basis
			event := b.becomes(convertInstrument(b.instrument(command), class, today))
			equal(t, basis, string(event.Basis)+" "+event.Result.Shares.String()+" at "+event.PricePerShare.String(), want)
		}
	})
	t.Run("a conversion at a cap into the whole company is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(bob, class, "8000000", "2025-01-01")
		id := b.instrument(safe(ada, "5000000", "2025-01-01"))
		equal(t, "figures", b.refused(convertInstrument(id, class, today), fault.Conflict)["valuationCap"], "5000000")
	})
	t.Run("a conversion in a round is solved with all other convertibles", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(bob, class, "7000000", "2025-01-01")
		id := b.instrument(safe(ada, "1000000", "2025-01-01")) // 20 %
		b.instrument(safe(cleo, "500000", "2025-01-02"))       // 10 %
		command := convertInstrument(id, class, today)
		command.Round = &captable.ConversionRound{PreMoney: *price("20000000"), NewMoney: []captable.ConversionMoney{{Amount: *price("5000000")}}}
		event := b.becomes(command)
		equal(t, "shares", string(event.Basis)+" "+event.Result.Shares.String(), "cap 2000000")
	})
	t.Run("a conversion in a round without a solution is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		b.issue(bob, class, "7000000", "2025-01-01")
		id := b.instrument(safe(ada, "4000000", "2025-01-01"))
		b.instrument(safe(cleo, "4000000", "2025-01-02"))
		command := convertInstrument(id, class, today)
		command.Round = &captable.ConversionRound{PreMoney: *price("20000000"), NewMoney: []captable.ConversionMoney{{Amount: *price("5000000")}}}
		if claims := b.refused(command, fault.Conflict)["claims"]; claims == "" {
			t.Error("nobody says what contradicts what")
		}
		command.Round.PreMoney = *price("0")
		b.refused(command, fault.Invalid, "/round/preMoney exactlyOne")
	})
	t.Run("an MFN instrument converts on the terms of a later instrument that it elects", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("unlimited")
		favoured := safe(ada, "1000000", "2025-01-01")
		favoured.ValuationCap, favoured.MFN = nil, true
		id := b.instrument(favoured)
		later := b.instrument(safe(bob, "1", "2025-02-01"))
		command := at(convertInstrument(id, class, today), "2", "10000000")
		command.Elects = later
		equal(t, "shares", b.becomes(command).Result.Shares.String(), "2000000")
		command.ID, command.Elects = later, id
		b.refused(command, fault.Conflict)
		preMoney := safe(bob, "1", "2025-02-02")
		preMoney.CapBasis = "pre"
		command.ID, command.Elects = id, b.instrument(preMoney)
		b.refused(command, fault.Conflict) // a pre-money cap cannot be elected
		again := favoured
		again.IssueDate = exact.MustDate("2025-03-01")
		command.ID, command.Elects = b.instrument(again), later
		b.refused(command, fault.Conflict) // the elected instrument was issued earlier
	})
	t.Run("a conversion beyond the available shares, or into less than a share, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(note(ada, "2025-01-01"))
		equal(t, "available", b.refused(at(convertInstrument(id, class, today), "1", ""), fault.InsufficientShares)["available"], "100")
		b.refused(at(convertInstrument(id, class, today), "999999999", ""), fault.Conflict)
	})
	t.Run("a refused conversion names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		id := b.instrument(note(ada, "2025-01-01"))
		command := at(convertInstrument(id, captable.SecurityID{1}, "2024-01-01"), "0", "0")
		command.PricePerShare.Currency = "EUR"
		command.Round = &captable.ConversionRound{}
		b.refused(command, fault.Invalid, "/date beforeIssue", "/security unknownReference", "/pricePerShare notPositive",
			"/pricePerShare/currency otherCurrency", "/capitalization notPositive", "/capitalization notOfThisKind", "/pricePerShare notOfThisKind")
		b.refused(convertInstrument(id, class, today), fault.Invalid, "/pricePerShare required")
	})
}

func TestConvertingInACompanyWithAPlan(t *testing.T) {
	t.Parallel()
	t.Run("a cap counts granted options once, and the available shares of the pool", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		b.issue(ada, class, "100", "2025-01-01")
		b.grant(option(bob, ref, "60", "2025-01-01"))
		command := safe(cleo, "10", "2025-01-01")
		command.ValuationCap, command.CapBasis = price("400"), "pre"
		made := b.becomes(at(convertInstrument(b.instrument(command), class, today), "10", ""))
		equal(t, "price at the cap over 200 shares", string(made.Basis)+" "+made.PricePerShare.String(), "cap 2")
	})
	t.Run("a conversion in a round gives the shares of the round plan, with fixed conversions", func(t *testing.T) {
		t.Parallel()
		b, class, _ := pooled(t)
		b.issue(ada, class, "100", "2025-01-01")
		fixed := safe(bob, "10", "2025-01-01")
		fixed.ValuationCap, fixed.FixedConversion = nil, &captable.FixedConversion{Security: class, Shares: figure("50")}
		b.instrument(fixed)
		command := safe(cleo, "100", "2025-01-01")
		command.ValuationCap = price("1000")
		id := b.instrument(command)
		outcome, err := b.state.PlanRound(captable.RoundTerms{
			Date: exact.MustDate(today), Security: captable.RoundSecurity{ID: class}, PreMoney: figure("5000"),
		}, b.moment(), func(captable.EntityID) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		convert := convertInstrument(id, class, today)
		convert.Round = &captable.ConversionRound{PreMoney: *price("5000")}
		made := b.becomes(convert)
		equal(t, "shares", made.Result.Shares.String(), outcome.Conversions[1].Shares.String())
	})
}

package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// note returns the issue of a note of 10,000 at 3.65 % actual/365, which accrues 1 per day.
func note(to captable.EntityID, on string) captable.IssueInstrument {
	return captable.IssueInstrument{
		HolderRef: holder(to),
		InstrumentFacts: captable.InstrumentFacts{
			Kind: captable.KindNote, IssueDate: exact.MustDate(on), Principal: dollars("10000"),
		},
		InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{
			Interest: &conversion.Interest{Rates: []conversion.Rate{{Rate: number("0.0365"), From: exact.MustDate(on)}}},
			Discount: figure("0.2"),
		}},
	}
}

func repay(id captable.InstrumentID, amount, on string) captable.RepayInstrument {
	return captable.RepayInstrument{ID: id, Amount: *price(amount), Date: exact.MustDate(on), InterestFirst: true}
}

// instrument carries out the issue and returns the identifier of the instrument.
func (b *bundle) instrument(command captable.IssueInstrument) captable.InstrumentID {
	b.Helper()
	return b.do(command)[0].(captable.InstrumentIssued).ID
}

func (b *bundle) right(id captable.InstrumentID) *captable.Instrument {
	b.Helper()
	i, ok := b.state.Instrument(id)
	if !ok {
		b.Fatalf("there is no instrument %s", id)
	}
	return i
}

// owes checks the balance and the accrued interest at the end of a day.
func (b *bundle) owes(id captable.InstrumentID, on, balance, interest string) {
	b.Helper()
	got, of := b.right(id).Balance(exact.MustDate(on))
	equal(b, "balance and interest on "+on, got.String()+" "+of.String(), balance+" "+interest)
}

func TestIssuingInstruments(t *testing.T) {
	t.Parallel()
	t.Run("an issued note keeps its terms with the defaults stated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		i := b.right(b.instrument(note(ada, "2025-01-01")))
		equal(t, "status", i.Status, captable.StatusActive)
		equal(t, "interest", text(t, i.Interest),
			`{"rates":[{"rate":"0.0365","from":"2025-01-01"}],"dayCount":"actual365","compounding":"simple","accrualPeriod":"annual","payout":"deferred"}`)
		b.owes(i.ID, "2024-12-31", "0", "0")
		b.owes(i.ID, "2025-01-01", "10000", "0")
		b.owes(i.ID, "2025-04-11", "10100", "100")
		equal(t, "holds", b.state.Holds(ada), true)
		equal(t, "holds", b.state.Holds(bob), false)
	})
	t.Run("a cap is post-money for a SAFE and pre-money for a note by default", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equal(t, "SAFE", b.right(b.instrument(safe(ada, "1", today))).CapBasis, "post")
		capped := note(ada, today)
		capped.ValuationCap = &captable.Price{Amount: number("5"), Currency: "USD"}
		i := b.right(b.instrument(capped))
		equal(t, "note", i.CapBasis, "pre")
		equal(t, "cap", text(t, i.ValuationCap), `"5"`)
	})
	t.Run("a warrant reserves available shares and is refused beyond them", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.issue(ada, class, "30", "2025-01-01")
		b.instrument(warrant(bob, class, "60", "2025-01-02"))
		equal(t, "reserved", b.class(class).Reserved.String(), "60")
		equal(t, "available", b.class(class).Available().String(), "10")
		figures := b.refused(warrant(bob, class, "11", today), fault.InsufficientShares)
		equal(t, "available", figures["available"], "10")
		b.refused(issue(ada, class, "11", today), fault.InsufficientShares)
		b.refused(captable.DeleteSecurity{ID: class}, fault.InUse)
		for on, reserved := range map[string]string{"2025-01-01": "0", "2025-01-02": "60", today: "60"} {
			equal(t, "reserved on "+on, b.on(on).Securities[0].Reserved.String(), reserved)
		}
	})
	t.Run("a warrant with a coverage instead of a quantity reserves no shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1")
		command := warrant(ada, class, "0", today)
		command.Coverage = figure("0.25")
		b.instrument(command)
		equal(t, "reserved", b.class(class).Reserved.String(), "0")
	})
	t.Run("an instrument is linked to a round by name, and that round cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.round("Seed")
		command := safe(ada, "1", today)
		command.Block = "seed"
		equal(t, "block", b.right(b.instrument(command)).Block, id.String())
		b.refused(captable.DeleteBlock{ID: id}, fault.InUse)
	})
	t.Run("an externalId of another instrument is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := safe(ada, "1", today)
		command.ExternalID = "x"
		b.instrument(command)
		b.refused(command, fault.Conflict)
	})
}

func TestIssuingInstrumentsWrong(t *testing.T) {
	t.Parallel()
	rate := func(rate, from, to string) conversion.Rate {
		r := conversion.Rate{Rate: number(rate), From: exact.MustDate(from)}
		if to != "" {
			r.To = exact.MustDate(to)
		}
		return r
	}
	of := func(command captable.IssueInstrument, change func(*captable.IssueInstrument)) captable.IssueInstrument {
		change(&command)
		return command
	}
	for _, c := range []struct {
		claim   string
		command captable.IssueInstrument
		fields  []string
	}{
		{"overlapping rates", of(note(ada, "2025-01-01"), func(c *captable.IssueInstrument) {
			c.Interest = &conversion.Interest{Rates: []conversion.Rate{rate("0.1", "2025-01-01", "2025-02-01"), rate("0.2", "2025-02-01", "")}}
		}), []string{"/interest/rates/1/from overlappingRates"}},
		{"a rate that ends before it begins and unknown terms", of(note(ada, "2025-01-01"), func(c *captable.IssueInstrument) {
			c.Interest = &conversion.Interest{Rates: []conversion.Rate{rate("-1", "2025-01-02", "2025-01-01")}, DayCount: "lunar"}
		}), []string{"/interest/dayCount unknownTerm", "/interest/rates/0/rate negative", "/interest/rates/0/to datesOutOfOrder"}},
		{
			"a discount of 100 %", of(note(ada, today), func(c *captable.IssueInstrument) { c.Discount = figure("1") }),
			[]string{"/discount notBelowOne"},
		},
		{
			"a negative discount", of(note(ada, today), func(c *captable.IssueInstrument) { c.Discount = figure("-0.1") }),
			[]string{"/discount negative"},
		},
		{
			"a maturity before the issue", of(note(ada, today), func(c *captable.IssueInstrument) { c.MaturityDate = 1 }),
			[]string{"/maturityDate datesOutOfOrder"},
		},
		{"a cap in another currency and on an unknown basis", of(safe(ada, "1", today), func(c *captable.IssueInstrument) {
			c.ValuationCap, c.CapBasis = &captable.Price{Amount: number("1"), Currency: "EUR"}, "both"
		}), []string{"/valuationCap/currency otherCurrency", "/capBasis enum"}},
		{"interest on a SAFE, a cap of zero and a multiple of zero", of(safe(ada, "1", today), func(c *captable.IssueInstrument) {
			c.Interest, c.ValuationCap, c.ExitMultiple = &conversion.Interest{}, price("0"), figure("0")
		}), []string{"/interest notOfThisKind", "/valuationCap notPositive", "/exitMultiple notPositive"}},
		{"the terms of a warrant for a SAFE", of(safe(ada, "1", today), func(c *captable.IssueInstrument) {
			c.Quantity, c.ExercisePrice, c.ExpirationDate = number("1"), price("1"), 9
		}), []string{"/quantity notOfThisKind", "/exercisePrice notOfThisKind", "/expirationDate notOfThisKind"}},
		{"no principal", of(safe(ada, "1", today), func(c *captable.IssueInstrument) { c.Principal = nil }), []string{"/principal required"}},
		{
			"a principal of zero in an unknown currency", of(safe(ada, "0", today), func(c *captable.IssueInstrument) { c.Principal.Currency = "usd" }),
			[]string{"/principal/amount notPositive", "/principal/currency pattern"},
		},
		{"an incomplete fixed conversion", of(safe(ada, "1", today), func(c *captable.IssueInstrument) {
			c.FixedConversion = &captable.FixedConversion{Price: figure("0"), Shares: figure("0"), Fraction: figure("1")}
		}), []string{
			"/fixedConversion/security unknownReference", "/fixedConversion required", "/fixedConversion/price notPositive",
			"/fixedConversion/shares notPositive", "/fixedConversion/fraction notBelowOne",
		}},
		{"an incomplete warrant", of(warrant(ada, captable.SecurityID{1}, "0", today), func(c *captable.IssueInstrument) {
			c.ExercisePrice, c.ExpirationDate = nil, 1
		}), []string{"/security unknownReference", "/exercisePrice required", "/expirationDate datesOutOfOrder", "/quantity required"}},
		{"a principal and a discount of a warrant", of(warrant(ada, captable.SecurityID{}, "1", today), func(c *captable.IssueInstrument) {
			c.Principal, c.Discount = dollars("1"), figure("0.1")
		}), []string{"/principal notOfThisKind", "/discount notOfThisKind"}},
		{
			"an unknown kind, an unknown holder and a future date",
			of(safe(nobod, "1", "2026-01-20"), func(c *captable.IssueInstrument) { c.Kind = "iou" }),
			[]string{"/entity unknownReference", "/issueDate dateInFuture", "/kind enum"},
		},
	} {
		t.Run("an issue with "+c.claim+" is refused", func(t *testing.T) {
			t.Parallel()
			setup(t).refused(c.command, fault.Invalid, c.fields...)
		})
	}
	t.Run("a warrant that is older than a split is restated", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		b.do(split(class, "2", "1", "2025-06-01"))
		b.refused(warrant(ada, class, "0.5", "2025-05-31"), fault.Invalid, "/quantity notWhole")
		right := b.right(b.instrument(warrant(ada, class, "10", "2025-05-31")))
		equal(t, "present", right.Left.String()+" at "+right.ExercisePrice.Amount.String(), "20 at 0.75")
		equal(t, "then", right.LeftOn(exact.MustDate("2025-05-31")).String(), "10")
		equal(t, "reserved", b.class(class).Reserved.String(), "20")
		b.audited()
	})
}

package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
	"equity/captable/vesting"
	"equity/fault"
)

// leaves terminates the service of Ada on 2021-06-10.
func (b *bundle) leaves() {
	b.Helper()
	b.do(captable.TerminateHolder{Entity: ada, Termination: captable.Termination{Date: exact.MustDate("2021-06-10"), Reason: captable.VoluntaryOther}})
}

// repurchasableOf returns the repurchasable shares of the shareholding on the day, with the
// start and the price of the right.
func (b *bundle) repurchasableOf(id captable.ShareholdingID, on string) string {
	b.Helper()
	held, ok := b.holding(id).On(exact.MustDate(on))
	if !ok {
		return "not issued"
	}
	right, ok := b.state.RepurchasableOf(held, exact.MustDate(on))
	if !ok {
		return "none"
	}
	text := right.Shares.String() + " since " + right.Since.String()
	if right.PricePerShare != nil {
		text += " for " + right.PricePerShare.Amount.String()
	}
	return text
}

func TestTerminationStopsTheVestingOfIssuedShares(t *testing.T) {
	t.Parallel()
	// 4,800 shares vest over four years with a cliff; 1,700 have vested in June 2021.
	left := func(t *testing.T) (*bundle, captable.ShareholdingID) {
		t.Helper()
		b := setup(t)
		id := b.vests(fourYears(), b.common("100000"), "4800")
		b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"pricePerShare":"0.5"}`)})
		return b, id
	}
	t.Run("a termination stops vesting on its date", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.leaves()
		equal(t, "before", b.vested(id, "2021-05-31"), "1600 3200")
		equal(t, "on the day", b.vested(id, "2021-06-10"), "1700 3100")
		equal(t, "years later", b.vested(id, "2025-01-01"), "1700 3100")
		equal(t, "before, nothing may be bought back", b.repurchasableOf(id, "2021-06-09"), "none")
		equal(t, "from then on", b.repurchasableOf(id, "2025-01-01"), "3100 since 2021-06-10 for 0.5")
	})
	t.Run("a termination stops the vesting of shares that were transferred before", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		ending := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("2400"), Date: exact.MustDate("2021-02-01"), Kind: "gift",
		})[0].(captable.ShareholdingEnded)
		b.leaves()
		equal(t, "of the other holder", b.vested(ending.Results[0].ID, "2025-01-01"), "850 1550")
		equal(t, "of the balance", b.vested(ending.Balance.ID, "2025-01-01"), "850 1550")
	})
	t.Run("a termination stops the vesting of shares that are transferred later", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.leaves()
		ending := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("2400"), Date: exact.MustDate("2022-02-01"), Kind: "gift",
		})[0].(captable.ShareholdingEnded)
		equal(t, "of the other holder", b.vested(ending.Results[0].ID, "2025-01-01"), "850 1550")
	})
	t.Run("a termination recorded after a later transfer stops the vesting of the moved shares", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		ending := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("2400"), Date: exact.MustDate("2022-02-01"), Kind: "gift",
		})[0].(captable.ShareholdingEnded)
		b.leaves()
		equal(t, "of the other holder", b.vested(ending.Results[0].ID, "2025-01-01"), "850 1550")
		equal(t, "of the ended shares", b.vested(id, "2021-12-31"), "1700 3100")
	})
	t.Run("a termination of another holder does not stop vesting", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.do(captable.TerminateHolder{
			Entity: bob, Termination: captable.Termination{Date: exact.MustDate("2021-06-10"), Reason: captable.VoluntaryOther},
		})
		equal(t, "vested", b.vested(id, "2025-01-01"), "4800 0")
	})
	t.Run("a split multiplies vested and repurchasable shares and divides their price", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.leaves()
		b.do(captable.SplitSecurity{ID: b.holding(id).Security, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2022-01-01")})
		equal(t, "vested", b.vested(id, "2025-01-01"), "3400 6200")
		equal(t, "repurchasable", b.repurchasableOf(id, "2025-01-01"), "6200 since 2021-06-10 for 0.25")
	})
	t.Run("a repurchase after a termination takes the unvested shares", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.leaves()
		rest := b.balance(b.do(captable.RepurchaseShareholding{
			ID: id, Shares: number("3100"), Price: &captable.Price{Amount: number("0.5")}, Date: exact.MustDate("2021-07-01"),
		}))
		equal(t, "vested", b.vested(rest, "2025-01-01"), "1700 0")
		equal(t, "repurchasable", b.repurchasableOf(rest, "2025-01-01"), "none")
	})
	t.Run("the repurchasable shares after a termination are explained", func(t *testing.T) {
		t.Parallel()
		b, id := left(t)
		b.leaves()
		term, err := explain.Figure(
			b.state, "shareholding/"+id.String()+"/repurchasable", exact.MustDate("2025-01-01"),
			func(captable.EntityID) string { return "Ada" },
		)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "value", term.Value.String(), "3100")
	})
}

func TestListedInstalmentsOfShares(t *testing.T) {
	t.Parallel()
	listed := func(t *testing.T) (*bundle, captable.ShareholdingID) {
		t.Helper()
		b := setup(t)
		command := issue(ada, b.common("10000"), "300", "2020-01-01")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2021-01-01"), Quantity: number("100")},
			{Date: exact.MustDate("2022-01-01"), Quantity: number("101")},
			{Date: exact.MustDate("2023-01-01"), Quantity: number("99")},
		}
		return b, b.do(command)[0].(captable.ShareholdingIssued).ID
	}
	t.Run("listed instalments vest on their days", func(t *testing.T) {
		t.Parallel()
		b, id := listed(t)
		equal(t, "2020", b.vested(id, "2020-12-31"), "0 300")
		equal(t, "2022", b.vested(id, "2022-01-01"), "201 99")
	})
	t.Run("listed instalments are multiplied by a split", func(t *testing.T) {
		t.Parallel()
		b, id := listed(t)
		b.do(captable.SplitSecurity{ID: b.holding(id).Security, Numerator: number("3"), Denominator: number("2"), Date: exact.MustDate("2020-06-01")})
		equal(t, "2022", b.vested(id, "2022-01-01"), "301 149")
	})
	t.Run("listed instalments are divided by a transfer", func(t *testing.T) {
		t.Parallel()
		b, id := listed(t)
		ending := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(bob), Shares: number("100"), Date: exact.MustDate("2021-06-01"), Kind: "gift",
		})[0].(captable.ShareholdingEnded)
		equal(t, "of the result", b.vested(ending.Results[0].ID, "2022-01-01"), "67 33")
		equal(t, "of the balance", b.vested(ending.Balance.ID, "2022-01-01"), "134 66")
	})
	t.Run("a cancellation takes the listed instalments that vest last", func(t *testing.T) {
		t.Parallel()
		b, id := listed(t)
		shares := number("150")
		rest := b.balance(b.do(captable.CancelShareholding{ID: id, Shares: &shares, Date: exact.MustDate("2021-06-01"), Reason: "gone"}))
		equal(t, "2021", b.vested(rest, "2021-06-01"), "100 50")
		equal(t, "2022", b.vested(rest, "2022-01-01"), "150 0")
	})
	for claim, c := range map[string]struct{ patch, want string }{
		"of more than the shares": {`{"vestings":[{"date":"2021-01-01","quantity":"301"}]}`, "/vestings moreThanGranted"},
		"without a day":           {`{"vestings":[{"quantity":"1"}]}`, "/vestings/0/date required"},
	} {
		t.Run("listed instalments "+claim+" are refused", func(t *testing.T) {
			t.Parallel()
			b, id := listed(t)
			b.refused(captable.AmendShareholding{ID: id, Patch: []byte(c.patch)}, fault.Invalid, c.want)
		})
	}
}

func TestAmendingTheVestingOfEarlyExercisedSharesIsRefused(t *testing.T) {
	t.Parallel()
	b, _, option := leaver(t)
	id := b.exercised(exercise(option, "3000", "2020-06-01")).Result.ID
	for field, patch := range map[string]string{
		"/vestingSchedule vestsByOption": `{"vestingSchedule":"` + b.schedule("Other").String() + `"}`,
		"/vestings vestsByOption":        `{"vestings":[{"date":"2021-01-01","quantity":"1"}]}`,
		"/vestingStart vestsByOption":    `{"vestingStart":"2019-01-01"}`,
	} {
		b.refused(captable.AmendShareholding{ID: id, Patch: []byte(patch)}, fault.Invalid, field)
	}
	b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"comments":["kept"]}`)})
}

package captable_test

import (
	"math/big"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func TestShareholdingOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("1000")
	id := b.issue(ada, class, "100", "2025-01-01")
	b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2025-02-01")})
	b.do(split(class, "2", "1", "2025-03-01"))
	b.do(split(class, "2", "1", "2025-04-01"))
	b.ended(transfer(id, bob, "400", "2025-05-01"))
	never := b.issue(ada, class, "1", "2025-06-01")
	b.do(captable.VoidShareholding{ID: never})
	unaccepted := b.issue(ada, class, "5", "2025-06-01")
	b.ended(cancel(unaccepted, "", "2025-07-01"))

	for day, want := range map[string]string{
		"2025-01-01": "100 active 0", "2025-01-31": "100 active 0", "2025-02-01": "100 accepted 0", "2025-03-01": "200 accepted 1",
		"2025-04-30": "400 accepted 2", "2025-05-01": "400 transferred 2", today: "400 transferred 2",
	} {
		t.Run("the shareholding on "+day+" has the status and shares of that day", func(t *testing.T) {
			t.Parallel()
			was, ok := b.holding(id).On(exact.MustDate(day))
			if !ok {
				t.Fatal("it is not there")
			}
			equal(t, "standing", was.Shares.String()+" "+string(was.Status)+" "+exact.NewDecimal(int64(len(was.Before))).String(), want)
			ended := was.Status == captable.StatusTransferred
			equal(t, "end", was.End != nil, ended)
			equal(t, "results", len(was.Results) > 0, ended)
			equal(t, "accepted", was.AcceptedOn.IsZero(), was.Status == captable.StatusActive)
			equal(t, "shares", was.Shares.String(), map[bool]string{true: "400", false: b.holding(id).SharesOn(exact.MustDate(day)).String()}[ended])
		})
	}
	t.Run("the shareholding does not exist before its issue", func(t *testing.T) {
		t.Parallel()
		if was, ok := b.holding(id).On(exact.MustDate("2024-12-31")); ok {
			t.Errorf("got %v", was)
		}
	})
	t.Run("a voided shareholding is voided from its issue date on", func(t *testing.T) {
		t.Parallel()
		was, ok := b.holding(never).On(exact.MustDate("2025-06-01"))
		equal(t, "there", ok, true)
		equal(t, "status", was.Status, captable.StatusVoided)
	})
	t.Run("a shareholding that was never accepted is active until its end", func(t *testing.T) {
		t.Parallel()
		was, _ := b.holding(unaccepted).On(exact.MustDate("2025-06-30"))
		equal(t, "status", was.Status, captable.StatusActive)
	})
	t.Run("the calculation of a past state does not change the record", func(t *testing.T) {
		t.Parallel()
		before := text(t, b.holding(id))
		_, _ = b.holding(id).On(exact.MustDate("2025-01-01"))
		equal(t, "record", text(t, b.holding(id)), before)
	})
}

func TestSecurityOn(t *testing.T) {
	t.Parallel()
	t.Run("a past security has the figures and the history of its day", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common, class := b.convertible("1000", "1.5")
		b.issue(ada, class, "100", "2025-01-01")
		b.repurchased(class, "50", "2025-02-01")
		b.do(authorize(class, "500", "2025-03-01"))
		b.do(split(class, "2", "1", "2025-04-01"))
		on := func(day string) *captable.Security {
			for _, line := range b.on(day).Securities {
				if line.ID == class {
					return b.class(class).On(line, exact.MustDate(day))
				}
			}
			return nil
		}
		before, after := on("2025-01-31"), on("2025-04-01")
		equal(t, "before", before.Issued.String()+" "+before.Treasury.String()+" "+before.AuthorizedShares.String(), "150 0 1000")
		equal(t, "after", after.Issued.String()+" "+after.Treasury.String()+" "+after.AuthorizedShares.String(), "300 100 3000")
		equal(
			t, "lists before",
			[4]int{len(before.Authorizations), len(before.TreasuryMoves), len(before.Splits), len(before.PastConversions)},
			[4]int{1, 0, 0, 0},
		)
		equal(
			t, "lists after", [4]int{len(after.Authorizations), len(after.TreasuryMoves), len(after.Splits), len(after.PastConversions)},
			[4]int{3, 2, 1, 1},
		)
		equal(t, "conversion before", *before.Conversion, *captable.ConversionInto(common, big.NewRat(3, 2)))
		equal(t, "conversion after", after.Conversion.Ratio.String(), "0.75")
	})
}

func TestLastDate(t *testing.T) {
	t.Parallel()
	t.Run("the last date of a state is the date of its latest change", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equal(t, "of nothing", b.state.LastDate().IsZero(), true)
		class := b.common("1000")
		dated := func(want string) {
			t.Helper()
			equal(t, "last date", b.state.LastDate().String(), want)
		}
		id := b.issue(ada, class, "100", "2025-02-01")
		dated("2025-02-01")
		b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2025-02-02")})
		dated("2025-02-02")
		b.do(captable.AuthorizeShares{ID: class, Quantity: number("500"), EffectiveDate: exact.MustDate("2025-02-03")})
		dated("2025-02-03")
		b.do(transfer(id, bob, "50", "2025-02-04"))
		dated("2025-02-04")
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2025-02-05")})
		dated("2025-02-05")
	})
}

package captable_test

import (
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// repurchasable returns the holder, shares, price, amount, reason and start of each repurchase
// right on the day.
func (b *bundle) repurchasable(on string) (lines []string) {
	b.Helper()
	for right := range b.state.Repurchasable(captable.ShareholdingID{}, exact.MustDate(on)) {
		lines = append(lines, b.holders[right.Entity]+" "+right.Shares.String()+" at "+right.PricePerShare.Amount.String()+" for "+
			right.Amount.Amount.String()+" "+string(right.Reason)+" "+right.Since.String())
		b.explains(right.Figure, exact.MustDate(on), right.Shares)
	}
	return lines
}

func TestRepurchasableShares(t *testing.T) {
	t.Parallel()
	left := func(t *testing.T) (*bundle, captable.SecurityID, captable.GrantID, captable.ShareholdingID) {
		t.Helper()
		b, class, id := leaver(t)
		held := b.exercised(exercise(id, "3000", "2020-06-01")).Result.ID
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		return b, class, id, held
	}
	listed := func(b *bundle, on string, want ...string) {
		b.Helper()
		if got := b.repurchasable(on); !slices.Equal(got, want) {
			b.Errorf("on %s: got %q, want %q", on, got, want)
		}
	}
	t.Run("repurchasable shares are listed from the day of the termination on", func(t *testing.T) {
		t.Parallel()
		b, _, id, _ := left(t)
		listed(b, "2021-02-28")
		listed(b, "2021-03-01", "Ada Lovelace 1834 at 1.5 for 2751 voluntaryOther 2021-03-01")
		equal(t, "of the option", b.explainOn("option/"+id.String()+"/repurchasable", exact.MustDate("2022-01-01")).Value.String(), "1834")
	})
	t.Run("repurchasable shares cost the price paid, restated by splits", func(t *testing.T) {
		t.Parallel()
		b, class, _, _ := left(t)
		b.do(split(class, "3", "1", "2021-06-01"))
		listed(b, "2021-06-01", "Ada Lovelace 5502 at 0.5 for 2751 voluntaryOther 2021-03-01")
		listed(b, "2021-05-31", "Ada Lovelace 1834 at 1.5 for 2751 voluntaryOther 2021-03-01")
	})
	t.Run("repurchasable shares cost the price paid before a repricing", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		b.do(exercise(id, "3000", "2020-06-01"))
		b.do(captable.RepriceGrants{Plan: b.granted(id).Plan, ExercisePrice: *price("1"), Date: exact.MustDate("2020-07-01")})
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		listed(b, today, "Ada Lovelace 1834 at 1.5 for 2751 voluntaryOther 2021-03-01")
	})
	t.Run("repurchasable shares are listed with their new holder after a transfer", func(t *testing.T) {
		t.Parallel()
		b, _, _, held := left(t)
		b.do(transfer(held, bob, "1000", "2021-04-01"))
		listed(b, today, "Bob Noyce 612 at 1.5 for 918 voluntaryOther 2021-03-01", "Ada Lovelace 1222 at 1.5 for 1833 voluntaryOther 2021-03-01")
	})
	t.Run("repurchased shares are no longer repurchasable", func(t *testing.T) {
		t.Parallel()
		b, _, _, held := left(t)
		b.do(repurchase(held, "1834", "2021-04-01"))
		listed(b, "2021-03-31", "Ada Lovelace 1834 at 1.5 for 2751 voluntaryOther 2021-03-01")
		listed(b, "2021-04-01")
	})
	t.Run("repurchasable shares keep their total price after a conversion", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		into := b.common("100000")
		class := b.security(captable.SecurityTerms{
			Name: "Preferred", ShareType: captable.SharePreferred, AuthorizedShares: limit("100000"),
			Conversion: &captable.Conversion{Security: into, Ratio: number("2")},
		})
		id := b.grant(earlyOption(b.plan(planned(class, "20000")), "4000"))
		held := b.exercised(exercise(id, "3000", "2020-06-01")).Result.ID
		b.do(captable.ConvertShareholding{ID: held, Security: into, Date: exact.MustDate("2020-09-01")})
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		listed(b, today, "Ada Lovelace 3668 at 0.75 for 2751 voluntaryOther 2021-03-01")
	})
	t.Run("repurchasable shares of appreciation rights cost nothing", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100000")
		rights := earlyOption(b.plan(planned(class, "20000")), "4000")
		rights.Type = captable.GrantSAR
		id := b.grant(rights)
		command := exercise(id, "4000", "2020-06-01")
		command.MarketValue = price("3")
		b.do(command)
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		listed(b, today, "Ada Lovelace 1417 at 0 for 0 voluntaryOther 2021-03-01")
	})
}

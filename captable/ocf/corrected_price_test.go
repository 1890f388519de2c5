package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// The preference of converted shares follows from the price paid. It comes back from a package
// after a correction of that price, whether the class was split or not.
func TestPreferenceOfACorrectedPriceComesBack(t *testing.T) {
	t.Parallel()
	for name, split := range map[string]bool{"without a split": false, "after a split": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := company(t)
			day := exact.MustDate("2024-08-01")
			safe := b.issued(captable.KindSAFE, func(*captable.IssueInstrument) {})
			b.do(captable.ConvertInstrument{
				ID: safe, Security: b.preferred, Date: day - 1, PricePerShare: &captable.Price{Amount: number("20")},
			})
			if split {
				b.do(captable.SplitSecurity{ID: b.preferred, Numerator: number("2"), Denominator: number("1"), Date: day})
			}
			b.correctPrices("12.5")
			_, again := b.stable()
			for _, w := range []*world{b.world, again} {
				equal(t, "preference price", w.converted(t).PreferencePriceOn(day).Amount.FloatString(1), "12.5")
			}
		})
	}
}

// correctPrices corrects the price per share of the outstanding shares from a convertible.
func (b *born) correctPrices(price string) {
	h := b.converted(b.TB)
	details := h.ShareholdingDetails
	details.PricePerShare = &captable.Price{Amount: number(price)}
	b.do(captable.CorrectShareholding{
		ID: h.ID, HolderRef: captable.HolderRef{Entity: h.Entity}, Security: h.Security, Shares: h.Shares, IssueDate: h.IssueDate,
		ShareholdingDetails: details, Reason: "misread",
	})
}

// converted returns the outstanding shares from a convertible.
func (w *world) converted(tb testing.TB) *captable.Shareholding {
	tb.Helper()
	for h := range w.state.Shareholdings() {
		if h.Status.Outstanding() && h.Origin != nil && h.Origin.Kind == captable.StatusConverted {
			return h
		}
	}
	tb.Fatal("no shares result from a convertible")
	return nil
}

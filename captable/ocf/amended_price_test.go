package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// splitCommon splits the common class 3:2 on 2024-08-01.
func (b *born) splitCommon() {
	b.Helper()
	b.do(captable.SplitSecurity{ID: b.common, Numerator: number("3"), Denominator: number("2"), Date: exact.MustDate("2024-08-01")})
}

// amended returns the instrument of the imported package that has the external id.
func amended(tb testing.TB, w *world, id string) *captable.Instrument {
	tb.Helper()
	for i := range w.state.Instruments() {
		if i.ExternalID == id && i.Status.Outstanding() {
			return i
		}
	}
	tb.Fatalf("the package has no instrument %s", id)
	return nil
}

// A price that was amended after a partial exercise is that of the balance. The exercised part keeps its price.
func TestPriceAmendedAfterAPartialExerciseIsThatOfTheBalance(t *testing.T) {
	t.Parallel()
	b := company(t)
	warrant := b.issued(captable.KindWarrant, func(*captable.IssueInstrument) {})
	was, _ := b.state.Instrument(warrant)
	b.do(captable.ExerciseWarrant{ID: warrant, Quantity: number("3"), Date: exact.MustDate("2024-09-01"), Payment: captable.PayCash})
	b.do(captable.AmendInstrument{ID: warrant, Patch: []byte(`{"exercisePrice":"0.75"}`)})
	_, again := b.stable()
	for i := range again.state.Instruments() {
		if i.Status == captable.StatusExercised {
			equal(t, "price of the exercised part", i.ExercisePrice.Amount.String(), was.ExercisePrice.Amount.String())
		}
		if i.Status == captable.StatusActive {
			equal(t, "price of the balance", i.ExercisePrice.Amount.String(), "0.75")
		}
	}
}

// A price that was amended after a split is exported, stated per share before the split.
func TestPricesAmendedAfterASplitComeBack(t *testing.T) {
	t.Parallel()
	t.Run("an amended price of a warrant comes back after a split", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		warrant := b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) { c.ExternalID = "warrant" })
		b.splitCommon()
		b.do(captable.AmendInstrument{ID: warrant, Patch: []byte(`{"exercisePrice":"0.5"}`)})
		_, again := b.stable()
		equal(t, "price", amended(t, again, "warrant").ExercisePrice.Amount.String(), "0.5")
	})
	t.Run("an unchanged price of an amended warrant comes back after a split", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		warrant := b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) { c.ExternalID = "warrant" })
		b.splitCommon()
		was, _ := b.state.Instrument(warrant)
		b.do(captable.AmendInstrument{ID: warrant, Patch: []byte(`{"comments":["c"]}`)})
		_, again := b.stable()
		equal(t, "price", amended(t, again, "warrant").ExercisePrice.Amount.String(), was.ExercisePrice.Amount.String())
	})
	t.Run("an amended price of a partly exercised warrant comes back after a split", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		warrant := b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) { c.ExternalID = "warrant" })
		b.splitCommon()
		b.do(captable.AmendInstrument{ID: warrant, Patch: []byte(`{"exercisePrice":"0.5"}`)})
		b.do(captable.ExerciseWarrant{ID: warrant, Quantity: number("3"), Date: exact.MustDate("2024-09-01"), Payment: captable.PayCash})
		_, again := b.stable()
		for i := range again.state.Instruments() {
			if i.Status.Outstanding() {
				equal(t, "price", i.ExercisePrice.Amount.String(), "0.5")
			}
		}
	})
	t.Run("an amended conversion price of a SAFE comes back after a split", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		safe := b.issued(captable.KindSAFE, func(c *captable.IssueInstrument) {
			c.FixedConversion, c.ExternalID = &captable.FixedConversion{Security: b.common, Price: new(number("2"))}, "safe"
		})
		b.splitCommon()
		b.do(captable.AmendInstrument{ID: safe, Patch: []byte(`{"fixedConversion":{"price":"0.5"}}`)})
		_, again := b.stable()
		equal(t, "price", amended(t, again, "safe").FixedConversion.Price.String(), "0.5")
	})
	t.Run("an amended number of conversion shares of a SAFE comes back after a split", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		safe := b.issued(captable.KindSAFE, func(c *captable.IssueInstrument) {
			c.FixedConversion, c.ExternalID = &captable.FixedConversion{Security: b.common, Shares: new(number("20"))}, "safe"
		})
		b.splitCommon()
		b.do(captable.AmendInstrument{ID: safe, Patch: []byte(`{"fixedConversion":{"shares":"60"}}`)})
		_, again := b.stable()
		equal(t, "shares", amended(t, again, "safe").FixedConversion.Shares.String(), "60")
	})
}

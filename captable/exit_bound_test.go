package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

func TestManyPricesOverManyConvertiblesAreRefused(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	for range 101 {
		b.instrument(postMoney(bob))
	}
	terms := captable.ExitTerms{
		Date: exact.MustDate(today), Range: &captable.ExitRange{From: number("1"), To: number("200"), Step: number("1")},
	}
	_, err := b.planExit(terms)
	b.refusal(err, captable.CodeInvalid, "/values tooMany")
}

package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func valuedAt(class captable.SecurityID, amount, on string) captable.PutValuation {
	return captable.PutValuation{ValuationTerms: captable.ValuationTerms{
		Security: class, Type: "409A", EffectiveDate: exact.MustDate(on), PricePerShare: dollars(amount),
	}}
}

// A split of 10 for 1 restates a valuation of 4.00 to 0.40. The net exercise of 10,000 options
// at 0.20 then results in 5,000 shares.
func TestNetExerciseAfterASplitRestatesTheValuation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("1000000")
	ref := b.plan(planned(class, "10000"))
	b.do(valuedAt(class, "4", "2021-01-01"))
	command := option(ada, ref, "1000", "2021-01-02")
	command.ExercisePrice = price("2")
	id := b.grant(command)
	b.do(split(class, "10", "1", "2021-03-15"))
	event := b.do(
		captable.ExerciseGrant{ID: id, Quantity: number("10000"), Date: exact.MustDate("2021-05-01"), Payment: captable.PayNet},
	)[0].(captable.OptionExercised)
	equal(t, "shares", event.Result.Shares.String()+" at "+event.MarketValue.Amount.String(), "5000 at 0.4")
}

// A split of 3 for 2 restates a value per share of 3.00 to 2.00. 50,000 shares are then worth
// $100,000.
func TestISOLimitAfterASplitRestatesTheValuation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("1000000")
	ref := b.plan(planned(class, "100000"))
	b.do(valuedAt(class, "3", "2021-01-01"))
	b.do(split(class, "3", "2", "2021-02-01"))
	command := option(ada, ref, "60000", "2021-03-01")
	command.Type, command.ExercisePrice = captable.GrantISO, price("2")
	limit := b.state.ISOSplit(b.granted(b.grant(command)), exact.MustDate("2021-03-01"), "USD")
	equal(t, "incentive options and others", limit.ISO.String()+" "+limit.NSO.String(), "50000 10000")
}

func TestConversionAfterASplitGivesNoCash(t *testing.T) {
	t.Parallel()
	for ratio, want := range map[[2]string]string{{"3", "1"}: "3000000", {"3", "2"}: "1500000", {"7", "3"}: "2333333", {"1", "3"}: "333333"} {
		b := setup(t)
		common := b.common("unlimited")
		terms := preferred("A")
		terms.AuthorizedShares, terms.Conversion = limit("unlimited"), &captable.Conversion{Security: common, Ratio: number("1")}
		class := b.security(terms)
		id := b.issue(ada, class, "1000000", "2021-01-01")
		b.do(split(common, ratio[0], ratio[1], "2021-02-01"))
		event := b.ended(captable.ConvertShareholding{ID: id, Security: common, Date: exact.MustDate("2021-03-01")})
		equal(t, ratio[0]+":"+ratio[1], event.Results[0].Shares.String(), want)
	}
}

func TestRepeatedSplitsComeBackExactly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common, class := b.convertible("unlimited", "1")
	terms := preferred("Priced")
	terms.Price = price("1")
	priced := b.security(terms)
	for _, ratio := range [][2]string{{"3", "1"}, {"7", "3"}, {"1", "7"}} {
		b.do(split(common, ratio[0], ratio[1], today))
		b.do(split(priced, ratio[0], ratio[1], today))
	}
	equal(t, "ratio", b.class(class).Conversion.Ratio.String(), "1")
	equal(t, "price", b.class(priced).Price.Amount.String(), "1")
}

func TestASplitOfOneForOneIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.refused(split(b.common("100"), "2", "2", today), fault.Invalid, "/numerator sameRatio")
}

func TestPastDaysShowTheirOwnPrices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	terms := preferred("A")
	terms.Price, terms.ParValue = price("10"), price("0.01")
	class := b.security(terms)
	b.issue(ada, class, "100", "2021-01-01")
	b.do(split(class, "10", "1", "2021-03-15"))
	held := b.state.HeldOn(ada, exact.MustDate("2021-03-14"))[0]
	equal(t, "value before", held.Value().Amount.String()+" at "+held.Quote.Price.Amount.String(), "1000 at 10")
	was := b.class(class).On(captable.TableSecurity{}, exact.MustDate("2021-03-14"))
	equal(t, "prices before", was.Price.Amount.String()+" "+was.ParValue.Amount.String(), "10 0.01")
	equal(t, "price after", b.class(class).Price.Amount.String(), "1")
}

func TestAConversionFollowsFromRatioOrFraction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("100")
	terms := preferred("A")
	terms.Conversion = &captable.Conversion{Security: common, Fraction: captable.Ratio{Numerator: number("4"), Denominator: number("6")}}
	made := b.class(b.security(terms)).Conversion
	equal(t, "made", text(t, made), `{"security":"`+common.String()+`","ratio":"0.6666666667","fraction":{"numerator":"2","denominator":"3"}}`)
	terms.Name, terms.Conversion = "B", &captable.Conversion{
		Security: common, Ratio: number("0.5"), Fraction: captable.Ratio{Numerator: number("2"), Denominator: number("3")},
	}
	b.refused(captable.CreateSecurity{SecurityTerms: terms}, fault.Invalid, "/conversion/ratio contradiction")
}

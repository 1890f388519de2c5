package ocf

import (
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/captable/waterfall"
)

// Exports record facts for which the format has no field as comments. An import parses them;
// other readers display them as sentences.
const (
	// commentTreasury marks a repurchase into treasury: the shares stay issued.
	commentTreasury = "The company keeps the shares in its treasury."
	// commentRealized precedes the realized fraction of a milestone: "Reached in part: 1/2".
	commentRealized = "Reached in part: "
	// commentFractional marks a class with fractional shares.
	commentFractional = "Shares may be fractional."
	// commentFirstDay precedes the first day of a class that is not the day of its approval.
	commentFirstDay = "First day: "
	// commentDividend precedes the annual dividend rate of a class, as a fraction of its
	// price.
	commentDividend = "Dividend rate: "
	// commentParticipation precedes the participation of a class without a participation cap.
	commentParticipation = "Participation: "
	// commentStrike precedes the default exercise price of the grants from a pool.
	commentStrike = "Exercise price unless stated: "
	// commentName precedes the holder name printed on a certificate.
	commentName = "Printed name: "
	// commentRule144 precedes the first day of the holding period under Rule 144.
	commentRule144 = "Rule 144 date: "
	// commentStopped precedes the termination that stopped the vesting of shares: its date
	// and, if known, its reason.
	commentStopped = "Service ended: "
	// commentAfterSplit marks an issuance that follows a split of its class on the same day.
	// The transactions of that day took place in the order of the package.
	commentAfterSplit = "Issued after the split of the day."
	// commentMarketValue precedes the market value per share on the grant date.
	commentMarketValue = "Market value of a share: "
	// commentFromTreasury precedes the number of issued shares that came from the treasury.
	commentFromTreasury = "Shares from the treasury: "
	// commentLimits is a comment of the manifest. It states that the limits of classes and pools
	// hold at the end of each day, but not after each transaction.
	commentLimits = "Limits hold at the end of each day."
	// commentPreference precedes the price paid per share that replaces the price of the class in the
	// liquidation preference.
	commentPreference = "Preference price: "
	// commentCoverage precedes the coverage of a warrant.
	commentCoverage = "Coverage: "
	// commentRetired marks cancelled options or awards that do not return to their pool.
	commentRetired = "The shares do not return to the pool."
	// commentRepaid precedes a repayment: "Repaid: 40000 USD on 2021-01-01, interest first". A convertible has one for each partial
	// repayment, and a cancellation has that of the rest.
	commentRepaid = "Repaid: "
	interestFirst = ", interest first"
)

// remarks splits the comments of an object into facts, keyed by prefix, and other comments. A
// comment that equals its prefix has the prefix as its value. Only the first comment with a
// prefix is a fact. See ruling 37.
func (o *Object) remarks(prefixes ...string) (facts map[string]string, comments []string) {
	facts = map[string]string{}
next:
	for _, text := range o.texts("comments") {
		for _, prefix := range prefixes {
			if rest, found := strings.CutPrefix(text, prefix); found && facts[prefix] == "" {
				facts[prefix] = rest
				if rest == "" {
					facts[prefix] = prefix
				}
				continue next
			}
		}
		comments = append(comments, text)
	}
	return facts, comments
}

// terminationOf parses a termination from a comment. Returns false if the text has no valid
// date.
func terminationOf(text string) (captable.Termination, bool) {
	day, reason, _ := strings.Cut(text, " ")
	date := dateOf(day)
	return captable.Termination{Date: date, Reason: captable.TerminationReason(reason)}, !date.IsZero()
}

// realizedComment formats the realized fraction of a milestone, or returns nil if the
// fraction is zero.
func realizedComment(part vesting.Fraction) []string {
	if part == (vesting.Fraction{}) {
		return nil
	}
	return []string{commentRealized + strconv.FormatInt(part.Numerator, 10) + "/" + strconv.FormatInt(part.Denominator, 10)}
}

// realized parses the realized fraction of a milestone. Returns zero if the milestone was
// reached in full.
func realized(o *Object) (part vesting.Fraction) {
	facts, _ := o.remarks(commentRealized)
	numerator, denominator, _ := strings.Cut(facts[commentRealized], "/")
	n, err := strconv.ParseInt(numerator, 10, 64)
	if err != nil {
		return vesting.Fraction{}
	}
	d, err := strconv.ParseInt(denominator, 10, 64)
	if err != nil {
		return vesting.Fraction{}
	}
	return vesting.Fraction{Numerator: n, Denominator: d}
}

// priceFact formats a price as a comment, or returns nil if the price is nil.
func (x *Exporter) priceFact(prefix string, price *captable.Price) []string {
	if price == nil {
		return nil
	}
	money := x.money(price)
	return []string{prefix + money.Amount.String() + " " + money.Currency}
}

// priceOf parses a price from a comment, or returns nil if the text is not a price.
func priceOf(text string) *captable.Price {
	number, currency, _ := strings.Cut(text, " ")
	amount, ok := parseNumeric(number)
	if !ok || !captable.IsCurrency(currency) {
		return nil
	}
	return &captable.Price{Amount: amount, Currency: currency}
}

// figureFact formats a number as a comment, or returns nil if the number is nil.
func figureFact(prefix string, number *captable.Decimal) []string {
	if number == nil {
		return nil
	}
	return []string{prefix + number.String()}
}

// figureOf parses a number from a comment, or returns nil if the text is not a number.
func figureOf(text string) *captable.Decimal {
	number, ok := parseNumeric(text)
	if !ok {
		return nil
	}
	return &number
}

// participationOf parses a participation from a comment, or returns an empty string if the
// value is unknown.
func participationOf(text string) string {
	if text == string(waterfall.Full) || text == string(waterfall.None) {
		return text
	}
	return ""
}

// dateOf parses a date from a comment, or returns the zero date if the text is not a date.
func dateOf(text string) captable.Date {
	date, err := exact.ParseDate(text)
	if err != nil {
		return 0
	}
	return date
}

// repaymentFact formats a repayment as a comment.
func repaymentFact(r conversion.Repayment, currency string) string {
	text := commentRepaid + r.Amount.String() + " " + currency + " on " + r.Date.String()
	if r.InterestFirst {
		text += interestFirst
	}
	return text
}

// repaymentOf parses a repayment from a comment. Returns false if the text is not a repayment.
func repaymentOf(text string) (repaid captable.RepayInstrument, ok bool) {
	text, found := strings.CutPrefix(text, commentRepaid)
	text, repaid.InterestFirst = strings.CutSuffix(text, interestFirst)
	amount, date, _ := strings.Cut(text, " on ")
	price := priceOf(amount)
	if repaid.Date = dateOf(date); !found || price == nil || repaid.Date.IsZero() {
		return repaid, false
	}
	repaid.Amount = *price
	return repaid, true
}

// repayments returns the repayments in the comments of an object, and the other comments.
func repayments(comments []string) (repaid []captable.RepayInstrument, others []string) {
	for _, text := range comments {
		if one, ok := repaymentOf(text); ok {
			repaid = append(repaid, one)
		} else {
			others = append(others, text)
		}
	}
	return repaid, others
}

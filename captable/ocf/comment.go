package ocf

import (
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/captable/waterfall"
)

// Comments of our exports state facts that the format has no field for. An import reads
// them back; any other reader shows a sentence.
const (
	// commentTreasury marks a repurchase whose shares stay issued.
	commentTreasury = "The company keeps the shares in its treasury."
	// commentRealized begins the part of a milestone that was reached: "Reached in part: 1/2".
	commentRealized = "Reached in part: "
	// commentFractional marks a class with fractional shares.
	commentFractional = "Shares may be fractional."
	// commentDividend begins the dividend rate of a class, a fraction of its price a year.
	commentDividend = "Dividend rate: "
	// commentParticipation begins the participation of a class, where it is not capped.
	commentParticipation = "Participation: "
	// commentStrike begins the price of grants of a pool that state none.
	commentStrike = "Exercise price unless stated: "
	// commentName begins the printed name of a holder on a certificate.
	commentName = "Printed name: "
	// commentRule144 begins the first day of the holding period under Rule 144.
	commentRule144 = "Rule 144 date: "
	// commentStopped begins the termination that stopped the vesting of shares: its date, and
	// its reason if one is known.
	commentStopped = "Service ended: "
	// commentAfterSplit marks an issuance after a split of its class on the same day. The
	// transactions of that day happened in the order in which they are written.
	commentAfterSplit = "Issued after the split of the day."
	// commentMarketValue begins the market value of a share on the day of a grant.
	commentMarketValue = "Market value of a share: "
	// commentCoverage begins the coverage of a warrant.
	commentCoverage = "Coverage: "
)

// remarks returns the facts of an object that are comments, and the other comments.
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

// terminationOf parses the termination of a comment; false for any other text.
func terminationOf(text string) (captable.Termination, bool) {
	day, reason, _ := strings.Cut(text, " ")
	date := dateOf(day)
	return captable.Termination{Date: date, Reason: captable.TerminationReason(reason)}, !date.IsZero()
}

// realizedComment writes the part of a milestone that was reached.
func realizedComment(part vesting.Fraction) []string {
	if part == (vesting.Fraction{}) {
		return nil
	}
	return []string{commentRealized + strconv.FormatInt(part.Numerator, 10) + "/" + strconv.FormatInt(part.Denominator, 10)}
}

// realized reads the part of a milestone that was reached; zero where all of it was.
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

// priceFact writes a price as a comment; none for none.
func (x *Exporter) priceFact(prefix string, price *captable.Price) []string {
	if price == nil {
		return nil
	}
	money := x.money(price)
	return []string{prefix + money.Amount.String() + " " + money.Currency}
}

// priceOf reads a price of a comment; nil for none.
func priceOf(text string) *captable.Price {
	number, currency, _ := strings.Cut(text, " ")
	amount, ok := parseNumeric(number)
	if !ok || !captable.IsCurrency(currency) {
		return nil
	}
	return &captable.Price{Amount: amount, Currency: currency}
}

// figureFact writes a number as a comment; none for none.
func figureFact(prefix string, number *captable.Decimal) []string {
	if number == nil {
		return nil
	}
	return []string{prefix + number.String()}
}

// figureOf reads a number of a comment; nil for none.
func figureOf(text string) *captable.Decimal {
	number, ok := parseNumeric(text)
	if !ok {
		return nil
	}
	return &number
}

// participationOf reads the participation of a comment; empty for any other word.
func participationOf(text string) string {
	if text == string(waterfall.Full) || text == string(waterfall.None) {
		return text
	}
	return ""
}

// dateOf reads a date of a comment; zero for none.
func dateOf(text string) captable.Date {
	date, err := exact.ParseDate(text)
	if err != nil {
		return 0
	}
	return date
}

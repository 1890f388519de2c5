package ocf

import (
	"math/big"
	"slices"
	"strings"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
)

// Families of instruments.
const (
	familyConvertible = "CONVERTIBLE"
	familyWarrant     = "WARRANT"
)

func isInstrument(family string) bool { return family == familyConvertible || family == familyWarrant }

// Conversion mechanisms and triggers of convertibles and warrants.
const (
	mechanismNote    = "CONVERTIBLE_NOTE_CONVERSION"
	mechanismSAFE    = "SAFE_CONVERSION"
	mechanismFixed   = "FIXED_AMOUNT_CONVERSION"
	mechanismPercent = "FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION"
	mechanismCustom  = "CUSTOM_CONVERSION"

	triggerOnDate      = "AUTOMATIC_ON_DATE"
	triggerInRange     = "ELECTIVE_IN_RANGE"
	triggerAtWill      = "ELECTIVE_AT_WILL"
	triggerUnspecified = "UNSPECIFIED"
)

// trigger is one condition for conversion or exercise of an instrument.
type trigger struct {
	kind string
	date captable.Date
	// start and end are the first and the last day of a period of conversion.
	start, end captable.Date
	mechanism  *Object
	// class is the resulting class; empty for the class of a future round.
	class string
}

// inner returns a nested value as an object.
func (o *Object) inner(name string) *Object {
	values, _ := o.value(name).(map[string]any)
	return &Object{values: values}
}

// triggersOf parses the triggers of an instrument. Convertibles and warrants use different
// field names for the same structure.
func triggersOf(o *Object) (triggers []trigger) {
	list, _ := o.value("conversion_triggers").([]any)
	if list == nil {
		list, _ = o.value("exercise_triggers").([]any)
	}
	for _, value := range list {
		values, _ := value.(map[string]any)
		outer := &Object{values: values}
		right := outer.inner("conversion_right")
		triggers = append(triggers, trigger{
			kind: outer.text("type"), date: outer.date("trigger_date"), start: outer.date("start_date"), end: outer.date("end_date"),
			mechanism: right.inner("conversion_mechanism"), class: right.text("converts_to_stock_class_id"),
		})
	}
	return triggers
}

// convertible parses a note, a SAFE or another convertible without its holder. If several
// triggers state a term, the first one applies. See ruling 21.
func convertible(o *Object) captable.IssueInstrument {
	command := captable.IssueInstrument{Source: o.source()}
	command.Kind, command.IssueDate = captable.KindCustom, o.day()
	if amount := o.price("investment_amount"); amount != nil {
		command.Principal = &captable.Money{Amount: amount.Amount, Currency: amount.Currency}
	}
	terms := &command.ConvertibleTerms
	terms.ProRata = o.number("pro_rata").Sign() > 0
	for _, t := range triggersOf(o) {
		if t.kind == triggerOnDate && terms.MaturityDate.IsZero() && t.date >= o.day() {
			terms.MaturityDate = t.date
		}
		t.read(terms)
	}
	switch o.text("convertible_type") {
	case "NOTE":
		command.Kind = captable.KindNote
	case "SAFE":
		if terms.Interest == nil { // an instrument with interest is not a SAFE
			command.Kind = captable.KindSAFE
		}
	}
	return command
}

// read copies the terms of the mechanism that no earlier trigger has stated.
func (t trigger) read(terms *captable.ConvertibleTerms) {
	m := t.mechanism
	switch m.text("type") {
	case mechanismNote, mechanismSAFE:
		if terms.Interest == nil {
			terms.Interest = interestOf(m)
		}
		if terms.ValuationCap == nil {
			terms.ValuationCap, terms.CapBasis = m.price("conversion_valuation_cap"), capBasisOf(m)
		}
		if discount := m.figure("conversion_discount"); terms.Discount == nil && discount != nil && !discount.IsZero() {
			terms.Discount = discount
		}
		if mfn, _ := m.value("conversion_mfn").(bool); mfn {
			terms.MFN = true
		}
		if multiple, stated := ratioOf(m.value("exit_multiple")); stated && terms.ExitMultiple == nil {
			terms.ExitMultiple = new(
				exact.RoundHalfUp(new(big.Rat).Quo(multiple.Numerator.Rat(), multiple.Denominator.Rat()), exact.Places),
			)
		}
	case mechanismCustom:
		if terms.ConversionTerms == "" && fixedPrice(m) == nil {
			terms.ConversionTerms = m.text("custom_conversion_description")
		}
	}
}

// Wording around a fixed conversion price in a custom conversion description.
const (
	beforeFixedPrice = "A share costs "
	afterFixedPrice  = " of the balance."
)

// fixedPrice parses the conversion price that an export states in words, or returns nil if
// the description has no positive price.
func fixedPrice(mechanism *Object) *captable.Price {
	text, found := strings.CutPrefix(mechanism.text("custom_conversion_description"), beforeFixedPrice)
	price := priceOf(strings.TrimSuffix(text, afterFixedPrice))
	if !found || price == nil || price.Amount.Sign() <= 0 {
		return nil
	}
	return price
}

// fixed returns the fixed conversion of the instrument and its class. Returns nil if no
// trigger states one.
func fixed(o *Object) (class string, into *captable.FixedConversion) {
	for _, t := range triggersOf(o) {
		shares, part := t.mechanism.figure("converts_to_quantity"), t.mechanism.figure("converts_to_percent")
		switch kind := t.mechanism.text("type"); {
		case t.class == "":
		case kind == mechanismFixed && shares != nil && shares.Sign() > 0:
			return t.class, &captable.FixedConversion{Shares: shares}
		case kind == mechanismCustom && fixedPrice(t.mechanism) != nil:
			return t.class, &captable.FixedConversion{Price: &fixedPrice(t.mechanism).Amount}
		case kind == mechanismPercent && part != nil && part.Sign() > 0 && part.Cmp(exact.NewDecimal(1)) < 0:
			return t.class, &captable.FixedConversion{Fraction: part}
		}
	}
	return "", nil
}

// capBasisOf returns whether a valuation cap is pre-money or post-money. Returns an empty
// string if neither the timing nor the capitalization rules state it.
func capBasisOf(m *Object) string {
	if m.price("conversion_valuation_cap") == nil {
		return ""
	}
	switch m.text("conversion_timing") {
	case "PRE_MONEY":
		return "pre"
	case "POST_MONEY":
		return "post"
	}
	rules := m.inner("capitalization_definition_rules")
	switch others, stated := rules.value("include_other_converting_securities").(bool); {
	case !stated:
		return ""
	case others:
		return "post"
	default:
		return "pre"
	}
}

// interestOf parses the interest of a note, or returns nil for a note without interest rates.
func interestOf(m *Object) *conversion.Interest {
	list, _ := m.value("interest_rates").([]any)
	interest := conversion.Interest{
		DayCount: conversion.Actual365, Compounding: conversion.Compounding(strings.ToLower(m.text("compounding_type"))),
		AccrualPeriod: conversion.AccrualPeriod(camelCase(m.text("interest_accrual_period"))),
		Payout:        conversion.Payout(strings.ToLower(m.text("interest_payout"))),
	}
	if m.text("day_count_convention") == "30_360" {
		interest.DayCount = conversion.Thirty360
	}
	for _, value := range list {
		values, _ := value.(map[string]any)
		rate := &Object{values: values}
		interest.Rates = append(interest.Rates, conversion.Rate{
			Rate: rate.number("rate"), From: rate.date("accrual_start_date"), To: rate.date("accrual_end_date"),
		})
	}
	if len(interest.Rates) == 0 {
		return nil
	}
	slices.SortStableFunc(interest.Rates, func(a, b conversion.Rate) int { return int(a.From) - int(b.From) })
	return &interest
}

// warrant parses a warrant without its holder and class.
func warrant(o *Object) captable.IssueInstrument {
	command := captable.IssueInstrument{Source: o.source()}
	command.Kind, command.IssueDate, command.Quantity = captable.KindWarrant, o.day(), o.number("quantity")
	command.ExercisePrice, command.ExpirationDate = o.price("exercise_price"), o.date("warrant_expiration_date")
	if command.Quantity.IsZero() {
		command.Coverage = coverageOf(o)
	}
	return command
}

// coverageOf returns the warrant coverage, a fraction of the holder's investment, or nil.
func coverageOf(o *Object) *captable.Decimal {
	facts, _ := o.remarks(commentCoverage)
	return figureOf(facts[commentCoverage])
}

// warrantClass returns the class that a warrant purchases. Returns an empty string if the
// quantity is an estimate or the class is unknown.
func warrantClass(o *Object) string {
	if strings.HasSuffix(o.text("quantity_source"), "_ESTIMATED") {
		return ""
	}
	for _, t := range triggersOf(o) {
		if t.class != "" {
			return t.class
		}
	}
	return ""
}

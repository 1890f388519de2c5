package ocf

import (
	"strconv"

	"equity/captable"
)

// reportTerms reports the terms of a convertible or warrant that the cap table does not compute:
// those of further triggers, and conversion mechanisms without a counterpart.
func (t *translation) reportTerms(o *Object) {
	warn := func(pointer, message string) { t.findings.warn(o, pointer, codeKept, message) }
	if family, _ := effectOf(o.Type); family == familyWarrant {
		reportWarrant(o, warn)
		return
	}
	if size := o.number("pro_rata"); size.Sign() > 0 && size.String() != "1" {
		warn("/pro_rata", "The cap table records the right, and not its size; it is kept for exports.")
	}
	terms := convertible(o).ConvertibleTerms
	class, conversion := fixed(o)
	for i, trigger := range triggersOf(o) {
		pointer := "/conversion_triggers/" + strconv.Itoa(i)
		if trigger.start != 0 || trigger.end != 0 {
			warn(pointer+"/start_date", "The cap table has no period of conversion; it is kept for exports.")
		}
		if trigger.kind == triggerOnDate && trigger.date != terms.MaturityDate {
			warn(pointer+"/trigger_date", "Another trigger states the maturity; this date is kept for exports.")
		}
		pointer += "/conversion_right/conversion_mechanism"
		switch kind := trigger.mechanism.text("type"); kind {
		case mechanismNote, mechanismSAFE:
			if !trigger.agrees(&terms) {
				warn(pointer, "Another trigger states other terms, which apply; these are kept for exports.")
			}
			if rules := trigger.mechanism.inner(
				"capitalization_definition_rules",
			); terms.ValuationCap != nil && !usual(rules, terms.CapBasis) {
				warn(
					pointer+"/capitalization_definition_rules",
					"The cap counts as in the standard forms; other rules are kept for exports.",
				)
			}
		case mechanismCustom:
			if fixedPrice(trigger.mechanism) == nil && trigger.mechanism.text("custom_conversion_description") != terms.ConversionTerms {
				warn(pointer, "Another trigger states other terms, which apply; these are kept for exports.")
			}
		default:
			applies := conversion != nil && trigger.class == class && (kind == mechanismFixed || kind == mechanismPercent)
			if applies {
				_, own := fixed(&Object{values: map[string]any{"conversion_triggers": listAt(o, "conversion_triggers", i)}})
				applies = own != nil && sameConversion(own, conversion)
			}
			if !applies {
				warn(pointer, "The cap table cannot compute this conversion, or another one applies; it is kept for exports.")
			}
		}
	}
}

// reportWarrant reports the terms of a warrant beside its quantity, class, price and expiration.
func reportWarrant(o *Object, warn func(pointer, message string)) {
	class := warrantClass(o)
	for i, trigger := range triggersOf(o) {
		pointer := "/exercise_triggers/" + strconv.Itoa(i)
		if trigger.start > o.day() || trigger.end != 0 && trigger.end != o.date("warrant_expiration_date") {
			warn(
				pointer+"/start_date",
				"The warrant can be exercised from its issue until its expiration; another period is kept for exports.",
			)
		}
		pointer += "/conversion_right"
		if trigger.class != class {
			warn(pointer+"/converts_to_stock_class_id", "The warrant buys shares of another class; this one is kept for exports.")
		}
		kind, shares := trigger.mechanism.text("type"), trigger.mechanism.figure("converts_to_quantity")
		fits := kind == mechanismFixed && shares != nil && shares.Equal(o.number("quantity")) || kind == mechanismCustom && coverageOf(o) != nil
		if kind != "" && !fits {
			warn(pointer+"/conversion_mechanism", "The quantity of the warrant applies; this mechanism is kept for exports.")
		}
	}
}

// listAt returns a list with one value of a list field.
func listAt(o *Object, name string, i int) []any {
	list, _ := o.value(name).([]any)
	return list[i : i+1]
}

// agrees reports whether the terms contain each term that the trigger states.
func (t trigger) agrees(terms *captable.ConvertibleTerms) bool {
	own := captable.ConvertibleTerms{}
	t.read(&own)
	same := func(a, b *captable.Decimal) bool { return a == nil || b != nil && a.Equal(*b) }
	switch {
	case own.ValuationCap != nil && (*own.ValuationCap != *terms.ValuationCap || own.CapBasis != terms.CapBasis):
		return false
	case own.Interest != nil && string(encoded(own.Interest)) != string(encoded(terms.Interest)):
		return false
	default:
		return same(own.Discount, terms.Discount) && same(own.ExitMultiple, terms.ExitMultiple)
	}
}

func sameConversion(a, b *captable.FixedConversion) bool {
	return string(encoded(a)) == string(encoded(b))
}

// usual reports whether the rules of a valuation cap are absent or those of the standard form.
func usual(rules *Object, basis string) bool {
	want := map[string]bool{
		"include_outstanding_shares": true, "include_outstanding_options": true, "include_outstanding_unissued_options": true,
		"include_this_security": basis == "post", "include_other_converting_securities": basis == "post",
		"include_option_pool_topup_for_promised_options": true, "include_additional_option_pool_topup": basis == "pre",
		"include_new_money": false,
	}
	for name, value := range want {
		if stated, is := rules.value(name).(bool); is && stated != value {
			return false
		}
	}
	return true
}

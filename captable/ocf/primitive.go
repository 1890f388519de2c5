package ocf

import (
	"encoding/json"
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
)

// primitive validates a value of a primitive type. The code is empty if the value is valid.
type primitive func(value any) (code, message string)

// primitives returns the validators of primitive fields, by field name. A field name has the
// same meaning in every object.
func primitives() map[string]primitive {
	all := map[string]primitive{
		"amount": checkAmount, "initial_shares_authorized": checkAuthorized,
	}
	for names, check := range map[string]primitive{
		`date as_of formation_date board_approval_date stockholder_approval_date effective_date expiration_date
		warrant_expiration_date settlement_date accrual_start_date accrual_end_date start_date end_date trigger_date`: checkDate,
		`quantity quantity_converted converts_to_quantity shares_reserved initial_shares_reserved new_shares_authorized
		votes_per_share liquidation_preference_multiple participation_cap_multiple pro_rata
		starting_share_number ending_share_number numerator denominator`: checkNumeric,
		`conversion_discount converts_to_percent discount_percentage rate`: checkPercentage,
		`par_value price price_per_share share_price cost_basis exercise_price new_exercise_price base_price
		purchase_price release_price investment_amount conversion_price conversion_valuation_cap discount_amount
		valuation_amount`: checkMonetary,
		`ratio split_ratio exit_multiple`: checkRatio,
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = check
		}
	}
	return all
}

// isNone reports whether a value is null or an empty string. Packages use both for missing
// values.
func isNone(value any) bool { return value == nil || value == "" }

func checkDate(value any) (code, message string) {
	text, _ := value.(string)
	if _, err := exact.ParseDate(text); err != nil {
		return codeDate, "The value must be a date of the form YYYY-MM-DD that exists in the calendar."
	}
	return "", ""
}

func checkNumeric(value any) (code, message string) {
	text, isText := value.(string)
	if _, ok := parseNumeric(text); !ok || !isText {
		return codeNumeric, "The value must be a number in a text, with at most 19 digits before and 10 after the decimal point."
	}
	return "", ""
}

func checkAuthorized(value any) (code, message string) {
	if value == authorizedUnlimited || value == authorizedNotApplicable {
		return "", ""
	}
	return checkNumeric(value)
}

func checkPercentage(value any) (code, message string) {
	text, _ := value.(string)
	if strings.HasPrefix(text, ".") {
		text = "0" + text
	}
	number, ok := parseNumeric(text)
	if !ok || strings.HasPrefix(text, "+") || number.Sign() < 0 || number.Cmp(exact.NewDecimal(1)) > 0 {
		return codePercentage, "The value must be a fraction from 0 to 1 in a text."
	}
	return "", ""
}

func checkMonetary(value any) (code, message string) {
	money, _ := value.(map[string]any)
	amount, currency := money["amount"], money["currency"]
	if code, _ := checkNumeric(amount); code != "" {
		return codeMonetary, "The amount must be a number in a text."
	}
	if text, _ := currency.(string); !captable.IsCurrency(text) {
		return codeMonetary, "The currency must be an ISO 4217 code such as USD."
	}
	return "", ""
}

// checkAmount validates a field that is a number in some objects and money in others.
func checkAmount(value any) (code, message string) {
	if _, isMoney := value.(map[string]any); isMoney {
		return checkMonetary(value)
	}
	return checkNumeric(value)
}

func checkRatio(value any) (code, message string) {
	if _, ok := ratioOf(value); !ok {
		return codeRatio, "The value must be a ratio of two positive numbers."
	}
	return "", ""
}

// visit is called for a field at any depth of an object. It reports whether to descend into
// the value.
type visit func(pointer, name string, value any) bool

// deepest bounds the traversal depth. It is more than twice the deepest nesting of the
// format.
const deepest = 24

// walk visits every field of the object.
func walk(object map[string]any, each visit) { walkIn(object, "", 0, each) }

// walkIn visits the fields of a value recursively. The depth is bounded because packages are
// untrusted and must not exhaust the stack.
func walkIn(value any, prefix string, depth int, each visit) {
	if depth > deepest {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			pointer := prefix + "/" + name
			if isNone(inner) || !each(pointer, name, inner) {
				continue
			}
			walkIn(inner, pointer, depth+1, each)
		}
	case []any:
		for i, inner := range value {
			switch inner.(type) {
			case map[string]any, []any:
				walkIn(inner, prefix+"/"+strconv.Itoa(i), depth+1, each)
			}
		}
	}
}

// decodeValues parses an object and keeps numbers as written.
func decodeValues(raw json.RawMessage) (map[string]any, bool) {
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var values map[string]any
	err := decoder.Decode(&values)
	return values, err == nil && values != nil
}

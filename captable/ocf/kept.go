package ocf

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keptFields returns the fields, at any depth, that the cap table does not use. An import keeps
// them for exports and reports them. See ruling 144.
func keptFields() map[string]bool {
	kept := map[string]bool{}
	for name := range strings.FieldsSeq(`security_law_exemptions share_numbers_issued capitalization_definition trigger_condition
		trigger_description discount discount_amount discount_percentage valuation_amount purchase_price release_price settlement_date`) {
		kept[name] = true
	}
	return kept
}

// keptIn returns the fields that the cap table does not use in objects of the
// type, although it uses them in others.
func keptIn(objectType string) []string {
	family, effect := effectOf(objectType)
	switch {
	case objectType == typeStakeholder: // a profile has all fields
		return nil
	case objectType == typeIssuance:
		return []string{"stockholder_approval_date"}
	case family == familyWarrant && effect == "ISSUANCE":
		return []string{"consideration_text", "stockholder_approval_date", "vesting_terms_id", "vestings"}
	case family != "" && effect == "ISSUANCE":
		return []string{"consideration_text", "stockholder_approval_date"}
	default:
		return []string{"consideration_text"}
	}
}

// keeping counts the objects with fields that the cap table does not use, by type and field.
type keeping struct {
	names map[string]bool
	found map[typedField]*keptField
}

type typedField struct{ kind, pointer string }

type keptField struct {
	first, last *Object
	objects     int
}

// roundingDown is the rounding of conversions, whose fractions are paid in cash.
const roundingDown = "FLOOR"

var (
	listIndex = regexp.MustCompile(`/[0-9]+(/|$)`)
	// exportedConsideration is the wording of exports for the price of a transaction, which the
	// shares state too.
	exportedConsideration = regexp.MustCompile(`^[0-9.]+ [A-Z]{3}( a share)?$|^[0-9.]+ of the shares paid the price\.$`)
)

// note records the field if the cap table does not use it.
func (k *keeping) note(o *Object, pointer, name string, value any) {
	if text, is := value.(string); is && name == "consideration_text" && exportedConsideration.MatchString(text) {
		return
	}
	rounds := name == "rounding_type" && value != roundingDown
	if isEmpty(value) || o.Type == typeStakeholder || !k.names[name] && !rounds && (pointer != "/"+name || !slices.Contains(keptIn(o.Type), name)) {
		return
	}
	field := typedField{o.Type, listIndex.ReplaceAllString(pointer, "$1")}
	kept := k.found[field]
	if kept == nil {
		kept = &keptField{first: o}
		k.found[field] = kept
	}
	if kept.last != o {
		kept.last = o
		kept.objects++
	}
}

// report adds one finding for each type and field.
func (k *keeping) report(found *notes) {
	order := slices.SortedFunc(maps.Keys(k.found), func(a, b typedField) int {
		if a.kind != b.kind {
			return strings.Compare(a.kind, b.kind)
		}
		return strings.Compare(a.pointer, b.pointer)
	})
	for _, field := range order {
		kept := k.found[field]
		more := ""
		if others := kept.objects - 1; others > 0 {
			more = " It is also in " + strconv.Itoa(others) + " more objects of this type."
		}
		found.warn(kept.first, field.pointer, codeKept, "The cap table does not use this field; it is kept for exports."+more)
	}
}

// isEmpty reports whether a value states nothing: a missing value, an empty list, or no money.
func isEmpty(value any) bool {
	switch value := value.(type) {
	case []any:
		return len(value) == 0
	case map[string]any:
		amount, isText := value["amount"].(string)
		number, ok := parseNumeric(amount)
		return len(value) == 0 || isText && ok && number.IsZero()
	default:
		return isNone(value)
	}
}

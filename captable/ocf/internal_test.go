package ocf

import (
	"encoding/json"
	"slices"

	"equity/captable/vesting"
)

// Kept reports whether an import reports a field of a type as kept without effect.
func Kept(objectType, field string) bool {
	return objectType == typeStakeholder || keptFields()[field] || slices.Contains(keptIn(objectType), field)
}

// Understood returns the types whose objects create records.
func Understood() (types []string) {
	for name, kind := range kinds() {
		if kind.fields != nil {
			types = append(types, name)
		}
	}
	return types
}

// TermsOf exposes the graph parser to tests.
func TermsOf(object json.RawMessage) (vesting.Terms, error) { return termsOf(object) }

// WriteTerms converts a graph to the condition fields of a VESTING_TERMS object.
func WriteTerms(terms vesting.Terms) (json.RawMessage, error) {
	return json.Marshal(map[string]any{"allocation_type": terms.Allocation, "vesting_conditions": conditionsOf(terms)})
}

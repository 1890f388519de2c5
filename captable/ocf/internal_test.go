package ocf

import (
	"encoding/json"

	"equity/captable/vesting"
)

// TermsOf exposes the graph parser to tests.
func TermsOf(object json.RawMessage) (vesting.Terms, error) { return termsOf(object) }

// WriteTerms converts a graph to the condition fields of a VESTING_TERMS object.
func WriteTerms(terms vesting.Terms) (json.RawMessage, error) {
	return json.Marshal(map[string]any{"allocation_type": terms.Allocation, "vesting_conditions": conditionsOf(terms)})
}

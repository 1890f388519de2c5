package ocf

import (
	"encoding/json"

	"equity/captable/vesting"
)

// TermsOf lets the tests read a graph.
func TermsOf(object json.RawMessage) (vesting.Terms, error) { return termsOf(object) }

// WriteTerms lets the tests write a graph as a VESTING_TERMS object without its names.
func WriteTerms(terms vesting.Terms) (json.RawMessage, error) {
	return json.Marshal(map[string]any{"allocation_type": terms.Allocation, "vesting_conditions": conditionsOf(terms)})
}

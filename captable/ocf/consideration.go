package ocf

import (
	"strings"

	"equity/captable"
)

// considered pairs a component of a consideration with its wording in a text.
type considered struct {
	amount *captable.Decimal
	words  string
}

func consideredParts(c *captable.Consideration) []considered {
	return []considered{
		{&c.Cash, "in cash"},
		{&c.DebtCancelled, "in cancelled debt"},
		{&c.IP, "in intellectual property"},
		{&c.Services, "in services"},
		{&c.Other, "otherwise"},
	}
}

// consideration formats the components of a consideration as a text. The format has a field
// only for their sum.
func (x *Exporter) consideration(c *captable.Consideration) string {
	var parts []string
	for _, part := range consideredParts(c) {
		if part.amount.Sign() > 0 {
			parts = append(parts, part.amount.String()+" "+x.currency+" "+part.words)
		}
	}
	return strings.Join(parts, ", ")
}

// costBasis reads the total price of an issuance. It also reads the components if the
// consideration text was written by an export. Returns nil if the issuance has no cost basis.
func costBasis(issuance *Object) *captable.CostBasis {
	price := issuance.price("cost_basis")
	if price == nil {
		return nil
	}
	basis := &captable.CostBasis{Price: *price}
	for part := range strings.SplitSeq(issuance.text("consideration_text"), ", ") {
		number, words, _ := strings.Cut(part, " "+price.Currency+" ")
		for _, known := range consideredParts(&basis.Parts) {
			if amount, ok := parseNumeric(number); ok && known.words == words {
				*known.amount = amount
			}
		}
	}
	return basis
}

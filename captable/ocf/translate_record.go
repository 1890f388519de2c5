package ocf

import "equity/captable"

// valuation enters a valuation of a stock class. The format has a single valuation type.
func (t *translation) valuation(s *step) {
	o := s.object
	s.needs = []key{{typeClass, o.text("stock_class_id")}}
	terms := captable.ValuationTerms{
		Type: type409A, EffectiveDate: o.date("effective_date"), PricePerShare: (*captable.Money)(o.price("price_per_share")),
		Provider: o.text("provider"), ExternalID: o.ID, Comments: o.texts("comments"),
	}
	s.command = func(n *names) captable.Command {
		terms.Security = n.securities[o.text("stock_class_id")]
		return captable.PutValuation{ValuationTerms: terms, Source: o.source()}
	}
}

// findFinanced maps each issuance to the first financing that names it.
func (t *translation) findFinanced() {
	for _, o := range t.objects {
		if o.Type != typeFinancing || o.refused {
			continue
		}
		for _, id := range o.texts("issuance_ids") {
			if first, known := t.financed[id]; known && first != o.ID {
				t.findings.warn(
					o, "/issuance_ids", codeFinancing,
					"The issuance "+quote(id)+" is of the financing "+quote(first)+": a holding is of one.",
				)
				continue
			}
			t.financed[id] = o.ID
		}
	}
}

// financing creates a funding round before its issuances. Rounds are not ordered among the
// transactions. A duplicate name gets the id as a suffix.
func (t *translation) financing(s *step) {
	o := s.object
	s.gives = []key{{typeFinancing, o.ID}}
	terms := captable.BlockTerms{Name: o.text("name"), CloseDate: o.date("date"), ExternalID: o.ID, Comments: o.texts("comments")}
	if t.rounds[folded(terms.Name)] {
		terms.Name += " (" + o.ID + ")"
		t.findings.warn(o, "/name", codeFinancing, "Another financing has this name; the round is called "+quote(terms.Name)+".")
	}
	t.rounds[folded(terms.Name)] = true
	s.command = func(*names) captable.Command { return captable.CreateBlock{BlockTerms: terms, Source: o.source()} }
}

package ocf

import (
	"slices"
	"strconv"

	"equity/captable"
)

// issuance issues shares after the objects that the issuance references.
func (t *translation) issuance(s *step) {
	o := s.object
	s.needs = t.issueNeeds(o)
	plan := o.text("stock_plan_id")
	if plan != "" {
		s.needs = append(s.needs, key{typePlan, plan})
		t.warnOfClass(o)
	}
	s.gives = []key{securityKey(o.text("security_id"))}
	certificate := t.certificate(o)
	facts, _ := o.issuanceRemarks()
	s.command = func(n *names) captable.Command {
		return captable.IssueShareholding{
			HolderRef: n.holder(o), Security: n.securities[o.text("stock_class_id")], Shares: o.number("quantity"),
			IssueDate: o.day(), Award: captable.Award(n.pools[plan]),
			ShareholdingDetails: n.complete(t.detailsOf(o, certificate), o, t.financed[o.ID]), CostBasis: costBasis(o),
			FromTreasury: fromTreasury(o), Source: o.source(),
			PreferencePrice: priceOf(facts[commentPreference]),
		}
	}
}

// fromTreasury returns the number of shares from the treasury.
func fromTreasury(o *Object) captable.Decimal {
	facts, _ := o.remarks(commentFromTreasury)
	if figure := figureOf(facts[commentFromTreasury]); figure != nil && figure.Sign() > 0 {
		return *figure
	}
	return captable.Decimal{}
}

// issueNeeds returns the dependencies of a share issuance.
func (t *translation) issueNeeds(o *Object) []key {
	needs := []key{{typeStakeholder, o.text("stakeholder_id")}, {typeClass, o.text("stock_class_id")}}
	for _, legend := range o.texts("stock_legend_ids") {
		needs = append(needs, key{typeLegend, legend})
	}
	if terms := vestsBy(o); terms != "" {
		needs = append(needs, key{typeVesting, terms})
	}
	return needs
}

// details parses the descriptive fields of an issuance, without its legends.
func (t *translation) details(o *Object) captable.ShareholdingDetails {
	return t.detailsOf(o, t.certificate(o))
}

// detailsOf is like details for an issuance with a known certificate number.
func (t *translation) detailsOf(o *Object, certificate string) captable.ShareholdingDetails {
	facts, comments := o.issuanceRemarks()
	details := captable.ShareholdingDetails{
		ShareholderName: facts[commentName], Rule144Date: dateOf(facts[commentRule144]),
		Certificate: certificate, PricePerShare: o.price("share_price"), BoardApprovalDate: o.date("board_approval_date"),
		ExternalID: o.text("security_id"), Comments: comments, VestingStart: t.starts[o.text("security_id")], Vestings: vestingsOf(o),
	}
	switch o.text("issuance_type") {
	case "RSA":
		details.IssuanceType = "restrictedStockAward"
	case "FOUNDERS_STOCK":
		details.IssuanceType = "founders"
	}
	return details
}

func (o *Object) issuanceRemarks() (facts map[string]string, comments []string) {
	return o.remarks(commentName, commentRule144, commentStopped, commentAfterSplit, commentFromTreasury, commentPreference)
}

// certificate returns the certificate number of an issuance, and adds the step of its termination. Certificate numbers
// are unique in the cap table, so a duplicate custom_id gets a suffix. Exports keep the original number.
func (t *translation) certificate(o *Object) string {
	facts, _ := o.issuanceRemarks()
	t.stop(o, facts[commentStopped])
	number := o.text("custom_id")
	certificate := number
	if number == "" {
		return ""
	}
	t.certificates[number]++
	for t.certificates[certificate] > 1 {
		certificate = number + "*" + strconv.Itoa(t.certificates[number])
		t.certificates[certificate]++
		if t.certificates[certificate] > 1 {
			t.certificates[number]++ // the number with the suffix is taken too
		}
	}
	if certificate != number {
		t.findings.warn(
			o, "/custom_id", codeCertificate, "Another security has this number; the certificate is numbered "+quote(certificate)+".",
		)
	}
	return certificate
}

// stop ends the vesting of shares according to a termination in a comment.
func (t *translation) stop(o *Object, text string) {
	termination, ok := terminationOf(text)
	if !ok {
		return
	}
	t.steps = append(t.steps, &step{
		object: o, day: max(o.day(), termination.Date), needs: []key{securityKey(o.text("security_id"))},
		command: func(n *names) captable.Command {
			return captable.TerminateShares{
				Shareholdings: []captable.ShareholdingID{n.shareholdings[o.text("security_id")]}, Termination: termination,
				Source: o.source(),
			}
		},
	})
}

func (t *translation) acceptance(s *step) {
	o := s.object
	s.needs = []key{securityKey(o.text("security_id"))}
	s.gives = []key{acceptedKey(o.text("security_id"))}
	s.command = func(n *names) captable.Command {
		return captable.AcceptShareholding{ID: n.shareholdings[o.text("security_id")], Date: o.day(), Source: o.source()}
	}
}

func (t *translation) retraction(s *step) {
	o := s.object
	s.needs = []key{securityKey(o.text("security_id"))}
	s.command = func(n *names) captable.Command {
		return captable.RetractShareholding{
			ID: n.shareholdings[o.text("security_id")], Date: o.day(), Reason: o.text("reason_text"), Source: o.source(),
		}
	}
}

// split splits a class, including its authorized shares, but not shares that are restated by
// reissuances. An adjustment on the same day states the final limit, and the split then
// leaves the limit unchanged.
func (t *translation) split(s *step) {
	o := s.object
	s.needs = []key{{typeClass, o.text("stock_class_id")}}
	restated := t.restated[o.ID]
	for _, security := range restated {
		s.wants = append(s.wants, securityKey(security))
	}
	s.wants = append(s.wants, t.raised[classDay{o.text("stock_class_id"), s.day}]...) // the split may need the higher limit
	s.gives = []key{{typeSplit, o.ID}}
	s.command = func(n *names) captable.Command {
		ratio, _ := ratioOf(o.value("split_ratio"))
		command := captable.SplitSecurity{
			ID: n.securities[o.text("stock_class_id")], Numerator: ratio.Numerator, Denominator: ratio.Denominator,
			Date: o.day(), KeepAuthorized: t.limited[classDay{o.text("stock_class_id"), s.day}], Source: o.source(),
		}
		for _, security := range restated {
			if id, issued := n.shareholdings[security]; issued {
				command.Restated = append(command.Restated, id)
			}
		}
		return command
	}
}

// authorized sets the limit of a class. Both the format and the command state totals, so that
// the result does not depend on other imported objects.
func (t *translation) authorized(s *step) {
	o := s.object
	s.needs = []key{{typeClass, o.text("stock_class_id")}}
	s.gives = []key{limitKey(o)}
	if before, found := t.before[o]; found {
		s.needs = append(s.needs, before)
	}
	s.command = func(n *names) captable.Command {
		total := captable.AuthorizedOf(o.number("new_shares_authorized"))
		return captable.AuthorizeShares{
			ID: n.securities[o.text("stock_class_id")], EffectiveDate: o.day(), BoardApprovalDate: o.date("board_approval_date"),
			StockholderApprovalDate: o.date("stockholder_approval_date"), Total: &total, Source: o.source(),
		}
	}
}

// ending ends securities and enters the resulting and balance issuances.
func (t *translation) ending(s *step) {
	o := s.object
	for _, security := range touched(o) {
		s.needs = append(s.needs, securityKey(security))
		s.wants = append(s.wants, acceptedKey(security)) // an ended security cannot be accepted
	}
	if split := o.text("split_transaction_id"); split != "" {
		s.needs = append(s.needs, key{typeSplit, split})
	}
	pointers, securities := outcome(o)
	issuances := make([]*Object, len(securities))
	details := make([]captable.ShareholdingDetails, len(securities))
	for i, security := range securities {
		s.gives = append(s.gives, securityKey(security))
		issuances[i] = t.issued[security]
		details[i] = t.details(issuances[i])
		s.needs = append(s.needs, t.issueNeeds(issuances[i])...)
		if issuances[i].refused {
			s.needs = append(s.needs, securityKey(security)) // never available, so the step fails too
		}
	}
	s.command = func(n *names) captable.Command {
		command := t.replacement(o)
		for _, security := range touched(o) {
			command.From = append(command.From, n.shareholdings[security])
		}
		for i, issuance := range issuances {
			result := t.result(n, issuance, details[i])
			if pointers[i] == "/balance_security_id" {
				command.Balance = &result
			} else {
				command.Results = append(command.Results, result)
			}
		}
		return command
	}
}

// replacement converts an ending without its references.
func (t *translation) replacement(o *Object) captable.ReplaceShareholding {
	command := captable.ReplaceShareholding{
		Date: o.day(), Shares: o.number("quantity"), Reason: o.text("reason_text"), Behavior: t.behavior(o), Source: o.source(),
	}
	switch o.Type {
	case typeTransfer:
		command.Kind = captable.StatusTransferred
	case typeCancellation:
		command.Kind = captable.StatusCancelled
	case typeRepurchase:
		command.Kind, command.Price = captable.StatusRepurchased, o.price("price")
		command.ToTreasury = slices.Contains(o.texts("comments"), commentTreasury)
	case typeConversion:
		command.Kind, command.Shares = captable.StatusConverted, o.number("quantity_converted")
	case typeConsolidation:
		command.Kind = captable.StatusConsolidated
	case typeReissuance:
		command.Kind = captable.StatusReissued
		if split := t.byID[typedID{typeSplit, o.text("split_transaction_id")}]; split != nil {
			ratio, _ := ratioOf(split.value("split_ratio"))
			command.Ratio = &ratio
		}
	}
	return command
}

package ocf

import (
	"strings"

	"equity/captable"
)

// foreignInstrument reports whether the cap table cannot represent a transaction of a
// convertible or warrant, because it lacks an amount, a price or an unambiguous outcome.
func foreignInstrument(o *Object, family, effect string) bool {
	_, made := outcome(o)
	balanced := o.text("balance_security_id") != ""
	switch effect {
	case "ISSUANCE":
		if family == familyWarrant {
			return coverageOf(o) == nil && (o.number("quantity").Sign() <= 0 || o.price("exercise_price") == nil)
		}
		amount := o.price("investment_amount")
		return amount == nil || amount.Amount.Sign() <= 0 || !captable.IsCurrency(amount.Currency)
	case "TRANSFER":
		return len(o.texts("resulting_security_ids")) != 1 || affected(o).Sign() <= 0
	case "CANCELLATION":
		return affected(o).Sign() <= 0
	case "CONVERSION":
		return len(made) == 0 || balanced && len(made) == 1
	case "EXERCISE":
		return len(made) != 1 || balanced
	default:
		return false
	}
}

// affected returns the amount or quantity of a transaction.
func affected(o *Object) captable.Decimal {
	if amount := o.price("amount"); amount != nil {
		return amount.Amount
	}
	return o.number("quantity")
}

// instrumentStep creates the step of a convertible or warrant transaction.
func (t *translation) instrumentStep(s *step) {
	o := s.object
	_, effect := effectOf(o.Type)
	security := o.text("security_id")
	about := func(n *names) captable.InstrumentID { return n.instruments[security] }
	if effect != "ISSUANCE" {
		s.needs = append(s.needs, securityKey(security))
		s.wants = append(s.wants, acceptedKey(security)) // an ended security cannot be accepted
	}
	switch effect {
	case "ISSUANCE":
		t.reportTerms(o)
		s.needs = t.instrumentNeeds(o)
		s.gives = []key{securityKey(security)}
		s.command = func(n *names) captable.Command { return *t.stated(n, o) }
	case "ACCEPTANCE":
		s.gives, s.wants = []key{acceptedKey(security)}, nil
		s.command = func(n *names) captable.Command {
			return captable.AcceptInstrument{ID: about(n), Date: o.day(), Source: o.source()}
		}
	case "RETRACTION":
		s.command = func(n *names) captable.Command {
			return captable.RetractInstrument{ID: about(n), Date: o.day(), Reason: o.text("reason_text"), Source: o.source()}
		}
	case "CONVERSION":
		t.instrumentSettlement(s, captable.StatusConverted)
	case "EXERCISE":
		t.instrumentSettlement(s, captable.StatusExercised)
	default:
		t.division(s, effect)
	}
}

// instrumentNeeds returns the dependencies of a convertible or warrant issuance.
func (t *translation) instrumentNeeds(o *Object) []key {
	needs := []key{{typeStakeholder, o.text("stakeholder_id")}}
	for _, class := range []string{classOf(o), fixedClass(o)} {
		if class != "" {
			needs = append(needs, key{typeClass, class})
		}
	}
	return needs
}

// classOf returns the class that a warrant purchases, or an empty string.
func classOf(o *Object) string {
	if family, _ := effectOf(o.Type); family == familyWarrant {
		return warrantClass(o)
	}
	return ""
}

// fixedClass returns the class of a convertible's fixed conversion, or an empty string.
func fixedClass(o *Object) string {
	if family, _ := effectOf(o.Type); family == familyWarrant {
		return ""
	}
	class, _ := fixed(o)
	return class
}

// stated converts an issuance to the command that issues the instrument.
func (t *translation) stated(n *names, o *Object) *captable.IssueInstrument {
	var command captable.IssueInstrument
	if family, _ := effectOf(o.Type); family == familyWarrant {
		command = warrant(o)
		command.Security = n.securities[warrantClass(o)]
	} else {
		command = convertible(o)
		if class, into := fixed(o); into != nil {
			into.Security = n.securities[class]
			command.FixedConversion = into
		}
		if rank := wholeNumber(o.value("seniority")); rank > 0 { // in the format, rank 1 is the most senior; in the cap table, the highest number is
			command.Seniority = new(t.juniors + 1 - rank)
		}
	}
	_, comments := o.remarks(commentCoverage, commentAfterSplit)
	_, comments = repayments(comments)
	command.HolderRef = n.holder(o)
	command.BoardApprovalDate, command.ExternalID, command.Comments = o.date("board_approval_date"), o.text("security_id"), comments
	if block, known := n.blocks[t.financed[o.ID]]; known {
		command.Block = block.String()
	}
	return &command
}

// findJuniors finds the most junior rank of the convertibles.
func (t *translation) findJuniors() {
	for _, o := range t.objects {
		if family, effect := effectOf(o.Type); family == familyConvertible && effect == "ISSUANCE" {
			t.juniors = max(t.juniors, min(wholeNumber(o.value("seniority")), t.limits.Objects))
		}
	}
}

// division transfers or cancels all or part of an instrument. The resulting issuances state
// their complete terms.
func (t *translation) division(s *step, effect string) {
	o := s.object
	pointers, securities := outcome(o)
	for _, security := range securities {
		s.gives = append(s.gives, securityKey(security))
		s.needs = append(s.needs, t.instrumentNeeds(t.issued[security])...)
		if t.issued[security].refused {
			s.needs = append(s.needs, securityKey(security)) // never available, so the step fails too
		}
	}
	if repaid, _ := repayments(o.texts("comments")); effect == "CANCELLATION" && len(repaid) == 1 {
		t.repayment(s, o.text("security_id"), repaid[0], o.source())
		return
	}
	s.command = func(n *names) captable.Command {
		command := captable.DivideInstrument{
			ID: n.instruments[o.text("security_id")], Kind: captable.StatusCancelled, Date: o.day(), Size: affected(o),
			Reason: o.text("reason_text"), Source: o.source(),
		}
		if effect == "TRANSFER" {
			command.Kind = captable.StatusTransferred
		}
		for i, security := range securities {
			if part := t.stated(n, t.issued[security]); strings.HasPrefix(pointers[i], "/balance") {
				command.Balance = part
			} else {
				command.Result = part
			}
		}
		return command
	}
}

// repaid creates the steps of the partial repayments of a convertible.
func (t *translation) repaid(o *Object) {
	if family, effect := effectOf(o.Type); family != familyConvertible || effect != "ISSUANCE" {
		return
	}
	all, _ := repayments(o.texts("comments"))
	for _, one := range all {
		s := &step{object: o, day: one.Date, needs: []key{securityKey(o.text("security_id"))}}
		t.repayment(s, o.text("security_id"), one, nil)
		t.steps = append(t.steps, s)
	}
}

// repayment enters a repayment.
func (t *translation) repayment(s *step, security string, repaid captable.RepayInstrument, source *captable.Source) {
	s.command = func(n *names) captable.Command {
		command := repaid
		command.ID, command.Source = n.instruments[security], source
		return command
	}
}

// instrumentSettlement enters the shares from a conversion or exercise, and the balance of a
// partly converted convertible.
func (t *translation) instrumentSettlement(s *step, kind captable.Status) {
	o := s.object
	var issuances []*Object
	var details []captable.ShareholdingDetails
	var balance *Object
	pointers, securities := outcome(o)
	for i, security := range securities {
		issuance := t.issued[security]
		s.gives = append(s.gives, securityKey(security))
		if issuance.refused {
			s.needs = append(s.needs, securityKey(security)) // never available, so the step fails too
		}
		if strings.HasPrefix(pointers[i], "/balance") {
			balance = issuance
			s.needs = append(s.needs, t.instrumentNeeds(issuance)...)
			continue
		}
		t.compareHolder(o, issuance)
		s.needs = append(s.needs, t.issueNeeds(issuance)...)
		issuances, details = append(issuances, issuance), append(details, t.details(issuance))
	}
	s.command = func(n *names) captable.Command {
		command := captable.SettleInstrument{ID: n.instruments[o.text("security_id")], Kind: kind, Date: o.day(), Source: o.source()}
		for i, issuance := range issuances {
			command.Others = append(command.Others, t.result(n, issuance, details[i]))
		}
		command.Result, command.Others = command.Others[0], command.Others[1:]
		if balance != nil {
			command.Balance, command.Converted = t.stated(n, balance), o.figure("quantity_converted")
		}
		return command
	}
}

// compareHolder reports shares that another person receives than the holder of the ended security.
func (t *translation) compareHolder(o, issuance *Object) {
	ended := t.issued[o.text("security_id")]
	if ended != nil && ended.text("stakeholder_id") != issuance.text("stakeholder_id") {
		t.findings.warn(issuance, "/stakeholder_id", codeOtherHolder, "The shares go to another holder than the one of the ended security. Check the holder.")
	}
}

// result converts an issuance to a resulting shareholding.
func (t *translation) result(n *names, issuance *Object, details captable.ShareholdingDetails) captable.Result {
	return captable.Result{
		Holder: n.holder(issuance), Security: n.securities[issuance.text("stock_class_id")], Shares: issuance.number("quantity"),
		ShareholdingDetails: n.complete(details, issuance, t.financed[issuance.ID]), CostBasis: costBasis(issuance),
		FromTreasury: fromTreasury(issuance), Source: issuance.source(),
	}
}

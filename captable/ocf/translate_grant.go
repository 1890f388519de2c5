package ocf

import (
	"strings"

	"equity/captable"
	"equity/captable/vesting"
)

// grantStep makes the step of a transaction about a grant.
func (t *translation) grantStep(s *step) {
	o := s.object
	_, effect := effectOf(o.Type)
	security := o.text("security_id")
	if effect != "ISSUANCE" {
		s.needs = append(s.needs, securityKey(security))
	}
	grant := func(n *names) captable.GrantID { return n.grants[security] }
	switch effect {
	case "ISSUANCE":
		t.granting(s)
	case "ACCEPTANCE":
		s.gives = []key{acceptedKey(security)}
		s.command = func(n *names) captable.Command {
			return captable.AcceptGrant{ID: grant(n), Date: o.day(), Source: o.source()}
		}
	case "RETRACTION":
		s.command = func(n *names) captable.Command {
			return captable.RetractGrant{ID: grant(n), Date: o.day(), Reason: o.text("reason_text"), Source: o.source()}
		}
	case "CANCELLATION":
		t.grantCancellation(s)
	case "EXERCISE":
		t.settlement(s, captable.StatusExercised, o.day())
	case "RELEASE":
		t.settlement(s, captable.StatusReleased, o.day())
	case "REPRICING":
		plan := t.issued[t.root(security)].text("stock_plan_id")
		s.command = func(n *names) captable.Command {
			return captable.RepriceGrants{
				Plan: n.pools[plan].Plan, Options: []captable.GrantID{grant(n)}, Date: o.day(), ExercisePrice: *o.price("new_exercise_price"), Source: o.source(),
			}
		}
	default:
		t.grantVesting(s)
	}
}

// granting plans a grant, behind its holder, its plan and the terms that it vests by.
func (t *translation) granting(s *step) {
	o := s.object
	s.needs = []key{{typeStakeholder, o.text("stakeholder_id")}, {typePlan, o.text("stock_plan_id")}}
	if terms := vestsBy(o); terms != "" {
		s.needs = append(s.needs, key{typeVesting, terms})
		if _, begun := t.starts[o.text("security_id")]; !begun {
			t.findings.warn(o, "/vesting_terms_id", codeVesting, "No transaction says when it began to vest: it counts from the day of the grant.")
		}
	}
	s.gives = []key{securityKey(o.text("security_id"))}
	command := captable.GrantOption{
		Quantity: o.number("quantity"), ExercisePrice: o.price("exercise_price"), Vestings: vestingsOf(o), Source: o.source(),
		GrantTerms: captable.GrantTerms{
			Type: grantType(o), IssueDate: o.day(), ExpirationDate: o.date("expiration_date"), VestingStart: t.starts[o.text("security_id")],
			TerminationWindows: windowsOf(o),
		},
		GrantDetails: captable.GrantDetails{
			BoardApprovalDate: o.date("board_approval_date"), ExternalID: o.text("security_id"), Comments: o.texts("comments"),
		},
	}
	command.EarlyExercise, _ = o.values["early_exercisable"].(bool)
	switch command.Type {
	case captable.GrantRSU:
		command.ExercisePrice, command.EarlyExercise = nil, false
	case captable.GrantSAR:
		command.ExercisePrice = o.price("base_price")
	case captable.GrantISO, captable.GrantNSO, captable.GrantInternational:
	}
	s.command = func(n *names) captable.Command {
		command := command
		command.HolderRef = n.holder(o)
		ref := n.pools[o.text("stock_plan_id")]
		command.Plan, command.Pool = ref.Plan, ref.Pool
		if schedule, known := n.schedules[vestsBy(o)]; known {
			command.VestingSchedule = schedule.String()
		}
		return command
	}
}

// grantCancellation takes a part of a grant. What is left goes on as the same grant, by
// the id of its balance too.
func (t *translation) grantCancellation(s *step) {
	o := s.object
	s.wants = append(s.wants, acceptedKey(o.text("security_id")))
	command := captable.CancelGrant{Date: o.day(), Reason: o.text("reason_text"), Source: o.source()}
	if strings.TrimSpace(command.Reason) == "" {
		command.Reason = "Cancelled."
	}
	if _, balance := outcome(o); len(balance) == 1 {
		s.gives = []key{securityKey(balance[0])}
		quantity := o.number("quantity")
		command.Quantity, command.Balance = &quantity, t.issued[balance[0]].source()
	}
	if t.returned[o.text("security_id")] {
		command.Behavior = captable.ReturnToPool
	}
	s.command = func(n *names) captable.Command {
		command := command
		command.ID = n.grants[o.text("security_id")]
		if _, balance := outcome(o); len(balance) == 1 {
			n.grants[balance[0]] = command.ID
		}
		return command
	}
}

// settlement enters shares that came of a grant.
func (t *translation) settlement(s *step, kind captable.Status, day captable.Date) {
	o := s.object
	s.wants = append(s.wants, acceptedKey(o.text("security_id")))
	_, results := outcome(o)
	issuance := t.issued[results[0]]
	s.needs = append(s.needs, t.issueNeeds(issuance)...)
	if issuance.refused {
		s.needs = append(s.needs, securityKey(results[0])) // which never comes: the step fails with it
	}
	s.gives = []key{securityKey(results[0])}
	details := t.details(issuance)
	quantity := o.number("quantity")
	if quantity.IsZero() { // a release may leave it out
		quantity = issuance.number("quantity")
	}
	s.command = func(n *names) captable.Command {
		return captable.SettleGrant{
			ID: n.grants[o.text("security_id")], Kind: kind, Quantity: quantity, Date: day, Source: o.source(),
			Result: t.result(n, issuance, details),
		}
	}
}

// grantVesting enters an event of the vesting, or an acceleration.
func (t *translation) grantVesting(s *step) {
	o := s.object
	security := o.text("security_id")
	s.command = func(n *names) captable.Command {
		if o.Type == typeAcceleration {
			quantity := o.number("quantity")
			return captable.AccelerateGrant{
				ID: n.grants[security], Quantity: &quantity, Date: o.day(), Reason: o.text("reason_text"), Source: o.source(),
			}
		}
		return captable.HappenGrant{
			ID: n.grants[security], Happening: vesting.Happening{Condition: o.text("vesting_condition_id"), Date: o.day()}, Source: o.source(),
		}
	}
}

// findReturns finds the grants that a transaction of their own says return to the pool.
func (t *translation) findReturns() {
	for _, o := range t.objects {
		if o.Type == typeReturn && !o.refused {
			t.returned[o.text("security_id")] = true
		}
	}
}

package ocf

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/captable/vesting"
)

// grantStep creates the step of a grant transaction.
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
		if first, used := t.used[security]; used && first < s.day { // an exercise may be recorded with an earlier day
			s.day = first
		}
		s.command = func(n *names) captable.Command {
			return captable.AcceptGrant{ID: grant(n), Date: o.day(), Source: o.source()}
		}
	case "RETRACTION":
		s.command = func(n *names) captable.Command {
			return captable.RetractGrant{ID: grant(n), Date: o.day(), Reason: o.text("reason_text"), Source: o.source()}
		}
	case "CANCELLATION":
		t.grantCancellation(s)
	case "TRANSFER":
		t.grantTransfer(s)
	case "EXERCISE":
		t.settlements(s, captable.StatusExercised)
	case "RELEASE":
		t.settlements(s, captable.StatusReleased)
	case "REPRICING":
		plan := t.issued[t.root(security)].text("stock_plan_id")
		s.command = func(n *names) captable.Command {
			return captable.RepriceGrants{
				Plan: n.pools[plan].Plan, Options: []captable.GrantID{grant(n)}, Date: o.day(),
				ExercisePrice: *o.price("new_exercise_price"), Source: o.source(),
			}
		}
	default:
		t.grantVesting(s)
	}
}

// granting creates a grant after its holder, its plan or class, and its vesting terms.
func (t *translation) granting(s *step) {
	o := s.object
	s.needs = []key{{typeStakeholder, o.text("stakeholder_id")}}
	class, plan := t.namedClass(o), o.text("stock_plan_id")
	if plan == "" {
		class = t.grantClass(o)
	} else {
		s.needs = append(s.needs, key{typePlan, plan})
		t.warnOfClass(o)
	}
	if plan == "" || class != "" {
		s.needs = append(s.needs, key{typeClass, class})
	}
	if maker := t.madeBy[o.text("security_id")]; maker != nil && isGrantTransfer(maker) && !t.isForeign(maker) {
		s.needs = append(s.needs, transferredKey(maker))
	}
	if terms := vestsBy(o); terms != "" {
		s.needs = append(s.needs, key{typeVesting, terms})
		if _, begun := t.starts[o.text("security_id")]; !begun {
			t.findings.warn(
				o, "/vesting_terms_id", codeVesting, "No transaction says when it began to vest: it counts from the day of the grant.",
			)
		}
	}
	s.gives = []key{securityKey(o.text("security_id"))}
	facts, comments := o.remarks(commentMarketValue, commentAfterSplit)
	command := captable.GrantOption{
		Quantity: o.number("quantity"), ExercisePrice: o.price("exercise_price"), Vestings: vestingsOf(o), Source: o.source(),
		MarketValue: priceOf(facts[commentMarketValue]),
		GrantTerms: captable.GrantTerms{
			Type: grantType(o), IssueDate: o.day(), ExpirationDate: o.date("expiration_date"),
			VestingStart:       t.starts[o.text("security_id")],
			TerminationWindows: windowsOf(o),
		},
		GrantDetails: captable.GrantDetails{
			BoardApprovalDate: o.date("board_approval_date"), ExternalID: o.text("security_id"), Comments: comments,
		},
	}
	command.EarlyExercise, _ = o.value("early_exercisable").(bool)
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
		command.Plan, command.Pool, command.Class = ref.Plan, ref.Pool, n.securities[class]
		if schedule, known := n.schedules[vestsBy(o)]; known {
			command.VestingSchedule = schedule.String()
		}
		return command
	}
}

// grantCancellation cancels all or part of a grant. The remainder continues as the same
// grant, which is also mapped to the id of its balance.
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
	command.Behavior = t.behavior(o)
	s.command = func(n *names) captable.Command {
		command := command
		command.ID = n.grants[o.text("security_id")]
		if _, balance := outcome(o); len(balance) == 1 {
			n.grants[balance[0]] = command.ID
		}
		return command
	}
}

// grantTransfer ends a grant. Its results and balance become new grants, as stated by their
// issuances.
func (t *translation) grantTransfer(s *step) {
	o := s.object
	s.gives = []key{transferredKey(o)}
	s.wants = append(s.wants, acceptedKey(o.text("security_id")))
	pointers, securities := outcome(o)
	results, all := captable.Decimal{}, captable.Decimal{}
	for i, security := range securities {
		quantity := t.issued[security].number("quantity")
		all = all.Add(quantity)
		if pointers[i] != "/balance_security_id" {
			results = results.Add(quantity)
		}
	}
	if !results.Equal(o.number("quantity")) {
		t.findings.refuse(
			o, "/resulting_security_ids", codeWrongSum,
			"The results must sum to "+o.number("quantity").String()+"; they sum to "+results.String()+".",
		)
		t.fail(o)
		return
	}
	s.command = func(n *names) captable.Command {
		return captable.CancelGrant{
			ID: n.grants[o.text("security_id")], Date: o.day(), Reason: "Transferred.", Behavior: captable.ReturnToPool,
			Transferred: &all, Source: o.source(),
		}
	}
}

// settlements enters the shares from an exercise or release, with one step for each result.
// The last step includes withheld shares. Without results, only the options end.
func (t *translation) settlements(s *step, kind captable.Status) {
	o := s.object
	_, results := outcome(o)
	left := o.number("quantity")
	if left.IsZero() { // the quantity is optional in a release
		for _, result := range results {
			left = left.Add(t.issued[result].number("quantity"))
		}
	}
	if len(results) == 0 {
		t.unnamed(s, kind, left)
		return
	}
	for i, result := range results {
		quantity, next := left, s
		if i < len(results)-1 {
			quantity = t.issued[result].number("quantity").Min(left)
			next = &step{object: o, day: s.day, needs: slices.Clone(s.needs)}
			t.steps = append(t.steps, next)
		}
		left = left.Sub(quantity)
		t.settlement(next, kind, quantity, t.issued[result])
	}
}

// unnamed ends options whose resulting shares are not in the package.
func (t *translation) unnamed(s *step, kind captable.Status, quantity captable.Decimal) {
	o := s.object
	t.findings.warn(o, "/resulting_security_ids", codeCarried, "The shares are not named: the grant has less, and no shares are counted.")
	s.wants = append(s.wants, acceptedKey(o.text("security_id")))
	s.command = func(n *names) captable.Command {
		return captable.CancelGrant{
			ID: n.grants[o.text("security_id")], Quantity: &quantity, Date: o.day(),
			Reason:   "It was " + string(kind) + "; the shares are not named.",
			Behavior: captable.Retire, Source: o.source(),
		}
	}
}

// settlement enters the shares of one result.
func (t *translation) settlement(s *step, kind captable.Status, quantity captable.Decimal, issuance *Object) {
	o, result := s.object, securityKey(issuance.text("security_id"))
	s.wants = append(s.wants, acceptedKey(o.text("security_id")))
	s.needs = append(s.needs, t.issueNeeds(issuance)...)
	if issuance.refused {
		s.needs = append(s.needs, result) // never available, so the step fails too
	}
	s.gives = []key{result}
	t.compareHolder(o, issuance)
	details := t.details(issuance)
	s.command = func(n *names) captable.Command {
		return captable.SettleGrant{
			ID: n.grants[o.text("security_id")], Kind: kind, Quantity: quantity, Date: o.day(), Source: o.source(),
			Result: t.result(n, issuance, details),
		}
	}
}

// grantVesting enters a vesting event or an acceleration.
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
			ID:        n.grants[security],
			Happening: vesting.Happening{Condition: o.text("vesting_condition_id"), Date: o.day(), Realized: realized(o)},
			Source:    o.source(),
		}
	}
}

// behavior returns what a transaction states about its shares: whether they return to the pool. It is empty if the plan decides.
func (t *translation) behavior(o *Object) captable.CancellationBehavior {
	switch {
	case t.returned[o.text("security_id")]:
		return captable.ReturnToPool
	case slices.Contains(o.texts("comments"), commentRetired):
		return captable.Retire
	default:
		return ""
	}
}

// findUses finds the first exercise or release of each grant.
func (t *translation) findUses() {
	for _, o := range t.objects {
		family, effect := effectOf(o.Type)
		if security := o.text("security_id"); family == familyGrant && (effect == "EXERCISE" || effect == "RELEASE") {
			if first, used := t.used[security]; !used || o.day() < first {
				t.used[security] = o.day()
			}
		}
	}
}

// findReturns finds the securities with a return-to-pool transaction.
func (t *translation) findReturns() {
	for _, o := range t.objects {
		if o.Type == typeReturn && !o.refused {
			t.returned[o.text("security_id")] = true
		}
	}
}

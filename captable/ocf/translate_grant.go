package ocf

import (
	"encoding/json"
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// familyGrant is the family of options, units and rights to appreciation.
const familyGrant = "EQUITY_COMPENSATION"

// familyStock is the family of shares.
const familyStock = "STOCK"

// findForeign finds the grants and instruments that are carried as they came with
// everything that happened to them: grants outside a plan, and those to which something
// happened that the cap table does not know, or that do not say what came of them. What
// was left of one is foreign with it.
func (t *translation) findForeign() {
	for _, o := range t.objects {
		family, effect := effectOf(o.Type)
		if family == familyGrant && foreignGrant(o, effect) || isInstrument(family) && foreignInstrument(o, family, effect) {
			t.foreign[t.root(o.text("security_id"))] = true
		}
	}
	for _, o := range t.objects {
		switch family, effect := effectOf(o.Type); {
		case effect != "ISSUANCE" || !t.isForeign(o):
		case family == familyGrant:
			t.findings.warn(o, "", codeCarried, "The grant is kept as it came, and not counted: it is outside a plan, was transferred, or became shares that are not named.")
		default:
			t.findings.warn(o, "", codeCarried, "It is kept as it came, and not counted: how much it is or costs is not stated, or not which one thing came of it.")
		}
	}
}

// foreignGrant reports whether a transaction about a grant is one that the cap table has
// no words for.
func foreignGrant(o *Object, effect string) bool {
	_, results := outcome(o)
	return effect == "ISSUANCE" && o.text("stock_plan_id") == "" || effect == "TRANSFER" ||
		(effect == "EXERCISE" || effect == "RELEASE") && len(results) != 1
}

// root is the grant or the instrument that a security is what was left of.
func (t *translation) root(security string) string {
	for range len(t.objects) {
		maker := t.madeBy[security]
		if maker == nil {
			return security
		}
		if family, effect := effectOf(maker.Type); family == familyStock || effect != "CANCELLATION" && effect != "TRANSFER" {
			return security
		}
		security = maker.text("security_id")
	}
	return security
}

// isForeign reports whether the object is about a grant or an instrument that is carried.
func (t *translation) isForeign(o *Object) bool {
	family, _ := effectOf(o.Type)
	about := family == familyGrant || isInstrument(family) || o.Type == typeVestingEvent || o.Type == typeAcceleration
	return about && t.foreign[t.root(o.text("security_id"))]
}

// isOfGrant reports whether the object is about a grant, and not about shares.
func (t *translation) isOfGrant(o *Object) bool { return t.familyOf(o) == familyGrant }

// familyOf is the family of the security that the object is about; empty for none.
func (t *translation) familyOf(o *Object) string {
	issuance := t.issued[o.text("security_id")]
	if issuance == nil {
		return ""
	}
	family, _ := effectOf(issuance.Type)
	return family
}

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

// grantType reads the kind of a grant, in the present and in the older form.
func grantType(o *Object) captable.GrantType {
	switch o.text("compensation_type") {
	case "OPTION_ISO":
		return captable.GrantISO
	case "OPTION_NSO":
		return captable.GrantNSO
	case "RSU":
		return captable.GrantRSU
	case "CSAR", "SSAR":
		return captable.GrantSAR
	}
	switch o.text("option_grant_type") {
	case "ISO":
		return captable.GrantISO
	case "NSO":
		return captable.GrantNSO
	default:
		return captable.GrantInternational
	}
}

func vestingsOf(o *Object) (vestings []vesting.Vesting) {
	list, _ := o.values["vestings"].([]any)
	for _, value := range list {
		entry, _ := value.(map[string]any)
		day, _ := entry["date"].(string)
		text, _ := entry["amount"].(string)
		date, _ := exact.ParseDate(day)
		amount, _ := parseNumeric(text)
		vestings = append(vestings, vesting.Vesting{Date: date, Quantity: amount})
	}
	return vestings
}

// windowsOf reads the termination windows; reasons are VOLUNTARY_OTHER there and
// voluntaryOther here. What comes twice counts once.
func windowsOf(o *Object) (windows []captable.TerminationWindow) {
	list, _ := o.values["termination_exercise_windows"].([]any)
	seen := map[string]bool{}
	for _, value := range list {
		entry, _ := value.(map[string]any)
		reason, _ := entry["reason"].(string)
		if seen[reason] {
			continue
		}
		seen[reason] = true
		windows = append(windows, captable.TerminationWindow{
			Reason: captable.TerminationReason(camelCase(reason)),
			Period: vesting.Period{N: wholeNumber(entry["period"]), Unit: vesting.Unit(strings.ToLower(textOf(entry["period_type"])))},
		})
	}
	return windows
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

// camelCase writes VOLUNTARY_OTHER as voluntaryOther.
func camelCase(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// wholeNumber reads a number that is counted; 0 for anything else.
func wholeNumber(value any) int {
	number, _ := value.(json.Number)
	n, err := strconv.Atoi(number.String())
	if err != nil {
		return 0
	}
	return n
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

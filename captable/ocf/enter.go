package ocf

import (
	"errors"
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
)

// Table is the target cap table of an import.
type Table interface {
	// Decide validates a command and, if it is accepted, applies its events. Returns the
	// events or a [fault.Error].
	Decide(command captable.Command) ([]captable.Event, error)
	// Mark records the current state. The returned function restores that state and may be
	// called once.
	Mark() (back func())
}

// entering holds the state of one import into a cap table.
type entering struct {
	table    Table
	written  map[captable.Date]bool // see [Package]
	names    names
	there    map[key]bool
	failed   map[key]bool
	findings notes
	// deferred is set if the limits are checked after the last day only.
	deferred bool
}

// Enter sends the commands of the package to the cap table in date order and returns a
// finding for each refused command. Entities maps stakeholder ids to entities; issuances to a
// stakeholder without an entity are left out.
//
// The format has no time of day. The standard order within a day puts issuances first, and
// each acceptance before the end of its security. If that order fails, Enter tries the order
// of the package. Finally, it retries refused steps before the first split of the day and at
// the end of the day. A finding therefore means that every order fails. Enter continues after
// a finding and leaves out the objects that depend on it.
//
// The limits of a package with daily limits are checked once, for every day of the complete
// history: an export states each fact by its date, in its last version, so that an intermediate
// state may exceed a limit. If the history has any finding, Enter begins again and checks each
// command, because the findings of that attempt name the objects.
func (p *Package) Enter(entities map[string]captable.EntityID, table Table) Findings {
	if p.dailyLimits {
		back := table.Mark()
		if e := p.entering(entities, table); e.history(p.steps) {
			return nil
		}
		back()
	}
	e := p.entering(entities, table)
	e.days(p.steps)
	return e.findings.all
}

// entering returns the state before the first step.
func (p *Package) entering(entities map[string]captable.EntityID, table Table) *entering {
	e := &entering{
		table: table, written: p.written, there: map[key]bool{}, failed: map[key]bool{},
		names: names{
			securities: map[string]captable.SecurityID{}, legendIDs: map[string]captable.LegendID{},
			shareholdings: map[string]captable.ShareholdingID{}, entities: entities, blocks: map[string]captable.BlockID{},
			pools: map[string]captable.PoolRef{}, schedules: map[string]captable.VestingScheduleID{},
			grants: map[string]captable.GrantID{}, instruments: map[string]captable.InstrumentID{},
		},
	}
	for id := range p.failed {
		e.failed[id] = true
	}
	for _, s := range p.Stakeholders {
		who := key{typeStakeholder, s.ID}
		_, e.there[who] = entities[s.ID]
		e.failed[who] = !e.there[who]
	}
	return e
}

// history enters all steps without limits and then checks the limits of every day. It reports
// whether there is no finding.
func (e *entering) history(steps []*step) bool {
	e.deferred = true
	if e.days(steps); len(e.findings.all) > 0 {
		return false
	}
	_, err := e.table.Decide(captable.CheckLimits{})
	return err == nil
}

// days enters the steps day by day.
func (e *entering) days(steps []*step) {
	for from := 0; from < len(steps); {
		to := from + 1
		for to < len(steps) && steps[to].day == steps[from].day {
			to++
		}
		e.day(steps[from:to])
		from = to
	}
}

// day enters the steps of one day. It tries the standard order and the order of the package.
// If both fail, it uses the first of them and retries refused steps.
func (e *entering) day(steps []*step) {
	first, second := byRule(steps), asWritten(steps)
	if e.written[steps[0].day] {
		first, second = second, first
	}
	for _, order := range [][]*step{first, second} {
		if len(steps) == 1 {
			break
		}
		back := e.table.Mark()
		if refused := e.run(order); !e.isContrary(refused) {
			e.tell(refused)
			return
		}
		e.forget(steps, back)
	}
	e.tell(e.persist(first))
}

// refusal is a step that could not be entered. The error is nil if a dependency was missing.
type refusal struct {
	step *step
	err  error
}

// run enters the steps in the given order and returns the refused ones.
func (e *entering) run(steps []*step) []refusal {
	var refused []refusal
	for _, s := range steps {
		if entered, err := e.try(s); !entered {
			refused = append(refused, refusal{s, err})
		}
	}
	return refused
}

// persist runs the steps in the given order. It retries refused steps before the first split
// and at the end. A retry after the split would apply the quantity to other shares.
func (e *entering) persist(order []*step) []refusal {
	split := slices.IndexFunc(order, func(s *step) bool { return s.object.Type == typeSplit })
	if split < 0 {
		split = len(order)
	}
	refused := e.again(e.run(order[:split]))
	return e.again(append(refused, e.run(order[split:])...))
}

// again retries refused steps once.
func (e *entering) again(refused []refusal) []refusal {
	steps := make([]*step, 0, len(refused))
	for _, r := range refused {
		steps = append(steps, r.step)
	}
	return e.run(steps)
}

// forget restores the state at the beginning of the day.
func (e *entering) forget(steps []*step, back func()) {
	back()
	for _, s := range steps {
		for _, made := range s.gives {
			delete(e.there, made)
		}
	}
}

// isContrary reports whether any refusal is not the consequence of an earlier finding.
func (e *entering) isContrary(refused []refusal) bool {
	return slices.ContainsFunc(refused, func(r refusal) bool { return r.err != nil || !e.isLost(r.step) })
}

// tell records findings for refused steps and marks their outputs as failed.
func (e *entering) tell(refused []refusal) {
	for _, r := range refused {
		lost := e.isLost(r.step)
		for _, made := range r.step.gives {
			e.failed[made] = true
		}
		switch {
		case r.err != nil:
			e.refused(r.step.object, r.err)
		case !lost:
			e.refuse(r.step.object, "", codeCircular, "The transaction must not depend on its own results.")
		}
	}
}

// refuse records a finding. It does not modify the object, because the package is shared.
func (e *entering) refuse(o *Object, pointer, code, message string) {
	e.findings.add(about(o, Refuse, pointer, code, message))
}

// try enters one step. Returns false without an error if a dependency is missing.
func (e *entering) try(s *step) (bool, error) {
	for _, needed := range s.needs {
		if !e.there[needed] {
			return false, nil
		}
	}
	command := s.command(&e.names)
	if e.deferred {
		command = captable.DeferLimits{Command: command}
	}
	events, err := e.table.Decide(command)
	if err != nil {
		return false, err
	}
	for _, event := range events {
		e.names.learn(event)
	}
	for _, made := range s.gives {
		e.there[made] = true
	}
	return true, nil
}

// isLost reports whether the step depends on an object that already failed.
func (e *entering) isLost(s *step) bool {
	for _, needed := range s.needs {
		if e.failed[needed] {
			return true
		}
	}
	return false
}

// refused converts an error of the cap table to findings.
func (e *entering) refused(o *Object, err error) {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		e.refuse(o, "", "internal", "The object could not be entered.")
		return
	}
	for _, finding := range findingsOf(o, refusal) {
		e.findings.add(finding)
	}
}

// Refused returns the findings for a stakeholder that was refused as a member.
func (s Stakeholder) Refused(refusal *fault.Error) Findings {
	return findingsOf(&Object{Type: typeStakeholder, ID: s.ID}, refusal)
}

// findingsOf converts a refusal to findings with the format's field names.
func findingsOf(o *Object, refusal *fault.Error) Findings {
	if len(refusal.Fields) == 0 {
		return Findings{about(o, Refuse, "", codeOf(refusal), explained(refusal))}
	}
	var findings Findings
	for _, problem := range refusal.Fields {
		findings = append(findings, about(o, Refuse, pointerOf(problem.Pointer), problem.Code, problem.Message))
	}
	return findings
}

// codeOf returns the finding code of a refusal. It distinguishes wrong sums from other
// conflicts.
func codeOf(refusal *fault.Error) string {
	for _, figure := range []string{"results", "remaining"} {
		if _, found := refusal.Details[figure]; found {
			return codeWrongSum
		}
	}
	return string(refusal.Code)
}

// explained returns the message of the refusal with its figures.
func explained(refusal *fault.Error) string {
	var b strings.Builder
	b.WriteString(refusal.Message)
	for _, name := range []string{
		"available", "requested", "issued", "reserved", "remaining", "results", "ended", "certificate", "externalId",
	} {
		if figure, found := refusal.Details[name]; found {
			b.WriteString(" " + strings.ToUpper(name[:1]) + name[1:] + ": " + figure + ".")
		}
	}
	return b.String()
}

// pointerOf translates an internal JSON pointer to the format's field names.
func pointerOf(pointer string) string {
	if graph, found := strings.CutPrefix(pointer, "/terms/conditions"); found {
		return "/vesting_conditions" + strings.NewReplacer(
			"/when", "/trigger", "/vests", "/portion", "/next", "/next_condition_ids",
		).Replace(graph)
	}
	pointer = strings.TrimPrefix(pointer, "/pools/0") // a plan of the format has one pool
	ours, rest, nested := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if nested {
		rest = "/" + rest
	}
	theirs, known := map[string]string{
		"shares": "quantity", "issueDate": "date", "effectiveDate": "date", "security": "stock_class_id", "entity": "stakeholder_id",
		"to": "stakeholder_id", "legends": "stock_legend_ids", "pricePerShare": "share_price",
		"authorizedShares": "initial_shares_authorized",
		"shareType":        "class_type", "parValue": "par_value", "price": "price_per_share", "votesPerShare": "votes_per_share",
		"liquidationPreferenceMultiple": "liquidation_preference_multiple", "participationCapMultiple": "participation_cap_multiple",
		"conversion": "conversion_rights", "numerator": "split_ratio/numerator", "denominator": "split_ratio/denominator",
		"exercisePrice": "exercise_price", "expirationDate": "expiration_date", "type": "compensation_type", "plan": "stock_plan_id",
		"pool": "stock_plan_id", "principal": "investment_amount", "terminationWindows": "termination_exercise_windows",
		"totalShares": "shares_reserved", "results": "resulting_security_ids", "balance": "balance_security_id",
	}[ours]
	if !known {
		theirs = ours
	}
	return "/" + theirs + rest
}

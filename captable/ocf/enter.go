package ocf

import (
	"errors"
	"slices"
	"strings"

	"equity/captable"
)

// Table is a cap table that a package is entered into.
type Table interface {
	// Decide decides a command and, where it is accepted, applies its events. It
	// gives the events, or a [captable.Error].
	Decide(command captable.Command) ([]captable.Event, error)
	// Mark remembers the cap table as it is. What it gives goes back there, once.
	Mark() (back func())
}

// entering is a package on its way into a cap table.
type entering struct {
	table    Table
	written  map[captable.Date]bool // see [Package]
	names    names
	there    map[key]bool
	failed   map[key]bool
	findings notes
}

// Enter asks the cap table for everything that the package holds, in the order of
// dates, and gives what the cap table refused. Entities tells who the stakeholders
// are, by their ids; the issuances of one who is missing are left out.
//
// The format has no time of day. Within a day issuances come first, then acceptances,
// then the rest; where a day cannot have gone like that, it may have gone as it stands
// in the package, or with what was refused at its end or before its first split. So only what no such order
// allows is a finding. After a finding the rest is entered as well as it can be,
// without what only follows from the finding.
func (p *Package) Enter(entities map[string]captable.EntityID, table Table) Findings {
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
	for from := 0; from < len(p.steps); {
		to := from + 1
		for to < len(p.steps) && p.steps[to].day == p.steps[from].day {
			to++
		}
		e.day(p.steps[from:to])
		from = to
	}
	return e.findings.all
}

// day enters the steps of one day: by the rule if it can be, else as they stand in the
// package, else by the rule with what is refused tried once more.
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

// refusal is a step that could not be entered, and why; no error when it lacked
// something.
type refusal struct {
	step *step
	err  error
}

// run enters steps in the given order, and gives those that were refused.
func (e *entering) run(steps []*step) []refusal {
	var refused []refusal
	for _, s := range steps {
		if entered, err := e.try(s); !entered {
			refused = append(refused, refusal{s, err})
		}
	}
	return refused
}

// persist runs steps in the given order, and tries what was refused once more at the end,
// and before the first split: behind it the quantity would mean other shares.
func (e *entering) persist(order []*step) []refusal {
	split := slices.IndexFunc(order, func(s *step) bool { return s.object.Type == typeSplit })
	if split < 0 {
		split = len(order)
	}
	refused := e.again(e.run(order[:split]))
	return e.again(append(refused, e.run(order[split:])...))
}

// again tries what was refused once more.
func (e *entering) again(refused []refusal) []refusal {
	steps := make([]*step, 0, len(refused))
	for _, r := range refused {
		steps = append(steps, r.step)
	}
	return e.run(steps)
}

// forget goes back to the beginning of a day.
func (e *entering) forget(steps []*step, back func()) {
	back()
	for _, s := range steps {
		for _, made := range s.gives {
			delete(e.there, made)
		}
	}
}

// isContrary reports whether anything was refused that does not follow from a finding.
func (e *entering) isContrary(refused []refusal) bool {
	return slices.ContainsFunc(refused, func(r refusal) bool { return r.err != nil || !e.isLost(r.step) })
}

// tell makes findings of what was refused. What would have come of it is lost.
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
			e.refuse(r.step.object, "", codeCircular, "What this transaction needs only comes into being by way of itself.")
		}
	}
}

// refuse notes a finding and leaves the object as it is: the package is shared.
func (e *entering) refuse(o *Object, pointer, code, message string) {
	e.findings.add(about(o, Refuse, pointer, code, message))
}

// try enters one step; false without an error says that something is not there.
func (e *entering) try(s *step) (bool, error) {
	for _, needed := range s.needs {
		if !e.there[needed] {
			return false, nil
		}
	}
	events, err := e.table.Decide(s.command(&e.names))
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

// isLost reports whether the step lacks what a finding already told about.
func (e *entering) isLost(s *step) bool {
	for _, needed := range s.needs {
		if e.failed[needed] {
			return true
		}
	}
	return false
}

// refused makes findings of what the cap table said.
func (e *entering) refused(o *Object, err error) {
	var refusal *captable.Error
	if !errors.As(err, &refusal) {
		e.refuse(o, "", "internal", "The object could not be entered.")
		return
	}
	for _, finding := range findingsOf(o, refusal) {
		e.findings.add(finding)
	}
}

// Refused gives the findings of a stakeholder that was refused as a member.
func (s Stakeholder) Refused(refusal *captable.Error) Findings {
	return findingsOf(&Object{Type: typeStakeholder, ID: s.ID}, refusal)
}

// findingsOf gives a refusal in the names of the format.
func findingsOf(o *Object, refusal *captable.Error) Findings {
	if len(refusal.Fields) == 0 {
		return Findings{about(o, Refuse, "", codeOf(refusal), explained(refusal))}
	}
	var findings Findings
	for _, fault := range refusal.Fields {
		findings = append(findings, about(o, Refuse, pointerOf(fault.Pointer), fault.Code, fault.Message))
	}
	return findings
}

// codeOf tells wrong sums from other conflicts.
func codeOf(refusal *captable.Error) string {
	for _, figure := range []string{"results", "remaining"} {
		if _, found := refusal.Details[figure]; found {
			return codeWrongSum
		}
	}
	return string(refusal.Code)
}

// explained is the refusal with its figures.
func explained(refusal *captable.Error) string {
	var b strings.Builder
	b.WriteString(refusal.Message)
	for _, name := range []string{"available", "requested", "issued", "reserved", "remaining", "results", "ended", "certificate", "externalId"} {
		if figure, found := refusal.Details[name]; found {
			b.WriteString(" " + strings.ToUpper(name[:1]) + name[1:] + ": " + figure + ".")
		}
	}
	return b.String()
}

// pointerOf gives our pointer in the names of the format.
func pointerOf(pointer string) string {
	if graph, found := strings.CutPrefix(pointer, "/terms/conditions"); found {
		return "/vesting_conditions" + strings.NewReplacer("/when", "/trigger", "/vests", "/portion", "/next", "/next_condition_ids").Replace(graph)
	}
	pointer = strings.TrimPrefix(pointer, "/pools/0") // a plan of the format is one pool
	ours, rest, nested := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if nested {
		rest = "/" + rest
	}
	theirs, known := map[string]string{
		"shares": "quantity", "issueDate": "date", "effectiveDate": "date", "security": "stock_class_id", "entity": "stakeholder_id",
		"to": "stakeholder_id", "legends": "stock_legend_ids", "pricePerShare": "share_price", "authorizedShares": "initial_shares_authorized",
		"shareType": "class_type", "parValue": "par_value", "price": "price_per_share", "votesPerShare": "votes_per_share",
		"liquidationPreferenceMultiple": "liquidation_preference_multiple", "participationCapMultiple": "participation_cap_multiple",
		"conversion": "conversion_rights", "numerator": "split_ratio/numerator", "denominator": "split_ratio/denominator",
		"exercisePrice": "exercise_price", "expirationDate": "expiration_date", "type": "compensation_type", "plan": "stock_plan_id",
		"pool": "stock_plan_id", "principal": "investment_amount", "terminationWindows": "termination_exercise_windows", "totalShares": "shares_reserved", "results": "resulting_security_ids", "balance": "balance_security_id",
	}[ours]
	if !known {
		theirs = ours
	}
	return "/" + theirs + rest
}

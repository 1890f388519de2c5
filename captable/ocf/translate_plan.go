package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// behaviors maps the format's cancellation behaviours to those of the cap table. A plan that
// leaves the behaviour to each security retires shares without a return-to-pool transaction.
func behaviors() map[string]captable.CancellationBehavior {
	return map[string]captable.CancellationBehavior{
		"RETURN_TO_POOL": captable.ReturnToPool, "RETIRE": captable.Retire, "HOLD_AS_CAPITAL_STOCK": captable.HoldAsCapitalStock,
		behaviorPerSecurity: captable.Retire,
	}
}

const behaviorPerSecurity = "DEFINED_PER_PLAN_SECURITY"

// findPlans finds the first day on which each plan is needed, and the classes of its grants.
func (t *translation) findPlans() {
	for _, o := range t.objects {
		if o.Type == typePlan {
			t.planned[o.ID] = o.date("board_approval_date")
		}
	}
	for _, o := range t.objects {
		plan := o.text("stock_plan_id")
		if class := t.namedClass(o); class != "" && plan != "" && !slices.Contains(t.granted[plan], class) {
			t.granted[plan] = append(t.granted[plan], class)
		}
		if day := o.day(); plan != "" && day != 0 {
			t.planned[plan] = min(t.planned[plan], day)
		}
	}
}

// plan creates a plan with one pool; the format has no others. The plan is created on its
// board approval date, because shares are reserved from then on, or on an earlier date if a
// transaction needs it.
func (t *translation) plan(s *step) {
	o := s.object
	s.day = t.planned[o.ID]
	s.gives = []key{{typePlan, o.ID}}
	classes := classesOf(o)
	if len(classes) == 0 {
		t.findings.refuse(o, "/stock_class_ids", codeRequired, "A plan must name a stock class, whose shares it reserves.")
		t.failed[key{typePlan, o.ID}] = true
		return
	}
	for _, class := range classes {
		s.needs = append(s.needs, key{typeClass, class})
		s.wants = append(s.wants, t.raised[classDay{class, s.day}]...)
	}
	facts, comments := o.remarks(commentStrike)
	terms := captable.PlanDetails{
		Name: t.planName(o), BoardApprovalDate: o.date("board_approval_date"), StockholderApprovalDate: o.date("stockholder_approval_date"),
		CancellationBehavior: behaviors()[o.text("default_cancellation_behavior")], ExternalID: o.ID, Comments: comments,
	}
	pool := captable.PoolTerms{
		Name: terms.Name, TotalShares: o.number("initial_shares_reserved"), StrikePrice: priceOf(facts[commentStrike]),
	}
	s.command = func(n *names) captable.Command {
		command := captable.CreatePlan{PlanTerms: captable.PlanTerms{PlanDetails: terms}, Source: o.source()}
		for _, class := range classes {
			command.Securities = append(command.Securities, n.securities[class])
		}
		pool.Security = n.securities[t.poolClass(o.ID, classes)]
		command.Pools = []captable.PoolTerms{pool}
		return command
	}
}

// poolClass returns the class of a plan's pool: the class of its grants, or the first of the plan
// if the grants name none or several. Each grant keeps its own class.
func (t *translation) poolClass(plan string, classes []string) string {
	if named := t.granted[plan]; len(named) == 1 && slices.Contains(classes, named[0]) {
		return named[0]
	}
	return classes[0]
}

// warnOfClass warns of a grant or an award of a class that its plan does not list. It counts as the
// class that it names.
func (t *translation) warnOfClass(o *Object) {
	plan := t.byID[typedID{typePlan, o.text("stock_plan_id")}]
	if plan == nil {
		return
	}
	class, classes := o.text("stock_class_id"), classesOf(plan)
	if len(classes) > 0 && class != "" && !slices.Contains(classes, class) {
		t.findings.warn(o, "/stock_class_id", codeOtherClass, "The plan does not list the class "+quote(class)+".")
	}
}

// namedClass returns the class of a grant or of shares. A grant may leave it to the shares of its
// exercises.
func (t *translation) namedClass(o *Object) string {
	if class := o.text("stock_class_id"); class != "" {
		return class
	}
	return t.exercised[o.text("security_id")]
}

// findExercises finds the class of the shares that result from each grant.
func (t *translation) findExercises() {
	for _, o := range t.objects {
		if family, effect := effectOf(o.Type); family != familyGrant || effect != "EXERCISE" && effect != "RELEASE" {
			continue
		}
		if _, results := outcome(o); len(results) > 0 && t.issued[results[0]] != nil {
			t.exercised[o.text("security_id")] = t.issued[results[0]].text("stock_class_id")
		}
	}
}

// classesOf returns the distinct classes of a plan.
func classesOf(plan *Object) []string {
	classes := plan.texts("stock_class_ids")
	if class := plan.text("stock_class_id"); class != "" {
		classes = append(classes, class)
	}
	return distinct(classes)
}

// planName returns the name of the plan. A duplicate name gets the id as a suffix.
func (t *translation) planName(o *Object) string {
	name := o.text("plan_name")
	if t.planNames[folded(name)] {
		name += " (" + o.ID + ")"
		t.findings.warn(o, "/plan_name", codePlanName, "Another plan has this name; the plan is called "+quote(name)+".")
	}
	t.planNames[folded(name)] = true
	return name
}

// poolAdjustment changes the size of a pool. It follows earlier adjustments of the same day
// and the class authorizations that it may need.
func (t *translation) poolAdjustment(s *step) {
	o := s.object
	s.needs = []key{{typePlan, o.text("stock_plan_id")}}
	if before, found := t.before[o]; found {
		s.needs = append(s.needs, before)
	}
	s.gives = []key{{o.Type, o.ID}}
	if plan := t.byID[typedID{typePlan, o.text("stock_plan_id")}]; plan != nil {
		for _, class := range append(plan.texts("stock_class_ids"), plan.text("stock_class_id")) {
			s.wants = append(s.wants, t.raised[classDay{class, s.day}]...)
		}
	}
	s.command = func(n *names) captable.Command {
		return captable.AdjustPool{
			PoolRef: n.pools[o.text("stock_plan_id")], TotalShares: o.number("shares_reserved"), EffectiveDate: o.day(),
			BoardApprovalDate: o.date("board_approval_date"), StockholderApprovalDate: o.date("stockholder_approval_date"),
			Source: o.source(),
		}
	}
}

// orderPools keeps the adjustments of one pool on one day in order, because the last one
// applies.
func (t *translation) orderPools() {
	last := map[string]*Object{}
	var adjustments []*Object
	for _, o := range t.objects {
		if o.Type == typePoolAdjustment && !o.refused {
			adjustments = append(adjustments, o)
		}
	}
	slices.SortStableFunc(adjustments, func(a, b *Object) int { return cmp.Compare(a.day(), b.day()) })
	for _, o := range adjustments {
		plan := o.text("stock_plan_id")
		if earlier := last[plan]; earlier != nil && earlier.day() == o.day() {
			t.before[o] = key{typePoolAdjustment, earlier.ID}
		}
		last[plan] = o
	}
}

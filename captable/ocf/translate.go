package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// translate tells what each sound object asks of the cap table. Objects of other
// kinds are kept as they came.
func (r *reader) translate() {
	t := &translation{
		reader: r, failed: map[key]bool{}, restated: map[string][]string{},
		certificates: map[string]int{}, fractional: map[string]bool{}, seniorities: map[string]int{},
		financed: map[string]string{}, rounds: map[string]bool{}, planned: map[string]captable.Date{}, planNames: map[string]bool{},
		scheduleNames: map[string]bool{}, starts: map[string]captable.Date{},
		foreign: map[string]bool{}, returned: map[string]bool{},
	}
	t.prepare()
	for _, o := range r.objects {
		switch {
		case !o.refused && (r.kinds[o.Type].fields == nil || t.isCarried(o)):
			r.pack.Carried = append(r.pack.Carried, *o.source())
		case o.refused:
			t.fail(o)
		case o.Type == typeStakeholder:
			r.stakeholder(o)
		default:
			t.object(o)
		}
	}
	slices.SortStableFunc(t.steps, func(a, b *step) int { return cmp.Compare(a.day, b.day) })
	r.pack.steps, r.pack.failed = t.steps, t.failed
}

type translation struct {
	*reader
	steps  []*step
	failed map[key]bool
	// restated are the securities whose reissues state a split, by the split.
	restated map[string][]string
	// certificates counts how often each number came up.
	certificates map[string]int
	// fractional are the stock classes in which somebody has a part of a share.
	fractional map[string]bool
	// seniorities are the classes' ranks where seniorities are not whole numbers.
	seniorities map[string]int
	converts    map[string]string // a stock class to what it converts into
	// financed are the issuances of financings, by their ids, and rounds the names of those.
	financed map[string]string
	rounds   map[string]bool
	// planned is on which day each plan comes, planNames the names of those.
	planned   map[string]captable.Date
	planNames map[string]bool
	// scheduleNames are the names of vesting terms.
	scheduleNames map[string]bool
	// starts are the days on which securities began to vest.
	starts map[string]captable.Date
	// foreign are the grants and instruments that are carried as they came, returned the
	// grants that a transaction of their own says return to the pool.
	foreign, returned map[string]bool
	// juniors is the lowest rank of convertibles.
	juniors int
	// raised are the adjustments that raise the limit of their class, by class and day,
	// up to the first that lowers it; before is the adjustment of the same class on the
	// same day that stands before one.
	raised map[classDay][]key
	before map[*Object]key
	// limited are the days on which an adjustment states the limit of a class.
	limited map[classDay]bool
}

type classDay struct {
	class string
	day   captable.Date
}

// prepare looks through everything for what single objects do not show.
func (t *translation) prepare() {
	t.pack.currencies, t.pack.written = map[string]int{}, map[captable.Date]bool{}
	counts, issuances := map[string]int{}, len(t.issued)
	for _, o := range t.objects {
		most := t.limitOf(o.Type, issuances)
		if counts[o.Type]++; counts[o.Type] > most {
			o.refused = true
		}
		if counts[o.Type] == most+1 {
			t.findings.refuse(o, "", codeTooMany, "This object and those of its type after it are more than can be entered.")
		}
		if slices.Contains(o.texts("comments"), commentAfterSplit) {
			t.pack.written[o.day()] = true
		}
		switch o.Type {
		case typeIssuance:
			if !o.number("quantity").IsWhole() {
				t.fractional[o.text("stock_class_id")] = true
			}
			if price := o.price("share_price"); price != nil {
				t.pack.currencies[price.Currency]++
			}
		case typeReissuance:
			t.checkReissue(o)
		}
	}
	t.orderLimits()
	t.rankSeniorities()
	t.findConversions()
	t.findFinanced()
	t.findPlans()
	t.findStarts()
	t.findReturns()
	t.findJuniors()
	t.findForeign()
	t.orderPools()
	t.checkIssuer()
}

// limitOf is how many objects of a type are entered where there are so many issuances.
func (t *translation) limitOf(objectType string, issuances int) int {
	switch objectType {
	case typeClass:
		return mostClasses
	case typeSplit:
		return min(mostSplits, mostChanges/max(1, issuances))
	case typeAuthorized:
		return mostLimits
	case typeLegend:
		return mostLegends
	default:
		return t.limits.Objects
	}
}

// checkReissue checks the reissue that a split is stated by, and notes what it restates.
func (t *translation) checkReissue(o *Object) {
	split := t.byID[typedID{typeSplit, o.text("split_transaction_id")}]
	issuance := t.issued[o.text("security_id")]
	if split == nil || issuance == nil {
		return
	}
	if issuance.text("stock_class_id") != split.text("stock_class_id") {
		t.findings.refuse(o, "/split_transaction_id", codeOtherClass, "The split is of another stock class.")
		return
	}
	if o.day() < split.day() {
		t.findings.refuse(o, "/date", codeBeforeSplit, "The date is before that of the split, "+split.day().String()+".")
		return
	}
	t.restated[split.ID] = append(t.restated[split.ID], o.text("security_id"))
}

// orderLimits finds out which adjustments raise a limit, and keeps those of one class
// on one day in their order: the last one counts.
func (t *translation) orderLimits() {
	t.raised, t.before, t.limited = map[classDay][]key{}, map[*Object]key{}, map[classDay]bool{}
	var adjustments []*Object
	for _, o := range t.objects {
		if o.Type == typeAuthorized {
			adjustments = append(adjustments, o)
		}
	}
	slices.SortStableFunc(adjustments, byDate)
	last, lowered := map[string]*Object{}, map[classDay]bool{}
	for _, o := range adjustments {
		of := o.text("stock_class_id")
		earlier, total := t.byID[typedID{typeClass, of}], captable.Decimal{}
		if earlier != nil {
			total = earlier.number("initial_shares_authorized")
		}
		if earlier = last[of]; earlier != nil {
			total = earlier.number("new_shares_authorized")
			if earlier.day() == o.day() && !earlier.refused {
				t.before[o] = limitKey(earlier)
			}
		}
		on := classDay{of, o.day()}
		t.limited[on] = true
		lowered[on] = lowered[on] || o.number("new_shares_authorized").Cmp(total) < 0
		if !lowered[on] {
			t.raised[on] = append(t.raised[on], limitKey(o))
		}
		last[of] = o
	}
}

func limitKey(o *Object) key { return key{typeAuthorized, o.ID} }

// fail notes what a refused object will not bring into being, so that nothing is
// said about what only follows from it.
func (t *translation) fail(o *Object) {
	switch _, effect := effectOf(o.Type); {
	case o.Type == typeClass || o.Type == typeLegend || o.Type == typeSplit || o.Type == typeStakeholder || o.Type == typePlan || o.Type == typeVesting:
		t.failed[key{o.Type, o.ID}] = true
	case effect == "ISSUANCE":
		t.failed[securityKey(o.text("security_id"))] = true
	case effect != "" && t.kinds[o.Type].fields != nil:
		t.failed[transferredKey(o)] = true
		_, securities := outcome(o)
		for _, security := range securities {
			t.failed[securityKey(security)] = true
		}
	}
}

// object makes the step of a sound object.
func (t *translation) object(o *Object) {
	s := &step{object: o, day: o.day()}
	if t.isResult(o) {
		return // a part of what it came of
	}
	switch family := t.familyOf(o); {
	case family == familyGrant:
		t.grantStep(s)
		if s.command != nil {
			t.steps = append(t.steps, s)
		}
		return
	case isInstrument(family):
		t.instrumentStep(s)
		t.steps = append(t.steps, s)
		return
	}
	switch o.Type {
	case typeLegend:
		t.legend(s)
	case typeClass:
		t.class(s)
	case typeValuation:
		t.valuation(s)
	case typeFinancing:
		t.financing(s)
	case typeVesting:
		t.vestingTerms(s)
	case typePlan:
		t.plan(s)
	case typePoolAdjustment:
		t.poolAdjustment(s)
	case typeIssuance:
		t.issuance(s)
	case typeAcceptance:
		t.acceptance(s)
	case typeSplit:
		t.split(s)
	case typeAuthorized:
		t.authorized(s)
	case typeRatio:
		t.ratio(s)
	case typeRetraction:
		t.retraction(s)
	default:
		t.ending(s)
	}
	if s.command != nil {
		t.steps = append(t.steps, s)
	}
}

// isResult reports whether the issuance is part of an ending that the cap table
// understands. What comes of an option's exercise or a note's conversion is an
// issuance like any other.
func (t *translation) isResult(o *Object) bool {
	if _, effect := effectOf(o.Type); effect != "ISSUANCE" {
		return false
	}
	maker := t.madeBy[o.text("security_id")]
	return maker != nil && t.kinds[maker.Type].fields != nil && !t.isForeign(maker) && !isGrantTransfer(maker)
}

// isCarried reports whether an object of a kind that is understood is kept as it came:
// what is about a foreign grant or instrument, vesting of shares, which have no events,
// and ratios of classes that convert into nothing.
func (t *translation) isCarried(o *Object) bool {
	if o.Type == typeRatio {
		_, stated := adjustedRatio(o)
		return !stated || t.converts[o.text("stock_class_id")] == ""
	}
	return t.isForeign(o) || (o.Type == typeVestingEvent || o.Type == typeAcceleration) && !t.isOfGrant(o)
}

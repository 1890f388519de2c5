package ocf

import (
	"cmp"
	"slices"
	"strconv"

	"equity/captable"
)

// translate converts each valid object to a step or a stakeholder. Objects of other kinds are
// carried unchanged.
func (r *reader) translate() {
	t := &translation{
		reader: r, failed: map[key]bool{}, restated: map[string][]string{},
		certificates: map[string]int{}, fractional: map[string]bool{}, seniorities: map[string]int{},
		financed: map[string]string{}, rounds: map[string]bool{}, planned: map[string]captable.Date{}, granted: map[string][]string{},
		exercised: map[string]string{}, planNames: map[string]bool{},
		scheduleNames: map[string]bool{}, starts: map[string]captable.Date{},
		foreign: map[string]bool{}, returned: map[string]bool{}, used: map[string]captable.Date{},
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
	// restated maps a split to the securities whose reissuances state it.
	restated map[string][]string
	// certificates counts the uses of each certificate number.
	certificates map[string]int
	// fractional holds the stock classes with fractional shares.
	fractional map[string]bool
	// seniorities holds the seniority of each class as an integer.
	seniorities map[string]int
	converts    map[string]string // a stock class to its conversion target
	// financed maps an issuance id to its financing; rounds holds the names of financings.
	financed map[string]string
	rounds   map[string]bool
	// planned maps a plan to its creation date; planNames holds the names of plans.
	planned map[string]captable.Date
	// granted maps a plan to the classes that its grants name, and exercised a grant to the class of
	// the shares that result from it.
	granted   map[string][]string
	exercised map[string]string
	planNames map[string]bool
	// scheduleNames holds the names of vesting terms.
	scheduleNames map[string]bool
	// starts maps a security to its vesting start.
	starts map[string]captable.Date
	// foreign holds the grants and instruments that are carried unchanged. returned holds the
	// securities with a return-to-pool transaction.
	foreign, returned map[string]bool
	// used maps a grant to the day of its first exercise or release.
	used map[string]captable.Date
	// juniors is the most junior rank of the convertibles.
	juniors int
	// raised holds the adjustments that raise the limit of a class on a day, up to the first
	// one that lowers it. before maps an adjustment of a class or pool to the preceding one
	// on the same day.
	raised map[classDay][]key
	before map[*Object]key
	// limited holds the days on which an adjustment states the limit of a class.
	limited map[classDay]bool
}

type classDay struct {
	class string
	day   captable.Date
}

// prepare collects the information that single objects do not contain.
func (t *translation) prepare() {
	t.pack.currencies, t.pack.written = map[string]int{}, map[captable.Date]bool{}
	counts, issuances := map[string]int{}, len(t.issued)
	for _, o := range t.objects {
		most := t.limitOf(o.Type, issuances)
		if counts[o.Type]++; counts[o.Type] > most {
			o.refused = true
		}
		if counts[o.Type] == most+1 {
			t.findings.refuse(o, "", codeTooMany, "At most "+strconv.Itoa(most)+" objects of this type can be entered.")
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
	t.findExercises()
	t.findPlans()
	t.findStarts()
	t.findReturns()
	t.findUses()
	t.findJuniors()
	t.findForeign()
	t.orderPools()
	t.checkIssuer()
}

// limitOf returns the maximum number of objects of a type. The limit for splits depends on
// the number of issuances.
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

// checkReissue checks a reissuance that states a split and records the restated security.
func (t *translation) checkReissue(o *Object) {
	split := t.byID[typedID{typeSplit, o.text("split_transaction_id")}]
	issuance := t.issued[o.text("security_id")]
	if split == nil || issuance == nil {
		return
	}
	if issuance.text("stock_class_id") != split.text("stock_class_id") {
		t.findings.refuse(o, "/split_transaction_id", codeOtherClass, "The split must be of the same stock class.")
		return
	}
	if o.day() < split.day() {
		t.findings.refuse(o, "/date", codeBeforeSplit, "The date must not be before that of the split, "+split.day().String()+".")
		return
	}
	t.restated[split.ID] = append(t.restated[split.ID], o.text("security_id"))
}

// orderLimits finds the adjustments that raise a limit. It keeps adjustments of one class on
// one day in order, because the last one applies.
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

// fail marks the outputs of a refused object as failed, so that dependent objects cause no
// findings of their own.
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

// object creates the step of a valid object.
func (t *translation) object(o *Object) {
	s := &step{object: o, day: o.day()}
	t.repaid(o)
	if t.isResult(o) {
		return // entered with the transaction that results in it
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

// isResult reports whether the issuance is the result or balance of a supported transaction.
// Such an issuance is entered with that transaction.
func (t *translation) isResult(o *Object) bool {
	if _, effect := effectOf(o.Type); effect != "ISSUANCE" {
		return false
	}
	maker := t.madeBy[o.text("security_id")]
	return maker != nil && t.kinds[maker.Type].fields != nil && !t.isForeign(maker) && !isGrantTransfer(maker)
}

// isCarried reports whether an object of a supported kind is carried unchanged. This applies
// to transactions of foreign securities, vesting transactions of shares, for which there are
// no events, and ratio adjustments of classes without a conversion.
func (t *translation) isCarried(o *Object) bool {
	if o.Type == typeRatio {
		_, stated := adjustedRatio(o)
		return !stated || t.converts[o.text("stock_class_id")] == ""
	}
	return t.isForeign(o) || (o.Type == typeVestingEvent || o.Type == typeAcceleration) && !t.isOfGrant(o)
}

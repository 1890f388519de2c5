package ocf

import (
	"cmp"
	"slices"
)

// translate tells what each sound object asks of the cap table. Objects of other
// kinds are kept as they came.
func (r *reader) translate() {
	t := &translation{
		reader: r, failed: map[key]bool{}, restated: map[string][]string{},
		certificates: map[string]int{}, fractional: map[string]bool{}, seniorities: map[string]int{},
	}
	t.prepare()
	for _, o := range r.objects {
		switch {
		case r.kinds[o.Type].fields == nil && !o.refused:
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
}

// prepare looks through everything for what single objects do not show.
func (t *translation) prepare() {
	t.pack.currencies = map[string]int{}
	counts := map[string]int{}
	for _, o := range t.objects {
		if counts[o.Type]++; counts[o.Type] > limitOf(o.Type) {
			o.refused = true
		}
		if counts[o.Type] == limitOf(o.Type)+1 {
			t.findings.refuse(o, "", codeTooMany, "This object and those of its type after it are more than can be entered.")
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
	t.rankSeniorities()
	t.findConversions()
}

func limitOf(objectType string) int {
	switch objectType {
	case typeClass:
		return mostClasses
	case typeSplit:
		return mostSplits
	case typeAuthorized:
		return mostLimits
	case typeLegend:
		return mostLegends
	default:
		return mostObjects
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

// fail notes what a refused object will not bring into being, so that nothing is
// said about what only follows from it.
func (t *translation) fail(o *Object) {
	switch _, effect := effectOf(o.Type); {
	case o.Type == typeClass || o.Type == typeLegend || o.Type == typeSplit || o.Type == typeStakeholder:
		t.failed[key{o.Type, o.ID}] = true
	case effect == "ISSUANCE":
		t.failed[securityKey(o.text("security_id"))] = true
	case effect != "" && t.kinds[o.Type].fields != nil:
		_, securities := outcome(o)
		for _, security := range securities {
			t.failed[securityKey(security)] = true
		}
	}
}

// object makes the step of a sound object.
func (t *translation) object(o *Object) {
	s := &step{object: o, day: o.day(), rank: rankRest}
	switch o.Type {
	case typeLegend:
		t.legend(s)
	case typeClass:
		t.class(s)
	case typeIssuance:
		if t.isResult(o) {
			return // a part of what it came of
		}
		t.issuance(s)
	case typeAcceptance:
		t.acceptance(s)
	case typeSplit:
		t.split(s)
	case typeAuthorized:
		t.authorized(s)
	case typeRetraction:
		t.retraction(s)
	default:
		t.ending(s)
	}
	t.steps = append(t.steps, s)
}

// isResult reports whether the issuance is part of an ending that the cap table
// understands. What comes of an option's exercise or a note's conversion is an
// issuance like any other.
func (t *translation) isResult(o *Object) bool {
	maker := t.madeBy[o.text("security_id")]
	return maker != nil && t.kinds[maker.Type].fields != nil
}

package ocf

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"equity/captable"
)

type issuerLimitObject struct {
	ID     string           `json:"id"`
	Type   string           `json:"object_type"`
	Date   captable.Date    `json:"date"`
	Issuer string           `json:"issuer_id"`
	Shares captable.Decimal `json:"new_shares_authorized"`
}

// issuerLimits calculates the authorized shares of the issuer in an export. A package states
// the issuer's limit at the import. Later changes of the classes raise it by their growth, up
// to the sum of all class limits and at least to the largest class limit.
type issuerLimits struct {
	// stated is the limit according to the imported objects, including growth by their
	// splits.
	stated captable.Decimal
	// raised is the total growth of the classes by changes after the first import.
	raised  captable.Decimal
	level   captable.Decimal
	classes map[*class]captable.Authorized
}

// classLimit is a dated change of a class limit, as written in the export.
type classLimit struct {
	class *class
	day   captable.Date
	total captable.Authorized
	// entered is the growth by a change after the first import.
	entered captable.Decimal
	// implied is the growth by a split without an adjustment.
	implied captable.Decimal
}

// firstDay is the date of initial limits.
const firstDay = captable.Date(math.MinInt32)

// addIssuerLimits writes the adjustments of the issuer and returns its initial limit. The
// initial limit is empty if the issuer has none or if the imported one is unchanged.
func (e *export) addIssuerLimits() (initial string) {
	source := recordOfSource(e.issuer.source)
	stated, first := e.issuerAdjustments(source.text("id")), source.text("initial_shares_authorized")
	begins := statedLimit(first)
	if begins.Unlimited && len(stated) == 0 {
		return ""
	}
	if e.hasUnlimitedClass() {
		return authorizedUnlimited // the format has no adjustment to unlimited
	}
	limits := issuerLimits{stated: begins.Shares, level: begins.Shares, classes: map[*class]captable.Authorized{}}
	changes := e.classLimits()
	days := []captable.Date{firstDay}
	for _, change := range changes {
		days = append(days, change.day)
	}
	for day := range stated {
		days = append(days, day)
	}
	slices.Sort(days)
	known := !begins.Unlimited
	for _, day := range slices.Compact(days) {
		before := limits.level
		adjustment, adjusted := lastLimit(stated[day])
		implied := limits.change(changes, day)
		switch {
		case adjusted:
			limits.stated, before, known = adjustment, adjustment, true
			limits.level = adjustment
		default:
			limits.stated, limits.level, before = limits.stated.Add(implied), limits.level.Add(implied), before.Add(implied)
		}
		limits.raise()
		switch {
		case !known || limits.level.Equal(before):
		case day == firstDay:
			initial = limits.level.String()
		default:
			e.addIssuerLimit(source.text("id"), day, limits.level)
		}
	}
	for _, list := range stated {
		for _, c := range list {
			e.add(c.source.File, c.place, c.source.Object)
		}
	}
	return initial
}

// change applies the class changes of the day and returns the growth implied by splits.
func (l *issuerLimits) change(changes []classLimit, day captable.Date) (implied captable.Decimal) {
	for _, change := range changes {
		if change.day == day {
			l.classes[change.class] = change.total
			l.raised = l.raised.Add(change.entered)
			implied = implied.Add(change.implied)
		}
	}
	return implied
}

// raise raises the level as far as the class limits require.
func (l *issuerLimits) raise() {
	var sum, most captable.Decimal
	for _, limit := range l.classes {
		sum, most = sum.Add(limit.Shares), most.Max(limit.Shares)
	}
	l.level = l.level.Max(sum.Min(l.stated.Add(l.raised))).Max(most)
}

// hasUnlimitedClass reports whether a class is exported without a limit. Classes to which
// limits do not apply are not counted.
func (e *export) hasUnlimitedClass() bool {
	for _, c := range e.classes {
		if c.limits[c.initial()].total.Unlimited && !c.isExempt() {
			return true
		}
	}
	return false
}

// isExempt reports whether the class was imported with "NOT APPLICABLE" as its limit.
func (c *class) isExempt() bool {
	return c.source != nil && recordOfSource(c.source.Object).text("initial_shares_authorized") == authorizedNotApplicable
}

// classLimits lists the exported limits of all classes in date order.
func (e *export) classLimits() []classLimit {
	var all []classLimit
	entered := func(p place, source *captable.Source) bool { return source == nil || p.batch > 2 } // the first import defines the issuer
	for _, c := range e.classes {
		at := c.initial()
		before := c.limits[at].total
		first := classLimit{class: c, day: firstDay, total: before}
		switch {
		case entered(c.place, c.source):
			first.entered = before.Shares
		case !c.stated.initial().AuthorizedShares.Unlimited:
			first.entered = before.Shares.Sub(c.stated.initial().AuthorizedShares.Shares).Max(captable.Decimal{})
		}
		all = append(all, first)
		for i := at + 1; i < len(c.limits); i++ {
			l := &c.limits[i]
			if !e.happened(l.date) {
				continue
			}
			change := classLimit{class: c, day: l.date, total: l.total}
			growth := l.total.Shares.Sub(before.Shares).Max(captable.Decimal{})
			switch implied := l.isImplied(c.limits[i-1].total); {
			case before.Unlimited:
			case implied && l.split != nil:
				change.implied = growth
			case entered(l.place, l.source):
				change.entered = growth
			}
			before = l.total
			all = append(all, change)
		}
	}
	slices.SortStableFunc(all, func(a, b classLimit) int { return cmp.Compare(a.day, b.day) })
	return all
}

// issuerAdjustments returns the imported adjustments of the issuer by date, in import order.
// Adjustments of other issuers, which come from later imports, are left out.
func (e *export) issuerAdjustments(issuer string) map[captable.Date][]*carried {
	all := map[captable.Date][]*carried{}
	for _, c := range e.carried {
		if c.kind == typeIssuerLimit && c.issuer == issuer && e.happened(c.date) {
			all[c.date] = append(all[c.date], c)
		}
	}
	return all
}

// lastLimit returns the limit of the last adjustment that states a number. Returns false if
// none does.
func lastLimit(adjustments []*carried) (captable.Decimal, bool) {
	for _, c := range slices.Backward(adjustments) {
		if !c.limit.Unlimited {
			return c.limit.Shares, true
		}
	}
	return captable.Decimal{}, false
}

// addIssuerLimit writes an adjustment after all other transactions, because the last
// adjustment of a day takes effect.
func (e *export) addIssuerLimit(issuer string, day captable.Date, shares captable.Decimal) {
	e.adjusted++
	id := e.free(typeIssuerLimit, issuer+"-authorized-"+day.String())
	at := place{2*e.imports + 1, e.placed + e.adjusted}
	e.add(fileTransactions, at, recordOf(issuerLimitObject{id, typeIssuerLimit, day, issuer, shares}).json())
}

// free returns the name, with a numeric suffix if a carried object of the type already has
// it.
func (x *Exporter) free(objectType, name string) string {
	taken := map[string]bool{}
	for _, c := range x.carried {
		if c.kind == objectType {
			taken[c.id] = true
		}
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	return free
}

// recordOfSource parses an imported object. Returns an empty record if it is not an object.
func recordOfSource(raw json.RawMessage) *record {
	r, err := parseRecord(raw)
	if err != nil {
		return &record{}
	}
	return r
}

// text returns the string value of a field, or an empty string.
func (r *record) text(name string) string {
	var text string
	if json.Unmarshal(r.get(name), &text) != nil {
		return ""
	}
	return text
}

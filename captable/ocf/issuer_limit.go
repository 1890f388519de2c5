package ocf

import (
	"cmp"
	"slices"

	"equity/captable"
)

// statedLimit parses a number of authorized shares. A value that is not a number means no
// limit: UNLIMITED, NOT APPLICABLE, or an absent field.
func statedLimit(text string) captable.Authorized {
	shares, ok := parseNumeric(text)
	if !ok {
		return captable.Authorized{Unlimited: true}
	}
	return captable.AuthorizedOf(shares)
}

// limitReader tracks the authorized shares of the issuer and its classes over time.
type limitReader struct {
	*translation

	issuer captable.Authorized
	// classes holds the limit of each class. A class to which limits do not apply is absent.
	classes map[string]captable.Authorized
	// stated holds the object that last changed the limit of each class.
	stated map[string]*Object
}

// checkIssuer refuses a class whose limit exceeds the issuer's limit at the end of a day.
// Each class is compared separately. Growth by a split also raises the issuer's limit, unless
// an adjustment of that day states it. See ruling 49.
func (t *translation) checkIssuer() {
	l := limitReader{translation: t, issuer: t.issuerLimit, classes: map[string]captable.Authorized{}, stated: map[string]*Object{}}
	var changes []*Object
	for _, o := range t.objects {
		switch {
		case o.refused:
		case o.Type == typeClass:
			if o.text("initial_shares_authorized") != authorizedNotApplicable {
				l.classes[o.ID], l.stated[o.ID] = statedLimit(o.text("initial_shares_authorized")), o
			}
		case o.Type == typeAuthorized || o.Type == typeSplit || o.Type == typeIssuerLimit:
			changes = append(changes, o)
		}
	}
	l.check(nil)
	slices.SortStableFunc(changes, byDate)
	for len(changes) > 0 {
		day := 1
		for day < len(changes) && changes[day].day() == changes[0].day() {
			day++
		}
		l.check(l.apply(changes[:day]))
		changes = changes[day:]
	}
}

// apply applies the changes of one day and returns the adjustment of the issuer, or nil.
func (l *limitReader) apply(day []*Object) (adjustment *Object) {
	var growth captable.Decimal
	for _, o := range day {
		class := o.text("stock_class_id")
		switch o.Type {
		case typeIssuerLimit:
			if limit := statedLimit(o.text("new_shares_authorized")); !limit.Unlimited {
				l.issuer, adjustment = limit, o
			}
		case typeAuthorized:
			l.classes[class], l.stated[class] = captable.AuthorizedOf(o.number("new_shares_authorized")), o
		case typeSplit:
			before, limited := l.classes[class]
			if !limited || l.limited[classDay{class, o.day()}] {
				continue
			}
			ratio, _ := ratioOf(o.value("split_ratio"))
			terms := l.terms(l.byID[typedID{typeClass, class}])
			after := multiple{ratio, terms.Places()}.of(before)
			if !after.Shares.Fits() { // the split itself is refused
				continue
			}
			l.classes[class], l.stated[class] = after, o
			growth = growth.Add(after.Shares.Sub(before.Shares).Max(captable.Decimal{}))
		}
	}
	if adjustment == nil {
		l.issuer = l.issuer.Add(captable.AuthorizedOf(growth))
	}
	return adjustment
}

// check refuses the last change of each class above the issuer's limit. If the class limit
// was set on an earlier day, it refuses the issuer's adjustment instead.
func (l *limitReader) check(adjustment *Object) {
	if l.issuer.Unlimited {
		return
	}
	ids := make([]string, 0, len(l.classes))
	for id := range l.classes {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(l.stated[a].Order, l.stated[b].Order) })
	for _, id := range ids {
		limit, o := l.classes[id], l.stated[id]
		if !limit.Unlimited && l.issuer.Covers(limit.Shares) || o.refused {
			continue
		}
		if adjustment != nil && o.day() != adjustment.day() {
			o = adjustment
		}
		if o.refused {
			continue
		}
		pointer := "/new_shares_authorized"
		switch o.Type {
		case typeClass:
			pointer = "/initial_shares_authorized"
		case typeSplit:
			pointer = "/split_ratio"
		}
		l.findings.refuse(o, pointer, codeAboveIssuer,
			"The class "+quote(id)+" is authorized above its issuer: "+limit.String()+" shares of the class, "+l.issuer.String()+" of the issuer.")
	}
}

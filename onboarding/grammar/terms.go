package grammar

import (
	"regexp"
	"strings"

	"equity/messages"
)

const (
	safe            = "safe"
	convertibleNote = "convertibleNote"
)

// terms are the terms of the convertibles in a sentence.
type terms struct{ messages.ConvertibleFacts }

// takeConvertibles finds SAFEs and notes. A sentence with terms alone completes the convertibles of its kind.
func (d *text) takeConvertibles(sentence string) string {
	if !d.convertible.MatchString(sentence) && (len(d.facts.Convertibles) == 0 || !d.cap.MatchString(sentence) && !d.capped.MatchString(sentence)) {
		return sentence
	}
	shared, rest := d.termsIn(sentence)
	before := len(d.facts.Convertibles)
	for _, form := range []struct {
		*regexp.Regexp
		name, amount int
	}{{d.invested, 1, 2}, {d.moneyFrom, 5, 1}, {d.fromMoney, 1, 2}, {d.pair, 1, 2}} {
		for {
			found := form.FindStringSubmatchIndex(rest)
			if found == nil {
				break
			}
			holder, amount := d.person(group(rest, found, form.name)), number(rest, found, form.amount+2)
			if holder != "" && amount != "" {
				one := shared.ConvertibleFacts
				one.Holder, one.Amount, one.Currency = holder, amount, currency(rest, found, form.amount)
				d.facts.Convertibles = append(d.facts.Convertibles, one)
				d.add(messages.PersonFacts{Name: holder, Relationship: "investor"})
			}
			rest = cut(rest, found[0], found[1])
		}
	}
	if len(d.facts.Convertibles) == before {
		d.complete(shared)
	}
	return rest
}

// termsIn returns the terms in a sentence, and the rest of the sentence.
func (d *text) termsIn(sentence string) (terms, string) {
	t := terms{messages.ConvertibleFacts{Kind: safe}}
	if d.note.MatchString(sentence) {
		t.Kind = convertibleNote
	}
	take := func(form *regexp.Regexp, use func(found []int)) {
		if found := form.FindStringSubmatchIndex(sentence); found != nil {
			use(found)
			sentence = cut(sentence, found[0], found[1])
		}
	}
	t.PreMoney = d.preMoney.MatchString(sentence)
	for _, form := range []*regexp.Regexp{d.cap, d.capped} {
		if t.Cap == "" {
			take(form, func(found []int) { t.Cap = number(sentence, found, 3) })
		}
	}
	either := func(found []int) string {
		if text := group(sentence, found, 1); text != "" {
			return text
		}
		return group(sentence, found, 2)
	}
	take(d.discount, func(found []int) { t.Discount = fraction(either(found)) })
	take(d.interest, func(found []int) { t.Interest = fraction(either(found)) })
	take(d.maturity, func(found []int) { t.Maturity = d.date(group(sentence, found, 1)) })
	take(d.on, func(found []int) { t.Date = d.date(group(sentence, found, 1)) })
	return t, sentence
}

// complete adds terms to the convertibles that lack them.
func (d *text) complete(t terms) {
	for i := range d.facts.Convertibles {
		one := &d.facts.Convertibles[i]
		if one.Cap == "" {
			one.Cap, one.PreMoney = t.Cap, t.PreMoney
		}
		if one.Discount == "" {
			one.Discount = t.Discount
		}
		if one.Kind == convertibleNote {
			if one.Interest == "" {
				one.Interest = t.Interest
			}
			if one.Maturity == "" {
				one.Maturity = t.Maturity
			}
		}
	}
}

// takePool finds the option pool.
func (d *text) takePool(sentence string) string {
	for _, form := range []*regexp.Regexp{d.poolBefore, d.poolAfter, d.poolReserve} {
		found := form.FindStringSubmatchIndex(sentence)
		if found == nil {
			continue
		}
		pool := &messages.PoolFacts{Shares: number(sentence, found, 2)}
		if part := group(sentence, found, 1); part != "" {
			pool.Portion = portionOf(part)
		}
		if plan := d.poolPlan.FindString(sentence); plan != "" && !strings.EqualFold(plan, "option plan") {
			pool.Plan = plan
		}
		if d.facts.Pool == nil {
			d.facts.Pool = pool
		}
		return cut(sentence, found[0], found[1])
	}
	return sentence
}

// takeClasses finds the authorized shares of classes, and their par value.
func (d *text) takeClasses(sentence string) string {
	if found := d.parValue.FindStringSubmatchIndex(sentence); found != nil {
		value := number(sentence, found, 3)
		if value == "" {
			value = number(sentence, found, 7)
		}
		sentence = cut(sentence, found[0], found[1])
		defer func() {
			if len(d.facts.Classes) == 0 {
				d.class(messages.ClassFacts{Name: commonStock, Kind: "common"})
			}
			d.facts.Classes[len(d.facts.Classes)-1].ParValue = value
		}()
	}
	classes := len(d.facts.Classes)
	for _, form := range []*regexp.Regexp{d.authorizedCapital, d.classAuthorized, d.authorizedClass} {
		for {
			found := form.FindStringSubmatchIndex(sentence)
			if found == nil {
				break
			}
			name := className(group(sentence, found, 3))
			if other := group(sentence, found, 4); other != "" {
				name = className(other)
			}
			if name == "" {
				name = commonStock
			}
			d.class(messages.ClassFacts{Name: name, Kind: kindOf(name), Authorized: number(sentence, found, 1)})
			sentence = cut(sentence, found[0], found[1])
		}
	}
	if strings.Contains(strings.ToLower(sentence), "authorized") || len(d.facts.Classes) > classes {
		for {
			found := d.classes.FindStringSubmatchIndex(sentence)
			if found == nil {
				break
			}
			if name := className(group(sentence, found, 3) + group(sentence, found, 4)); name != "" {
				d.class(messages.ClassFacts{Name: name, Kind: kindOf(name), Authorized: number(sentence, found, 1)})
			}
			sentence = after(sentence, found)
		}
	}
	for _, form := range []*regexp.Regexp{d.total, d.totalOf, d.lone} {
		if found := form.FindStringSubmatchIndex(sentence); found != nil && d.facts.Shares == "" && !d.holderOf(sentence, found) {
			d.facts.Shares = number(sentence, found, 1)
			sentence = cut(sentence, found[0], found[1])
		}
	}
	return sentence
}

// holderOf reports whether a person alone precedes a number of shares, as in "Ada Lovelace, 6,000 shares".
func (d *text) holderOf(sentence string, found []int) bool {
	before := sentence[:found[0]]
	return d.lonePerson.MatchString(before) && d.person(before) != ""
}

// kindOf returns the kind of a class.
func kindOf(name string) string {
	if strings.Contains(strings.ToLower(name), "preferred") {
		return "preferred"
	}
	return "common"
}

const commonStock = "Common Stock"

// class adds a class, or completes a known one.
func (d *text) class(class messages.ClassFacts) {
	for i := range d.facts.Classes {
		if known := &d.facts.Classes[i]; strings.EqualFold(known.Name, class.Name) {
			if known.Authorized == "" {
				known.Authorized = class.Authorized
			}
			return
		}
	}
	d.facts.Classes = append(d.facts.Classes, class)
}

// className returns the usual name of a class; empty for common stock.
func className(found string) string {
	lower := strings.ToLower(strings.TrimSpace(found))
	lower = strings.TrimSpace(strings.TrimSuffix(lower, "stock"))
	switch {
	case lower == "", lower == "common", strings.HasPrefix(lower, "founder"):
		return ""
	case lower == "preferred":
		return "Preferred Stock"
	}
	words := strings.Fields(lower)
	for i, word := range words {
		words[i] = strings.ToUpper(word[:1]) + word[1:]
	}
	name := strings.Join(words, " ")
	switch {
	case words[0] == "Series" && words[len(words)-1] != "Preferred":
		name += " Preferred"
	case words[0] == "Class" && len(words) == 2:
		name += " Common"
	}
	return name
}

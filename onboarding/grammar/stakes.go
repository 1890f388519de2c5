package grammar

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/messages"
)

// takeStakes finds the shares and the portions of people.
func (d *text) takeStakes(sentence string) {
	price, date := "", ""
	if found := d.price.FindStringSubmatchIndex(sentence); found != nil {
		price = number(sentence, found, 3)
		sentence = cut(sentence, found[0], found[1])
	}
	if found := d.on.FindStringSubmatchIndex(sentence); found != nil {
		date = d.date(group(sentence, found, 1))
		sentence = cut(sentence, found[0], found[1])
	}
	sentence = d.takeEach(sentence)
	sentence = d.takeLists(sentence)
	sentence = d.takeRemainder(sentence)
	if found := d.all.FindStringSubmatchIndex(sentence); found != nil {
		d.stake(group(sentence, found, 1), messages.StakeFacts{Portion: &messages.Portion{Part: "100", Of: "100"}})
		sentence = after(sentence, found)
	}
	for _, form := range []struct {
		*regexp.Regexp
		holder, number int
	}{{d.toName, 5, 1}, {d.holding, 1, 2}, {d.bare, 1, 2}, {d.inBrackets, 1, 2}} {
		for {
			found := form.FindStringSubmatchIndex(sentence)
			if found == nil {
				break
			}
			stake := messages.StakeFacts{Shares: number(sentence, found, form.number), Price: price, Date: date}
			if form.Regexp != d.inBrackets {
				stake.Class = className(group(sentence, found, form.number+2) + group(sentence, found, form.number+3))
			}
			if stake.Shares == "" && form.Regexp == d.holding {
				stake.Shares = number(sentence, found, form.number+4)
			}
			d.stake(group(sentence, found, form.holder), stake)
			sentence = after(sentence, found)
		}
	}
	for _, form := range []struct {
		*regexp.Regexp
		holder, part int
	}{{d.percentTo, 2, 1}, {d.holdingPercent, 1, 2}} {
		for {
			found := form.FindStringSubmatchIndex(sentence)
			if found == nil {
				break
			}
			part := portionOf(group(sentence, found, form.part))
			d.stake(group(sentence, found, form.holder), messages.StakeFacts{Portion: part, Price: price, Date: date})
			sentence = after(sentence, found)
		}
	}
}

// after returns the sentence without a match.
func after(sentence string, found []int) string {
	return sentence[:found[0]] + " ; " + sentence[found[1]:]
}

// stake adds the stake of a holder.
func (d *text) stake(holder string, stake messages.StakeFacts) {
	name := d.person(holder)
	if name == "" || stake.Shares == "" && stake.Portion == nil {
		return
	}
	stake.Holder = d.add(messages.PersonFacts{Name: name})
	for _, known := range d.facts.Stakes {
		if known.Holder == stake.Holder && known.Class == stake.Class {
			return // stated twice, as a number and as a portion
		}
	}
	d.facts.Stakes = append(d.facts.Stakes, stake)
}

// takeEach finds the same quantity for each of the people of the sentence, or of the founders.
func (d *text) takeEach(sentence string) string {
	found := d.each.FindStringSubmatchIndex(sentence)
	if found == nil {
		return sentence
	}
	stake := messages.StakeFacts{}
	for _, begin := range []int{1, 6} {
		if part := group(sentence, found, begin); part != "" {
			stake.Portion = portionOf(part)
		}
		if count := number(sentence, found, begin+1); count != "" {
			stake.Shares = count
			stake.Class = className(group(sentence, found, begin+3) + group(sentence, found, begin+4))
		}
	}
	var holders []string
	among := sentence
	if others := d.quantity.FindAllStringIndex(sentence[:found[0]], -1); len(others) > 0 {
		among = sentence[others[len(others)-1][1]:found[0]] // the quantities before have other holders
	}
	for _, one := range d.people.FindAllString(among, -1) {
		if person := d.person(one); person != "" {
			holders = append(holders, person)
		}
	}
	if len(holders) == 0 {
		holders = d.founders()
	}
	for _, holder := range holders {
		d.stake(holder, stake)
	}
	return cut(sentence, found[0], found[1])
}

// takeLists finds lists of people with lists of quantities of the same length.
func (d *text) takeLists(sentence string) string {
	found := d.respectively.FindStringSubmatchIndex(sentence)
	if found == nil {
		return sentence
	}
	people, unit := d.people.FindAllString(group(sentence, found, 1), -1), group(sentence, found, 3)
	quantities := d.numbers.FindAllStringSubmatch(group(sentence, found, 2), -1)
	if len(people) != len(quantities) {
		return sentence
	}
	for i, person := range people {
		if quantities[i][2] == "%" || strings.HasSuffix(unit, "%") || unit == " percent" {
			d.stake(person, messages.StakeFacts{Portion: &messages.Portion{Part: scaled(quantities[i][1], ""), Of: "100"}})
			continue
		}
		d.stake(person, messages.StakeFacts{Shares: scaled(quantities[i][1], quantities[i][2])})
	}
	return after(sentence, found)
}

// takeRemainder finds the holders of the rest.
func (d *text) takeRemainder(sentence string) string {
	for {
		found := d.rest.FindStringSubmatchIndex(sentence)
		if found == nil {
			return sentence
		}
		if holder := d.person(group(sentence, found, 1) + group(sentence, found, 2)); holder != "" {
			d.add(messages.PersonFacts{Name: holder})
			d.others = append(d.others, holder)
		}
		sentence = after(sentence, found)
	}
}

// takeSplits finds ratios and equal splits among the founders.
func (d *text) takeSplits(whole string) {
	founders := d.founders()
	if len(d.facts.Stakes) > 0 || len(founders) < 2 {
		return
	}
	for _, found := range d.ratio.FindAllString(whole, -1) {
		parts := strings.FieldsFunc(found, func(r rune) bool { return r == '/' || r == ':' || r == ' ' })
		if len(parts) != len(founders) {
			continue
		}
		sum := exact.NewDecimal(0)
		for _, part := range parts {
			sum = sum.Add(exact.MustDecimal(part))
		}
		if sum.Sign() <= 0 {
			continue
		}
		for i, part := range parts {
			d.stake(founders[i], messages.StakeFacts{Portion: &messages.Portion{Part: part, Of: sum.String()}})
		}
		return
	}
	if d.equal.MatchString(whole) {
		for _, one := range founders {
			d.stake(one, messages.StakeFacts{Portion: &messages.Portion{Part: "1", Of: strconv.Itoa(len(founders))}})
		}
	}
}

// shrink leaves room for a pool that is a portion too: holders of the whole divide the rest.
func (d *text) shrink() {
	if d.facts.Pool == nil || d.facts.Pool.Portion == nil {
		return
	}
	whole := big.NewRat(1, 1)
	pool, sum := ratio(*d.facts.Pool.Portion), new(big.Rat)
	for _, stake := range d.facts.Stakes {
		if stake.Portion == nil {
			return
		}
		if part := ratio(*stake.Portion); part != nil {
			sum.Add(sum, part)
		}
	}
	if pool == nil || pool.Cmp(whole) >= 0 || sum.Cmp(whole) != 0 {
		return
	}
	left := new(big.Rat).Sub(whole, pool)
	for i, stake := range d.facts.Stakes {
		if part := ratio(*stake.Portion); part != nil {
			part.Mul(part, left)
			d.facts.Stakes[i].Portion = &messages.Portion{Part: part.Num().String(), Of: part.Denom().String()}
		}
	}
}

// ratio returns a portion as a number, or nil for other text.
func ratio(p messages.Portion) *big.Rat {
	part, err := exact.ParseDecimal(p.Part)
	of, other := exact.ParseDecimal(p.Of)
	if err != nil || other != nil || of.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(part.Rat(), of.Rat())
}

// takeRest divides the remaining portion among its holders.
func (d *text) takeRest() {
	if len(d.others) == 0 {
		return
	}
	left := big.NewRat(1, 1)
	portions := slices.Clone(d.facts.Stakes)
	if d.facts.Pool != nil {
		portions = append(portions, messages.StakeFacts{Portion: d.facts.Pool.Portion})
	}
	for _, one := range portions {
		if one.Portion == nil {
			continue
		}
		if part := ratio(*one.Portion); part != nil {
			left.Sub(left, part)
		}
	}
	left.Quo(left, big.NewRat(int64(len(d.others)), 1))
	if left.Sign() <= 0 {
		return
	}
	for _, holder := range d.others {
		d.stake(holder, messages.StakeFacts{Portion: &messages.Portion{Part: left.Num().String(), Of: left.Denom().String()}})
	}
}

package properties_test

import (
	"math/big"
	"strings"
	"testing"

	"equity/captable"
)

// term checks that a figure follows from its terms. A term that refers to another figure must
// have the value of that figure.
func (c *company) term(day captable.Date, figure string, term map[string]any, known map[string]string) {
	value, terms := term["value"], list(term["terms"])
	values := make([]*big.Rat, len(terms))
	limited := !unlimited(value)
	for i, of := range terms {
		c.term(day, figure, of, known)
		if limited = limited && !unlimited(of["value"]); limited {
			values[i] = rational(of["value"])
		}
	}
	where := "on " + day.String() + ": " + c.named(figure) + ", " + text(term["label"])
	switch path := text(term["explain"]); {
	case term["operation"] == "recorded":
		c.holds(len(terms) == 0, "%s: a recorded figure has terms", where)
	case term["operation"] == "figure":
		c.holds(c.figure(day, path, known) == value, "%s: %v, and %v under %s", where, value, known[path], c.named(path))
	case len(terms) == 0 && (term["operation"] == "sum"):
		c.holds(value == "0", "%s: %v without terms", where, value)
	case !limited:
		c.holds(unlimited(value) || term["operation"] == "least" || term["operation"] == "difference", "%s: %v of terms without a limit", where, value)
	default:
		c.follows(where, text(term["operation"]), rational(value), values, max(1, len(list(terms[0]["terms"]))))
	}
}

// follows checks one operation. Parts is the number of classes in the first term. A percentage
// is the sum of one percentage per class, each rounded by less than one unit in the last place.
func (c *company) follows(where, operation string, value *big.Rat, of []*big.Rat, parts int) {
	var want *big.Rat
	switch operation {
	case "sum":
		want = plus(of...)
	case "difference":
		if want = minus(of[0], of[1:]...); want.Sign() < 0 {
			want = new(big.Rat)
		}
	case "least":
		want = of[0]
		for _, n := range of {
			if n.Cmp(want) < 0 {
				want = n
			}
		}
	case "product":
		want = big.NewRat(1, 1)
		for _, n := range of {
			want.Mul(want, n)
		}
		want = floor(want)
	case "fraction":
		want = new(big.Rat).Mul(of[0], of[1])
		want = floor(want.Quo(want, of[2]))
	case "percentage":
		if want = value; of[1].Sign() == 0 {
			want = new(big.Rat)
			break
		}
		apart := minus(value, new(big.Rat).Quo(of[0], of[1]))
		if apart.Abs(apart).Cmp(big.NewRat(int64(parts), 10_000_000_000)) >= 0 {
			want = new(big.Rat).Quo(of[0], of[1])
		}
	default:
		failf("%s: no operation %q", where, operation)
	}
	c.holds(value.Cmp(want) == 0, "%s: %s is %s, its terms %v make %s", where, operation, exactly(value), of, exactly(want))
}

// floor rounds down to ten decimal places.
func floor(n *big.Rat) *big.Rat {
	scale := big.NewInt(10_000_000_000)
	scaled := new(big.Int).Mul(n.Num(), scale)
	return new(big.Rat).SetFrac(scaled.Div(scaled, n.Denom()), scale)
}

// figure returns the value of a figure and checks its explanation at the first use.
func (c *company) figure(day captable.Date, figure string, known map[string]string) any {
	if value, is := known[figure]; is {
		return value
	}
	explained := c.object(c.explain(figure), "asOf", day.String())
	term, _ := explained["explanation"].(map[string]any)
	known[figure] = text(term["value"])
	c.term(day, figure, term, known)
	return known[figure]
}

// shown checks that the figures in the reads equal the explained figures.
func (c *company) shown(day captable.Date, known map[string]string) {
	check := func(kind, id string, record map[string]any, names ...string) {
		for _, name := range names {
			value := record[name]
			if value == nil {
				value = "0"
			}
			path := strings.TrimPrefix(kind+"/"+id+"/"+name, "/")
			c.holds(c.figure(day, path, known) == value, "on %s: %s is shown as %v and explained as %v", day, c.named(path), value, known[path])
		}
	}
	table := c.object(c.home+"/captable", "asOf", day.String())
	for _, class := range list(table["securities"]) {
		check(
			"security", text(class["id"]), class, "authorized", "issued", "outstanding", "treasury", "reserved", "available",
			"fullyDiluted", "percentOutstanding", "percentFullyDiluted",
		)
	}
	for _, holder := range list(table["holders"]) {
		check("holder", text(holder["entity"]), holder, "shares", "options", "warrants", "percentOutstanding", "percentFullyDiluted")
	}
	for _, of := range list(table["pools"]) {
		check(
			"pool", text(of["pool"]), of, "reserve", "granted", "outstanding", "exercised", "cancelled", "returned", "available",
			"fullyDiluted", "percentFullyDiluted",
		)
	}
	totals, _ := table["totals"].(map[string]any)
	check("", "total", totals, "authorized", "issued", "outstanding", "treasury", "options", "warrants", "fullyDiluted")
	for _, o := range c.pages(c.home+"/option", "asOf", day.String()) {
		check("option", text(o["id"]), o, "quantity", "vested", "unvested", "exercisable", "exercised", "cancelled", "outstanding")
	}
	for _, h := range c.pages(c.home+"/shareholding", "asOf", day.String()) {
		if h["vested"] != nil {
			check("shareholding", text(h["id"]), h, "shares", "vested", "unvested")
		}
	}
	for _, line := range list(c.object(c.home+"/shareholding/repurchasable", "asOf", day.String(), "limit", "200")["data"]) {
		path := text(line["explain"])
		c.holds(
			c.figure(day, path, known) == line["shares"], "on %s: %s is listed as %v and explained as %v", day, c.named(path),
			line["shares"], known[path],
		)
	}
	for _, line := range list(table["convertibles"]) {
		check("holding", text(line["holding"]), line, "accruedInterest", "balance")
	}
	for _, line := range list(table["warrants"]) {
		value := c.figure(day, "holding/"+text(line["holding"])+"/outstanding", known)
		c.holds(value == line["quantity"], "on %s: a warrant is shown as %v and explained as %v", day, line["quantity"], value)
	}
}

// Each explanation recomputes, operation by operation, to the figure in the reads.
func TestExplanationsRecomputeToTheirFigures(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 40, histories: 2, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		for _, day := range append(sample(w, c.days(), 3), c.today) {
			c.shown(day, map[string]string{})
		}
	}})
}

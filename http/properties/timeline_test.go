package properties_test

import (
	"math/big"
	"testing"
)

// timeline checks the cap table over time: the values of each point sum to its total, and the totals of sampled points and
// the values of holders equal those of the cap table.
func (c *company) timeline(by, points string) {
	over := c.object(c.home+"/captable/timeline", "by", by, "points", points)
	all, series := list(over["points"]), list(over["series"])
	for _, point := range all {
		sum := new(big.Rat)
		values, _ := point["values"].([]any)
		for _, value := range values {
			sum.Add(sum, rational(value))
		}
		c.holds(len(values) == len(series) && sum.Cmp(rational(point["fullyDiluted"])) == 0, "the values of %v sum to %s", point, exactly(sum))
	}
	c.holds(all[len(all)-1]["date"] == over["to"], "the last point is %v, not %v", all[len(all)-1]["date"], over["to"])
	for _, point := range append(sample(c.world, all, 4), all[len(all)-1]) {
		table := c.object(c.home+"/captable", "asOf", text(point["date"]))
		totals, _ := table["totals"].(map[string]any)
		for _, name := range []string{"outstanding", "fullyDiluted"} {
			c.holds(point[name] == totals[name], "on %v: %s is %v over time and %v in the table", point["date"], name, point[name], totals[name])
		}
		pools := new(big.Rat)
		for _, pool := range list(table["pools"]) {
			pools.Add(pools, rational(pool["fullyDiluted"]))
		}
		values, _ := point["values"].([]any)
		for i, of := range series {
			switch of["kind"] {
			case "pools":
				c.holds(
					rational(values[i]).Cmp(pools) == 0, "on %v: the pools have %v over time and %s in the table", point["date"], values[i],
					exactly(pools),
				)
			case "holder":
				value := c.explained(text(point["date"]), "holder/"+text(of["id"])+"/fullyDiluted")
				c.holds(values[i] == value, "on %v: %v has %v over time and %v in its explanation", point["date"], of["name"], values[i], value)
			}
		}
	}
}

// explained returns the explained value of a holder's figure on a day; 0 before the first holding.
func (c *company) explained(day, figure string) any {
	got := c.ask(c.explain(figure), "asOf", day)
	if got.status == 404 {
		return "0"
	}
	root, _ := parsed(got.body).(map[string]any)
	term, _ := root["explanation"].(map[string]any)
	return term["value"]
}

// The cap table over time agrees with the cap table of each day.
func TestTimelinesAgreeWithTheCapTable(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 60, histories: 4, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		c.timeline("security", "60")
		c.timeline("holder", "25")
		c.timeline("security", "2")
	}})
}

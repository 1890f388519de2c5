package properties_test

import (
	"math/big"
	"testing"

	"equity/captable"
)

// equal checks that two numbers are equal.
func (c *company) equal(day captable.Date, what string, got, want *big.Rat) {
	c.holds(got.Cmp(want) == 0, "on %s: %s is %s, which should be %s", day, what, exactly(got), exactly(want))
}

// balances checks the sums in all reads of the day.
func (c *company) balances(day captable.Date) {
	table := c.object(c.home+"/captable", "asOf", day.String())
	classes, holders, pools := list(table["securities"]), list(table["holders"]), list(table["pools"])
	totals, _ := table["totals"].(map[string]any)
	one := big.NewRat(1, 1)
	for _, class := range classes {
		name := text(class["name"]) + " "
		issued, reserved := rational(class["issued"]), rational(class["reserved"])
		c.equal(day, name+"issued", issued, plus(rational(class["outstanding"]), rational(class["treasury"])))
		if unlimited(class["authorized"]) {
			continue
		}
		// Treasury shares may be issued again.
		c.equal(day, name+"available", rational(class["available"]), minus(rational(class["authorized"]), rational(class["outstanding"]), reserved))
		left := minus(rational(class["authorized"]), issued, reserved)
		c.holds(left.Sign() >= 0, "on %s: %s issued and %s reserved of %s authorized", day, issued, reserved, class["authorized"])
	}
	for _, name := range []string{"issued", "outstanding", "treasury", "fullyDiluted"} {
		c.equal(day, "the total "+name, rational(totals[name]), sum(classes, name))
	}
	c.ofHolders(day, classes, holders)
	if rational(totals["outstanding"]).Sign() > 0 {
		c.equal(day, "percentOutstanding of all classes", sum(classes, "percentOutstanding"), one)
		c.equal(day, "percentOutstanding of all holders", sum(holders, "percentOutstanding"), one)
	}
	if rational(totals["fullyDiluted"]).Sign() > 0 {
		c.equal(day, "percentFullyDiluted of all classes", sum(classes, "percentFullyDiluted"), one)
		c.equal(day, "percentFullyDiluted of holders and pools", plus(sum(holders, "percentFullyDiluted"), sum(pools, "percentFullyDiluted")), one)
	}
	c.equal(day, "the options of all holders", sum(holders, "options"), rational(totals["options"]))
	c.equal(day, "the warrants of all holders", sum(holders, "warrants"), rational(totals["warrants"]))
	c.equal(day, "what holders invested", sum(holders, "invested"), rational(totals["holderCost"]))
	for _, row := range list(totals["convertibles"]) {
		c.equal(day, "the balance", rational(row["balance"]), plus(rational(row["principal"]), rational(row["accruedInterest"])))
		c.equal(day, "the principal of all convertibles", principals(list(table["convertibles"])), rational(row["principal"]))
		c.equal(day, "the interest of all convertibles", sum(list(table["convertibles"]), "accruedInterest"), rational(row["accruedInterest"]))
	}
	c.ofPools(day, pools)
}

func principals(convertibles []map[string]any) *big.Rat {
	total := new(big.Rat)
	for _, row := range convertibles {
		principal, _ := row["principal"].(map[string]any)
		total.Add(total, rational(principal["amount"]))
	}
	return total
}

// ofHolders checks that the shares of the holders sum to the outstanding shares of each class,
// and that the positions of each holder sum to the figures of the holder.
func (c *company) ofHolders(day captable.Date, classes, holders []map[string]any) {
	for _, class := range classes {
		total := map[string]*big.Rat{"shares": new(big.Rat), "percentOutstanding": new(big.Rat)}
		for _, holder := range holders {
			for _, position := range list(holder["bySecurity"]) {
				if position["security"] == class["id"] {
					for name, so := range total {
						so.Add(so, rational(position[name]))
					}
				}
			}
		}
		c.equal(day, "the shares of "+text(class["name"])+" of all holders", total["shares"], rational(class["outstanding"]))
	}
	for _, holder := range holders {
		positions := list(holder["bySecurity"])
		for _, name := range []string{"shares", "options", "warrants"} {
			c.equal(day, name+" of "+text(holder["name"]), rational(holder[name]), sum(positions, name))
		}
	}
}

// ofPools checks that granted options are outstanding, exercised or cancelled, and that the
// rest of the reserve is available.
func (c *company) ofPools(day captable.Date, pools []map[string]any) {
	report := c.object("/v1/captable/"+c.id+"/pool", "asOf", day.String())
	var lines []map[string]any
	for _, plan := range list(report["plans"]) {
		of := list(plan["pools"])
		for _, name := range []string{"reserve", "granted", "outstanding", "exercised", "cancelled", "returned", "available"} {
			c.equal(day, name+" of the plan "+text(plan["name"]), rational(plan[name]), sum(of, name))
		}
		lines = append(lines, of...)
	}
	for _, pool := range append(lines, pools...) {
		get := func(name string) *big.Rat { return rational(pool[name]) }
		c.equal(day, "granted", get("granted"), plus(get("outstanding"), get("exercised"), get("cancelled")))
		c.holds(get("returned").Cmp(get("cancelled")) <= 0, "on %s: %s returned of %s cancelled", day, pool["returned"], pool["cancelled"])
		left := minus(plus(get("reserve"), get("returned")), get("granted"))
		if pool["plan"] != nil { // a line of the table, which also counts restricted stock
			continue
		}
		c.equal(day, "available in the pool "+text(pool["name"]), get("available"), left)
	}
}

// recordsSum checks that the records as of the day sum to the figures of the table.
func (c *company) recordsSum(day captable.Date) {
	table := c.object(c.home+"/captable", "asOf", day.String())
	held := map[any]*big.Rat{}
	for _, h := range c.pages(c.home+"/shareholding", "asOf", day.String()) {
		if h["status"] == "active" || h["status"] == "accepted" {
			held[h["security"]] = plus(rational(h["shares"]), orZero(held[h["security"]]))
		}
		if h["vested"] != nil {
			c.equal(day, "vested and unvested shares", plus(rational(h["vested"]), rational(h["unvested"])), rational(h["shares"]))
		}
	}
	for _, class := range list(table["securities"]) {
		c.equal(day, "the shareholdings of "+text(class["name"]), orZero(held[class["id"]]), rational(class["outstanding"]))
	}
	outstanding := new(big.Rat)
	for _, o := range c.pages(c.home+"/option", "asOf", day.String()) {
		get := func(name string) *big.Rat { return rational(o[name]) }
		taken := plus(get("exercised"), get("released"), get("cancelled"), get("expired"))
		if o["status"] != "voided" && o["status"] != "retracted" {
			c.equal(day, "the quantity of an option", get("quantity"), plus(taken, get("outstanding")))
		}
		for _, name := range []string{"vested", "unvested", "exercisable", "releasable", "outstanding"} {
			c.holds(get(name).Sign() >= 0 && get(name).Cmp(get("quantity")) <= 0, "on %s: %s is %s of %s", day, name, o[name], o["quantity"])
		}
		outstanding.Add(outstanding, get("outstanding"))
	}
	totals, _ := table["totals"].(map[string]any)
	c.equal(day, "the outstanding options", outstanding, rational(totals["options"]))
}

func orZero(n *big.Rat) *big.Rat {
	if n == nil {
		return new(big.Rat)
	}
	return n
}

// On every day of a history, the parts of each figure sum to the figure.
func TestSumsBalanceOnEveryDay(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 40, histories: 3, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		for _, day := range c.days() {
			c.balances(day)
		}
		for _, day := range sample(w, c.days(), 12) {
			c.recordsSum(day)
		}
	}})
}

package ocf_test

import (
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// severalClasses returns a company with a plan on preferred and common shares, in this order.
func severalClasses(transactions ...string) *parcel {
	p := planned(transactions...)
	p.plans[0] = strings.Replace(p.plans[0], `["common"]`, `["preferred","common"]`, 1)
	return p
}

// ofPreferred returns a transaction of the preferred class in place of the common one.
func ofPreferred(transaction string) string {
	return strings.Replace(transaction, `"stock_class_id":"common"`, `"stock_class_id":"preferred"`, 1)
}

// classOf returns the external id of the class of a grant or a shareholding.
func (w *world) classOf(id string) string {
	class := captable.SecurityID{}
	for g := range w.state.Grants() {
		if g.ExternalID == id {
			class = g.Security
		}
	}
	for h := range w.state.Shareholdings() {
		if h.ExternalID == id {
			class = h.Security
		}
	}
	security, _ := w.state.Security(class)
	return security.ExternalID
}

// reserves lists the reserved shares of each class on a day, by external id.
func (w *world) reserves(day string) string {
	var all []string
	for _, line := range w.state.TableOn(exact.MustDate(day), func(captable.EntityID) string { return "" }).Securities {
		security, _ := w.state.Security(line.ID)
		all = append(all, security.ExternalID+" "+line.Reserved.String())
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// pool returns the figures of the only pool on a day.
func (w *world) pool(day string) string {
	for plan := range w.state.Plans() {
		f := w.state.PlanOn(plan, exact.MustDate(day)).Pools[0].PoolFigures
		return "reserve " + f.Reserve.String() + ", granted " + f.Granted.String() + ", exercised " + f.Exercised.String() + ", available " + f.Available().String()
	}
	return ""
}

func TestGrantsOfPlansWithSeveralClasses(t *testing.T) {
	t.Parallel()
	t.Run("grants count as the class that all of them name", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(granted("o", "2024-02-01", "50")), setup(t)
		w.taken(p.files())
		equal(t, "class", w.classOf("o"), "common")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("grants count as the class that each of them names", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(granted("o", "2024-02-01", "50"), ofPreferred(granted("p", "2024-02-01", "20"))), setup(t)
		equalLists(t, "findings", warnings(w.take(p.files())), nil)
		equal(t, "class of the first grant", w.classOf("o"), "common")
		equal(t, "class of the second grant", w.classOf("p"), "preferred")
		equal(t, "the pool", w.pool("2026-01-01"), "reserve 100, granted 70, exercised 0, available 30")
		equal(t, "reserved", w.reserves("2026-01-01"), "common 50, preferred 100")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("a grant of a class that the plan does not list counts as that class, with a warning", func(t *testing.T) {
		t.Parallel()
		p, w := planned(granted("o", "2024-02-01", "50"), ofPreferred(granted("p", "2024-02-01", "20"))), setup(t)
		equalLists(t, "warnings", warnings(w.take(p.files())), []string{"TX_EQUITY_COMPENSATION_ISSUANCE/grant-p/stock_class_id otherClass"})
		equal(t, "class", w.classOf("p"), "preferred")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("an exercise creates shares of the class of its grant", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(
			granted("o", "2024-02-01", "50"), ofPreferred(granted("p", "2024-02-01", "20")),
			tx("EQUITY_COMPENSATION_EXERCISE", "p", "2024-03-01", `"quantity":"5","resulting_security_ids":["s"]`), issue("s", "2024-03-01", "ada", "preferred", "5"),
		), setup(t)
		w.taken(p.files())
		equal(t, "class of the shares", w.classOf("s"), "preferred")
		equal(t, "the pool", w.pool("2026-01-01"), "reserve 100, granted 70, exercised 5, available 30")
		equal(t, "reserved", w.reserves("2026-01-01"), "common 50, preferred 95")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("a grant without a class counts as the class of the shares from its exercise", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(
			granted("o", "2024-02-01", "50"), strings.Replace(granted("p", "2024-02-01", "20"), `"stock_class_id":"common",`, "", 1),
			tx("EQUITY_COMPENSATION_EXERCISE", "p", "2024-03-01", `"quantity":"5","resulting_security_ids":["s"]`), issue("s", "2024-03-01", "ada", "preferred", "5"),
		), setup(t)
		w.taken(p.files())
		equal(t, "class", w.classOf("p"), "preferred")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("shares of several classes count as awards from the pool", func(t *testing.T) {
		t.Parallel()
		plan := `"stock_plan_id":"plan"`
		p, w := severalClasses(issue("a", "2024-02-01", "ada", "common", "10", plan), issue(
			"b", "2024-02-01", "ada", "preferred", "20", plan,
		)), setup(t)
		w.taken(p.files())
		equal(t, "the pool", w.pool("2026-01-01"), "reserve 100, granted 30, exercised 30, available 70")
		equal(t, "reserved", w.reserves("2026-01-01"), "common 0, preferred 70")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("a cancelled grant returns to the pool of its plan", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(
			granted("o", "2024-02-01", "50"), granted("q", "2024-02-01", "30"), ofPreferred(granted("p", "2024-02-01", "20")),
			tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-03-01", `"quantity":"50","reason_text":"Left."`),
		), setup(t)
		p.plans[0] = strings.Replace(p.plans[0], "RETIRE", "RETURN_TO_POOL", 1)
		w.taken(p.files())
		equal(t, "the pool before", w.pool("2024-02-01"), "reserve 100, granted 100, exercised 0, available 0")
		equal(t, "the pool after", w.pool("2024-03-01"), "reserve 100, granted 100, exercised 0, available 50")
		equal(t, "reserved before", w.reserves("2024-02-01"), "common 80, preferred 100")
		equal(t, "reserved after", w.reserves("2024-03-01"), "common 30, preferred 100")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("grants beyond the authorized shares of their class are refused", func(t *testing.T) {
		t.Parallel()
		grants := []string{granted("o", "2024-02-01", "60"), ofPreferred(granted("p", "2024-02-01", "20"))}
		for authorized, want := range map[string][]string{"660": nil, "659": {"TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/quantity insufficientShares"}} {
			p := severalClasses(grants...)
			p.classes[0] = class("common", "COMMON", authorized, "1")
			equalLists(t, "refusals of "+authorized, refusals(setup(t).take(p.files())), want)
		}
	})
}

// A split of a class restates its grants and their part of the pool only.
func TestSplitsOfOneClassOfAPlan(t *testing.T) {
	t.Parallel()
	for split, want := range map[string]struct{ pool, reserved, ofCommon, ofPreferred string }{
		// The pool is of the preferred class: 30 available, 20 preferred and 40 common options are left.
		"common":    {"reserve 150, granted 120, exercised 10, available 30", "common 80, preferred 130", "100", "20"},
		"preferred": {"reserve 150, granted 90, exercised 5, available 60", "common 40, preferred 140", "50", "40"},
	} {
		t.Run(split, func(t *testing.T) {
			t.Parallel()
			p, w := severalClasses(
				granted("o", "2024-02-01", "50"), ofPreferred(granted("p", "2024-02-01", "20")),
				tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-03-01", `"quantity":"5","resulting_security_ids":["s"]`), issue("s", "2024-03-01", "ada", "common", "5"),
				tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-03-02", `"quantity":"5","reason_text":"r","balance_security_id":"o2"`), granted("o2", "2024-03-02", "40"),
				`{"id":"split","object_type":"TX_STOCK_CLASS_SPLIT","date":"2024-04-01","stock_class_id":"`+split+`","split_ratio":{"numerator":"2","denominator":"1"}}`,
			), setup(t)
			w.taken(p.files())
			equal(t, "the pool before", w.pool("2024-03-31"), "reserve 100, granted 70, exercised 5, available 30")
			equal(t, "reserved before", w.reserves("2024-03-31"), "common 40, preferred 90")
			equal(t, "the pool", w.pool("2024-04-01"), want.pool)
			equal(t, "reserved", w.reserves("2024-04-01"), want.reserved)
			equal(t, "common grant", w.quantity("o"), want.ofCommon)
			equal(t, "preferred grant", w.quantity("p"), want.ofPreferred)
			equalLists(t, "audit", w.state.Audit(), nil)
			same(t, w.export("2026-03-01"), p.files())
		})
	}
}

// quantity returns the present quantity of a grant.
func (w *world) quantity(id string) string {
	for g := range w.state.Grants() {
		if g.ExternalID == id {
			return g.Quantity.String()
		}
	}
	return ""
}

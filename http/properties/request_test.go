package properties_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// pick selects one of the last twelve elements of the list. It returns false if the list is
// empty.
func pick[T any](of []T, n int) (chosen T, found bool) {
	if len(of) == 0 {
		return chosen, false
	}
	last := of[max(0, len(of)-12):]
	return last[n%len(last)], true
}

// request builds the request of a step. It returns false if the company lacks a suitable
// record.
func (c *company) request(n int, s step) (request, bool) {
	for _, kinds := range []map[string]func(int, step) (request, bool){c.ofClasses(), c.ofShares(), c.ofPlans(), c.ofOptions(), c.ofRights()} {
		if build := kinds[s.kind]; build != nil {
			return build(n, s)
		}
	}
	failf("no command of the kind %s", s.kind)
	return request{}, false
}

// dated lists the kinds of commands that take effect on a day or on every day. Kinds that many
// others depend on are listed several times.
//
// The properties that cut a history at a day or restate it omit two kinds. A correction replaces a
// fact on every day; the cut history may lack the record that it corrects. A round states a price
// from the cap table of its entry, so that a later back-dated command changes the round of the cut
// history but not that of the complete one.
func dated() []string {
	return append([]string{
		"issue", "issue", "issue", "issue", "issue vesting", "transfer", "transfer", "transfer", "grant", "grant", "grant", "grant early",
		"grant early", "exercise",
		"exercise", "exercise", "safe", "note", "warrant",
	}, slices.DeleteFunc(everyKind(), func(kind string) bool { return kind == "round" || strings.HasPrefix(kind, "correct ") })...)
}

// all lists every kind of command.
func all() []string {
	return append(dated(), "round", "correct shares", "correct option", "correct right")
}

// everyKind lists each kind of command once.
func everyKind() (kinds []string) {
	c := &company{}
	for _, of := range []map[string]func(int, step) (request, bool){c.ofClasses(), c.ofShares(), c.ofPlans(), c.ofOptions(), c.ofRights()} {
		kinds = append(kinds, slices.Sorted(maps.Keys(of))...)
	}
	return kinds
}

// ofClasses returns the builders of requests about classes, legends, valuations and the
// company.
func (c *company) ofClasses() map[string]func(int, step) (request, bool) {
	return map[string]func(int, step) (request, bool){
		"class": func(n int, s step) (request, bool) {
			terms := map[string]any{
				"name": fmt.Sprintf("Class %d", n), "prefix": fmt.Sprintf("C%d", n), "shareType": "preferred",
				"authorizedShares": c.quantity(s.units * 50),
				"price":            c.price(s.units * 10), "seniority": s.other % 3, "liquidationPreferenceMultiple": "1",
			}
			if s.pick%2 == 0 {
				terms["conversion"] = map[string]any{"security": c.classes[0], "fraction": map[string]any{"numerator": "3", "denominator": "2"}}
			}
			return request{"POST", c.home + "/security", terms, 0}, true
		},
		"restate class": func(_ int, s step) (request, bool) {
			return request{"PUT", c.home + "/security/" + c.classes[0], c.common(s.units, 9_000+s.units*100), c.today}, true
		},
		"authorize": func(_ int, s step) (request, bool) {
			class, _ := pick(c.classes, s.pick)
			return request{"POST", c.home + "/security/" + class + "/shares", map[string]any{
				"quantity": c.quantityOf(class, s.units*20), "effectiveDate": c.day(s).String(),
			}, c.day(s)}, true
		},
		"split": func(_ int, s step) (request, bool) {
			class, _ := pick(c.classes, s.pick)
			ratio := [][2]string{{"2", "1"}, {"3", "2"}, {"1", "2"}, {"10", "1"}}[s.other%4]
			return request{"POST", c.home + "/security/" + class + "/split", map[string]any{
				"numerator": ratio[0], "denominator": ratio[1], "date": c.day(s).String(),
			}, c.day(s)}, true
		},
		"legend": func(n int, _ step) (request, bool) {
			return request{"POST", c.home + "/legend", map[string]any{"name": fmt.Sprintf("Legend %d", n), "text": "Not registered."}, 0}, true
		},
		"valuation": func(_ int, s step) (request, bool) {
			class, _ := pick(c.classes, s.pick)
			return request{"PUT", "/v1/valuation", map[string]any{
				"organization": c.id, "security": class, "type": []string{"409A", "board"}[s.other%2], "effectiveDate": c.day(s).String(),
				"pricePerShare": c.money(c.priceOf(class, s.units*5)),
			}, c.day(s)}, true
		},
		"capital change": func(_ int, s step) (request, bool) {
			holder, _ := pick(c.holders, s.who)
			return request{"POST", "/v1/entity/" + holder + "/capitalChange", map[string]any{
				"organization": c.id, "kind": "contribution", "amount": c.money(c.price(s.units * 100)), "date": c.day(s).String(),
			}, 0}, true
		},
		"leave": func(_ int, s step) (request, bool) {
			member, _ := pick(c.members, s.who)
			return request{"DELETE", c.home + "/member/" + member, map[string]any{
				"keepHoldings": true, "terminationDate": c.day(s).String(), "terminationReason": "voluntaryOther",
			}, c.day(s)}, true
		},
		"round": c.round,
	}
}

// round plans a round and returns the request to close it.
func (c *company) round(n int, s step) (request, bool) {
	holder, _ := pick(c.holders, s.who)
	plan, _ := pick(c.pools, s.pick)
	terms := map[string]any{
		"date": c.day(s).String(), "preMoney": strconv.FormatInt(1_000_000+s.units*1_000, 10),
		"newMoney": []any{map[string]any{"investor": map[string]any{"entity": holder}, "amount": strconv.FormatInt(10_000*s.units, 10)}},
		"security": map[string]any{
			"name": fmt.Sprintf("Series %d", n), "prefix": fmt.Sprintf("S%d", n), "seniority": 1, "liquidationPreferenceMultiple": "1",
			"conversion": map[string]any{"security": c.classes[0], "ratio": "1"},
		},
	}
	if s.other%3 == 0 {
		terms["pool"] = map[string]any{"target": "0.1", "of": map[string]any{"plan": plan.plan, "pool": plan.pool}}
	}
	got := c.owner.send(c.cached, "POST", c.home+"/scenario/round", "application/json", written(terms))
	if got.status != 200 {
		c.note("%s %s: round %s -> %d %s", c.name, c.today, c.named(written(terms)), got.status, got.body)
		return request{}, false
	}
	planned, _ := parsed(got.body).(map[string]any)
	terms["confirm"], terms["block"] = planned["confirm"], map[string]any{"name": fmt.Sprintf("Round %d", n)}
	return request{"POST", c.home + "/scenario/round/close", terms, c.day(s)}, true
}

// ofShares returns the builders of requests about shares.
func (c *company) ofShares() map[string]func(int, step) (request, bool) {
	of := func(method, path string, dated bool, body func(class string, s step) map[string]any) func(int, step) (request, bool) {
		return func(_ int, s step) (request, bool) {
			held, found := pick(c.held, s.pick)
			r := request{method: method, path: "/v1/shareholding/" + held + path, body: body(c.classOf[held], s)}
			if dated {
				r.day = c.day(s)
			}
			return r, found
		}
	}
	return map[string]func(int, step) (request, bool){
		"issue": func(n int, s step) (request, bool) { return c.issue(n, s, nil) },
		"issue vesting": func(n int, s step) (request, bool) {
			return c.issue(n, s, map[string]any{"vestingSchedule": c.schedules[0], "issuanceType": "restrictedStockAward"})
		},
		"transfer": func(_ int, s step) (request, bool) {
			held, found := pick(c.held, s.pick)
			holder, _ := pick(c.holders, s.who)
			return request{"POST", c.home + "/shareholding/transfer", map[string]any{
				"shareholding": held, "to": map[string]any{"entity": holder}, "shares": c.quantityOf(c.classOf[held], s.units),
				"date": c.day(s).String(), "kind": "sale",
			}, c.day(s)}, found
		},
		"cancel shares": of("POST", "/cancel", true, func(class string, s step) map[string]any {
			return map[string]any{"shares": c.quantityOf(class, s.units), "date": c.day(s).String(), "reason": "Agreed."}
		}),
		"repurchase": of("POST", "/repurchase", true, func(class string, s step) map[string]any {
			return map[string]any{
				"shares": c.quantityOf(class, s.units), "price": c.priceOf(class, s.units), "date": c.day(s).String(),
				"toTreasury": s.other%2 == 0,
			}
		}),
		"convert shares": of("POST", "/convert", true, func(_ string, s step) map[string]any {
			return map[string]any{"security": c.classes[0], "date": c.day(s).String()}
		}),
		"accept shares": of("POST", "/accept", true, func(_ string, s step) map[string]any { return map[string]any{"date": c.day(s).String()} }),
		"void shares":   of("DELETE", "", false, func(string, step) map[string]any { return map[string]any{"reason": "Entered twice."} }),
		"amend shares": of("PATCH", "", false, func(_ string, s step) map[string]any {
			changes := map[string]any{"shareholderName": fmt.Sprintf("Name %d", s.units)}
			if legend, some := pick(c.legends, s.other); some {
				changes["legends"] = []string{legend}
			}
			return changes
		}),
		"correct shares": of("PUT", "", false, func(_ string, s step) map[string]any {
			r, _ := c.issue(0, s, map[string]any{"reason": "A zero too many."})
			return r.body
		}),
	}
}

func (c *company) issue(_ int, s step, more map[string]any) (request, bool) {
	class, _ := pick(c.classes, s.pick%5%3)
	holder, _ := pick(c.holders, s.who)
	body := map[string]any{
		"entity": holder, "security": class, "shares": c.quantityOf(class, s.units*48), "issueDate": c.day(s).String(),
		"pricePerShare": c.priceOf(class, s.units),
	}
	maps.Copy(body, more)
	return request{"POST", c.home + "/shareholding", body, c.day(s)}, true
}

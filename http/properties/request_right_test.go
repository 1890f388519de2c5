package properties_test

import (
	"fmt"
	"maps"
	"strconv"

	"equity/captable/exact"
)

// ofPlans returns the builders of requests about plans and pools by kind of command.
func (c *company) ofPlans() map[string]func(int, step) (request, bool) {
	return map[string]func(int, step) (request, bool){
		"plan": func(n int, s step) (request, bool) {
			class, _ := pick(c.classes, s.pick)
			behavior := []string{"returnToPool", "retire", "holdAsCapitalStock"}[s.other%3]
			return request{"POST", c.home + "/plan", map[string]any{
				"name": fmt.Sprintf("Plan %d", n), "boardApprovalDate": c.day(s).String(), "cancellationBehavior": behavior,
				"pools": []any{map[string]any{
					"name": "Pool", "security": class, "totalShares": c.quantity(s.units * 10), "strikePrice": c.price(s.units),
				}},
			}, 0}, true
		},
		"pool size": func(_ int, s step) (request, bool) {
			of, _ := pick(c.pools, s.pick)
			terms := maps.Clone(of.terms)
			reserve := maps.Clone(list(terms["pools"])[0])
			if terms["name"] == "Plan" { // its class may have been split
				reserve["strikePrice"] = c.price(200)
			}
			day := c.day(s)
			reserve["totalShares"], reserve["boardApprovalDate"] = c.quantity(s.units*30), day.String()
			terms["pools"] = []any{reserve}
			return request{"PUT", "/v1/plan/" + of.plan, terms, day}, true
		},
		"reprice": func(_ int, s step) (request, bool) {
			of, _ := pick(c.pools, s.pick)
			return request{
				"POST", "/v1/plan/" + of.plan + "/reprice",
				map[string]any{"exercisePrice": c.price(s.units), "date": c.day(s).String()},
				c.day(s),
			}, true
		},
		"expire": func(_ int, s step) (request, bool) {
			return request{"POST", c.home + "/option/expire", map[string]any{"date": c.day(s).String()}, c.day(s)}, true
		},
	}
}

// ofOptions returns the builders of requests about options, units and appreciation rights.
func (c *company) ofOptions() map[string]func(int, step) (request, bool) {
	post := func(path string, body func(s step) map[string]any) func(int, step) (request, bool) {
		return func(_ int, s step) (request, bool) {
			option, found := pick(c.options, s.pick)
			return request{"POST", "/v1/option/" + option + path, body(s), c.day(s)}, found
		}
	}
	return map[string]func(int, step) (request, bool){
		"grant":       func(n int, s step) (request, bool) { return c.grant(n, s, false) },
		"grant early": func(n int, s step) (request, bool) { return c.grant(n, s, true) },
		"exercise": func(_ int, s step) (request, bool) {
			option, found := pick(c.options, s.pick)
			body := map[string]any{"quantity": c.quantity(s.units), "date": c.day(s).String()}
			if s.other%4 == 0 {
				body["payment"] = "net"
			}
			return request{"POST", c.poolOf[option] + "/option/" + option + "/exercise", body, c.day(s)}, found
		},
		"request exercise": c.requestExercise,
		"accept request":   c.answered("accept", func(s step) map[string]any { return map[string]any{"date": c.day(s).String()} }),
		"decline request":  c.answered("decline", func(step) map[string]any { return map[string]any{"reason": "Not now."} }),
		"release": func(_ int, s step) (request, bool) {
			option, found := pick(c.units, s.pick)
			return request{"POST", "/v1/option/" + option + "/release", map[string]any{"date": c.day(s).String()}, c.day(s)}, found
		},
		"cancel option": post("/cancel", func(s step) map[string]any {
			return map[string]any{"quantity": c.quantity(s.units), "date": c.day(s).String(), "reason": "Agreed."}
		}),
		"terminate": post("/terminate", func(s step) map[string]any {
			return map[string]any{"date": c.day(s).String(), "reason": []string{"voluntaryOther", "involuntaryOther"}[s.other%2]}
		}),
		"accelerate": post("/accelerate", func(s step) map[string]any {
			return map[string]any{"quantity": c.quantity(s.units), "date": c.day(s).String()}
		}),
		"accept option": post("/accept", func(s step) map[string]any { return map[string]any{"date": c.day(s).String()} }),
		"void option": func(_ int, s step) (request, bool) {
			option, found := pick(c.options, s.pick)
			return request{"DELETE", "/v1/holding/" + option, map[string]any{"reason": "Entered twice."}, 0}, found
		},
		"correct option": func(n int, s step) (request, bool) {
			option, found := pick(c.options, s.pick)
			r, _ := c.grant(n, s, false)
			delete(r.body, "organization")
			r.body["reason"] = "A zero too many."
			return request{"PUT", "/v1/holding/" + option, r.body, 0}, found
		},
	}
}

func (c *company) requestExercise(_ int, s step) (request, bool) {
	option, found := pick(c.options, s.pick)
	return request{"POST", c.poolOf[option] + "/option/" + option + "/exercise/request", map[string]any{
		"quantity": c.quantity(s.units), "date": c.day(s).String(),
	}, c.day(s)}, found
}

// answered returns the builder of an answer to a requested exercise. Without a request, it makes one.
func (c *company) answered(answer string, body func(s step) map[string]any) func(int, step) (request, bool) {
	return func(n int, s step) (request, bool) {
		asked, found := pick(c.requests, s.pick)
		if !found {
			return c.requestExercise(n, s)
		}
		return request{"POST", asked + "/" + answer, body(s), c.day(s)}, found
	}
}

func (c *company) grant(_ int, s step, early bool) (request, bool) {
	of, _ := pick(c.pools, s.pick)
	holder, _ := pick(c.holders, s.who)
	body := map[string]any{
		"organization": c.id, "kind": "option", "entity": holder, "plan": of.plan, "pool": of.pool, "issueDate": c.day(s).String(),
		"quantity": c.quantity(s.units * 48),
		"type":     []string{"iso", "nso", "rsu", "sar"}[s.other%4], "vestingSchedule": c.schedules[s.other/4%len(c.schedules)],
		"terminationWindows": []any{map[string]any{"reason": "voluntaryOther", "period": map[string]any{"n": 3, "unit": "months"}}},
		"expirationDate":     (c.day(s) + 900).String(),
	}
	if body["type"] != "rsu" {
		body["exercisePrice"] = c.price(s.units)
		if early {
			body["earlyExercise"] = true
		}
		if s.units%2 == 0 {
			body["marketValue"] = c.price(s.units + 2)
		}
	}
	return request{"POST", "/v1/holding", body, c.day(s)}, true
}

// ofRights returns the builders of requests about SAFEs, notes and warrants.
func (c *company) ofRights() map[string]func(int, step) (request, bool) {
	of := func(method, path string, dated bool, body func(s step) map[string]any) func(int, step) (request, bool) {
		return func(_ int, s step) (request, bool) {
			right, found := pick(c.rights, s.pick)
			r := request{method: method, path: "/v1/holding/" + right + path, body: body(s)}
			if dated {
				r.day = c.day(s)
			}
			return r, found
		}
	}
	return map[string]func(int, step) (request, bool){
		"safe": func(_ int, s step) (request, bool) {
			terms := []map[string]any{
				{"valuationCap": "900000"},
				{"discount": "0.2"},
				{"valuationCap": "800000", "discount": "0.1"},
				{"mfn": true, "discount": "0.15"},
			}[s.other%4]
			return c.right(s, "safe", maps.Clone(terms)), true
		},
		"safe of a fixed price": func(_ int, s step) (request, bool) {
			principal := plus().Mul(rational(c.price(s.units)), rational(c.quantity(s.units*48)))
			fixed := map[string]any{"security": c.classes[0], "price": c.price(s.units)}
			if s.other%2 == 0 {
				fixed = map[string]any{"security": c.classes[0], "shares": c.quantity(s.units * 48)}
			}
			return c.right(
				s, "safe",
				map[string]any{"fixedConversion": fixed, "principal": c.money(exact.RoundDown(principal, exact.Places).String())},
			), true
		},
		"note": func(_ int, s step) (request, bool) {
			interest := map[string]any{
				"rates":       []any{map[string]any{"rate": "0.07", "from": c.day(s).String()}},
				"compounding": []string{"simple", "compounding"}[s.other%2],
			}
			return c.right(
				s, "convertibleNote", map[string]any{"interest": interest, "discount": "0.2", "maturityDate": (c.day(s) + 730).String()},
			), true
		},
		"warrant": func(_ int, s step) (request, bool) {
			r := c.right(s, "warrant", map[string]any{
				"security": c.classes[0], "quantity": c.quantity(s.units * 48), "exercisePrice": c.price(s.units),
				"expirationDate": (c.day(s) + 1_000).String(),
			})
			delete(r.body, "principal")
			return r, true
		},
		"accept right": of("POST", "/accept", true, func(s step) map[string]any { return map[string]any{"date": c.day(s).String()} }),
		"transfer right": of("POST", "/transfer", true, func(s step) map[string]any {
			holder, _ := pick(c.holders, s.who)
			return map[string]any{"to": map[string]any{"entity": holder}, "date": c.day(s).String(), "kind": "gift"}
		}),
		"cancel right": of(
			"POST", "/cancel", true, func(s step) map[string]any { return map[string]any{"date": c.day(s).String(), "reason": "Agreed."} },
		),
		"repay": of("POST", "/repay", true, func(s step) map[string]any {
			return map[string]any{"amount": c.price(s.units * 10), "date": c.day(s).String(), "interestFirst": s.other%2 == 0}
		}),
		"convert right": of("POST", "/convert", true, func(s step) map[string]any {
			return map[string]any{"security": c.classes[0], "date": c.day(s).String(), "pricePerShare": c.price(s.units)}
		}),
		"convert fixed": of("POST", "/convert", true, func(s step) map[string]any {
			return map[string]any{"security": c.classes[0], "date": c.day(s).String()}
		}),
		"exercise warrant": of("POST", "/exercise", true, func(s step) map[string]any {
			return map[string]any{"quantity": c.quantity(s.units), "date": c.day(s).String(), "payment": "cash"}
		}),
		"void right": of("DELETE", "", false, func(step) map[string]any { return map[string]any{"reason": "Entered twice."} }),
		"correct right": of("PUT", "", false, func(s step) map[string]any {
			r := c.right(s, "safe", map[string]any{"discount": "0.2", "reason": "A zero too many."})
			delete(r.body, "organization")
			return r.body
		}),
	}
}

func (c *company) right(s step, kind string, more map[string]any) request {
	holder, _ := pick(c.holders, s.who)
	body := map[string]any{
		"organization": c.id, "kind": kind, "entity": holder, "issueDate": c.day(s).String(),
		"principal": c.money(strconv.FormatInt(s.units*4_800, 10)),
	}
	maps.Copy(body, more)
	return request{"POST", "/v1/holding", body, c.day(s)}
}

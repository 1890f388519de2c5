package properties_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"equity/captable"
	"equity/captable/exact"
)

// founding returns the first day of every company.
func founding() captable.Date { return exact.MustDate("2021-01-04") }

// pool identifies a pool and its plan. It keeps the request body of the plan.
type pool struct {
	plan, pool string
	terms      map[string]any
}

// company is the organization of a history.
type company struct {
	*world
	owner *user
	id    string
	home  string
	name  string
	today captable.Date
	// shares is the factor of every quantity, and prices the factor of every price in cents.
	shares, prices int64
	// The identifiers of the records, in order of creation.
	holders, members, classes, legends, schedules, blocks, valuations []string
	held, options, rights                                             []string
	pools                                                             []pool
	// requests holds the paths of the requested exercises that were not answered yet, and units the options that are restricted units.
	requests, units []string
	// classOf maps shareholdings to their classes.
	classOf map[string]string
	// poolOf maps options to the paths of their pools.
	poolOf map[string]string
	// labels maps identifiers to names that are the same in all companies of a history.
	labels map[string]string
	deeds  []deed
}

// deed is an accepted command.
type deed struct {
	request
	label string
	today captable.Date
}

// request is a command as sent to the server.
type request struct {
	method, path string
	body         map[string]any
	// day is the effective date of the command; 0 if the command affects every day.
	day captable.Date
}

// found creates an organization with three holders, two classes, a legend, a schedule and a
// plan.
func (w *world) found(name string, shares, prices int64) *company {
	c := w.bare(name)
	c.shares, c.prices = shares, prices
	for _, holder := range []string{"Ada", "Bob", "Cleo"} {
		made := c.must(
			"member "+holder,
			request{method: "POST", path: c.home + "/member", body: map[string]any{"fullName": holder, "roles": []string{}}},
		)
		c.holders, c.members = append(c.holders, text(made["entity"])), append(c.members, text(made["id"]))
	}
	c.must("common", request{method: "POST", path: c.home + "/security", body: c.common(3, 20_000)})
	c.must("preferred", request{method: "POST", path: c.home + "/security", body: map[string]any{
		"name": "Preferred", "shareType": "preferred", "prefix": "PS", "authorizedShares": "50000", "price": "6", "liquidationPreferenceMultiple": "1",
		"conversion": map[string]any{
			"security": c.classes[0], "fraction": map[string]any{"numerator": exact.NewDecimal(2 * shares).String(), "denominator": "21"},
		},
	}})
	c.must("schedule", request{method: "POST", path: "/v1/vestingSchedule", body: c.schedule("Four years", 12)})
	terms := map[string]any{
		"name": "Plan", "boardApprovalDate": c.today.String(), "cancellationBehavior": "returnToPool",
		"pools": []any{map[string]any{"name": "Employees", "security": c.classes[0], "totalShares": c.quantity(6_000), "strikePrice": c.price(200)}},
	}
	c.must("plan", request{method: "POST", path: c.home + "/plan", body: terms})
	return c
}

// bare creates an organization without records.
func (w *world) bare(name string) *company {
	c := &company{
		world: w, name: name, today: founding(), shares: 1, prices: 1, labels: map[string]string{}, poolOf: map[string]string{},
		classOf: map[string]string{},
	}
	w.clock.set(c.today.Time().Add(9 * time.Hour))
	c.owner = w.user()
	made := c.must("company", request{method: "POST", path: "/v1/organization", body: map[string]any{"name": "Analytical Engines", "currency": "USD"}})
	c.id = text(made["id"])
	c.home = "/v1/organization/" + c.id
	c.labels[c.id] = "company"
	return c
}

func (c *company) common(units, authorized int64) map[string]any {
	return map[string]any{
		"name": "Common", "shareType": "common", "prefix": "CS", "price": c.price(units), "parValue": c.price(1),
		"authorizedShares": c.quantity(authorized),
	}
}

func (c *company) schedule(name string, cliff int) map[string]any {
	continuous := map[string]any{"length": map[string]any{"n": 48, "unit": "months"}, "frequency": map[string]any{"n": 1, "unit": "months"}}
	if cliff > 0 {
		continuous["cliff"] = map[string]any{"after": map[string]any{"n": cliff, "unit": "months"}}
	}
	return map[string]any{"organization": c.id, "name": name, "allocation": "CUMULATIVE_ROUND_DOWN", "continuous": continuous}
}

// quantity returns a number of common shares.
func (c *company) quantity(units int64) string { return exact.NewDecimal(units * c.shares).String() }

// quantityOf returns a number of shares of the class. Only common shares are split. For any
// other class, the number is a multiple of the denominator of its conversion ratio.
func (c *company) quantityOf(class string, units int64) string {
	if class == c.classes[0] {
		return c.quantity(units)
	}
	return exact.NewDecimal(units * 21).String()
}

// priceOf returns a price per share of the class.
func (c *company) priceOf(class string, cents int64) string {
	if class == c.classes[0] {
		return c.price(cents)
	}
	return exact.RoundDown(big.NewRat(cents, 100), exact.Places).String()
}

// price returns a price per common share in dollars.
func (c *company) price(cents int64) string {
	return exact.RoundDown(big.NewRat(cents*c.prices, 100), exact.Places).String()
}

// money returns an amount in dollars.
func (c *company) money(amount string) map[string]any {
	return map[string]any{"amount": amount, "currency": "USD"}
}

// must carries out a command and fails if it is refused.
func (c *company) must(label string, r request) map[string]any {
	got, made := c.send(label, r)
	if got.status >= 300 {
		failf("%s %s %v: %d %s", r.method, r.path, r.body, got.status, got.body)
	}
	return made
}

// send carries out a command. It returns the created or changed record, or nil if the command
// was refused.
func (c *company) send(label string, r request) (answer, map[string]any) {
	body := ""
	if r.body != nil {
		body = written(r.body)
	}
	got := c.owner.send(c.cached, r.method, r.path, "application/json", body)
	c.note("%s %s: %s %s %s -> %d%s", c.name, c.today, r.method, c.named(r.path), c.named(body), got.status, refusal(got))
	if got.status >= 500 || got.status == 401 || got.status == 429 {
		failf("%s %s %s: %d %s", r.method, r.path, body, got.status, got.body)
	}
	if got.status >= 300 {
		return got, nil
	}
	var made any
	if got.body != "" {
		if err := json.Unmarshal([]byte(got.body), &made); err != nil {
			failf("%s %s: %v: %s", r.method, r.path, err, got.body)
		}
	}
	c.deeds = append(c.deeds, deed{request: r, label: label, today: c.today})
	c.learn(label, made)
	record, _ := made.(map[string]any)
	return got, record
}

// refusal returns the code and the message of a refused command.
func refusal(got answer) string {
	var refused struct{ Code, Error string }
	if got.status < 400 || json.Unmarshal([]byte(got.body), &refused) != nil {
		return ""
	}
	return " " + refused.Code + " " + refused.Error
}

// perform builds the request of the step and sends it on the day of the step.
func (c *company) perform(n int, s step) bool {
	c.today += captable.Date(s.later)
	c.clock.set(c.today.Time().Add(9*time.Hour + time.Duration(n)*time.Second))
	r, possible := c.request(n, s)
	if !possible {
		return false
	}
	_, made := c.send(fmt.Sprintf("step %d", n), r)
	if made != nil {
		c.counts.accepted[s.kind]++
	}
	return made != nil
}

// day returns the effective date of a step.
func (c *company) day(s step) captable.Date { return max(c.today-captable.Date(s.ago), founding()) }

// learn labels the identifiers in an answer and adds the records to the lists.
func (c *company) learn(label string, value any) {
	switch of := value.(type) {
	case []any:
		for i, element := range of {
			c.learn(fmt.Sprintf("%s.%d", label, i), element)
		}
	case map[string]any:
		c.add(of)
		for _, name := range slices.Sorted(maps.Keys(of)) {
			c.learn(label+"."+name, of[name])
		}
	case string:
		if ids().FindString(of) == of && c.labels[of] == "" && of != "" {
			c.labels[of] = "<" + label + ">"
		}
	}
}

// add adds a new record to the list of its kind.
func (c *company) add(record map[string]any) {
	id := text(record["id"])
	for _, asked := range list(record["requests"]) {
		path := "/v1/option/" + id + "/exercise/request/" + text(asked["id"])
		switch at := slices.Index(c.requests, path); {
		case asked["status"] == "pending" && at < 0:
			c.requests = append(c.requests, path)
		case asked["status"] != "pending" && at >= 0:
			c.requests = slices.Delete(c.requests, at, at+1)
		}
	}
	if id == "" || c.labels[id] != "" {
		return
	}
	has := func(name string) bool { _, is := record[name]; return is }
	switch {
	case has("serialNumber"):
		c.held = append(c.held, id)
		c.classOf[id] = text(record["security"])
	case record["kind"] == "option":
		c.options = append(c.options, id)
		c.poolOf[id] = "/v1/plan/" + text(record["plan"]) + "/pool/" + text(record["pool"])
		if record["type"] == "rsu" {
			c.units = append(c.units, id)
		}
	case has("entity") && (record["kind"] == "safe" || record["kind"] == "convertibleNote" || record["kind"] == "warrant"):
		c.rights = append(c.rights, id)
	case has("shareType"):
		c.classes = append(c.classes, id)
	case has("allocation"):
		c.schedules = append(c.schedules, id)
	case has("effectiveDate") && has("type"):
		c.valuations = append(c.valuations, id)
	case has("pools"):
		c.addPools(id, record)
	case has("text"):
		c.legends = append(c.legends, id)
	case has("holdings") && has("securities"):
		c.blocks = append(c.blocks, id)
	}
}

func (c *company) addPools(id string, record map[string]any) {
	for _, of := range list(record["pools"]) {
		c.pools = append(c.pools, pool{plan: id, pool: text(of["id"]), terms: map[string]any{
			"name": record["name"], "boardApprovalDate": record["boardApprovalDate"], "cancellationBehavior": record["cancellationBehavior"],
			"pools": []any{map[string]any{
				"id": of["id"], "name": of["name"], "security": of["security"], "totalShares": of["totalShares"],
				"strikePrice": of["strikePrice"],
			}},
		}})
	}
}

func ids() *regexp.Regexp {
	return regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
}

// named replaces identifiers by labels and certificate numbers by a placeholder.
func (c *company) named(body string) string {
	body = regexp.MustCompile(`\b[A-Z]+[0-9]*-[0-9]+`).ReplaceAllString(body, "<certificate>")
	return ids().ReplaceAllStringFunc(body, func(id string) string {
		if label := c.labels[id]; label != "" {
			return label
		}
		return "<other>"
	})
}

// text returns a string value, or "" for a value of another type.
func text(value any) string {
	found, _ := value.(string)
	return found
}

// list returns the objects of a list value.
func list(value any) (objects []map[string]any) {
	all, _ := value.([]any)
	for _, element := range all {
		if object, is := element.(map[string]any); is {
			objects = append(objects, object)
		}
	}
	return objects
}

func written(value any) string {
	var into strings.Builder
	encoder := json.NewEncoder(&into)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		failf("%v", err)
	}
	return strings.TrimSpace(into.String())
}

// parsed decodes an answer as JSON with exact numbers.
func parsed(body string) any {
	var value any
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		failf("%v: %s", err, body)
	}
	return value
}

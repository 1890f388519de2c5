package properties_test

import (
	"net/url"
	"slices"
	"strings"

	"equity/captable"
)

// get reads the path with pairs of parameters. It fails unless the status is 200.
func (c *company) get(path string, parameters ...string) string {
	got := c.ask(path, parameters...)
	if got.status != 200 {
		failf("%s: GET %s %v: %d %s", c.name, c.named(path), parameters, got.status, got.body)
	}
	return got.body
}

// ask reads the path with pairs of parameters.
func (c *company) ask(path string, parameters ...string) answer {
	return c.owner.send(c.cached, "GET", withQuery(path, parameters...), "", "")
}

func withQuery(path string, parameters ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			query.Set(parameters[i], parameters[i+1])
		}
	}
	if len(query) == 0 {
		return path
	}
	if strings.Contains(path, "?") {
		return path + "&" + query.Encode()
	}
	return path + "?" + query.Encode()
}

// object reads a JSON object.
func (c *company) object(path string, parameters ...string) map[string]any {
	object, _ := parsed(c.get(path, parameters...)).(map[string]any)
	return object
}

// pages reads all pages of a list.
func (c *company) pages(path string, parameters ...string) (records []map[string]any) {
	for cursor := ""; ; {
		page := c.object(path, append([]string{"limit", "200", "cursor", cursor}, parameters...)...)
		records = append(records, list(page["data"])...)
		if cursor = text(page["nextCursor"]); cursor == "" {
			return records
		}
	}
}

// lists returns the paths of the lists and tables of a company that accept asOf and knownAt.
func (c *company) lists() []string {
	home := c.home
	return []string{
		home + "/captable", home + "/captable?format=csv", "/v1/captable/" + c.id + "/dashboard", "/v1/captable/" + c.id + "/pool",
		home + "/security", home + "/shareholding?limit=200", home + "/shareholding/repurchasable?limit=200", home + "/holding?limit=200",
		home + "/option?limit=200", home + "/plan", home + "/valuation?limit=200",
	}
}

// records returns the paths of the single records that accept asOf and knownAt.
func (c *company) records() (paths []string) {
	add := func(before string, ids []string, after string) {
		for _, id := range ids {
			paths = append(paths, before+id+after)
		}
	}
	add(c.home+"/security/", c.classes, "")
	add("/v1/shareholding/", c.held, "")
	add("/v1/option/", c.options, "")
	add("/v1/holding/", c.options, "")
	add("/v1/holding/", c.rights, "")
	add("/v1/valuation/", c.valuations, "")
	for _, of := range c.pools {
		paths = append(paths, "/v1/plan/"+of.plan, "/v1/plan/"+of.plan+"/dashboard", "/v1/plan/"+of.plan+"/pool/"+of.pool+"/option?limit=200")
	}
	add("/v1/member/", c.members, "/options?limit=200")
	for _, figure := range c.figures() {
		paths = append(paths, c.explain(figure))
	}
	return paths
}

func (c *company) explain(figure string) string {
	return withQuery(c.home+"/explain", "figure", figure)
}

// figures returns the names of the figures that can be explained.
func (c *company) figures() (figures []string) {
	add := func(kind string, ids []string, which ...string) {
		for _, id := range ids {
			for _, name := range which {
				figures = append(figures, kind+"/"+id+"/"+name)
			}
		}
	}
	for _, which := range []string{"authorized", "issued", "outstanding", "treasury", "reserved", "available", "options", "warrants", "fullyDiluted"} {
		figures = append(figures, "total/"+which)
	}
	add(
		"security", c.classes, "authorized", "issued", "outstanding", "treasury", "reserved", "available", "fullyDiluted",
		"percentOutstanding", "percentFullyDiluted",
	)
	add("holder", c.holders, "shares", "options", "warrants", "fullyDiluted", "percentOutstanding", "percentFullyDiluted")
	for _, of := range c.pools {
		add(
			"pool", []string{of.pool}, "reserve", "granted", "outstanding", "exercised", "cancelled", "returned", "retired", "used",
			"available", "reserved", "fullyDiluted", "percentFullyDiluted",
		)
	}
	add(
		"option", c.options, "quantity", "vested", "unvested", "exercisable", "releasable", "exercised", "released", "cancelled", "expired",
		"outstanding", "repurchasable",
	)
	add("shareholding", c.held, "shares", "vested", "unvested", "repurchasable")
	add("holding", c.rights, "principal", "accruedInterest", "balance", "outstanding")
	return figures
}

// days returns the effective and the recording dates of all commands up to today, with the days
// before and after them, in order.
func (c *company) days() (days []captable.Date) {
	for _, d := range c.deeds {
		for _, day := range []captable.Date{d.day, d.today} {
			if day != 0 {
				days = append(days, day-1, day, day+1)
			}
		}
	}
	slices.Sort(days)
	return slices.DeleteFunc(slices.Compact(days), func(day captable.Date) bool { return day > c.today })
}

// sample returns at most n random elements of the list.
func sample[T any](w *world, of []T, n int) []T {
	of = slices.Clone(of)
	w.random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of[:min(n, len(of))]
}

// plain returns an answer without the named fields, and with labels instead of identifiers.
func (c *company) plain(body string, without []string) string {
	if !strings.HasPrefix(body, "{") {
		return c.named(body)
	}
	return c.named(written(stripped(parsed(body), without)))
}

func stripped(value any, without []string) any {
	switch of := value.(type) {
	case []any:
		for i := range of {
			of[i] = stripped(of[i], without)
		}
	case map[string]any:
		for name := range of {
			if slices.Contains(without, name) {
				delete(of, name)
			} else {
				of[name] = stripped(of[name], without)
			}
		}
	}
	return value
}

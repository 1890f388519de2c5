package properties_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
)

// recorded lists the fields about the entry of a record. They differ in a company with a cut
// history, which has no entries for the commands after the cut.
func recorded() []string {
	return []string{
		"version", "createdAt", "updatedAt", "sequence", "at", "by", "entries", "latestEvents", "serials", "serialNumber", "certificate",
		"nextCursor", "requestedAt", "answeredBy", "label", "members", "member",
	}
}

// replay carries out a command of another company with the corresponding records of this one.
func (c *company) replay(from *company, d deed) {
	records := map[string]string{}
	for id, label := range c.labels {
		records[label] = id
	}
	unknown := false
	translated := func(text string) string {
		return ids().ReplaceAllStringFunc(text, func(id string) string {
			own := records[from.labels[id]]
			unknown = unknown || own == ""
			return own
		})
	}
	r := d.request
	r.path = translated(r.path)
	if r.body != nil {
		r.body, _ = parsed(translated(written(r.body))).(map[string]any)
	}
	if unknown && d.day == 0 {
		return // the record begins on a later day
	}
	c.holdsKnown(!unknown, d)
	c.today = d.today
	c.clock.set(c.today.Time().Add(9*time.Hour + time.Duration(len(c.deeds))*time.Second))
	if strings.HasSuffix(r.path, "/scenario/round/close") {
		c.confirm(r)
	}
	c.must(d.label, r)
}

func (c *company) holdsKnown(known bool, d deed) {
	c.holds(known, "%s: %s %s %v names a record that is not there", c.name, d.method, d.path, d.body)
}

// confirm plans the round of the request again and updates the confirmation.
func (c *company) confirm(r request) {
	block := r.body["block"]
	delete(r.body, "block")
	delete(r.body, "confirm")
	got := c.owner.send(c.cached, "POST", c.home+"/scenario/round", "application/json", written(r.body))
	if got.status != 200 {
		failf("%s: the round was accepted in the other company: %d %s", c.name, got.status, got.body)
	}
	planned, _ := parsed(got.body).(map[string]any)
	r.body["confirm"], r.body["block"] = planned["confirm"], block
}

// cut creates a company with those commands of c that take effect by the end of the day. A class without a first day states its ratio in shares of
// its entry. The cut company, which has none of the later splits before that entry, states it in those of the day.
func (c *company) cut(day captable.Date) *company {
	cut := c.found("cut", c.shares, c.prices)
	later := [2]exact.Decimal{exact.NewDecimal(1), exact.NewDecimal(1)} // the ratio of the later splits of the first class
	for _, d := range c.deeds[len(cut.deeds):] {
		switch {
		case d.day > day && d.path == c.home+"/security/"+c.classes[0]+"/split":
			later[0], later[1] = later[0].Mul(decimal(d.body["numerator"])), later[1].Mul(decimal(d.body["denominator"]))
		case d.day > day:
		case d.day == 0 && d.path == c.home+"/security":
			cut.replay(c, inSharesBefore(d, later))
		default:
			cut.replay(c, d)
		}
	}
	cut.today = c.today
	c.clock.set(c.today.Time().Add(20 * time.Hour))
	return cut
}

// inSharesBefore returns the command that creates a class with its ratio in shares before the splits.
func inSharesBefore(d deed, splits [2]exact.Decimal) deed {
	conversion, found := d.body["conversion"].(map[string]any)
	if !found {
		return d
	}
	fraction, _ := conversion["fraction"].(map[string]any)
	d.body, conversion = maps.Clone(d.body), maps.Clone(conversion)
	conversion["fraction"] = map[string]any{
		"numerator":   decimal(fraction["numerator"]).Mul(splits[1]).String(),
		"denominator": decimal(fraction["denominator"]).Mul(splits[0]).String(),
	}
	d.body["conversion"] = conversion
	return d
}

// decimal returns the value of a decimal string.
func decimal(value any) exact.Decimal {
	text, _ := value.(string)
	return exact.MustDecimal(text)
}

// same checks that the reads of both companies as of the day are equal, except for the given
// fields.
func (c *company) same(other *company, day captable.Date, paths []string, without []string) {
	theirs := map[string]string{}
	for id, label := range other.labels {
		theirs[label] = id
	}
	for _, path := range paths {
		known := true
		twin := ids().ReplaceAllStringFunc(path, func(id string) string {
			known = known && theirs[c.labels[id]] != ""
			return theirs[c.labels[id]]
		})
		if !known {
			continue
		}
		got, want := c.ask(path, "asOf", day.String()), other.ask(twin, "asOf", day.String())
		is, wanted := c.plain(got.body, append(without, "requestId")), other.plain(want.body, append(without, "requestId"))
		c.holds(
			got.status == want.status && is == wanted, "%s as of %s:\n%s\n%d %s\n%s\n%d %s\n%s", c.named(path), day, c.name, got.status, is,
			other.name, want.status, wanted, difference(is, wanted),
		)
	}
}

// difference returns the surroundings of the first difference between the texts.
func difference(a, b string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-80)
			return "\n... " + a[from:min(len(a), i+80)] + "\n... " + b[from:min(len(b), i+80)]
		}
	}
	return ""
}

// A read as of a day equals the read of a company with a history that ends with the day.
func TestReadsOfAPastDayEqualThoseOfACutHistory(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: dated(), most: 40, histories: 2, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		for _, day := range sample(w, c.days(), 2) {
			if day < founding() {
				continue
			}
			cut := c.cut(day)
			c.same(cut, day, c.everyRead(), recorded())
		}
	}})
}

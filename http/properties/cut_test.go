package properties_test

import (
	"strings"
	"testing"
	"time"

	"equity/captable"
)

// recorded are the fields about the entry of a record. They differ between a company and one
// whose history was cut, as the commands after the cut are not entered.
func recorded() []string {
	return []string{
		"version", "createdAt", "updatedAt", "sequence", "at", "by", "entries", "latestEvents", "serials", "serialNumber", "certificate", "nextCursor", "requestedAt", "answeredBy", "label", "members", "member",
	}
}

// replay carries out commands of another company, with the records of this one.
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
		return // it is about a record of a later day
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

// confirm plans the round of the request again.
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

// cut makes a company in which the commands of the other one happen until the end of the day.
func (c *company) cut(day captable.Date) *company {
	cut := c.found("cut", c.shares, c.prices)
	for _, d := range c.deeds[len(cut.deeds):] {
		if d.day <= day {
			cut.replay(c, d)
		}
	}
	cut.today = c.today
	c.clock.set(c.today.Time().Add(20 * time.Hour))
	return cut
}

// same compares the reads as of the day.
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
		c.holds(got.status == want.status && is == wanted, "%s as of %s:\n%s\n%d %s\n%s\n%d %s\n%s", c.named(path), day, c.name, got.status, is, other.name, want.status, wanted, difference(is, wanted))
	}
}

// difference is the first place where the texts differ.
func difference(a, b string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			from := max(0, i-80)
			return "\n... " + a[from:min(len(a), i+80)] + "\n... " + b[from:min(len(b), i+80)]
		}
	}
	return ""
}

// A read as of a day equals that of a company whose history ends with the day.
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

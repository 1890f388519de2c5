// Package ownership computes the fully diluted ownership of a company over time, by class or by holder.
package ownership

import (
	"bytes"
	"cmp"
	"slices"

	"equity/captable"
)

// Kind is the kind of a series.
type Kind string

// The kinds of series.
const (
	// KindSecurity is the shares of a class as converted, without options and warrants.
	KindSecurity Kind = "security"
	// KindHolder is the shares, options and warrants of a holder.
	KindHolder Kind = "holder"
	// KindRest is the sum of all other holders.
	KindRest Kind = "rest"
	// KindOptions is the options and warrants of all holders.
	KindOptions Kind = "options"
	// KindPools is the available shares of the pools.
	KindPools Kind = "pools"
)

// MostHolders is the number of holders with a series.
const MostHolders = 12

// Series is a part of the fully diluted quantity.
type Series struct {
	// ID is the id of the class or of the entity; otherwise the kind.
	ID        string             `json:"id"`
	Name      string             `json:"name"`
	Kind      Kind               `json:"kind"`
	ShareType captable.ShareType `json:"shareType,omitempty"`
}

// Point is the ownership at the end of a day.
type Point struct {
	Date         captable.Date    `json:"date"`
	Outstanding  captable.Decimal `json:"outstanding"`
	FullyDiluted captable.Decimal `json:"fullyDiluted"`
	// Values are in the order of the series. They sum to FullyDiluted.
	Values []captable.Decimal `json:"values"`
}

// Timeline is the ownership on several days.
type Timeline struct {
	From captable.Date `json:"from"`
	To   captable.Date `json:"to"`
	// Series omits parts that are 0 on all days.
	Series   []Series  `json:"series"`
	Points   []Point   `json:"points"`
	Closings []Closing `json:"closings"`
}

// Query selects a timeline.
type Query struct {
	ByHolder bool
	// Points is the number of evenly spread days; at least 2.
	Points int
	// Formed is the first day of a company without shareholdings; zero if unknown.
	Formed captable.Date
	To     captable.Date
	// Name returns the name of a holder.
	Name func(captable.EntityID) string
}

// Over returns the ownership from the first issue of shares to the last day. The days are evenly spread; those of the
// latest [MostClosings] closings are added.
func Over(s *captable.State, q Query) Timeline {
	from := q.Formed
	if first := firstIssue(s); !first.IsZero() {
		from = first
	}
	if from.IsZero() || from > q.To {
		from = q.To
	}
	t := Timeline{From: from, To: q.To, Series: []Series{}, Closings: closings(s, q.To)}
	days := spread(from, q.To, q.Points, t.Closings)
	course := s.CourseOf(days)
	l := &lines{days: days, outstanding: make([]captable.Decimal, len(days)), places: map[string]int{}}
	if q.ByHolder {
		l.byHolder(course, q.Name)
	} else {
		l.bySecurity(s, course)
	}
	l.finish(&t, course.Pools)
	return t
}

func firstIssue(s *captable.State) (first captable.Date) {
	for h := range s.Shareholdings() {
		if h.Status != captable.StatusVoided && (first.IsZero() || h.IssueDate < first) {
			first = h.IssueDate
		}
	}
	return first
}

// spread returns the days of the points in ascending order.
func spread(from, to captable.Date, points int, closings []Closing) []captable.Date {
	var days []captable.Date
	for i := range points {
		days = append(days, from+captable.Date(int64(to-from)*int64(i)/int64(points-1))) //nolint:gosec // within the range of both days
	}
	for _, closing := range closings[max(len(closings)-MostClosings, 0):] {
		days = append(days, closing.Date)
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// lines accumulates the changes of each series by day.
type lines struct {
	days        []captable.Date
	series      []Series
	values      [][]captable.Decimal
	places      map[string]int
	outstanding []captable.Decimal
}

func (l *lines) line(series Series) int {
	l.places[series.ID] = len(l.series)
	l.series, l.values = append(l.series, series), append(l.values, make([]captable.Decimal, len(l.days)))
	return len(l.series) - 1
}

func (l *lines) add(line int, step *captable.PositionStep, change captable.Decimal) {
	l.values[line][step.Day] = l.values[line][step.Day].Add(change)
}

func (l *lines) bySecurity(s *captable.State, course captable.Course) {
	of := map[captable.SecurityID]int{}
	for security := range s.Securities() {
		of[security.ID] = l.line(Series{security.ID.String(), security.Name, KindSecurity, security.ShareType})
	}
	options := l.line(Series{string(KindOptions), "Options and warrants", KindOptions, ""})
	for i := range course.Steps {
		step := &course.Steps[i]
		l.outstanding[step.Day] = l.outstanding[step.Day].Add(step.Shares)
		l.add(of[step.Security], step, step.Converted)
		l.add(options, step, step.Rights)
	}
}

func (l *lines) byHolder(course captable.Course, name func(captable.EntityID) string) {
	of := map[captable.EntityID]int{}
	for _, entity := range largest(course) {
		of[entity] = l.line(Series{entity.String(), name(entity), KindHolder, ""})
	}
	rest := l.line(Series{string(KindRest), "Other holders", KindRest, ""})
	for i := range course.Steps {
		step := &course.Steps[i]
		line, listed := of[step.Entity]
		if !listed {
			line = rest
		}
		l.outstanding[step.Day] = l.outstanding[step.Day].Add(step.Shares)
		l.add(line, step, step.Converted.Add(step.Rights))
	}
}

// largest returns the holders with the largest fully diluted quantities on the last day, in descending order.
func largest(course captable.Course) []captable.EntityID {
	totals := map[captable.EntityID]captable.Decimal{}
	for i := range course.Steps {
		step := &course.Steps[i]
		totals[step.Entity] = totals[step.Entity].Add(step.Converted).Add(step.Rights)
	}
	holders := make([]captable.EntityID, 0, len(totals))
	for entity, total := range totals {
		if !total.IsZero() {
			holders = append(holders, entity)
		}
	}
	slices.SortFunc(holders, func(a, b captable.EntityID) int {
		return cmp.Or(totals[b].Cmp(totals[a]), bytes.Compare(a[:], b[:]))
	})
	return holders[:min(len(holders), MostHolders)]
}

// finish sums the changes up to each day and adds the pools.
func (l *lines) finish(t *Timeline, pools []captable.Decimal) {
	cumulate(l.outstanding)
	for _, values := range l.values {
		cumulate(values)
	}
	l.values[l.line(Series{string(KindPools), "Available in pools", KindPools, ""})] = pools
	for i, day := range l.days {
		t.Points = append(t.Points, Point{Date: day, Outstanding: l.outstanding[i], Values: []captable.Decimal{}})
	}
	for i, values := range l.values {
		if !slices.ContainsFunc(values, func(value captable.Decimal) bool { return !value.IsZero() }) {
			continue
		}
		t.Series = append(t.Series, l.series[i])
		for day, value := range values {
			point := &t.Points[day]
			point.Values, point.FullyDiluted = append(point.Values, value), point.FullyDiluted.Add(value)
		}
	}
}

// cumulate replaces changes by their running sums.
func cumulate(values []captable.Decimal) {
	for i := 1; i < len(values); i++ {
		if values[i].IsZero() {
			values[i] = values[i-1]
			continue
		}
		values[i] = values[i].Add(values[i-1])
	}
}

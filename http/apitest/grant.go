package apitest

import (
	"net/http"
	"strings"
	"testing"
)

// PlanBody returns a plan with one pool of the firm's common stock, and additional fields.
func (f *Firm) PlanBody(name, shares, more string) string {
	return `{"name":"` + name + `","boardApprovalDate":"2026-01-01","pools":[{"name":"Main","security":"` + f.Common +
		`","totalShares":"` + shares + `","strikePrice":"0.25"}]` + more + `}`
}

// NewPlan creates an equity plan with one pool. more holds additional fields.
func (f *Firm) NewPlan(tb testing.TB, name, shares string, more ...string) Answer {
	tb.Helper()
	fields := strings.Join(append([]string{""}, more...), ",")
	return f.Must(tb, "POST", f.Home+"/plan", f.PlanBody(name, shares, fields), http.StatusCreated)
}

// FirstPool returns the id of the plan's first pool.
func (f *Firm) FirstPool(tb testing.TB, plan string) string {
	tb.Helper()
	pools := f.Must(tb, "GET", plan, "", http.StatusOK).List(tb, "pools")
	first, _ := pools[0].(map[string]any)
	id, _ := first["id"].(string)
	return id
}

// OptionBody returns the body of an option grant from the plan's first pool, issued on
// 2026-01-01. more holds additional fields.
func (f *Firm) OptionBody(tb testing.TB, plan, entity, quantity, more string) string {
	tb.Helper()
	return `{"organization":"` + f.ID + `","kind":"option","entity":"` + entity + `","plan":"` + IDOf(plan) + `","pool":"` + f.FirstPool(tb, plan) +
		`","type":"nso","issueDate":"2026-01-01","quantity":"` + quantity + `"` + more + `}`
}

// GrantOption grants an option and returns its path as a holding.
func (f *Firm) GrantOption(tb testing.TB, plan, entity, quantity, more string) string {
	tb.Helper()
	return f.Must(tb, "POST", "/v1/holding", f.OptionBody(tb, plan, entity, quantity, more), http.StatusCreated).Header.Get("Location")
}

// VestsInTwo vests 100 options: half in January 2026 and half in January 2027.
const (
	VestsInTwo         = `,"vestings":[{"date":"2026-01-15","quantity":"50"},{"date":"2027-01-15","quantity":"50"}]`
	TerminationWindows = `,"terminationWindows":[{"reason":"voluntaryOther","period":{"n":3,"unit":"months"}}]`
)

// FourYears vests monthly over four years with a cliff of one year.
const FourYears = `"allocation":"CUMULATIVE_ROUND_DOWN","continuous":{"length":{"n":4,"unit":"years"},"frequency":{"n":1,"unit":"months"},"cliff":{"after":{"n":1,"unit":"years"}}}`

// NewSchedule creates a vesting schedule of four years and returns its id.
func (f *Firm) NewSchedule(tb testing.TB, name string) string {
	tb.Helper()
	body := `{"organization":"` + f.ID + `","name":"` + name + `",` + FourYears + `}`
	return f.Must(tb, "POST", "/v1/vestingSchedule", body, http.StatusCreated).Text(tb, "id")
}

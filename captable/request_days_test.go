package captable_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
)

func TestRequestsHaveTheStatusOfTheDay(t *testing.T) {
	t.Parallel()
	// requested grants options and requests their exercise on 2026-01-15.
	requested := func(t *testing.T) (*bundle, captable.GrantID, captable.RequestID) {
		t.Helper()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "100"))
		granted, _ := b.do(option(ada, ref, "40", "2025-01-01"))[0].(captable.OptionGranted)
		made, _ := b.do(captable.RequestExercise{ID: granted.ID, Quantity: number("10")})[0].(captable.ExerciseRequested)
		return b, granted.ID, made.Request.ID
	}
	// status returns the request and the number of pending requests of the plan on the day.
	status := func(b *bundle, id captable.GrantID, on string) (captable.ExerciseRequest, int) {
		b.Helper()
		grant, _ := b.state.Grant(id)
		was, _ := grant.AsOf(exact.MustDate(on))
		plan, _ := b.state.Plan(grant.Plan)
		return was.Requests[0], b.state.PlanSums(plan, exact.MustDate(on)).Requests
	}
	for name, answer := range map[string]func(captable.GrantID, captable.RequestID) captable.Command{
		"accepted": func(id captable.GrantID, request captable.RequestID) captable.Command {
			return captable.ExerciseGrant{ID: id, Request: request, Quantity: number("10"), Date: exact.MustDate("2026-02-01")}
		},
		"declined": func(id captable.GrantID, request captable.RequestID) captable.Command {
			return captable.DeclineExercise{ID: id, Request: request, Reason: "Blackout period."}
		},
	} {
		t.Run(name+" requests are pending until the day of the answer", func(t *testing.T) {
			t.Parallel()
			b, id, request := requested(t)
			b.now = exact.MustDate("2026-02-01").Time().Add(9 * time.Hour)
			b.do(answer(id, request))
			before, pending := status(b, id, "2026-01-31")
			equal(t, "before", string(before.Status)+before.AnsweredBy+before.Reason+before.AnsweredOn.String(), "pending"+captable.Date(0).String())
			equal(t, "pending before", pending, 1)
			after, pending := status(b, id, "2026-02-01")
			equal(t, "after", string(after.Status)+" "+after.AnsweredOn.String(), name+" 2026-02-01")
			equal(t, "pending after", pending, 0)
		})
	}
}

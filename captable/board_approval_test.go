package captable_test

import (
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
)

// A read as of a past day shows the board approval of a pool that was in effect on that day.
func TestPastDaysShowTheBoardApprovalOfTheirTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ref := b.plan(planned(b.security(preferred("Common")), "20"))
	for _, approved := range []string{"2023-06-01", "2023-03-01"} {
		b.now = b.now.Add(24 * time.Hour)
		terms := b.terms(ref)
		terms.Pools[0].TotalShares, terms.Pools[0].BoardApprovalDate = number("30"), exact.MustDate(approved)
		b.do(captable.ReplacePlan{ID: ref.Plan, PlanTerms: terms})
	}
	plan, _ := b.state.Plan(ref.Plan)
	for day, want := range map[string]string{"2023-02-28": "", "2023-03-01": "2023-03-01", "2023-07-01": "2023-03-01"} {
		if got := b.state.PlanOn(plan, exact.MustDate(day)).Pools[0].BoardApprovalDate; got.String() != want && (want != "" || !got.IsZero()) {
			t.Errorf("on %s: approved on %s instead of %q", day, got, want)
		}
	}
}

// The figures of a holder cannot be explained as of a day before the first issuance to the
// holder.
func TestHoldersAreUnknownBeforeTheirFirstIssuance(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(captable.IssueShareholding{
		HolderRef: holder(ada), Security: b.security(preferred("Common")), Shares: number("5"), IssueDate: exact.MustDate("2023-06-01"),
	})
	figure := "holder/" + ada.String() + "/shares"
	name := func(captable.EntityID) string { return "Ada" }
	if _, err := explain.Figure(b.state, figure, exact.MustDate("2023-06-01"), name); err != nil {
		t.Errorf("on the day of the issuance: %v", err)
	}
	if _, err := explain.Figure(b.state, figure, exact.MustDate("2023-05-31"), name); err == nil {
		t.Error("a figure is explained on the day before the issuance")
	}
}

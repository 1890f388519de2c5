package ocf_test

import (
	"strings"
	"testing"
)

func TestGrantsOfPlansWithSeveralClasses(t *testing.T) {
	t.Parallel()
	// severalClasses returns a company with a plan on preferred and common shares, in this order.
	severalClasses := func(transactions ...string) *parcel {
		p := planned(transactions...)
		p.plans[0] = strings.Replace(p.plans[0], `["common"]`, `["preferred","common"]`, 1)
		return p
	}
	classOf := func(w *world, grant string) string {
		for g := range w.state.Grants() {
			if security, _ := w.state.Security(g.Security); g.ExternalID == grant {
				return security.ExternalID
			}
		}
		return ""
	}
	t.Run("count as the class that all grants name", func(t *testing.T) {
		t.Parallel()
		p, w := severalClasses(granted("o", "2024-02-01", "50")), setup(t)
		w.taken(p.files())
		equal(t, "class", classOf(w, "o"), "common")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("count as the class of the pool, with a warning, if grants name several classes", func(t *testing.T) {
		t.Parallel()
		other := strings.Replace(granted("p", "2024-02-01", "20"), `"stock_class_id":"common"`, `"stock_class_id":"preferred"`, 1)
		p, w := severalClasses(granted("o", "2024-02-01", "50"), other), setup(t)
		findings := w.take(p.files())
		equal(t, "refused", findings.Refused(), false)
		equal(t, "class of the first grant", classOf(w, "o"), "preferred")
		equal(t, "class of the second grant", classOf(w, "p"), "preferred")
		warned := strings.Contains(strings.Join(warnings(findings), " "), "TX_EQUITY_COMPENSATION_ISSUANCE/grant-o/stock_class_id otherClass")
		equal(t, "warned", warned, true)
	})
}

package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// vestedShares returns the vested and unvested shares of a security on a day.
func (w *world) vestedShares(security, on string) string {
	w.Helper()
	day := exact.MustDate(on)
	for h := range w.state.Shareholdings() {
		if h.ExternalID != security {
			continue
		}
		held, _ := h.On(day)
		vested, vests := w.state.VestedOn(held, day)
		if !vests {
			return "not subject to vesting"
		}
		return vested.Vested.String() + " " + vested.Unvested.String()
	}
	return "unknown"
}

const listedVestings = `"vestings":[{"date":"2025-01-01","amount":"100"},{"date":"2026-01-01","amount":"500"}]`

func TestListedVestingsOfStockAreHonoured(t *testing.T) {
	t.Parallel()
	taken := func(t *testing.T, more ...string) (*world, *parcel) {
		t.Helper()
		w, p := setup(t), sound()
		p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "600", listedVestings)
		p.transactions = append(p.transactions, more...)
		w.taken(p.files())
		return w, p
	}
	t.Run("shares vest by the listed vestings of their issuance", func(t *testing.T) {
		t.Parallel()
		w, p := taken(t)
		equal(t, "2024", w.vestedShares("one", "2024-12-31"), "0 600")
		equal(t, "2025", w.vestedShares("one", "2025-06-01"), "100 500")
		equal(t, "2026", w.vestedShares("one", "2026-01-01"), "600 0")
		same(t, w.export("2026-03-01"), p.files())
	})
	t.Run("listed vestings replace vesting terms", func(t *testing.T) {
		t.Parallel()
		w, p := setup(t), sound()
		p.vesting = []string{`{"id":"terms","object_type":"VESTING_TERMS","name":"T","description":"T","allocation_type":"CUMULATIVE_ROUNDING",
			"vesting_conditions":[{"id":"start","portion":{"numerator":"1","denominator":"1"},"trigger":{"type":"VESTING_START_DATE"},"next_condition_ids":[]}]}`}
		p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "600", listedVestings, `"vesting_terms_id":"terms"`)
		w.taken(p.files())
		equal(t, "2025", w.vestedShares("one", "2025-06-01"), "100 500")
	})
	t.Run("a split multiplies listed vestings", func(t *testing.T) {
		t.Parallel()
		w, _ := taken(t, split("the-split", "common", "2024-06-01", "2", "1"))
		equal(t, "2025", w.vestedShares("one", "2025-06-01"), "200 1000")
	})
	t.Run("listed vestings apply to the result of a transfer", func(t *testing.T) {
		t.Parallel()
		w, _ := taken(
			t, tx("STOCK_TRANSFER", "one", "2024-06-01", `"quantity":"600","resulting_security_ids":["two"]`),
			issue("two", "2024-06-01", "fund", "common", "600", `"vestings":[{"date":"2025-01-01","amount":"7"}]`),
		)
		equal(t, "2025", w.vestedShares("two", "2025-06-01"), "7 593")
	})
	t.Run("listed vestings survive a cancellation, an export and an import", func(t *testing.T) {
		t.Parallel()
		w, _ := taken(t)
		shares := number("200")
		for h := range w.state.Shareholdings() {
			w.do(captable.CancelShareholding{ID: h.ID, Shares: &shares, Date: exact.MustDate("2025-02-01"), Reason: "gone"})
			break
		}
		again := setup(t)
		again.taken(w.export("2026-03-01"))
		got := map[string]bool{}
		for h := range again.state.Shareholdings() {
			if h.Status.Outstanding() {
				got[again.vestedShares(h.ExternalID, "2025-06-01")] = true
			}
		}
		equal(t, "100 of 400 have vested", got["100 300"], true)
	})
	t.Run("listed vestings beyond the quantity are refused", func(t *testing.T) {
		t.Parallel()
		p := sound()
		p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "599", listedVestings)
		equalLists(t, "refusals", refusals(setup(t).take(p.files())), []string{"TX_STOCK_ISSUANCE/issue-one/vestings moreThanGranted"})
	})
}

func TestTerminationsOfSharesSurviveAPackage(t *testing.T) {
	t.Parallel()
	w, p := setup(t), sound()
	p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "600", listedVestings)
	w.taken(p.files())
	for h := range w.state.Shareholdings() {
		w.do(captable.TerminateHolder{
			Entity: h.Entity, Termination: captable.Termination{Date: exact.MustDate("2025-02-01"), Reason: captable.VoluntaryOther},
		})
		break
	}
	equal(t, "here", w.vestedShares("one", "2026-02-01"), "100 500")
	files := w.export("2026-03-01")
	again := setup(t)
	again.taken(files)
	equal(t, "there", again.vestedShares("one", "2026-02-01"), "100 500")
	same(t, again.export("2026-03-01"), files)
	early := setup(t)
	early.taken(w.export("2025-01-31"))
	equal(t, "a package of before does not know it", early.vestedShares("one", "2026-02-01"), "600 0")
}

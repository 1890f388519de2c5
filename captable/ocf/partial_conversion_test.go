package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// partly returns a note of 1,000, of which 400 converted to shares of two classes.
func partly(more ...string) []string {
	conversion := append([]string{`"resulting_security_ids":["s","r"],"balance_security_id":"b","trigger_id":"T.1","reason_text":"r"`}, more...)
	return []string{
		promised("n", "2024-02-01"), tx("CONVERTIBLE_CONVERSION", "n", "2025-02-01", conversion...),
		issue("s", "2025-02-01", "ada", "preferred", "30"), issue("r", "2025-02-01", "ada", "common", "10"),
		promised("b", "2025-02-01", `"investment_amount":{"amount":"600","currency":"USD"}`),
	}
}

func TestPartialConversionsOfPackages(t *testing.T) {
	t.Parallel()
	t.Run("a partial conversion converts its part and keeps the balance", func(t *testing.T) {
		t.Parallel()
		w, p := setup(t), sound()
		p.transactions = append(p.transactions, partly()...)
		w.taken(p.files())
		equal(t, "the balance before", w.rights("2025-01-31")["n"] != "", true)
		equal(t, "the balance, with its part of the interest", w.rights("2025-02-01")["b"], "convertibleNote active 660 0")
		for i := range w.state.Instruments() {
			if made := i.Conversion; made != nil {
				equal(t, "amount", made.Amount.String()+" "+made.Interest.String()+" "+made.PricePerShare.String(), "440 40 11")
			}
		}
		equal(t, "preferred shares", w.outstanding()["PREFERRED"], "30")
		if faults := w.state.Audit(); len(faults) > 0 {
			t.Error(faults)
		}
		same(t, w.export("2026-01-01"), p.files())
	})
	t.Run("a partial conversion of the journal comes back", func(t *testing.T) {
		t.Parallel()
		w, p := setup(t), sound()
		p.transactions = append(p.transactions, partly()...)
		w.taken(p.files())
		for i := range w.state.Instruments() {
			if i.ExternalID == "b" {
				w.do(captable.AcceptInstrument{ID: i.ID, Date: exact.MustDate("2025-03-01")})
			}
		}
		files := w.export("2026-01-01")
		again := setup(t)
		again.taken(files)
		same(t, again.export("2026-01-01"), files)
		equal(t, "the balance", again.rights("2026-01-01")["b"], w.rights("2026-01-01")["b"])
	})
	for claim, c := range map[string]struct {
		more []string
		want string
	}{
		"less": {[]string{`"quantity_converted":"399"`}, "TX_CONVERTIBLE_CONVERSION/convertible_conversion-n wrongSum"},
		"more": {[]string{`"quantity_converted":"500"`}, "TX_CONVERTIBLE_CONVERSION/convertible_conversion-n wrongSum"},
	} {
		t.Run("a quantity that is "+claim+" than the amount minus the balance is refused", func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, partly(c.more...)...)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), []string{c.want})
		})
	}
}

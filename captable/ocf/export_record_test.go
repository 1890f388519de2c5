package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// valuation records a valuation of the class.
func (b *born) valuation(class captable.SecurityID, kind string) captable.ValuationID {
	return b.do(captable.PutValuation{ValuationTerms: captable.ValuationTerms{
		Security: class, Type: kind, EffectiveDate: exact.MustDate("2024-05-01"), Provider: "Appraisers",
		PricePerShare: &captable.Money{Amount: number("0.25"), Currency: "USD"},
	}})[0].(captable.ValuationCreated).ID
}

func (b *born) round(name string) captable.BlockID {
	return b.do(captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: name}})[0].(captable.BlockCreated).ID
}

func TestExportOfValuations(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	t.Run("a 409A valuation is exported from its effective date on", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.valuation(b.common, "409A").String()
		equal(t, "object", fields(
			b.exported(today)[id], "object_type", "valuation_type", "stock_class_id", "effective_date", "price_per_share", "provider",
		),
			`["VALUATION","409A","`+b.common.String()+`","2024-05-01",{"amount":"0.25","currency":"USD"},"Appraisers"]`)
		equal(t, "before its day", b.exported("2024-04-30")[id] == nil, true)
	})
	t.Run("a valuation of another type is not exported", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		equal(t, "object", b.exported(today)[b.valuation(b.common, "board").String()] == nil, true)
	})
	t.Run("an imported valuation keeps the fields that only the format has", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(everything().files())
		for v := range w.state.Valuations() {
			terms := v.ValuationTerms
			terms.Provider = "Others"
			w.do(captable.PutValuation{ID: v.ID, ValuationTerms: terms})
		}
		object := contentOf(t, w.export(today)).objects["OCF_VALUATIONS_FILE"][0].(map[string]any)
		equal(t, "object", fields(object, "id", "provider", "board_approval_date"), `["409a","Others","2024-01-12"]`)
	})
}

func TestFinancings(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	t.Run("imported shares of a financing belong to its funding round", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(everything().files())
		for h := range w.state.Shareholdings() {
			round, known := w.state.BlockOf(h.Block)
			equal(t, h.ExternalID+" is of a round", known, h.ExternalID == "one")
			if known {
				equal(t, "round", round.Name+" "+round.CloseDate.String()+" "+round.ExternalID, "Seed 2024-01-01 seed")
			}
		}
	})
	t.Run("a round is exported with its issuances in order and the date of the first", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		round := b.round("Seed")
		b.issue(b.ada, b.common, "1")
		first := b.issue(b.ada, b.common, "2", captable.ShareholdingDetails{Block: round.String()})
		second := b.issue(b.bob, b.common, "3", captable.ShareholdingDetails{Block: " SEED"})
		equal(t, "object", fields(b.exported(today)[round.String()], "object_type", "name", "date", "issuance_ids"),
			`["FINANCING","Seed","2024-02-01",["`+first.String()+`-issued","`+second.String()+`-issued"]]`)
		b.do(captable.VoidShareholding{ID: first, Reason: "typed twice"})
		equal(t, "without what was voided", fields(b.exported(today)[round.String()], "issuance_ids"), `[["`+second.String()+`-issued"]]`)
	})
	t.Run("an empty or deleted round is not exported", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		before := len(b.exported(today))
		b.round("Empty")
		b.do(captable.DeleteBlock{ID: b.round("Gone")})
		equal(t, "objects more", len(b.exported(today))-before, 0)
	})
	t.Run("an imported round keeps its other issuances and fields and loses removed shares", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(everything().files())
		for round := range w.state.Blocks() {
			terms := round.BlockTerms
			terms.Name = "Seed Round"
			w.do(captable.ReplaceBlock{ID: round.ID, BlockTerms: terms})
		}
		for h := range w.state.Shareholdings() {
			if h.ExternalID == "one" {
				w.do(captable.AmendShareholding{ID: h.ID, Patch: []byte(`{"block":null}`)})
			}
		}
		object := contentOf(t, w.export(today)).objects["OCF_FINANCINGS_FILE"][0].(map[string]any)
		equal(t, "object", fields(object, "id", "name", "issuance_ids"), `["seed","Seed Round",["grant"]]`)
	})
	t.Run("two financings with one name are imported as two, with a warning", func(t *testing.T) {
		t.Parallel()
		p := sound()
		p.financings = []string{
			`{"id":"a","object_type":"FINANCING","name":"Seed","date":"2024-01-01","issuance_ids":["issue-one"]}`,
			`{"id":"b","object_type":"FINANCING","name":"seed","date":"2024-01-02","issuance_ids":["issue-one"]}`,
		}
		w := setup(t)
		equalLists(
			t, "warnings", warnings(w.take(p.files())),
			[]string{"FINANCING/b/issuance_ids financingRepeated", "FINANCING/b/name financingRepeated"},
		)
		same(t, w.export("2026-01-01"), p.files())
	})
}

package captable_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
)

func TestCreateLegend(t *testing.T) {
	t.Parallel()
	t.Run("a legend is created with its terms", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := captable.LegendTerms{Name: "Act", Text: "Not registered.", Default: true, Comments: []string{"c"}}
		event := b.do(captable.CreateLegend{LegendTerms: terms})[0].(captable.LegendCreated)
		legend, ok := b.state.Legend(event.ID)
		if !ok || legend.Text != terms.Text || !legend.Default || legend.Version != 1 {
			t.Errorf("got %v", legend)
		}
	})
	t.Run("a refused legend names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: " ", Text: "\n"}}, fault.Invalid, "/name required", "/text required")
	})
	t.Run("an externalId of another legend is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "A", Text: "T", ExternalID: "x"}}
		b.do(command)
		b.refused(command, fault.Conflict)
	})
}

func TestAmendLegend(t *testing.T) {
	t.Parallel()
	amend := func(id captable.LegendID, patch string) captable.AmendLegend {
		return captable.AmendLegend{ID: id, Patch: []byte(patch)}
	}
	t.Run("an amendment changes the named fields and clears those that are null", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.legend("Act")
		b.do(amend(id, `{"default":true,"comments":["c"],"externalId":"x"}`))
		b.do(amend(id, `{"text":"Other.","comments":null}`))
		legend, _ := b.state.Legend(id)
		equal(t, "legend", text(t, legend.LegendTerms), `{"name":"Act","text":"Other.","default":true,"externalId":"x"}`)
		equal(t, "version", legend.Version, 3)
	})
	t.Run("an externalId can be used again after it is cleared, and is refused while in use", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		one, two := b.legend("One"), b.legend("Two")
		b.do(amend(one, `{"externalId":"x"}`))
		b.do(amend(one, `{"externalId":"x"}`))
		b.refused(amend(two, `{"externalId":"x"}`), fault.Conflict)
		b.do(amend(one, `{"externalId":null}`))
		b.do(amend(two, `{"externalId":"x"}`))
	})
	t.Run("an amendment to an invalid legend is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.legend("Act")
		b.refused(amend(id, `{"name":null,"text":""}`), fault.Invalid, "/name required", "/text required")
		b.refused(amend(id, `{"nome":"x","default":"yes"}`), fault.Invalid, "/default wrongType", "/nome unknownField")
		b.refused(amend(id, `[]`), fault.Invalid)
		b.refused(amend(captable.LegendID{9}, `{}`), fault.NotFound)
	})
}

func TestDeleteLegend(t *testing.T) {
	t.Parallel()
	t.Run("a deleted legend frees its externalId", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "A", Text: "T", ExternalID: "x"}}
		id := b.do(command)[0].(captable.LegendCreated).ID
		b.do(captable.DeleteLegend{ID: id})
		b.refused(captable.DeleteLegend{ID: id}, fault.NotFound)
		b.do(command)
	})
	t.Run("a legend of a security or of a shareholding, also of a voided one, cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		onClass, onShares, spare := b.legend("Class"), b.legend("Shares"), b.legend("Spare")
		terms := preferred("A")
		terms.Legends = []captable.LegendID{onClass}
		command := issue(ada, b.security(terms), "1", today)
		command.Legends = []captable.LegendID{onShares}
		id := b.do(command)[0].(captable.ShareholdingIssued).ID
		b.do(captable.VoidShareholding{ID: id})
		b.refused(captable.DeleteLegend{ID: onClass}, fault.InUse)
		b.refused(captable.DeleteLegend{ID: onShares}, fault.InUse)
		b.do(captable.DeleteLegend{ID: spare})
	})
}

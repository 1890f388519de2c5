package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// contributed returns a command to record a contribution of money by the holder.
func contributed(by captable.EntityID, amount string) captable.ChangeCapital {
	return captable.ChangeCapital{Entity: by, CapitalChangeTerms: captable.CapitalChangeTerms{
		Kind: "contribution", Amount: *dollars(amount), Date: exact.MustDate(today),
	}}
}

func (b *bundle) contribute(by captable.EntityID, amount string) captable.CapitalChangeID {
	b.Helper()
	return b.do(contributed(by, amount))[0].(captable.CapitalChanged).ID
}

func TestChangeCapital(t *testing.T) {
	t.Parallel()
	t.Run("enters what a holder paid in", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		change, ok := b.state.CapitalChange(b.contribute(ada, "250.50"))
		if !ok || change.Entity != ada || change.Amount.Amount != number("250.5") {
			t.Errorf("got %+v", change)
		}
	})
	t.Run("refuses one of nobody", func(t *testing.T) {
		t.Parallel()
		setup(t).refused(contributed(nobod, "1"), fault.NotFound)
	})
	t.Run("names every wrong field at once", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(captable.ChangeCapital{Entity: ada, CapitalChangeTerms: captable.CapitalChangeTerms{
			Kind: "gift", Amount: captable.Money{Currency: "?"}, Shareholding: captable.ShareholdingID{1},
		}}, fault.Invalid, "/kind enum", "/amount/currency pattern", "/amount/amount notPositive", "/date required", "/shareholding unknownReference")
	})
	t.Run("belongs to a shareholding of the same holder, once that was issued", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := contributed(bob, "1")
		command.Shareholding = b.issue(ada, b.common("100"), "10", today)
		b.refused(command, fault.Invalid, "/shareholding unknownReference")
		command.Entity = ada
		command.Date--
		b.refused(command, fault.Invalid, "/date beforeIssue")
		command.Date++
		b.do(command)
		b.do(captable.VoidShareholding{ID: command.Shareholding})
		b.refused(command, fault.Invalid, "/shareholding unknownReference")
	})
	t.Run("refuses an externalId that another has", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := contributed(ada, "1")
		command.ExternalID = "x"
		b.do(command)
		b.refused(command, fault.Conflict)
	})
}

func TestAmendCapitalChange(t *testing.T) {
	t.Parallel()
	amend := func(id captable.CapitalChangeID, patch string) captable.AmendCapitalChange {
		return captable.AmendCapitalChange{ID: id, Entity: ada, Patch: []byte(patch)}
	}
	t.Run("changes what is named", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.contribute(ada, "1")
		b.do(amend(id, `{"amount":{"amount":"2"},"note":"n","externalId":"x"}`))
		change, _ := b.state.CapitalChange(id)
		equal(t, "amount", change.Amount, *dollars("2"))
		equal(t, "note", change.Note, "n")
		equal(t, "kind", change.Kind, "contribution")
		b.do(amend(id, `{"externalId":null}`))
		other := contributed(ada, "1")
		other.ExternalID = "x"
		b.do(other)
		b.refused(amend(id, `{"externalId":"x"}`), fault.Conflict)
	})
	t.Run("refuses what does not fit", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.contribute(ada, "1")
		b.refused(amend(id, `{"kind":"x","date":null}`), fault.Invalid, "/kind enum", "/date required")
		b.refused(amend(id, `{"amount":5}`), fault.Invalid, "/amount wrongType")
	})
	t.Run("refuses another holder's and none", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(amend(b.contribute(bob, "1"), `{}`), fault.NotFound)
		b.refused(amend(captable.CapitalChangeID{1}, `{}`), fault.NotFound)
	})
}

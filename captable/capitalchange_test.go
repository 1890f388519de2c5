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
	t.Run("a contribution is recorded with its holder and amount", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		change, ok := b.state.CapitalChange(b.contribute(ada, "250.50"))
		if !ok || change.Entity != ada || change.Amount.Amount != number("250.5") {
			t.Errorf("got %+v", change)
		}
	})
	t.Run("a capital change of an unknown holder is refused", func(t *testing.T) {
		t.Parallel()
		setup(t).refused(contributed(nobod, "1"), fault.NotFound)
	})
	t.Run("a refused capital change names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(captable.ChangeCapital{Entity: ada, CapitalChangeTerms: captable.CapitalChangeTerms{
			Kind: "gift", Amount: captable.Money{Currency: "?"}, Shareholding: captable.ShareholdingID{1},
		}}, fault.Invalid, "/kind enum", "/amount/currency pattern", "/amount/amount notPositive", "/date required", "/shareholding unknownReference")
	})
	t.Run("a capital change belongs to an issued shareholding of the same holder", func(t *testing.T) {
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
	t.Run("an externalId of another capital change is refused", func(t *testing.T) {
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
	t.Run("an amendment changes the named fields and keeps the others", func(t *testing.T) {
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
	t.Run("an amendment with invalid fields is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.contribute(ada, "1")
		b.refused(amend(id, `{"kind":"x","date":null}`), fault.Invalid, "/kind enum", "/date required")
		b.refused(amend(id, `{"amount":5}`), fault.Invalid, "/amount wrongType")
	})
	t.Run("an amendment of another holder's capital change or of an unknown one is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(amend(b.contribute(bob, "1"), `{}`), fault.NotFound)
		b.refused(amend(captable.CapitalChangeID{1}, `{}`), fault.NotFound)
	})
}

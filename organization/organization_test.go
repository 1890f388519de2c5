package organization_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	t.Run("a creation makes the creator an Owner", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		equal(t, "id", b.state.ID(), acme)
		equal(t, "profile", text(t, b.state.Profile()), `{"name":"Acme","type":"corporation","currency":"USD","storage":"dataRoom"}`)
		equal(t, "version", b.state.Meta().Version, 1)
		member := b.memberOf(owner)
		equal(t, "founder", member.FullName+" "+member.Relationship+" "+member.Roles[0]+" "+member.Status, "Ada Lovelace founder Owner joined")
		allowed, ok := b.state.Permissions(owner)
		equal(t, "may delete documents", ok && allowed.Has(organization.DeleteDocuments), true)
		equal(t, "printed name", b.state.Profile().PrintedName(), "Acme")
	})
	t.Run("a refused creation names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := unfounded(t)
		b.refused(organization.Create{ID: acme, Profile: organization.Profile{
			Name: " ", Currency: "usd", Type: "club", Storage: "attic", Address: &organization.Address{Country: "Germany"},
		}}, fault.Invalid, "/name required", "/currency pattern", "/type enum", "/storage enum", "/address/country pattern")
		for _, currency := range []string{"", "US", "USDX", "US1", "U$D", "€€€", "ÀÉÎ"} {
			command := create()
			command.Currency = currency
			b.refused(command, fault.Invalid, "/currency pattern")
		}
	})
	t.Run("a second creation is refused", func(t *testing.T) {
		t.Parallel()
		founded(t).refused(create(), fault.Conflict)
	})
	t.Run("a command before the creation is refused", func(t *testing.T) {
		t.Parallel()
		b := unfounded(t)
		for _, command := range []organization.Command{
			organization.Amend{Patch: []byte(`{}`)},
			adding(bob, "Bob"),
			organization.RemoveMember{},
			organization.Table{Command: captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "L", Text: "T"}}},
		} {
			b.refused(command, fault.NotFound)
		}
	})
}

func TestAmend(t *testing.T) {
	t.Parallel()
	amend := func(patch string) organization.Amend { return organization.Amend{Patch: []byte(patch)} }
	t.Run("an amendment changes present fields and clears null fields", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(amend(`{"legalName":" Acme, Inc. ","type":"llc","formationDate":"2020-02-29","address":{"city":"Bern","country":"CH"},"taxId":"1","comments":["c"]}`))
		b.do(amend(`{"address":{"city":null,"street1":"Gasse 1"},"taxId":null,"type":null,"comments":[]}`))
		equal(t, "profile", text(t, b.state.Profile()), `{"name":"Acme","legalName":"Acme, Inc.","type":"corporation","formationDate":"2020-02-29",`+
			`"address":{"street1":"Gasse 1","country":"CH"},"currency":"USD","storage":"dataRoom"}`)
		equal(t, "version", b.state.Meta().Version, 4)
		equal(t, "printed name", b.state.Profile().PrintedName(), "Acme, Inc.")
	})
	t.Run("a refused amendment names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(amend(`{"name":null,"currency":null,"type":"x"}`), fault.Invalid, "/name required", "/currency pattern", "/type enum")
		b.refused(amend(`{"nome":"x","formationDate":"2023-02-29","id":"x","name":5}`), fault.Invalid,
			"/formationDate invalidDate", "/id unknownField", "/name wrongType", "/nome unknownField")
		b.refused(amend(`null`), fault.Invalid)
	})
	t.Run("the currency cannot change after the first shares", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.do(amend(`{"currency":"EUR"}`))
		b.issue(captable.HolderRef{Entity: captable.EntityID(owner)}, 1)
		b.refused(amend(`{"currency":"USD"}`), fault.Conflict)
		b.do(amend(`{"currency":"EUR","name":"Other"}`))
	})
}

func TestTableCommands(t *testing.T) {
	t.Parallel()
	t.Run("commands of the cap table use the members as holders and the organization's currency", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		id := b.issue(captable.HolderRef{Member: b.memberOf(owner).ID}, 10)
		h, _ := b.state.Table().Shareholding(id)
		equal(t, "holder", h.Entity, captable.EntityID(owner))
		equal(t, "name", h.ShareholderName, "Ada Lovelace")
		b.table(captable.AmendShareholding{ID: id, Patch: []byte(`{"pricePerShare":{"amount":"1","currency":"USD"}}`)})
		h, _ = b.state.Table().Shareholding(id)
		equal(t, "currency", h.PricePerShare.Currency, "")
	})
	t.Run("commands of the cap table return their refusals unchanged", func(t *testing.T) {
		t.Parallel()
		b := founded(t)
		b.refused(organization.Table{Command: captable.VoidShareholding{ID: captable.ShareholdingID{9}}}, fault.NotFound)
		b.refused(organization.Table{Command: captable.IssueShareholding{HolderRef: captable.HolderRef{Entity: captable.EntityID{9}}}}, fault.Invalid,
			"/security unknownReference", "/entity unknownReference", "/shares notPositive", "/issueDate required")
	})
}

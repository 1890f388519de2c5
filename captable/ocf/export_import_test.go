package ocf_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

func TestExportOfWhatChangedSinceAnImport(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	w := setup(t)
	p := everything()
	p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "600", `"stock_legend_ids":["act"]`, `"mood":"good"`)
	w.taken(p.files())
	var one *captable.Shareholding
	for h := range w.state.Shareholdings() {
		if h.ExternalID == "one" {
			one = h
		}
	}
	w.do(captable.AmendShareholding{ID: one.ID, Patch: []byte(`{"certificate":"NEW","legends":null,"externalId":"renamed"}`)})
	w.do(captable.AcceptShareholding{ID: one.ID, Date: exact.MustDate("2024-02-01")})
	legend := one.Legends[0]
	w.do(captable.AmendLegend{ID: legend, Patch: []byte(`{"text":"Other."}`)})
	w.do(captable.AuthorizeShares{ID: one.Security, Quantity: number("1"), EffectiveDate: exact.MustDate("2025-01-01")})
	w.exporter.Issuer(ocf.Issuer{ID: "our-company", LegalName: "Renamed Ltd", Jurisdiction: "GB", Currency: "USD"})
	w.exporter.Holder(ocf.Holder{Entity: one.Entity, ExternalID: "ada", Name: "Ada King", Kind: "individual"}, nil)
	w.particulars[one.Entity] = map[string]json.RawMessage{"email": json.RawMessage(`"ada@example.com"`)}

	files := w.export(today)
	got := contentOf(t, files)
	objects := map[string]map[string]any{}
	for _, list := range got.objects {
		for _, object := range list {
			objects[object.(map[string]any)["id"].(string)] = object.(map[string]any)
		}
	}
	equal(t, "the issuer has its new name and keeps the rest", fields(
		got.manifest["issuer"].(map[string]any), "id", "legal_name", "formation_date", "country_of_formation",
	),
		`["acme","Renamed Ltd","2020-02-29","US"]`)
	equal(t, "the issuance has what changed and keeps the rest", fields(objects["issue-one"], "security_id", "custom_id", "stock_legend_ids", "mood", "quantity"), `["one","NEW",[],"good","600"]`)
	equal(t, "the legend", fields(objects["act"], "name", "text"), `["Act","Other."]`)
	equal(t, "the holder", fields(objects["ada"], "name", "contact_info"), `[{"legal_name":"Ada King"},{"emails":[{"email_address":"ada@example.com","email_type":"OTHER"}]}]`)
	transactions := got.objects["OCF_TRANSACTIONS_FILE"]
	last := transactions[len(transactions)-1].(map[string]any)
	equal(t, "what is new comes last", fields(last, "object_type", "new_shares_authorized"), `["TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","1001"]`)
	equal(t, "the acceptance names the security as the package does", fields(objects[one.ID.String()+"-accepted"], "security_id"), `["one"]`)

	again := setup(t)
	again.taken(files)
	second := again.export(today)
	same(t, second, files)
	t.Run("an export as of a past day omits later transactions", func(t *testing.T) {
		t.Parallel()
		past := contentOf(t, w.export("2024-01-31"))
		equal(t, "transactions", len(past.objects["OCF_TRANSACTIONS_FILE"]), 2) // the issuance and the vesting start
	})
}

func TestExportOfErasedParticulars(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(everything().files())
	clear(w.particulars)
	for _, object := range contentOf(t, w.export("2026-03-01")).objects["OCF_STAKEHOLDERS_FILE"] {
		for _, private := range []string{"contact_info", "addresses", "tax_ids"} {
			if _, kept := object.(map[string]any)[private]; kept {
				t.Errorf("%s is still there", private)
			}
		}
	}
}

func TestExportOfTwoImports(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(sound().files())
	ada := w.person("Ada")
	for security := range w.state.Securities() {
		if security.ExternalID == "common" {
			w.do(captable.IssueShareholding{
				HolderRef: holder(ada), Security: security.ID, Shares: number("1"), IssueDate: exact.MustDate("2024-01-01"),
			})
		}
	}
	second := &parcel{
		version: "1.1.0", stakeholders: []string{`{"id":"zoe","object_type":"STAKEHOLDER","name":{"legal_name":"Zoe"},"stakeholder_type":"INDIVIDUAL"}`},
		classes: []string{class("third", "COMMON", "10", "1")}, transactions: []string{issue("zoes", "2023-01-01", "zoe", "third", "10")},
	}
	w.taken(second.files())
	var ids []string
	for _, object := range contentOf(t, w.export("2026-03-01")).objects["OCF_TRANSACTIONS_FILE"] {
		ids = append(ids, object.(map[string]any)["custom_id"].(string))
	}
	equal(t, "in the order in which they were recorded", ids[0]+" "+ids[1]+" "+ids[2], "ONE C-2 ZOES")
}

func TestWriteZip(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(sample(t, "test-company"))
	cover := ocf.Cover{AsOf: exact.MustDate("2026-03-01"), GeneratedAt: w.now}
	var zips [2]bytes.Buffer
	for i := range zips {
		archive, err := w.exporter.Package(cover)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "the manifest comes first", archive.Files[0].Name, "Manifest.ocf.json")
		if err := archive.WriteZip(&zips[i]); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, "the same bytes", bytes.Equal(zips[0].Bytes(), zips[1].Bytes()), true)
	files := w.export("2026-03-01")
	equal(t, "files", len(files), 4)
}

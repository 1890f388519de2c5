package ocf_test

import (
	"encoding/json"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// born is a company without an import. It has three holders, a legend and two classes.
type born struct {
	*world
	ada, bob, cleo    captable.EntityID
	legend            captable.LegendID
	common, preferred captable.SecurityID
}

func company(tb testing.TB) *born {
	tb.Helper()
	b := &born{world: setup(tb)}
	b.ada, b.bob, b.cleo = b.person("Ada"), b.person("Bob"), b.person("Cleo")
	b.legend = b.do(
		captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "Act", Text: "Not registered.", Comments: []string{"c"}}},
	)[0].(captable.LegendCreated).ID
	b.common = b.class(captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, Prefix: "CS", AuthorizedShares: captable.AuthorizedOf(number("1000")), VotingShares: true,
		ParValue: &captable.Price{Amount: number("0.001")}, Price: &captable.Price{Amount: number("3"), Currency: "EUR"},
	})
	b.preferred = b.class(captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: captable.Authorized{Unlimited: true}, Seniority: new(2),
		Conversion: &captable.Conversion{Security: b.common, Ratio: number("2")}, Price: &captable.Price{Amount: number("6")},
		LiquidationPreferenceMultiple: new(number("1")), ParticipationCapMultiple: new(number("3")), ExternalID: "series-a",
		BoardApprovalDate: exact.MustDate("2024-01-01"),
	})
	return b
}

func (b *born) class(terms captable.SecurityTerms) captable.SecurityID {
	b.Helper()
	return b.do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
}

// issue issues shares, dated 2024-02-01.
func (b *born) issue(to captable.EntityID, of captable.SecurityID, shares string, details ...captable.ShareholdingDetails) captable.ShareholdingID {
	b.Helper()
	command := captable.IssueShareholding{HolderRef: holder(to), Security: of, Shares: number(shares), IssueDate: exact.MustDate("2024-02-01")}
	for _, d := range details {
		command.ShareholdingDetails = d
	}
	return b.do(command)[0].(captable.ShareholdingIssued).ID
}

// exported returns the objects of an export by id.
func (w *world) exported(asOf string) map[string]map[string]any {
	w.Helper()
	files := w.export(asOf)
	valid(w, files)
	objects := map[string]map[string]any{}
	for _, list := range contentOf(w, files).objects {
		for _, object := range list {
			fields := object.(map[string]any)
			objects[fields["id"].(string)] = fields
		}
	}
	return objects
}

func fields(object map[string]any, names ...string) string {
	all := make([]any, len(names))
	for i, name := range names {
		all[i] = object[name]
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func TestExportOfACompanyBornHere(t *testing.T) {
	t.Parallel()
	const today = "2026-03-01"
	t.Run("an empty company is exported as a valid package", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		files := w.export(today)
		valid(t, files)
		manifest := decoded(t, files, "Manifest.ocf.json")
		equal(t, "manifest", fields(manifest, "as_of", "generated_at", "ocf_version", "issuer"), `["2026-03-01","2026-03-01T09:00:00Z","1.2.1-alpha+main",`+
			`{"country_of_formation":"GB","formation_date":"2026-03-01","id":"our-company","legal_name":"Ours Ltd","object_type":"ISSUER"}]`)
	})
	t.Run("classes, legends and issuances are exported with their fields", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100", captable.ShareholdingDetails{
			Legends: []captable.LegendID{b.legend}, IssuanceType: "founders", BoardApprovalDate: exact.MustDate("2024-01-15"),
			Consideration: &captable.Consideration{Cash: number("100"), IP: number("50")}, Comments: []string{"first"}, ExternalID: "share-1",
		})
		objects := b.exported(today)
		equal(t, "issuance", fields(objects[id.String()+"-issued"], "object_type", "date", "security_id", "custom_id", "stakeholder_id", "stock_class_id", "quantity",
			"share_price", "stock_legend_ids", "issuance_type", "cost_basis", "consideration_text", "board_approval_date", "comments"),
			`["TX_STOCK_ISSUANCE","2024-02-01","share-1","CS-1","`+b.ada.String()+`","`+b.common.String()+`","100",{"amount":"1.5","currency":"USD"},["`+b.legend.String()+
				`"],"FOUNDERS_STOCK",{"amount":"150","currency":"USD"},"100 USD in cash, 50 USD in intellectual property","2024-01-15",["first"]]`)
		equal(t, "common", fields(
			objects[b.common.String()], "class_type", "default_id_prefix", "initial_shares_authorized", "votes_per_share", "seniority",
			"par_value", "price_per_share",
		),
			`["COMMON","CS-","1000","1","0",{"amount":"0.001","currency":"USD"},{"amount":"3","currency":"EUR"}]`)
		equal(t, "preferred", fields(objects["series-a"], "class_type", "initial_shares_authorized", "votes_per_share", "seniority", "liquidation_preference_multiple",
			"participation_cap_multiple", "board_approval_date", "conversion_rights"),
			`["PREFERRED","UNLIMITED","0","2","1","3","2024-01-01",[{"conversion_mechanism":{"conversion_price":{"amount":"3","currency":"USD"},`+
				`"ratio":{"denominator":"1","numerator":"2"},"rounding_type":"FLOOR","type":"RATIO_CONVERSION"},"converts_to_stock_class_id":"`+b.common.String()+`","type":"STOCK_CLASS_CONVERSION_RIGHT"}]]`)
		equal(t, "legend", fields(objects[b.legend.String()], "name", "text", "comments"), `["Act","Not registered.",["c"]]`)
		equal(t, "who holds shares is a stakeholder", fields(objects[b.ada.String()], "name", "stakeholder_type"), `[{"legal_name":"Ada"},"INDIVIDUAL"]`)
		equal(t, "who does not is none", objects[b.bob.String()] == nil, true)
	})
	t.Run("every end of shares is exported as a transaction", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100")
		day := exact.MustDate("2024-03-01")
		b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2024-02-02")})
		moved := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(b.bob), Shares: number("40"), Date: day, Kind: "sale",
			PricePerShare: &captable.Price{Amount: number("2")}, Reason: "sold",
		})[0].(captable.ShareholdingEnded)
		result, rest := moved.Results[0].ID, moved.Balance.ID
		b.do(captable.CancelShareholding{ID: result, Shares: new(number("10")), Date: day, Reason: "given up"})
		b.do(captable.RepurchaseShareholding{
			ID: rest, Shares: number("60"), Price: &captable.Price{Amount: number("1")}, Date: day, ToTreasury: true, Reason: "left",
		})
		retracted := b.issue(b.cleo, b.common, "5")
		b.do(captable.RetractShareholding{ID: retracted, Date: day})
		converted := b.issue(b.cleo, b.preferred, "10")
		b.do(captable.ConvertShareholding{ID: converted, Security: b.common, Date: day})
		objects := b.exported(today)
		equal(t, "acceptance", fields(objects[id.String()+"-accepted"], "object_type", "date", "security_id"), `["TX_STOCK_ACCEPTANCE","2024-02-02","`+id.String()+`"]`)
		equal(t, "transfer", fields(
			objects[id.String()+"-transferred"], "object_type", "quantity", "resulting_security_ids", "balance_security_id",
			"consideration_text", "comments",
		),
			`["TX_STOCK_TRANSFER","40",["`+result.String()+`"],"`+rest.String()+`","2 USD a share",["sale","sold"]]`)
		equal(t, "cancellation", fields(objects[result.String()+"-cancelled"], "object_type", "quantity", "reason_text"), `["TX_STOCK_CANCELLATION","10","given up"]`)
		equal(t, "repurchase", fields(objects[rest.String()+"-repurchased"], "object_type", "quantity", "price", "comments", "balance_security_id"),
			`["TX_STOCK_REPURCHASE","60",{"amount":"1","currency":"USD"},["left","The company keeps the shares in its treasury."],null]`)
		equal(t, "retraction", fields(objects[retracted.String()+"-retracted"], "object_type", "reason_text"), `["TX_STOCK_RETRACTION","Retracted."]`)
		equal(t, "conversion", fields(objects[converted.String()+"-converted"], "object_type", "quantity_converted"), `["TX_STOCK_CONVERSION","10"]`)
		equal(t, "on the day before", len(b.exported("2024-02-29"))-len(b.exported("2024-02-01")), 1) // the acceptance
	})
	t.Run("reissues and consolidations are exported as transactions", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		one, two := b.issue(b.ada, b.common, "10"), b.issue(b.ada, b.common, "20")
		day := exact.MustDate("2024-03-01")
		result := captable.Result{Holder: holder(b.ada), Security: b.common, Shares: number("30")}
		joined := b.do(captable.ReplaceShareholding{
			Kind: captable.StatusConsolidated, From: []captable.ShareholdingID{one, two}, Date: day, Results: []captable.Result{result},
		})[0].(captable.ShareholdingEnded)
		all := joined.Results[0].ID
		again := b.do(captable.ReplaceShareholding{
			Kind: captable.StatusReissued, From: []captable.ShareholdingID{all}, Date: day, Results: []captable.Result{result},
			Reason: "new paper",
		})[0].(captable.ShareholdingEnded)
		objects := b.exported(today)
		equal(t, "consolidation", fields(objects[one.String()+"-consolidated"], "security_ids", "resulting_security_id"), `[["`+one.String()+`","`+two.String()+`"],"`+all.String()+`"]`)
		equal(t, "reissue", fields(objects[all.String()+"-reissued"], "resulting_security_ids", "reason_text"), `[["`+again.Results[0].ID.String()+`"],"new paper"]`)
	})
	t.Run("an export omits a voided shareholding with its acceptance and its holder", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100")
		b.do(captable.AcceptShareholding{ID: id, Date: exact.MustDate("2024-02-02")})
		before := len(b.exported(today))
		b.do(captable.VoidShareholding{ID: id, Reason: "typed twice"})
		equal(t, "objects gone: issuance, acceptance and holder", before-len(b.exported(today)), 3)
	})
	t.Run("a corrected and amended shareholding is exported with its current fields", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100")
		b.do(captable.CorrectShareholding{
			ID: id, HolderRef: holder(b.bob), Security: b.common, Shares: number("90"), IssueDate: exact.MustDate("2024-01-31"),
			Reason: "misread",
		})
		b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"certificate":"X-1","externalId":"later"}`)})
		equal(t, "issuance", fields(b.exported(today)[id.String()+"-issued"], "stakeholder_id", "quantity", "date", "custom_id", "security_id"),
			`["`+b.bob.String()+`","90","2024-01-31","X-1","`+id.String()+`"]`)
	})
	t.Run("authorizations are exported as adjustments with the total from their date on", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		b.do(captable.AuthorizeShares{
			ID: b.common, Quantity: number("500"), EffectiveDate: exact.MustDate("2024-06-01"),
			BoardApprovalDate: exact.MustDate("2024-05-01"),
		})
		b.do(captable.AuthorizeShares{ID: b.common, Quantity: number("100"), EffectiveDate: exact.MustDate("2024-01-01")})
		objects := b.exported(today)
		equal(t, "the later one", fields(objects[b.common.String()+"-authorized-1"], "date", "new_shares_authorized", "board_approval_date"), `["2024-06-01","1600","2024-05-01"]`)
		equal(t, "the earlier one", fields(objects[b.common.String()+"-authorized-2"], "date", "new_shares_authorized"), `["2024-01-01","1100"]`)
		security, _ := b.state.Security(b.common)
		terms := security.SecurityTerms
		terms.AuthorizedShares = captable.Authorized{Unlimited: true}
		b.do(captable.ReplaceSecurity{ID: b.common, SecurityTerms: terms})
		objects = b.exported(today)
		equal(t, "no limit at last is none at all", fields(objects[b.common.String()], "initial_shares_authorized"), `["UNLIMITED"]`)
		equal(t, "and no adjustment to it", objects[b.common.String()+"-authorized-1"] == nil, true)
	})
	t.Run("a split is exported with prices and ratios from before it", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100")
		day := exact.MustDate("2024-03-01")
		b.do(captable.SplitSecurity{ID: b.common, Numerator: number("3"), Denominator: number("1"), Date: day})
		b.do(captable.SplitSecurity{ID: b.preferred, Numerator: number("2"), Denominator: number("1"), Date: day})
		b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"comments":["split"]}`)})
		security, _ := b.state.Security(b.preferred)
		terms := security.SecurityTerms
		terms.Name, terms.Price = "Series A-1", &captable.Price{Amount: number("5")}
		b.do(captable.ReplaceSecurity{ID: b.preferred, SecurityTerms: terms})
		late := b.class(captable.SecurityTerms{
			Name: "Series B", ShareType: captable.SharePreferred, AuthorizedShares: captable.AuthorizedOf(number("10")),
			Conversion: &captable.Conversion{Security: b.common, Ratio: number("1")},
		})
		objects := b.exported(today)
		equal(t, "the quantity at issue", fields(objects[id.String()+"-issued"], "quantity", "comments"), `["100",["split"]]`)
		equal(t, "the price at issue", fields(objects[b.common.String()], "price_per_share", "initial_shares_authorized"), `[{"amount":"3","currency":"EUR"},"1000"]`)
		equal(t, "a price set since, as before the split", fields(objects["series-a"], "name", "price_per_share"), `["Series A-1",{"amount":"10","currency":"USD"}]`)
		ratio := func(id string) string {
			return fields(objects[id]["conversion_rights"].([]any)[0].(map[string]any)["conversion_mechanism"].(map[string]any), "ratio")
		}
		equal(t, "a ratio that both splits moved", ratio("series-a"), `[{"denominator":"1","numerator":"2"}]`)
		equal(t, "a ratio set since", ratio(late.String()), `[{"denominator":"3","numerator":"1"}]`)
		again := setup(t)
		again.taken(b.export(today))
		for security := range again.state.Securities() {
			original, _ := b.state.Security(b.preferred)
			if security.Name == original.Name {
				equal(t, "the ratio after both splits", security.Conversion.Ratio.String(), original.Conversion.Ratio.String())
				equal(t, "the price after both splits", security.Price.Amount.String(), "5")
			}
		}
	})
	t.Run("an export omits deleted classes and legends", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		b.do(captable.SplitSecurity{ID: b.preferred, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2024-03-01")})
		b.do(captable.DeleteSecurity{ID: b.preferred})
		b.do(captable.AmendLegend{ID: b.legend, Patch: []byte(`{"text":"New."}`)})
		objects := b.exported(today)
		equal(t, "classes and legends", len(objects), 2)
		equal(t, "legend", fields(objects[b.legend.String()], "text"), `["New."]`)
		b.do(captable.DeleteLegend{ID: b.legend})
		equal(t, "classes", len(b.exported(today)), 1)
	})
}

package ocf_test

import (
	"encoding/json"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

// stakeholder exports one holder. A non-empty object makes it an imported holder.
func stakeholder(t *testing.T, object string, now ocf.Holder, particulars map[string]string) map[string]any {
	t.Helper()
	w := setup(t)
	now.Entity = captable.EntityID{9}
	w.holders[now.Entity] = now.Name
	if object != "" {
		was := ocf.Holder{Entity: now.Entity, ExternalID: "x", Name: "Before", Kind: "individual"}
		w.record(captable.PackageImported{Manifest: json.RawMessage(`{}`), Issuer: json.RawMessage(`{}`)})
		w.exporter.Holder(was, &captable.Source{File: "OCF_STAKEHOLDERS_FILE", Object: json.RawMessage(object)})
	}
	w.exporter.Holder(now, nil)
	if particulars != nil {
		w.particulars[now.Entity] = map[string]json.RawMessage{}
		for field, value := range particulars {
			w.particulars[now.Entity][field] = json.RawMessage(value)
		}
	}
	class := w.do(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareUnit, AuthorizedShares: captable.Authorized{Unlimited: true},
	}})[0].(captable.SecurityCreated).ID
	w.do(captable.IssueShareholding{HolderRef: holder(now.Entity), Security: class, Shares: number("1"), IssueDate: exact.MustDate("2024-01-01")})
	return contentOf(t, w.export("2026-03-01")).objects["OCF_STAKEHOLDERS_FILE"][0].(map[string]any)
}

func TestExportOfHolders(t *testing.T) {
	t.Parallel()
	const came = `{"id":"x","object_type":"STAKEHOLDER","name":{"legal_name":"Before","first_name":"B"},"stakeholder_type":"INDIVIDUAL","current_status":"ACTIVE"}`
	for claim, c := range map[string]struct {
		object      string
		now         ocf.Holder
		particulars map[string]string
		want        string // name, stakeholder_type, current_relationships, current_status, comments, contact_info, primary_contact
	}{
		"one of our own": {
			"",
			ocf.Holder{Name: "Ada", Kind: "individual", Relationship: "boardMember", Comments: []string{"c"}},
			nil,
			`[{"legal_name":"Ada"},"INDIVIDUAL",["BOARD_MEMBER"],null,["c"],null,null]`,
		},
		"a relationship that the format does not know": {
			"",
			ocf.Holder{Name: "Ada", Kind: "individual", Relationship: "cousin"},
			nil,
			`[{"legal_name":"Ada"},"INDIVIDUAL",null,null,null,null,null]`,
		},
		"an address of a person": {
			"",
			ocf.Holder{Name: "Ada", Kind: "individual"},
			map[string]string{"email": `"a@example.com"`, "phone": `"1"`},
			`[{"legal_name":"Ada"},"INDIVIDUAL",null,null,null,{"emails":[{"email_address":"a@example.com","email_type":"OTHER"}]},null]`,
		},
		"an address of an institution": {
			"",
			ocf.Holder{Name: "Fund", Kind: "institution"},
			map[string]string{"email": `"f@example.com"`},
			`[{"legal_name":"Fund"},"INSTITUTION",null,null,null,null,{"emails":[{"email_address":"f@example.com","email_type":"OTHER"}],"name":{"legal_name":"Fund"}}]`,
		},
		"one who came and did not change": {
			came,
			ocf.Holder{ExternalID: "x", Name: "Before", Kind: "individual"},
			nil,
			`[{"first_name":"B","legal_name":"Before"},"INDIVIDUAL",null,"ACTIVE",null,null,null]`,
		},
		"one who came and is called otherwise": {
			came,
			ocf.Holder{ExternalID: "other", Name: "After", Kind: "institution"},
			nil,
			`[{"legal_name":"After"},"INSTITUTION",null,"ACTIVE",null,null,null]`,
		},
		"an address that came": {
			came,
			ocf.Holder{ExternalID: "x", Name: "Before", Kind: "individual"},
			map[string]string{"email": `"b@example.com"`, "ocf": `{"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"b@example.com"}]}}`},
			`[{"first_name":"B","legal_name":"Before"},"INDIVIDUAL",null,"ACTIVE",null,{"emails":[{"email_address":"b@example.com","email_type":"PERSONAL"}]},null]`,
		},
		"an address that is another since": {
			came,
			ocf.Holder{ExternalID: "x", Name: "Before", Kind: "individual"},
			map[string]string{"email": `"new@example.com"`, "ocf": `{"contact_info":{"phone_numbers":[],"emails":[{"email_address":"old"},{"email_address":"second"}]}}`},
			`[{"first_name":"B","legal_name":"Before"},"INDIVIDUAL",null,"ACTIVE",null,` +
				`{"emails":[{"email_address":"new@example.com","email_type":"OTHER"},{"email_address":"second"}],"phone_numbers":[]},null]`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got := stakeholder(t, c.object, c.now, c.particulars)
			equal(t, "stakeholder", fields(
				got, "name", "stakeholder_type", "current_relationships", "current_status", "comments", "contact_info", "primary_contact",
			), c.want)
		})
	}
}

func TestExportedIDs(t *testing.T) {
	t.Parallel()
	w := setup(t)
	class := captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.AuthorizedOf(number("10")), ExternalID: "same",
	}
	first := w.do(captable.CreateSecurity{SecurityTerms: class})[0].(captable.SecurityCreated).ID
	class.ExternalID = ""
	w.do(captable.ReplaceSecurity{ID: first, SecurityTerms: class})
	class.Name, class.ExternalID = "Other", "same"
	second := w.do(captable.CreateSecurity{SecurityTerms: class})[0].(captable.SecurityCreated).ID
	var ids []string
	for _, object := range contentOf(t, w.export("2026-03-01")).objects["OCF_STOCK_CLASSES_FILE"] {
		ids = append(ids, object.(map[string]any)["id"].(string))
	}
	equal(t, "an id stays whose it was", ids[0]+" "+ids[1], "same "+second.String())
}

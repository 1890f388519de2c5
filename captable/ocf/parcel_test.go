package ocf_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing/fstest"
)

// parcel builds a package from lists of JSON objects.
type parcel struct {
	version, manifest                                                                   string
	stakeholders, classes, legends, plans, documents, vesting, transactions, financings []string
	valuations                                                                          []string
}

// sound returns a small valid company. Ada holds 600 of 1,000 common shares.
func sound() *parcel {
	return &parcel{
		version: "1.2.0",
		stakeholders: []string{
			`{"id":"ada","object_type":"STAKEHOLDER","name":{"legal_name":"Ada Lovelace"},"stakeholder_type":"INDIVIDUAL"}`,
			`{"id":"fund","object_type":"STAKEHOLDER","name":{"legal_name":"Fund I"},"stakeholder_type":"INSTITUTION"}`,
		},
		classes:      []string{class("common", "COMMON", "1000", "1"), class("preferred", "PREFERRED", "500", "2")},
		legends:      []string{`{"id":"act","object_type":"STOCK_LEGEND_TEMPLATE","name":"Act","text":"Not registered."}`},
		transactions: []string{issue("one", "2024-01-01", "ada", "common", "600", `"stock_legend_ids":["act"]`)},
	}
}

func class(id, kind, authorized, seniority string, more ...string) string {
	return object(`"id":"`+id+`","object_type":"STOCK_CLASS","name":"`+strings.ToUpper(id)+`","class_type":"`+kind+`",
		"default_id_prefix":"`+strings.ToUpper(id[:1])+`-","initial_shares_authorized":"`+authorized+`","votes_per_share":"1","seniority":"`+seniority+`"`, more)
}

// issue returns a share issuance. Its certificate is the security's name in upper case.
func issue(security, date, to, class, quantity string, more ...string) string {
	return object(`"id":"issue-`+security+`","object_type":"TX_STOCK_ISSUANCE","date":"`+date+`","security_id":"`+security+`",
		"custom_id":"`+strings.ToUpper(security)+`","stakeholder_id":"`+to+`","stock_class_id":"`+class+`","quantity":"`+quantity+`",
		"share_price":{"amount":"1.00","currency":"USD"},"security_law_exemptions":[]`, append([]string{`"stock_legend_ids":[]`}, more...))
}

// tx returns a security transaction. Its id combines the type and the security.
func tx(kind, security, date string, more ...string) string {
	return object(`"id":"`+strings.ToLower(kind)+"-"+security+`","object_type":"TX_`+kind+`","date":"`+date+`","security_id":"`+security+`"`, more)
}

// object merges fields into an object. A later field replaces an earlier one.
func object(fields string, more []string) string {
	all := map[string]json.RawMessage{}
	for _, part := range append([]string{fields}, more...) {
		if err := json.Unmarshal([]byte("{"+part+"}"), &all); err != nil {
			panic(part + ": " + err.Error())
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// files returns the package with correct checksums.
func (p *parcel) files() fstest.MapFS {
	files := fstest.MapFS{}
	var lists strings.Builder
	for _, l := range []struct {
		key, kind, name string
		items           []string
	}{
		{"stakeholders_files", "OCF_STAKEHOLDERS_FILE", "Stakeholders.ocf.json", p.stakeholders},
		{"stock_classes_files", "OCF_STOCK_CLASSES_FILE", "StockClasses.ocf.json", p.classes},
		{"stock_legend_templates_files", "OCF_STOCK_LEGEND_TEMPLATES_FILE", "StockLegends.ocf.json", p.legends},
		{"stock_plans_files", "OCF_STOCK_PLANS_FILE", "StockPlans.ocf.json", p.plans},
		{"vesting_terms_files", "OCF_VESTING_TERMS_FILE", "VestingTerms.ocf.json", p.vesting},
		{"transactions_files", "OCF_TRANSACTIONS_FILE", "Transactions.ocf.json", p.transactions},
		{"financings_files", "OCF_FINANCINGS_FILE", "Financings.ocf.json", p.financings},
		{"documents_files", "OCF_DOCUMENTS_FILE", "Documents.ocf.json", p.documents},
		{"valuations_files", "OCF_VALUATIONS_FILE", "Valuations.ocf.json", p.valuations},
	} {
		list := "[]"
		if l.items != nil {
			content := `{"file_type":"` + l.kind + `","items":[` + strings.Join(l.items, ",") + `]}`
			files[l.name] = &fstest.MapFile{Data: []byte(content)}
			sum := md5.Sum([]byte(content))
			list = `[{"filepath":"./` + l.name + `","md5":"` + hex.EncodeToString(sum[:]) + `"}]`
		}
		lists.WriteString(`,"` + l.key + `":` + list)
	}
	manifest := p.manifest
	if manifest == "" {
		manifest = `"issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme Inc.","formation_date":"2020-02-29","country_of_formation":"US","country_subdivision_of_formation":"DE"},
			"as_of":"2024-12-31","generated_at":"2024-12-31T00:00:00Z","comments":["hello"]`
	}
	files["Manifest.ocf.json"] = &fstest.MapFile{Data: []byte(`{"ocf_version":"` + p.version + `","file_type":"OCF_MANIFEST_FILE",` + manifest + lists.String() + `}`)}
	return files
}

package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
)

// limited is an adjustment of the limit of the common shares.
func limited(shares, date string) string {
	return object(`"id":"limit-`+date+`","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"`+date+
		`","stock_class_id":"common","new_shares_authorized":"`+shares+`"`, nil)
}

// returned imports a package and checks that its export is equal to it.
func returned(t *testing.T, p *parcel) *world {
	t.Helper()
	w := setup(t)
	files := p.files()
	w.taken(files)
	same(t, w.export("2026-03-01"), files)
	return w
}

func TestCostBasisCountsAsInvested(t *testing.T) {
	t.Parallel()
	const cost = `"cost_basis":{"amount":"750","currency":"USD"}`
	for claim, c := range map[string]struct {
		transactions []string
		want         string
	}{
		"of an issuance": {[]string{issue("s", "2024-02-01", "ada", "common", "100", cost)}, "750"},
		"of a result of a transfer": {[]string{
			issue("r", "2024-02-01", "ada", "common", "100"), issue("s", "2024-03-01", "ada", "common", "100", cost),
			tx("STOCK_TRANSFER", "r", "2024-03-01", `"quantity":"100","resulting_security_ids":["s"]`),
		}, "750"},
		"after a split": {[]string{issue("s", "2024-02-01", "ada", "common", "100", cost), split("x", "common", "2024-03-01", "2", "1")}, "750"},
		"of another currency not": {[]string{
			issue("s", "2024-02-01", "ada", "common", "100", `"cost_basis":{"amount":"750","currency":"EUR"}`),
		}, "100"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(p.transactions, c.transactions...)
			for h := range returned(t, p).state.Shareholdings() {
				if h.ExternalID == "s" {
					equal(t, "invested", h.Invested().String(), c.want)
				}
			}
		})
	}
}

func TestPartsOfAConsiderationComeBack(t *testing.T) {
	t.Parallel()
	b := company(t)
	given := captable.Consideration{Cash: number("10.5"), DebtCancelled: number("2"), IP: number("3"), Services: number("4"), Other: number("5")}
	b.do(captable.IssueShareholding{
		HolderRef: holder(b.ada), Security: b.common, Shares: number("7"), IssueDate: exact.MustDate("2024-02-01"),
		ShareholdingDetails: captable.ShareholdingDetails{Consideration: &given, ExternalID: "s"},
	})
	again := setup(t)
	again.taken(b.export("2026-03-01"))
	for h := range again.state.Shareholdings() {
		if h.ExternalID == "s" {
			equal(t, "consideration", *h.Consideration, given)
		}
	}
}

func TestSplitOfAPackageMultipliesTheLimit(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		transactions     []string
		authorized, pool string
	}{
		"as it does the pool":                        {[]string{split("x", "common", "2024-03-01", "3", "1")}, "3000", "300"},
		"rounded down":                               {[]string{split("x", "common", "2024-03-01", "2", "3")}, "666", "66"},
		"unless an adjustment of the day says":       {[]string{split("x", "common", "2024-03-01", "2", "1"), limited("2500", "2024-03-01")}, "2500", "200"},
		"also where it says before the split":        {[]string{limited("2500", "2024-03-01"), split("x", "common", "2024-03-01", "2", "1")}, "2500", "200"},
		"and a later adjustment counts from its day": {[]string{split("x", "common", "2024-03-01", "2", "1"), limited("2500", "2024-03-02")}, "2500", "200"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			w := returned(t, planned(c.transactions...))
			table := w.state.TableOn(exact.MustDate("2024-03-02"), func(captable.EntityID) string { return "" })
			for _, security := range table.Securities {
				if security.Name == "Common" {
					equal(t, "authorized", security.Authorized.String(), c.authorized)
				}
			}
			equal(t, "pool", table.Pools[0].Reserve.String(), c.pool)
		})
	}
}

func TestEmailOfEveryContactSurvives(t *testing.T) {
	t.Parallel()
	const (
		first  = `"primary_contact":{"name":{"legal_name":"Ada"},"emails":[{"email_type":"BUSINESS","email_address":"primary@example.com"}],"phone_numbers":[]}`
		second = `"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"contact@example.com"},{"email_type":"OTHER","email_address":"third@example.com"}]}`
	)
	for _, kind := range []string{"INDIVIDUAL", "INSTITUTION"} {
		for _, contacts := range []string{first, second, first + "," + second, second + "," + first} {
			t.Run(kind+" "+contacts, func(t *testing.T) {
				t.Parallel()
				p := sound()
				p.stakeholders = append(p.stakeholders, `{"id":"reach","object_type":"STAKEHOLDER","name":{"legal_name":"Reach"},"stakeholder_type":"`+kind+`",`+contacts+`}`)
				returned(t, p)
			})
		}
	}
}

func TestChangedEmailTakesThePlaceOfTheOneThatCame(t *testing.T) {
	t.Parallel()
	object := stakeholder(t, `{"id":"x","object_type":"STAKEHOLDER","name":{"legal_name":"Before"},"stakeholder_type":"INSTITUTION"}`,
		ocf.Holder{Name: "Before", Kind: "institution"}, map[string]string{
			"email": `"new@example.com"`,
			ocf.ParticularsField: `{"primary_contact":{"name":{"legal_name":"P"},"emails":[{"email_type":"BUSINESS","email_address":"primary@example.com"}]},
				"contact_info":{"emails":[{"email_type":"PERSONAL","email_address":"old@example.com"}]}}`,
		})
	equal(t, "contacts", fields(object, "primary_contact", "contact_info"),
		`[{"emails":[{"email_address":"primary@example.com","email_type":"BUSINESS"}],"name":{"legal_name":"P"}},{"emails":[{"email_address":"new@example.com","email_type":"OTHER"}]}]`)
}

package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// limited sets the initial limit of the package's issuer.
func (p *parcel) limited(shares string) {
	p.manifest = `"issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme Inc.","formation_date":"2020-02-29","country_of_formation":"US",
		"initial_shares_authorized":"` + shares + `"},"as_of":"2024-12-31","generated_at":"2024-12-31T00:00:00Z"`
}

func issuerLimit(id, date, shares string) string {
	return object(`"id":"`+id+`","object_type":"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT","date":"`+date+`","issuer_id":"acme","new_shares_authorized":"`+shares+`"`, nil)
}

func classLimit(shares string) string {
	return object(`"id":"more","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-02-01","stock_class_id":"common","new_shares_authorized":"`+shares+`"`, nil)
}

func TestClassAuthorizedAboveItsIssuerIsRefused(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		issuer string
		change func(*parcel)
		want   []string
	}{
		"from the beginning": {"999", with(), []string{"STOCK_CLASS/common/initial_shares_authorized aboveIssuer"}},
		"by an adjustment of the class": {
			"1000", with(classLimit("1001")),
			[]string{"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT/more/new_shares_authorized aboveIssuer"},
		},
		"by an adjustment of the issuer": {
			"2000", with(issuerLimit("less", "2024-02-01", "900")),
			[]string{"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT/less/new_shares_authorized aboveIssuer"},
		},
		"by the first limit of the issuer": {
			"NOT APPLICABLE", with(issuerLimit("first", "2024-02-01", "900")),
			[]string{"TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT/first/new_shares_authorized aboveIssuer"},
		},
		"before the issuer is raised": {
			"1000", with(issuerLimit("late", "2024-03-01", "5000"), classLimit("2000")),
			[]string{"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT/more/new_shares_authorized aboveIssuer"},
		},
		"by a split beside a limit of the issuer": {
			"1000", with(issuerLimit("same", "2024-02-01", "1000"), split("the-split", "common", "2024-02-01", "2", "1")),
			[]string{"TX_STOCK_CLASS_SPLIT/the-split/split_ratio aboveIssuer"},
		},
		"without a limit": {"1000", func(p *parcel) {
			p.classes = append(p.classes, class("endless", "COMMON", "UNLIMITED", "1"))
		}, []string{"STOCK_CLASS/endless/initial_shares_authorized aboveIssuer"}},
		"not where limits do not apply": {"1000", func(p *parcel) {
			p.classes = append(p.classes, class("free", "COMMON", "NOT APPLICABLE", "1"))
		}, nil},
		"not on the day on which both are raised": {
			"1000", with(classLimit("2000"), issuerLimit("both", "2024-02-01", "2000")), nil,
		},
		"not by a split alone":            {"1000", with(split("the-split", "common", "2024-02-01", "2", "1")), nil},
		"not by the sum of the classes":   {"1000", with(), nil},
		"not above an issuer of no limit": {"UNLIMITED", with(classLimit("9000")), nil},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.limited(c.issuer)
			c.change(p)
			equalLists(t, "refusals", refusals(setup(t).take(p.files())), c.want)
		})
	}
}

// issuerLimits returns the initial limit of the issuer and its adjustments as date=shares, in
// file order. It also checks that the package survives an import and export.
func (w *world) issuerLimits() []string {
	w.Helper()
	files := w.export("2026-03-01")
	content := contentOf(w, files)
	issuer, _ := content.manifest["issuer"].(map[string]any)
	first, _ := issuer["initial_shares_authorized"].(string)
	all := []string{first}
	for _, o := range content.objects["OCF_TRANSACTIONS_FILE"] {
		if fields := o.(map[string]any); fields["object_type"] == "TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT" {
			all = append(all, fields["date"].(string)+"="+fields["new_shares_authorized"].(string))
		}
	}
	again := setup(w)
	again.taken(files)
	same(w, again.export("2026-03-01"), files)
	return all
}

func (w *world) named(externalID string) captable.SecurityID {
	for security := range w.state.Securities() {
		if security.ExternalID == externalID {
			return security.ID
		}
	}
	return captable.SecurityID{}
}

func TestExportRaisesTheIssuerWithItsClasses(t *testing.T) {
	t.Parallel()
	authorize := func(w *world, class, quantity, on string) {
		w.do(captable.AuthorizeShares{ID: w.named(class), Quantity: number(quantity), EffectiveDate: exact.MustDate(on)})
	}
	for claim, c := range map[string]struct {
		issuer  string
		more    []string
		history func(w *world)
		want    []string
	}{
		"nothing happened": {"1500", nil, func(*world) {}, []string{"1500"}},
		"a class grew": {
			"1500", nil, func(w *world) { authorize(w, "common", "10", "2024-05-01") }, []string{"1500", "2024-05-01=1510"},
		},
		"the issuer had room": {
			"1505", nil, func(w *world) { authorize(w, "common", "10", "2024-05-01") }, []string{"1505", "2024-05-01=1510"},
		},
		"the issuer had room for all": {"9000", nil, func(w *world) { authorize(w, "common", "10", "2024-05-01") }, []string{"9000"}},
		"the issuer was below the sum": {
			"1000", nil, func(w *world) { authorize(w, "preferred", "10", "2024-05-01") }, []string{"1000", "2024-05-01=1010"},
		},
		"an issuer without a limit": {"UNLIMITED", nil, func(w *world) { authorize(w, "common", "10", "2024-05-01") }, []string{"UNLIMITED"}},
		"a later adjustment follows": {
			"1500",
			[]string{issuerLimit("later", "2024-06-01", "1500")},
			func(w *world) { authorize(w, "common", "10", "2024-05-01") },
			[]string{"1500", "2024-06-01=1500", "2024-05-01=1510", "2024-06-01=1510"},
		},
		"a split": {"1500", nil, func(w *world) {
			w.do(captable.SplitSecurity{ID: w.named("common"), Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate("2024-05-01")})
		}, []string{"1500", "2024-05-01=3500"}},
		"an imported split and a change": {
			"1500",
			[]string{split("the-split", "common", "2024-04-01", "2", "1")},
			func(w *world) { authorize(w, "common", "10", "2024-05-01") },
			[]string{"1500", "2024-05-01=2510"},
		},
		"a new class": {"1500", nil, func(w *world) {
			w.do(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
				Name: "New", Prefix: "N", ShareType: captable.ShareCommon, AuthorizedShares: captable.AuthorizedOf(number("70")),
			}})
		}, []string{"1570"}},
		"a class without a limit": {"1500", []string{issuerLimit("later", "2024-06-01", "1600")}, func(w *world) {
			w.do(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
				Name: "New", Prefix: "N", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
			}})
		}, []string{"UNLIMITED"}},
		"a second import": {"1500", nil, func(w *world) {
			second := &parcel{version: "1.1.0", classes: []string{class("third", "COMMON", "2000", "1")}}
			w.taken(second.files())
		}, []string{"3500"}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			w, p := setup(t), sound()
			p.limited(c.issuer)
			p.transactions = append(p.transactions, c.more...)
			w.taken(p.files())
			c.history(w)
			equalOrdered(t, w.issuerLimits(), c.want)
		})
	}
}

func equalOrdered(tb testing.TB, got, want []string) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("got %v, want %v", got, want)
	}
	for i := range got {
		equal(tb, "limit", got[i], want[i])
	}
}

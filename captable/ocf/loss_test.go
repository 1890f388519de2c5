package ocf_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/captable/vesting"
)

// limited returns an adjustment of the limit of the common shares.
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
		"as it does the pool": {[]string{split("x", "common", "2024-03-01", "3", "1")}, "3000", "300"},
		"rounded down":        {[]string{split("x", "common", "2024-03-01", "2", "3")}, "666", "66"},
		"unless an adjustment of the day says": {
			[]string{split("x", "common", "2024-03-01", "2", "1"), limited("2500", "2024-03-01")}, "2500", "200",
		},
		"also where it says before the split": {
			[]string{limited("2500", "2024-03-01"), split("x", "common", "2024-03-01", "2", "1")}, "2500", "200",
		},
		"and a later adjustment counts from its day": {
			[]string{split("x", "common", "2024-03-01", "2", "1"), limited("2500", "2024-03-02")}, "2500", "200",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			w := returned(t, planned(c.transactions...))
			table := w.state.TableOn(exact.MustDate("2024-03-02"), func(captable.EntityID) string { return "" })
			for _, security := range table.Securities {
				if security.Name == "COMMON" {
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

// options returns the options of each holder on a day by first name, their total, and the
// reserved common shares.
func (w *world) options(day string) map[string]string {
	table := w.state.TableOn(exact.MustDate(day), func(id captable.EntityID) string { return w.holders[id] })
	all := map[string]string{"total": table.Totals.Options.String()}
	for _, security := range table.Securities {
		if security.Name == "COMMON" {
			all["reserved"] = security.Reserved.String()
		}
	}
	for _, h := range table.Holders {
		for _, p := range h.BySecurity {
			if p.Options.Sign() > 0 {
				all[strings.Fields(h.Name)[0]] = p.Options.String()
			}
		}
	}
	return all
}

func TestTransferredGrantKeepsItsOptions(t *testing.T) {
	t.Parallel()
	const issued, moved = "2024-02-01", "2024-03-01"
	to := func(security, quantity, who string, more ...string) string {
		return strings.Replace(granted(security, moved, quantity, more...), `"stakeholder_id":"ada"`, `"stakeholder_id":"`+who+`"`, 1)
	}
	transfer := func(quantity, more string) string {
		return tx("EQUITY_COMPENSATION_TRANSFER", "o", moved, `"quantity":"`+quantity+`"`+more)
	}
	for claim, c := range map[string]struct {
		transactions  []string
		before, after string
	}{
		"as a whole": {
			[]string{granted("o", issued, "50"), transfer("50", `,"resulting_security_ids":["p"]`), to("p", "50", "fund")}, "Ada 50", "Fund 50",
		},
		"in part, with a balance": {
			[]string{granted("o", issued, "50"), transfer("30", `,"resulting_security_ids":["p"],"balance_security_id":"q"`), to("p", "30", "fund"), to("q", "20", "ada")},
			"Ada 50", "Ada 20 Fund 30",
		},
		"to several, out of a pool without room": {
			[]string{granted("o", issued, "100"), transfer("100", `,"resulting_security_ids":["p","q"]`), to("p", "60", "fund"), to("q", "40", "ada")},
			"Ada 100", "Ada 40 Fund 60",
		},
		"outside a plan": {
			[]string{
				granted("o", issued, "300", `"stock_plan_id":""`), transfer("300", `,"resulting_security_ids":["p"]`), to("p", "300", "fund", `"stock_plan_id":""`),
			}, "Ada 300", "Fund 300",
		},
		"by its older name, written after its results": {
			[]string{
				strings.ReplaceAll(granted("o", issued, "50"), "EQUITY_COMPENSATION", "PLAN_SECURITY"), to("p", "50", "fund"),
				strings.ReplaceAll(transfer("50", `,"resulting_security_ids":["p"]`), "EQUITY_COMPENSATION", "PLAN_SECURITY"),
			}, "Ada 50", "Fund 50",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			w := returned(t, planned(c.transactions...))
			for day, want := range map[string]string{issued: c.before, moved: c.after} {
				had := w.options(day)
				var all []string
				for _, name := range []string{"Ada", "Fund"} {
					if had[name] != "" {
						all = append(all, name+" "+had[name])
					}
				}
				equal(t, "options on "+day, strings.Join(all, " "), want)
			}
			if faults := w.state.Audit(); len(faults) > 0 {
				t.Error(faults)
			}
		})
	}
}

func TestGrantOutsideAPlanComesIn(t *testing.T) {
	t.Parallel()
	outside := granted("o", "2024-02-01", "50", `"stock_plan_id":""`)
	for claim, c := range map[string]struct {
		transactions      []string
		options, reserved string
	}{
		"alone":                    {[]string{outside, tx("EQUITY_COMPENSATION_ACCEPTANCE", "o", "2024-02-02")}, "50", "150"},
		"of the only common class": {[]string{strings.Replace(outside, `"stock_class_id":"common",`, "", 1)}, "50", "150"},
		"exercised in part": {[]string{
			outside, tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-03-01", `"quantity":"20","resulting_security_ids":["s"]`), issue("s", "2024-03-01", "ada", "common", "20"),
		}, "30", "130"},
		"cancelled in part": {[]string{
			outside, tx("EQUITY_COMPENSATION_CANCELLATION", "o", "2024-03-01", `"quantity":"20","reason_text":"r","balance_security_id":"o2"`),
			granted("o2", "2024-03-01", "30", `"stock_plan_id":""`),
		}, "30", "130"},
		"retracted": {[]string{outside, tx("EQUITY_COMPENSATION_RETRACTION", "o", "2024-03-01", `"reason_text":"r"`)}, "0", "100"},
		"repriced":  {[]string{outside, tx("EQUITY_COMPENSATION_REPRICING", "o", "2024-03-01", `"new_exercise_price":{"amount":"0.05","currency":"USD"}`)}, "50", "150"},
		"split":     {[]string{outside, split("x", "common", "2024-03-01", "3", "2")}, "75", "225"},
		"exercised for several certificates": {[]string{
			outside, tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-03-01", `"quantity":"20","resulting_security_ids":["s","r"]`),
			issue("s", "2024-03-01", "ada", "common", "12"), issue("r", "2024-03-01", "ada", "common", "7"),
		}, "30", "130"},
		"exercised for shares that are not named": {[]string{
			outside, tx("EQUITY_COMPENSATION_EXERCISE", "o", "2024-03-01", `"quantity":"20","resulting_security_ids":[]`),
		}, "30", "130"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			w := returned(t, planned(c.transactions...))
			equal(t, "options", w.options("2024-04-01")["total"], c.options)
			equal(t, "reserved", w.options("2024-04-01")["reserved"], c.reserved)
			if faults := w.state.Audit(); len(faults) > 0 {
				t.Error(faults)
			}
		})
	}
}

// there exports the company and imports the package into another cap table. It checks that
// the export of that cap table is the same.
func (b *born) there() *world {
	b.Helper()
	files := b.export("2026-03-01")
	valid(b, files)
	again := setup(b)
	again.taken(files)
	same(b, again.export("2026-03-01"), files)
	return again
}

func TestFactsWithoutAFieldComeBack(t *testing.T) {
	t.Parallel()
	day := exact.MustDate
	t.Run("treasury shares, and those issued again out of the treasury", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		issue := func(shares, on string) captable.ShareholdingID {
			return b.do(
				captable.IssueShareholding{HolderRef: holder(b.ada), Security: b.common, Shares: number(shares), IssueDate: day(on)},
			)[0].(captable.ShareholdingIssued).ID
		}
		held := issue("400", "2024-02-01")
		b.do(captable.RepurchaseShareholding{
			ID: held, Shares: number("300"), Date: day("2024-03-01"), Price: &captable.Price{Amount: number("1")}, ToTreasury: true,
		})
		b.do(captable.SplitSecurity{ID: b.common, Numerator: number("2"), Denominator: number("1"), Date: day("2024-04-01"), KeepAuthorized: true})
		issue("250", "2024-05-01")
		equal(t, "table", b.there().table(day("2024-06-01")), b.table(day("2024-06-01")))
		was, _ := b.state.Security(b.common)
		for security := range b.there().state.Securities() {
			if security.Name == was.Name {
				equal(t, "treasury", security.Treasury.String()+" of "+security.Issued.String(), was.Treasury.String()+" of "+was.Issued.String())
			}
		}
	})
	t.Run("a milestone that was reached in part", func(t *testing.T) {
		t.Parallel()
		w := setup(t)
		w.taken(planned(granted("o", "2024-02-01", "50", `"vesting_terms_id":"terms"`), tx("VESTING_START", "o", "2024-02-01", `"vesting_condition_id":"start"`)).files())
		for grant := range w.state.Grants() {
			w.do(captable.HappenGrant{ID: grant.ID, Happening: vesting.Happening{
				Condition: "sale", Date: day("2024-02-15"), Realized: vesting.Fraction{Numerator: 2, Denominator: 5},
			}})
		}
		files := w.export("2026-03-01")
		again := setup(t)
		again.taken(files)
		equal(t, "grant", again.grants("2024-03-15")["o"], w.grants("2024-03-15")["o"])
		equal(t, "vested", again.grants("2024-03-15")["o"], "nso active 50 20 0 0 50")
		same(t, again.export("2026-03-01"), files)
	})
	t.Run("terms of a class, of its shares, and of a pool", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		security, _ := b.state.Security(b.preferred)
		terms := security.SecurityTerms
		terms.FractionalShares, terms.DividendRate, terms.Participation = true, new(number("0.08")), "full"
		terms.ParticipationCapMultiple = nil
		b.do(captable.ReplaceSecurity{ID: b.preferred, SecurityTerms: terms})
		b.do(captable.IssueShareholding{HolderRef: holder(b.ada), Security: b.common, Shares: number("5"), IssueDate: day("2024-02-01"), ShareholdingDetails: captable.ShareholdingDetails{
			ShareholderName: "Ada, Countess", Rule144Date: day("2024-01-15"), ExternalID: "named",
		}})
		b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
			PlanDetails: captable.PlanDetails{Name: "Plan"},
			Pools: []captable.PoolTerms{
				{Name: "Plan", Security: b.common, TotalShares: number("10"), StrikePrice: &captable.Price{Amount: number("1.25")}},
			},
		}})
		again := b.there()
		for other := range again.state.Securities() {
			if other.Name == security.Name {
				equal(t, "class", other.DividendRate.String()+" "+other.Participation, "0.08 full")
				equal(t, "fractional", other.FractionalShares, true)
				equal(t, "comments", len(other.Comments), len(security.Comments))
			}
		}
		for h := range again.state.Shareholdings() {
			if h.ExternalID == "named" {
				equal(t, "shares", h.ShareholderName+" "+h.Rule144Date.String(), "Ada, Countess 2024-01-15")
			}
		}
		for plan := range again.state.Plans() {
			equal(t, "strike price", plan.Pools[0].StrikePrice.Amount.String(), "1.25")
		}
	})
	t.Run("coverage of a warrant, and the fixed price of a convertible", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		b.issued(captable.KindWarrant, func(c *captable.IssueInstrument) {
			c.Security, c.Quantity, c.Coverage, c.ExternalID = captable.SecurityID{}, captable.Decimal{}, new(number("0.25")), "coverage"
		})
		b.issued(captable.KindSAFE, func(c *captable.IssueInstrument) {
			c.FixedConversion, c.ExternalID = &captable.FixedConversion{Security: b.common, Price: new(number("2.5"))}, "fixed"
		})
		for i := range b.there().state.Instruments() {
			if i.ExternalID == "coverage" {
				equal(t, "coverage", i.Coverage.String(), "0.25")
			} else {
				equal(t, "price", i.FixedConversion.Price.String(), "2.5")
			}
		}
	})
}

package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

func preferred(name string) captable.SecurityTerms {
	return captable.SecurityTerms{Name: name, ShareType: captable.SharePreferred, AuthorizedShares: limit("1000")}
}

func TestCreateSecurity(t *testing.T) {
	t.Parallel()
	t.Run("a new class has its terms and no shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("  Series A ")
		terms.Prefix = " PA- "
		id := b.security(terms)
		equal(t, "name", b.class(id).Name, "Series A")
		equal(t, "prefix", b.class(id).Prefix, "PA")
		equal(t, "version", b.class(id).Version, 1)
		b.totals(id, "0", "0", "0", "1000")
	})
	t.Run("a refused class names every wrong field", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		legend := b.legend("Act")
		b.refused(captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
			Name: "  ", ShareType: "bond", Participation: "some", AuthorizedShares: limit("-1.5"),
			ParValue: price("-1"), Price: &captable.Price{Amount: number("1"), Currency: "usd"},
			VotesPerShare: figure("-1"), LiquidationPreferenceMultiple: figure("-1"), ParticipationCapMultiple: figure("-1"),
			DividendRate: figure("-0.1"),
			Conversion:   &captable.Conversion{Security: captable.SecurityID{9}, Ratio: number("0")},
			Legends:      []captable.LegendID{legend, {9}, legend},
		}}, fault.Invalid,
			"/name required", "/shareType enum", "/participation enum", "/authorizedShares negative", "/authorizedShares notWhole",
			"/parValue negative", "/price/currency pattern", "/votesPerShare negative", "/liquidationPreferenceMultiple negative",
			"/participationCapMultiple negative", "/dividendRate negative", "/conversion/security unknownReference", "/conversion/ratio notPositive",
			"/legends/1 unknownReference", "/legends/2 duplicate")
	})
	t.Run("a name of another class is refused regardless of case", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		taken := b.security(preferred("Series A"))
		equal(t, "whose", b.refused(captable.CreateSecurity{SecurityTerms: preferred(" series a ")}, fault.Conflict)["security"], taken.String())
	})
	t.Run("an externalId of another security is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		a, c := preferred("A"), preferred("C")
		a.ExternalID, c.ExternalID = "x", "x"
		b.security(a)
		equal(t, "figure", b.refused(captable.CreateSecurity{SecurityTerms: c}, fault.Conflict)["externalId"], "x")
		b.do(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "L", Text: "T", ExternalID: "x"}}) // external identifiers are unique per kind of record
	})
	t.Run("a class with fractional shares may authorize fractions", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.AuthorizedShares, terms.FractionalShares = limit("10.5"), true
		b.totals(b.security(terms), "0", "0", "0", "10.5")
	})
}

func TestReplaceSecurity(t *testing.T) {
	t.Parallel()
	t.Run("a replacement states all terms and keeps the issued shares and serial numbers", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.issue(ada, id, "60", today)
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: preferred("Renamed")})
		equal(t, "type", b.class(id).ShareType, captable.SharePreferred)
		equal(t, "serials", b.class(id).Serials, 1)
		equal(t, "limits", len(b.class(id).Authorizations), 2)
		b.totals(id, "60", "60", "0", "940")
	})
	t.Run("a replacement with the same limit adds no authorization", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.security(preferred("A"))
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: preferred("B")})
		equal(t, "limits", len(b.class(id).Authorizations), 1)
	})
	t.Run("a replacement may keep its name and externalId, and frees them when they change", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("A")
		terms.ExternalID = "x"
		id := b.security(terms)
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: terms})
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: preferred("B")})
		b.security(terms)
		b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Conflict)
		terms.Name = "C"
		b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Conflict)
	})
	t.Run("a limit below the issued shares, treasury shares included, is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		h := b.issue(ada, id, "60", today)
		b.ended(captable.RepurchaseShareholding{ID: h, Shares: number("20"), Price: price("1"), Date: exact.MustDate(today), ToTreasury: true})
		terms := preferred("A")
		terms.AuthorizedShares = limit("59")
		equal(t, "figure", b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Conflict)["issued"], "60")
		terms.AuthorizedShares = limit("60")
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: terms})
	})
	t.Run("a conversion of a class into itself and an unknown class are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.security(preferred("A"))
		terms := preferred("A")
		terms.Conversion = &captable.Conversion{Security: id, Ratio: number("1")}
		b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Invalid, "/conversion/security selfReference")
		b.refused(captable.ReplaceSecurity{ID: captable.SecurityID{9}, SecurityTerms: terms}, fault.NotFound)
	})
	t.Run("securities that convert into each other are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.security(preferred("A"))
		terms := preferred("B")
		terms.Conversion = &captable.Conversion{Security: first, Ratio: number("1")}
		terms.Conversion.Security = b.security(terms)
		terms.Name = "A"
		b.refused(captable.ReplaceSecurity{ID: first, SecurityTerms: terms}, fault.Invalid, "/conversion/security selfReference")
	})
	t.Run("fractional shares stay allowed while a holder has a fraction", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.FractionalShares = true
		id := b.security(terms)
		b.issue(ada, id, "0.5", today)
		half := b.issue(bob, id, "0.5", today)
		terms.FractionalShares = false
		b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Conflict)
		b.ended(captable.TransferShareholding{Shareholding: half, To: holder(cleo), Shares: number("0.25"), Date: exact.MustDate(today), Kind: "gift"})
		b.refused(captable.ReplaceSecurity{ID: id, SecurityTerms: terms}, fault.Conflict)
	})
	t.Run("fractional shares can be removed when no holder has a fraction", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("Units")
		terms.FractionalShares = true
		id := b.security(terms)
		b.do(captable.VoidShareholding{ID: b.issue(ada, id, "0.5", today)})
		b.issue(ada, id, "2", today)
		terms.FractionalShares = false
		b.do(captable.ReplaceSecurity{ID: id, SecurityTerms: terms})
	})
}

func TestDeleteSecurity(t *testing.T) {
	t.Parallel()
	t.Run("a deleted class frees its name and externalId", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		terms := preferred("A")
		terms.ExternalID = "x"
		id := b.security(terms)
		b.do(captable.DeleteSecurity{ID: id})
		if _, ok := b.state.Security(id); ok {
			t.Error("it is still there")
		}
		b.security(terms)
		b.refused(captable.DeleteSecurity{ID: id}, fault.NotFound)
	})
	t.Run("a class that ever had shares, also voided ones, cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.common("100")
		b.do(captable.VoidShareholding{ID: b.issue(ada, id, "1", today)})
		b.refused(captable.DeleteSecurity{ID: id}, fault.InUse)
	})
	t.Run("a class that another one converts into cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id, terms := b.common("100"), preferred("A")
		terms.Conversion = &captable.Conversion{Security: id, Ratio: number("1")}
		other := b.security(terms)
		equal(t, "figure", b.refused(captable.DeleteSecurity{ID: id}, fault.InUse)["security"], other.String())
		b.do(captable.DeleteSecurity{ID: other})
		b.do(captable.DeleteSecurity{ID: id})
	})
}

package http_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// estate is an organization with one record of every kind. Most records belong to a Guest
// member.
type estate struct {
	*apitest.Firm
	name   string
	holder *apitest.Client
	// ids maps the names used in paths, queries and bodies to records. "operation.name" overrides
	// a name for one operation.
	ids map[string]string
}

// newEstate creates an estate. The name appears in every field that strangers must not read.
func newEstate(tb testing.TB, b *apitest.Server, name string) *estate {
	tb.Helper()
	e := &estate{Firm: b.NewFirm(tb, name+"@example.com"), name: name, holder: b.NewPerson(tb, name+".holder@example.com")}
	member := e.Join(tb, e.Home, e.holder, "Guest")
	e.Must(tb, "PATCH", e.Home, `{"legalName":"`+name+` Inc."}`, http.StatusOK)
	e.ids = map[string]string{
		"organization": e.ID, "member": member, "entity": e.holder.Holder, "security": e.Common,
		"legend": e.NewLegend(tb, `{"name":"`+name+`","text":"Not registered."}`),
	}
	maps.Copy(e.ids, map[string]string{"profile": e.ids["entity"], "getAddress.address": e.ids["entity"], "amendAddress.address": e.ids["entity"]})
	e.members(tb)
	e.shares(tb)
	e.grants(tb)
	e.belongings(tb)
	e.integrations(tb)
	e.ids["token"] = newProgram(tb, e.Client, `"read"`).id
	e.ids["invitation"] = e.ids["member"]
	e.documents(tb)
	e.hooks(tb)
	for _, d := range declaredOperations(b.Contract) {
		if d.id == "planRound" {
			e.ids["confirm"] = e.wish(tb, &d).as(tb, e.Client).Text(tb, "confirm")
		}
	}
	return e
}

// make sends a body with its placeholders filled in and returns the record's id.
func (e *estate) make(tb testing.TB, method, path, body string) string {
	tb.Helper()
	return e.Must(tb, method, e.fill(path), e.fill(body), http.StatusCreated).Text(tb, "id")
}

// fill replaces each name in braces with the id of the record.
func (e *estate) fill(text string) string {
	for name, id := range e.ids {
		text = strings.ReplaceAll(text, "{"+name+"}", id)
	}
	return strings.ReplaceAll(text, "{name}", e.name)
}

func (e *estate) members(tb testing.TB) {
	tb.Helper()
	e.ids["role"] = e.make(tb, "POST", "/v1/organization/{organization}/role", `{"name":"{name}","permissions":["editMembers"]}`)
	spare := e.Must(tb, "POST", e.Home+"/member", `{"fullName":"`+e.name+` Spare","roles":[]}`, http.StatusCreated)
	e.ids["removeMember.member"] = spare.Text(tb, "id")
	e.ids["other"] = spare.Text(tb, "entity")
	e.ids["to.entity"] = e.ids["other"]                                                                // of transfers
	e.Must(tb, "POST", e.Home+"/member", `{"fullName":"Ada Lovelace","roles":[]}`, http.StatusCreated) // of the example of imported rows
	e.ids["spareLegend"] = e.NewLegend(tb, `{"name":"Spare `+e.name+`","text":"Not registered."}`)
	e.ids["deleteLegend.legend"] = e.ids["spareLegend"]
}

func (e *estate) shares(tb testing.TB) {
	tb.Helper()
	const firm = "/v1/organization/{organization}"
	const held = `{"entity":"{entity}","security":"{security}","shares":"5000","issueDate":"2024-01-01","shareholderName":"{name}"`
	e.ids["otherSecurity"] = e.make(tb, "POST", firm+"/security",
		`{"name":"{name} Preferred","shareType":"preferred","authorizedShares":"100000","conversion":{"security":"{security}","ratio":"1"}}`)
	e.ids["deleteSecurity.security"] = e.make(tb, "POST", firm+"/security", `{"name":"{name} Spare","shareType":"unit","authorizedShares":"unlimited"}`)
	e.ids["replaceSecurity.security"] = e.ids["deleteSecurity.security"]
	e.ids["shareholding"] = e.make(tb, "POST", firm+"/shareholding", held+`}`)
	e.ids["shareholding.holding"] = e.ids["shareholding"]
	e.ids["convertShareholding.holding"] = e.make(tb, "POST", firm+"/shareholding", strings.Replace(held, "{security}", "{otherSecurity}", 1)+`}`)
	e.ids["block"] = e.make(tb, "POST", firm+"/block", `{"name":"{name}"}`)
	e.ids["valuation"] = e.make(tb, "PUT", "/v1/valuation", `{"organization":"{organization}","security":"{security}","type":"409A","effectiveDate":"2024-01-01",`+
		`"pricePerShare":{"amount":"1","currency":"USD"},"provider":"{name}"}`)
	e.ids["capitalChange"] = e.make(tb, "POST", "/v1/entity/{entity}/capitalChange",
		`{"organization":"{organization}","kind":"contribution","amount":{"amount":"5","currency":"USD"},"date":"2024-01-01","note":"{name}"}`)
	e.ids["amendCapitalChange.id"] = e.ids["capitalChange"]
	const right = `{"organization":"{organization}","entity":"{entity}","issueDate":"2024-01-01","externalId":"`
	const money = `,"principal":{"amount":"500000","currency":"USD"},"valuationCap":"5000000"}`
	e.ids["holding"] = e.make(tb, "POST", "/v1/holding", right+`note","kind":"convertibleNote"`+money)
	e.ids["cancelHolding.holding"] = e.make(tb, "POST", "/v1/holding", right+`safe","kind":"safe"`+money)
	// The holder of this right may elect the terms of a later one.
	e.ids["convertHolding.holding"] = e.make(tb, "POST", "/v1/holding", right+`favoured","kind":"safe","mfn":true`+money)
	e.ids["correctHolding.holding"] = e.make(tb, "POST", "/v1/holding", strings.Replace(right, "2024-01", "2024-02", 1)+`later","kind":"safe"`+money)
	e.ids["elections.holding"], e.ids["elects"] = e.ids["convertHolding.holding"], e.ids["correctHolding.holding"]
	e.ids["exerciseHolding.holding"] = e.make(tb, "POST", "/v1/holding",
		right+`warrant","kind":"warrant","quantity":"1000","exercisePrice":"1.5","expirationDate":"2030-12-31","security":"{security}"}`)
	e.ids["code"] = apitest.IDOf(printedAddress(tb, e.Firm, "/v1/shareholding/"+e.ids["shareholding"]))
}

// grants creates a plan, its vesting schedule and awards from its pool.
func (e *estate) grants(tb testing.TB) {
	tb.Helper()
	e.ids["vestingSchedule"] = e.make(
		tb, "POST", "/v1/vestingSchedule", `{"organization":"{organization}","name":"{name}",`+apitest.FourYears+`}`,
	)
	const pools = `,"boardApprovalDate":"2024-01-01","pools":[{"name":"{name}","security":"{security}","totalShares":"10000","strikePrice":"0.25"}]}`
	e.ids["plan"] = e.make(tb, "POST", "/v1/organization/{organization}/plan", `{"name":"{name}","vestingSchedules":["{vestingSchedule}"]`+pools)
	e.ids["deletePlan.plan"] = e.make(tb, "POST", "/v1/organization/{organization}/plan", `{"name":"{name} Spare"`+pools)
	e.ids["pool"] = e.FirstPool(tb, "/v1/plan/"+e.ids["plan"])
	const grant = `{"organization":"{organization}","kind":"option","entity":"{entity}","plan":"{plan}","pool":"{pool}","issueDate":"2024-01-01","quantity":"100","type":`
	e.ids["option"] = e.make(
		tb, "POST", "/v1/holding", grant+`"nso","exercisePrice":"0.2"`+apitest.VestsInTwo+apitest.TerminationWindows+`}`,
	)
	e.ids["releaseOption.option"] = e.make(tb, "POST", "/v1/holding", grant+`"rsu"}`)
	e.ids["happenOption.option"] = e.make(tb, "POST", "/v1/holding",
		grant+`"nso","vesting":{"allocation":"CUMULATIVE_ROUND_DOWN","discrete":[{"milestone":"launch","fraction":"1"}]}}`)
	asked := e.Must(tb, "POST", e.fill("/v1/plan/{plan}/pool/{pool}/option/{option}/exercise/request"), `{"quantity":"5"}`, http.StatusCreated)
	first, _ := asked.List(tb, "requests")[0].(map[string]any)
	e.ids["request"], _ = first["id"].(string)
}

// belongings creates the holder's records outside the organization.
func (e *estate) belongings(tb testing.TB) {
	tb.Helper()
	own := e.ids["entity"]
	e.ids["wallet"] = e.holder.Must(tb, "POST", "/v1/wallet", walletBody(own, "ethereum", onEthereum), http.StatusCreated).Text(tb, "id")
	e.ids["address"] = e.ids["wallet"]
	e.holder.Must(tb, "PATCH", "/v1/address/"+own, `{"city":"`+e.name+`"}`, http.StatusOK)
	const company = `{"name":"Acme %s","website":"%s.example","contactEmail":"cfo@%s.example"}`
	e.ids["rewardId"] = e.holder.Must(
		tb, "POST", "/v1/referral/company", strings.ReplaceAll(company, "%s", e.name), http.StatusCreated,
	).Text(tb, "card")
	_, e.ids["session"] = sessionHandles(tb, e.holder)
	grantCredit(tb, e.Server, own, 100)
	e.ids["user"], e.ids["entry"] = e.NewPerson(tb, e.name+".shut@example.com").User.ID.String(), "spam.example"
}

package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/persistence"
)

// TestEveryOperationAnswers plays the story of a company that uses every operation of the
// contract, and reports unused operations. The client checks each answer against its schema.
func TestEveryOperationAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Provider = acceptingProvider{} })
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	b.anonymous().must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusBadRequest) // a mail was sent recently
	b.clock.advance(time.Hour)
	b.anonymous().must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusOK)
	b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, "grace@example.com")+`"}`, http.StatusOK)
	f := b.firm(t, "owner@example.com")
	f.people(t)
	legend := f.legend(t, `{"name":"Act","text":"Not registered."}`)
	at := f.home + "/legend/" + legend
	f.must(t, "GET", f.home+"/legend", "", http.StatusOK)
	f.must(t, "GET", at, "", http.StatusOK)
	f.must(t, "PATCH", at, `{"default":true}`, http.StatusOK)
	f.must(t, "GET", at+"/certificate", "", http.StatusOK)
	f.shares(t)
	f.capital(t)
	f.personalRecords(t)
	b.identity(t)
	f.plans(t)
	f.rights(t)
	f.options(t)
	f.must(t, "GET", f.home+"/shareholding/repurchasable", "", http.StatusOK)
	f.must(t, "DELETE", at, "", http.StatusNoContent)
	f.must(t, "GET", f.home+"/captable", "", http.StatusOK)
	f.must(t, "GET", f.home+"/captable/timeline?by=holder", "", http.StatusOK)
	f.must(t, "GET", "/v1/captable/"+f.id+"/dashboard", "", http.StatusOK)
	f.must(t, "GET", "/v1/entity/"+f.user.Entity.String()+"/profile", "", http.StatusOK)
	f.must(t, "GET", f.home+"/explain?figure=total/outstanding", "", http.StatusOK)
	f.must(t, "GET", f.home+"/journal", "", http.StatusOK)
	f.must(t, "GET", f.home+"/author?ids=system:billing", "", http.StatusOK)
	f.must(t, "GET", f.home+"/journal/proof", "", http.StatusOK)
	f.must(t, "GET", f.home+"/event", "", http.StatusOK)
	f.ask(t, [2]string{"currentUser", ""})
	exported := f.must(t, "GET", f.home+"/captable?format=ocf", "", http.StatusOK)
	f.must(t, "POST", f.company(t)+"/import", exported.body, http.StatusCreated, "Content-Type", "application/zip")
	f.must(t, "GET", f.home+"/import?kind=members", "", http.StatusOK)
	members, kind := spreadsheet(t, "members.csv", "fullName\nEve\n")
	f.must(t, "POST", "/v1/organization/member/upload?organization="+f.id, members, http.StatusCreated, "Content-Type", kind)
	f.followers(t)
	f.chats(t)
	f.charges(t)
	f.fill(t)
	f.drives(t)
	f.agents(t)
	f.onboards(t)
	f.hooks(t)
	f.changedAddresses(t)
	f.must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
	for _, operation := range b.server.Operations() {
		id := operation.ID
		if !b.contract.answered[id] {
			t.Errorf("operation %s was not used", id)
		}
	}
}

// people is the part of the story about the organization and its members.
func (f *firm) people(t *testing.T) {
	t.Helper()
	f.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	f.must(t, "GET", "/v1/user/sign-in", "", http.StatusOK)
	f.must(t, "GET", "/v1/organization", "", http.StatusOK)
	f.must(t, "GET", f.home, "", http.StatusOK)
	f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
	f.must(t, "GET", f.home+"/role", "", http.StatusOK)
	const role = `{"name":"Observer","permissions":["viewSelf"]}`
	made := f.must(t, "POST", f.home+"/role", role, http.StatusCreated).header.Get("Location")
	f.must(t, "GET", made, "", http.StatusOK)
	f.must(t, "PUT", made, role, http.StatusOK)
	f.must(t, "DELETE", made, "", http.StatusNoContent)
	f.must(t, "GET", f.home+"/member", "", http.StatusOK)
	member := f.must(t, "POST", f.home+"/member", `{"fullName":"Charles"}`, http.StatusCreated).header.Get("Location")
	f.must(t, "GET", member, "", http.StatusOK)
	f.must(t, "PATCH", member, `{"title":"Inventor"}`, http.StatusOK)
	f.must(t, "DELETE", member, "", http.StatusOK)
	f.invite(t, f.home, "Guest", "joan@example.com")
	f.person(t, "joan@example.com").must(t, "POST", "/v1/invitation/accept", f.invitedBy(t, "joan@example.com"), http.StatusOK)
	f.invite(t, f.home, "Guest", "jill@example.com")
	f.anonymous().must(t, "POST", "/v1/invitation/read", f.invitedBy(t, "jill@example.com"), http.StatusOK)
	f.anonymous().must(t, "POST", "/v1/invitation/decline", f.invitedBy(t, "jill@example.com"), http.StatusNoContent)
	_, jean := f.invite(t, f.home, "Guest", "jean@example.com").outcome(t)
	recipient := f.person(t, "jean@example.com")
	recipient.must(t, "GET", receivedPath, "", http.StatusOK)
	recipient.must(t, "POST", receivedPath+"/"+jean+"/accept", "", http.StatusOK)
	_, june := f.invite(t, f.home, "Guest", "june@example.com").outcome(t)
	f.person(t, "june@example.com").must(t, "POST", receivedPath+"/"+june+"/decline", "", http.StatusNoContent)
}

// followers is the part of the story about webhooks and the states of integrations.
func (f *firm) followers(t *testing.T) {
	t.Helper()
	url, received := receiver(t, http.StatusInternalServerError)
	at := f.must(t, "POST", f.home+"/webhook", `{"url":"`+url+`","events":["role.created"]}`, http.StatusCreated).header.Get("Location")
	f.must(t, "GET", f.home+"/webhook", "", http.StatusOK)
	f.must(t, "GET", at, "", http.StatusOK)
	f.must(t, "PATCH", at, `{"description":"Books"}`, http.StatusOK)
	f.must(t, "POST", at+"/secret", "", http.StatusOK)
	f.must(t, "POST", at+"/test", "", http.StatusOK)
	next(t, received)
	f.must(t, "POST", f.home+"/role", `{"name":"Reader","permissions":["viewSelf"]}`, http.StatusCreated)
	next(t, received)
	f.eventually(t, "the failure is visible", func() bool {
		return strings.Contains(f.must(t, "GET", f.home+"/integration", "", http.StatusOK).body, `"retrying"`)
	})
	delivered := f.must(t, "GET", at+"/delivery", "", http.StatusOK)
	f.must(t, "POST", at+"/delivery/"+quotedAfter(delivered.body, `"id":"`)+"/replay", "", http.StatusAccepted)
	f.must(t, "POST", at+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	f.must(t, "POST", f.home+"/integration/"+last(at)+"/retry", "", http.StatusAccepted)
	f.fail(t, "mail")
	f.must(t, "POST", f.home+"/integration/mail/skip", `{"sequence":2}`, http.StatusAccepted)
	f.must(t, "DELETE", at, "", http.StatusNoContent)
}

// chats is the part of the story about team chat.
func (f *firm) chats(t *testing.T) {
	t.Helper()
	f.must(t, "GET", "/v1/chat/config", "", http.StatusOK)
	f.must(t, "POST", "/v1/chat/session", `{"organizationId":"`+f.id+`"}`, http.StatusOK)
	f.must(t, "GET", "/v1/chat/token-health", "", http.StatusOK)
	f.must(t, "POST", "/v1/chat/sync-org/"+f.id, "", http.StatusOK)
	if _, err := persistence.NewChatTeams(f.db).Link(t.Context(), organizationID(t, f.id), "team1"); err != nil {
		t.Fatal(err)
	}
	gateway := []string{"Authorization", "Bearer " + gatewayToken}
	f.anonymous().must(t, "GET", "/v1/chat/team-mapping/team1", "", http.StatusOK, gateway...)
	f.anonymous().must(t, "GET", "/v1/chat/user-mapping/account1", "", http.StatusOK, gateway...)
}

// shares is the part of the story about securities and shareholdings.
func (f *firm) shares(t *testing.T) {
	t.Helper()
	common := f.home + "/security/" + f.common
	const terms = `{"name":"Common Stock","shareType":"common","authorizedShares":"2000000"}`
	f.must(t, "GET", f.home+"/security", "", http.StatusOK)
	f.must(t, "GET", common, "", http.StatusOK)
	f.must(t, "PUT", common, terms, http.StatusOK)
	f.must(t, "POST", common+"/shares", `{"quantity":"5","effectiveDate":"2026-01-01"}`, http.StatusOK)
	preferred := f.security(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"1000","conversion":{"security":"`+f.common+`","ratio":"1.5"}}`)
	spare := f.security(t, `{"name":"Spare","shareType":"unit","authorizedShares":"unlimited"}`)
	f.must(t, "DELETE", f.home+"/security/"+spare, "", http.StatusNoContent)
	f.must(t, "POST", f.home+"/security/"+preferred+"/split", `{"numerator":"2","denominator":"1","date":"2026-02-01"}`, http.StatusOK)
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	held := f.issue(t, ada, "1000")
	f.must(t, "GET", f.home+"/shareholding", "", http.StatusOK)
	certificate := f.must(t, "GET", held, "", http.StatusOK).text(t, "certificate")
	f.must(t, "PATCH", held, `{"certificate":"`+certificate+`-A"}`, http.StatusOK)
	f.must(t, "PUT", held, f.issuance(ada, "1001", `"reason":"One too few."`), http.StatusOK)
	f.must(t, "POST", held+"/accept", `{"date":"2026-01-02"}`, http.StatusOK)
	f.must(t, "GET", held+"/certificate", "", http.StatusOK)
	f.must(t, "GET", held+"/certificate/copy", "", http.StatusOK)
	f.anonymous().must(t, "GET", f.printedAddress(t, held), "", http.StatusOK)
	f.must(t, "POST", f.home+"/shareholding/transfer", `{"shareholding":"`+last(held)+`","to":{"entity":"`+bob+`"},"shares":"1","date":"2026-02-01","kind":"gift"}`,
		http.StatusCreated)
	f.must(t, "POST", f.issue(t, bob, "10")+"/cancel", `{"shares":"3","date":"2026-02-01","reason":"Left."}`, http.StatusOK)
	f.must(t, "POST", f.issue(t, bob, "10")+"/repurchase", `{"shares":"3","price":"1","date":"2026-02-01","toTreasury":true}`, http.StatusOK)
	f.must(t, "DELETE", f.issue(t, bob, "10"), `{"reason":"Twice."}`, http.StatusOK)
	f.must(t, "POST", f.issue(t, bob, "11", `"security":"`+preferred+`"`, `"issueDate":"2026-03-01"`)+"/convert",
		`{"security":"`+f.common+`","date":"2026-03-01"}`, http.StatusOK)
	config := f.must(t, "GET", f.home+"/shareholding/config", "", http.StatusOK)
	f.must(t, "PUT", f.home+"/shareholding/config", config.body, http.StatusOK)
}

// capital is the part of the story about valuations, rounds, exits, contributions and blocks.
func (f *firm) capital(t *testing.T) {
	t.Helper()
	valuation := f.must(t, "PUT", "/v1/valuation", f.valuation("1.25", "2026-01-01", ""), http.StatusCreated).header.Get("Location")
	f.must(t, "GET", valuation, "", http.StatusOK)
	f.must(t, "GET", f.home+"/valuation", "", http.StatusOK)
	f.must(t, "POST", f.home+"/scenario/round", `{"date":"2026-03-01","pricePerShare":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"10"}],"security":{"name":"Series B"}}`, http.StatusOK)
	f.must(t, "POST", f.home+"/scenario/exit", `{"values":["500000"]}`, http.StatusOK)
	f.must(t, "POST", f.home+"/scenario/exit", `{"values":["1"]}`, http.StatusOK)
	const round = `{"pricePerShare":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"10"}],"security":{"name":"Series B"}`
	confirm := f.must(t, "POST", f.home+"/scenario/round", round+"}", http.StatusOK).text(t, "confirm")
	f.must(t, "POST", f.home+"/scenario/round/close", round+`,"confirm":"`+confirm+`"}`, http.StatusCreated)
	f.must(t, "POST", f.home+"/scenario/exit", `{"values":["1000000"]}`, http.StatusOK)
	path := "/v1/entity/" + f.holder(t, "Cleo") + "/capitalChange"
	change := f.must(t, "POST", path, f.contribution("5", ""), http.StatusCreated).text(t, "id")
	f.must(t, "PATCH", path, `{"organization":"`+f.id+`","id":"`+change+`","note":"By wire."}`, http.StatusOK)
	f.must(t, "GET", f.home+"/capitalChange", "", http.StatusOK)
	block := f.must(t, "POST", f.home+"/block", `{"name":"Seed"}`, http.StatusCreated).header.Get("Location")
	f.must(t, "GET", block, "", http.StatusOK)
	f.must(t, "GET", f.home+"/block", "", http.StatusOK)
	f.must(t, "PUT", block, `{"name":"Series Seed"}`, http.StatusOK)
	f.must(t, "DELETE", block, "", http.StatusNoContent)
}

// plans is the part of the story about plans and vesting schedules.
func (f *firm) plans(t *testing.T) {
	t.Helper()
	plan := f.plan(t, "2024 Plan", "1000").header.Get("Location")
	f.must(t, "GET", plan, "", http.StatusOK)
	f.must(t, "GET", f.home+"/plan", "", http.StatusOK)
	f.must(t, "GET", plan+"/dashboard", "", http.StatusOK)
	f.must(t, "GET", "/v1/captable/"+f.id+"/pool", "", http.StatusOK)
	f.must(t, "GET", "/v1/incentive/documents", "", http.StatusOK)
	schedule := f.schedule(t, "Standard")
	f.must(t, "GET", "/v1/vestingSchedule/"+schedule, "", http.StatusOK)
	f.must(t, "GET", "/v1/vestingSchedule", "", http.StatusOK)
	f.must(t, "POST", "/v1/schedule/project", `{"quantity":"100","grantDate":"2026-01-01","vestingSchedule":"`+schedule+`"}`, http.StatusOK)
	successor := f.must(t, "PUT", "/v1/vestingSchedule/"+schedule, fourYears("Next"), http.StatusCreated).text(t, "id")
	f.must(t, "PUT", plan, `{"name":"Plan","vestingSchedules":["`+successor+`"]}`, http.StatusOK)
	f.must(t, "DELETE", plan+"/vestingSchedule/"+successor, "", http.StatusNoContent)
	f.must(t, "DELETE", plan, "", http.StatusNoContent)
	dear := f.plan(t, "Dear", "100").header.Get("Location")
	f.option(t, dear, f.holder(t, "Grace"), "10", "")
	f.must(t, "POST", dear+"/reprice", `{"exercisePrice":"0.1","date":"2026-02-01"}`, http.StatusOK)
}

// rights is the part of the story about convertibles and warrants.
func (f *firm) rights(t *testing.T) {
	t.Helper()
	ada, bob := f.holder(t, "Ada"), f.holder(t, "Bob")
	note := f.issueHolding(t, "convertibleNote", ada, noteTerms)
	f.must(t, "GET", note, "", http.StatusOK)
	f.must(t, "GET", f.home+"/holding", "", http.StatusOK)
	f.must(t, "PATCH", note, `{"maturityDate":"2028-01-01"}`, http.StatusOK)
	f.must(t, "PUT", note, f.correction(ada, noteTerms), http.StatusOK)
	f.must(t, "POST", note+"/accept", `{"date":"2026-01-02"}`, http.StatusOK)
	f.must(t, "POST", note+"/repay", `{"amount":"5","date":"2026-01-10"}`, http.StatusOK)
	f.must(t, "POST", note+"/transfer", `{"to":{"entity":"`+bob+`"},"date":"2026-01-11","kind":"gift"}`, http.StatusCreated)
	f.must(t, "POST", f.issueHolding(t, "safe", ada, safeTerms)+"/cancel", `{"date":"2026-01-11","reason":"Waived."}`, http.StatusOK)
	f.must(t, "DELETE", f.issueHolding(t, "warrant", ada, warrantTerms), `{"reason":"Twice."}`, http.StatusOK)
	f.must(t, "POST", f.issueHolding(t, "warrant", ada, warrantTerms+`,"security":"`+f.common+`"`)+"/exercise", `{"quantity":"5","date":"2026-03-01","payment":"cash"}`, http.StatusCreated)
	f.must(t, "POST", f.issueHolding(t, "convertibleNote", ada, noteTerms)+"/convert", `{"security":"`+f.common+`","date":"2026-03-01","pricePerShare":"2"}`, http.StatusCreated)
}

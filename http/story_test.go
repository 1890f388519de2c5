package http_test

import (
	"net/http"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/apitest"
)

// TestEveryOperationAnswers plays the story of a company that uses every operation of the
// contract, and reports unused operations. The client checks each answer against its schema.
func TestEveryOperationAnswers(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Provider = acceptingProvider{} })
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusBadRequest) // a mail was sent recently
	b.Clock.Advance(time.Hour)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify/send", `{"email":"grace@example.com"}`, http.StatusOK)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, "grace@example.com")+`"}`, http.StatusOK)
	f := b.NewFirm(t, "owner@example.com")
	peopleStory(t, f)
	legend := f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	at := f.Home + "/legend/" + legend
	f.Must(t, "GET", f.Home+"/legend", "", http.StatusOK)
	f.Must(t, "GET", at, "", http.StatusOK)
	f.Must(t, "PATCH", at, `{"default":true}`, http.StatusOK)
	f.Must(t, "GET", at+"/certificate", "", http.StatusOK)
	sharesStory(t, f)
	capitalStory(t, f)
	personalRecordsStory(t, f)
	identityStory(t, b)
	plansStory(t, f)
	rightsStory(t, f)
	optionsStory(t, f)
	f.Must(t, "GET", f.Home+"/shareholding/repurchasable", "", http.StatusOK)
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
	f.Must(t, "GET", f.Home+"/captable", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/captable/timeline?by=holder", "", http.StatusOK)
	f.Must(t, "GET", "/v1/captable/"+f.ID+"/dashboard", "", http.StatusOK)
	f.Must(t, "GET", "/v1/entity/"+f.User.Entity.String()+"/profile", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/explain?figure=total/outstanding", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/journal", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/author?ids=system:billing", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/journal/proof", "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/event", "", http.StatusOK)
	askAll(t, f.Client, [2]string{"currentUser", ""})
	exported := f.Must(t, "GET", f.Home+"/captable?format=ocf", "", http.StatusOK)
	f.Must(t, "POST", f.NewOrganization(t)+"/import", exported.Body, http.StatusCreated, "Content-Type", "application/zip")
	f.Must(t, "GET", f.Home+"/import?kind=members", "", http.StatusOK)
	members, kind := spreadsheet(t, "members.csv", "fullName\nEve\n")
	f.Must(t, "POST", "/v1/organization/member/upload?organization="+f.ID, members, http.StatusCreated, "Content-Type", kind)
	for _, room := range rooms() {
		if room.Story != nil {
			room.Story(t, f)
		}
	}
	followersStory(t, f)
	billingStory(t, f)
	documentsStory(t, f)
	agentsStory(t, f)
	onboardingStory(t, f)
	hooksStory(t, f)
	changedAddressesStory(t, f)
	f.Must(t, "POST", "/v1/user/logout", "", http.StatusNoContent)
	for _, operation := range b.HTTP.Operations() {
		id := operation.ID
		if !b.Contract.Answered[id] {
			t.Errorf("operation %s was not used", id)
		}
	}
}

// peopleStory is the part of the story about the organization and its members.
func peopleStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	f.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	f.Must(t, "GET", "/v1/user/sign-in", "", http.StatusOK)
	f.Must(t, "GET", "/v1/organization", "", http.StatusOK)
	f.Must(t, "GET", f.Home, "", http.StatusOK)
	f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
	f.Must(t, "GET", f.Home+"/role", "", http.StatusOK)
	const role = `{"name":"Observer","permissions":["viewSelf"]}`
	made := f.Must(t, "POST", f.Home+"/role", role, http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", made, "", http.StatusOK)
	f.Must(t, "PUT", made, role, http.StatusOK)
	f.Must(t, "DELETE", made, "", http.StatusNoContent)
	f.Must(t, "GET", f.Home+"/member", "", http.StatusOK)
	member := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Charles"}`, http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", member, "", http.StatusOK)
	f.Must(t, "PATCH", member, `{"title":"Inventor"}`, http.StatusOK)
	f.Must(t, "DELETE", member, "", http.StatusOK)
	f.Invite(t, f.Home, "Guest", "joan@example.com")
	f.NewPerson(t, "joan@example.com").Must(t, "POST", "/v1/invitation/accept", f.InvitationAnswer(t, "joan@example.com"), http.StatusOK)
	f.Invite(t, f.Home, "Guest", "jill@example.com")
	f.Anonymous().Must(t, "POST", "/v1/invitation/read", f.InvitationAnswer(t, "jill@example.com"), http.StatusOK)
	f.Anonymous().Must(t, "POST", "/v1/invitation/decline", f.InvitationAnswer(t, "jill@example.com"), http.StatusNoContent)
	_, jean := f.Invite(t, f.Home, "Guest", "jean@example.com").InvitationOutcome(t)
	recipient := f.NewPerson(t, "jean@example.com")
	recipient.Must(t, "GET", receivedPath, "", http.StatusOK)
	recipient.Must(t, "POST", receivedPath+"/"+jean+"/accept", "", http.StatusOK)
	_, june := f.Invite(t, f.Home, "Guest", "june@example.com").InvitationOutcome(t)
	f.NewPerson(t, "june@example.com").Must(t, "POST", receivedPath+"/"+june+"/decline", "", http.StatusNoContent)
}

// followersStory is the part of the story about the states of integrations.
func followersStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	f.Must(t, "GET", f.Home+"/integration", "", http.StatusOK)
	failConsumer(t, f, "mail")
	f.Must(t, "POST", f.Home+"/integration/mail/retry", "", http.StatusAccepted)
	failConsumer(t, f, "skipped")
	f.Must(t, "POST", f.Home+"/integration/skipped/skip", `{"sequence":2}`, http.StatusAccepted)
}

// sharesStory is the part of the story about securities and shareholdings.
func sharesStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	common := f.Home + "/security/" + f.Common
	const terms = `{"name":"Common Stock","shareType":"common","authorizedShares":"2000000"}`
	f.Must(t, "GET", f.Home+"/security", "", http.StatusOK)
	f.Must(t, "GET", common, "", http.StatusOK)
	f.Must(t, "PUT", common, terms, http.StatusOK)
	f.Must(t, "POST", common+"/shares", `{"quantity":"5","effectiveDate":"2026-01-01"}`, http.StatusOK)
	preferred := f.NewSecurity(t, `{"name":"Series A","shareType":"preferred","authorizedShares":"1000","conversion":{"security":"`+f.Common+`","ratio":"1.5"}}`)
	spare := f.NewSecurity(t, `{"name":"Spare","shareType":"unit","authorizedShares":"unlimited"}`)
	f.Must(t, "DELETE", f.Home+"/security/"+spare, "", http.StatusNoContent)
	f.Must(t, "POST", f.Home+"/security/"+preferred+"/split", `{"numerator":"2","denominator":"1","date":"2026-02-01"}`, http.StatusOK)
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	held := f.Issue(t, ada, "1000")
	f.Must(t, "GET", f.Home+"/shareholding", "", http.StatusOK)
	certificate := f.Must(t, "GET", held, "", http.StatusOK).Text(t, "certificate")
	f.Must(t, "PATCH", held, `{"certificate":"`+certificate+`-A"}`, http.StatusOK)
	f.Must(t, "PUT", held, f.IssuanceBody(ada, "1001", `"reason":"One too few."`), http.StatusOK)
	f.Must(t, "POST", held+"/accept", `{"date":"2026-01-02"}`, http.StatusOK)
	f.Must(t, "GET", held+"/certificate", "", http.StatusOK)
	f.Must(t, "GET", held+"/certificate/copy", "", http.StatusOK)
	f.Anonymous().Must(t, "GET", printedAddress(t, f, held), "", http.StatusOK)
	f.Must(t, "POST", f.Home+"/shareholding/transfer", `{"shareholding":"`+apitest.IDOf(held)+`","to":{"entity":"`+bob+`"},"shares":"1","date":"2026-02-01","kind":"gift"}`,
		http.StatusCreated)
	f.Must(t, "POST", f.Issue(t, bob, "10")+"/cancel", `{"shares":"3","date":"2026-02-01","reason":"Left."}`, http.StatusOK)
	f.Must(t, "POST", f.Issue(t, bob, "10")+"/repurchase", `{"shares":"3","price":"1","date":"2026-02-01","toTreasury":true}`, http.StatusOK)
	f.Must(t, "DELETE", f.Issue(t, bob, "10"), `{"reason":"Twice."}`, http.StatusOK)
	f.Must(t, "POST", f.Issue(t, bob, "11", `"security":"`+preferred+`"`, `"issueDate":"2026-03-01"`)+"/convert",
		`{"security":"`+f.Common+`","date":"2026-03-01"}`, http.StatusOK)
	config := f.Must(t, "GET", f.Home+"/shareholding/config", "", http.StatusOK)
	f.Must(t, "PUT", f.Home+"/shareholding/config", config.Body, http.StatusOK)
}

// capitalStory is the part of the story about valuations, rounds, exits, contributions and blocks.
func capitalStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	valuation := f.Must(t, "PUT", "/v1/valuation", valuationBody(f, "1.25", "2026-01-01", ""), http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", valuation, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/valuation", "", http.StatusOK)
	f.Must(t, "POST", f.Home+"/scenario/round", `{"date":"2026-03-01","pricePerShare":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"10"}],"security":{"name":"Series B"}}`, http.StatusOK)
	f.Must(t, "POST", f.Home+"/scenario/exit", `{"values":["500000"]}`, http.StatusOK)
	f.Must(t, "POST", f.Home+"/scenario/exit", `{"values":["1"]}`, http.StatusOK)
	const round = `{"pricePerShare":"1","newMoney":[{"investor":{"name":"Fund"},"amount":"10"}],"security":{"name":"Series B"}`
	confirm := f.Must(t, "POST", f.Home+"/scenario/round", round+"}", http.StatusOK).Text(t, "confirm")
	f.Must(t, "POST", f.Home+"/scenario/round/close", round+`,"confirm":"`+confirm+`"}`, http.StatusCreated)
	f.Must(t, "POST", f.Home+"/scenario/exit", `{"values":["1000000"]}`, http.StatusOK)
	path := "/v1/entity/" + f.NewHolder(t, "Cleo") + "/capitalChange"
	change := f.Must(t, "POST", path, contributionBody(f, "5", ""), http.StatusCreated).Text(t, "id")
	f.Must(t, "PATCH", path, `{"organization":"`+f.ID+`","id":"`+change+`","note":"By wire."}`, http.StatusOK)
	f.Must(t, "GET", f.Home+"/capitalChange", "", http.StatusOK)
	block := f.Must(t, "POST", f.Home+"/block", `{"name":"Seed"}`, http.StatusCreated).Header.Get("Location")
	f.Must(t, "GET", block, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/block", "", http.StatusOK)
	f.Must(t, "PUT", block, `{"name":"Series Seed"}`, http.StatusOK)
	f.Must(t, "DELETE", block, "", http.StatusNoContent)
}

// plansStory is the part of the story about plans and vesting schedules.
func plansStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	plan := f.NewPlan(t, "2024 Plan", "1000").Header.Get("Location")
	f.Must(t, "GET", plan, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/plan", "", http.StatusOK)
	f.Must(t, "GET", plan+"/dashboard", "", http.StatusOK)
	f.Must(t, "GET", "/v1/captable/"+f.ID+"/pool", "", http.StatusOK)
	f.Must(t, "GET", "/v1/incentive/documents", "", http.StatusOK)
	schedule := f.NewSchedule(t, "Standard")
	f.Must(t, "GET", "/v1/vestingSchedule/"+schedule, "", http.StatusOK)
	f.Must(t, "GET", "/v1/vestingSchedule", "", http.StatusOK)
	f.Must(t, "POST", "/v1/schedule/project", `{"quantity":"100","grantDate":"2026-01-01","vestingSchedule":"`+schedule+`"}`, http.StatusOK)
	successor := f.Must(t, "PUT", "/v1/vestingSchedule/"+schedule, fourYears("Next"), http.StatusCreated).Text(t, "id")
	f.Must(t, "PUT", plan, `{"name":"Plan","vestingSchedules":["`+successor+`"]}`, http.StatusOK)
	f.Must(t, "DELETE", plan+"/vestingSchedule/"+successor, "", http.StatusNoContent)
	f.Must(t, "DELETE", plan, "", http.StatusNoContent)
	dear := f.NewPlan(t, "Dear", "100").Header.Get("Location")
	f.GrantOption(t, dear, f.NewHolder(t, "Grace"), "10", "")
	f.Must(t, "POST", dear+"/reprice", `{"exercisePrice":"0.1","date":"2026-02-01"}`, http.StatusOK)
}

// rightsStory is the part of the story about convertibles and warrants.
func rightsStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
	note := f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)
	f.Must(t, "GET", note, "", http.StatusOK)
	f.Must(t, "GET", f.Home+"/holding", "", http.StatusOK)
	f.Must(t, "PATCH", note, `{"maturityDate":"2028-01-01"}`, http.StatusOK)
	f.Must(t, "PUT", note, correctionBody(ada, apitest.NoteTerms), http.StatusOK)
	f.Must(t, "POST", note+"/accept", `{"date":"2026-01-02"}`, http.StatusOK)
	f.Must(t, "POST", note+"/repay", `{"amount":"5","date":"2026-01-10"}`, http.StatusOK)
	f.Must(t, "POST", note+"/transfer", `{"to":{"entity":"`+bob+`"},"date":"2026-01-11","kind":"gift"}`, http.StatusCreated)
	f.Must(
		t, "POST", f.IssueHolding(t, "safe", ada, apitest.SafeTerms)+"/cancel", `{"date":"2026-01-11","reason":"Waived."}`, http.StatusOK,
	)
	f.Must(t, "DELETE", f.IssueHolding(t, "warrant", ada, apitest.WarrantTerms), `{"reason":"Twice."}`, http.StatusOK)
	f.Must(t, "POST", f.IssueHolding(t, "warrant", ada, apitest.WarrantTerms+`,"security":"`+f.Common+`"`)+"/exercise", `{"quantity":"5","date":"2026-03-01","payment":"cash"}`, http.StatusCreated)
	f.Must(t, "POST", f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)+"/convert", `{"security":"`+f.Common+`","date":"2026-03-01","pricePerShare":"2"}`, http.StatusCreated)
}

package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// described is a description of a company by its founder Ada, with the address ada@example.com.
const described = `Analytical Engines Inc. is a Delaware corporation with 10,000,000 authorized shares. ` +
	`Ada Lovelace (ada@example.com) holds 4,500,000 shares and Charles Babbage (charles@example.com) holds 3,000,000 shares, vesting over 4 years with a one-year cliff. ` +
	`The option pool has 1,500,000 shares. Seed Ventures invested $500,000 on a SAFE with an $8M cap.`

// describeCompany begins an onboarding, and returns its id.
func describeCompany(tb testing.TB, c *apitest.Client, email, prompt string) string {
	tb.Helper()
	body, err := json.Marshal(map[string]string{"email": email, "initialPrompt": prompt})
	if err != nil {
		tb.Fatal(err)
	}
	return c.Must(tb, "POST", "/v1/agent/onboarding/create", string(body), http.StatusCreated).Text(tb, "onboardingId")
}

// linkHolders assigns an onboarding to the client.
func linkHolders(tb testing.TB, c *apitest.Client, id string) {
	tb.Helper()
	c.Must(tb, "POST", "/v1/agent/onboarding/link", `{"onboardingId":"`+id+`"}`, http.StatusOK)
}

// plannedItems returns the items of a plan by their kinds.
func plannedItems(tb testing.TB, c *apitest.Client, id string) map[string][]any {
	tb.Helper()
	items := map[string][]any{}
	for _, item := range c.Must(tb, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).List(tb, "items") {
		items[apitest.Field(item, "kind")] = append(items[apitest.Field(item, "kind")], item)
	}
	return items
}

// onboardingStory uses every operation of onboarding.
func onboardingStory(tb testing.TB, f *apitest.Firm) {
	tb.Helper()
	ada := f.NewPerson(tb, "ada.onboards@example.com")
	id := describeCompany(tb, f.Anonymous(), ada.User.Email, "Analytical Engines Inc. was founded by Ada Lovelace and Charles Babbage.")
	at, reference := "/v1/agent/onboarding/", `{"onboardingId":"`+id+`"}`
	f.Anonymous().Must(tb, "GET", at+id, "", http.StatusOK)
	f.Anonymous().Must(tb, "GET", at+"analysis-status/"+id, "", http.StatusOK)
	ada.Must(tb, "GET", at+"first-login", "", http.StatusOK)
	linkHolders(tb, ada, id)
	ada.Must(tb, "POST", at+"analyze", reference, http.StatusOK)
	file, kind := spreadsheet(tb, "holders.csv", "holder,shares\nCharles Babbage,1000\nAda Onboards,9000\n")
	ada.Must(tb, "POST", at+"attachment/"+id, file, http.StatusOK, "Content-Type", kind)
	ada.Must(tb, "POST", at+"build", reference, http.StatusConflict)
	for _, question := range ada.Must(tb, "GET", at+"questions/"+id, "", http.StatusOK).List(tb, "data") {
		answer := map[string]string{"choice": "Ada Onboards", "text": "Analytical Engines"}[apitest.Field(question, "kind")]
		ada.Must(tb, "POST", at+"clarify", `{"onboardingId":"`+id+`","questionId":"`+apitest.Field(question, "questionId")+`","answer":"`+answer+`"}`, http.StatusOK)
	}
	item := apitest.Field(plannedItems(tb, ada, id)["security"][0], "itemId")
	ada.Must(tb, "POST", at+"correct", `{"onboardingId":"`+id+`","itemId":"`+item+`","fieldPath":"/name","newValue":"Class A"}`, http.StatusOK)
	added := ada.Must(tb, "POST", at+"add", `{"onboardingId":"`+id+`","kind":"member","fields":{"fullName":"Mary Shelley","kind":"individual"}}`, http.StatusOK)
	ada.Must(tb, "POST", at+"remove", `{"onboardingId":"`+id+`","itemId":"`+added.Text(tb, "itemId")+`"}`, http.StatusOK)
	ada.Must(tb, "POST", at+"build", reference, http.StatusOK)
	ada.Must(tb, "POST", at+"setup", reference, http.StatusOK)
	ada.Must(tb, "POST", at+"complete", reference, http.StatusOK)
}

func TestDescriptionBecomesACompany(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, b.Anonymous(), "Ada@example.com", described)
	if got := b.Anonymous().Must(
		t, "GET", "/v1/agent/onboarding/"+id, "", http.StatusOK,
	); got.Text(t, "status") != "analyzed" || got.Text(t, "email") != "a***@example.com" {
		t.Error(got.Body)
	}
	plan := b.Anonymous().Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK)
	if got := plan.Get(t, "totals"); apitest.Field(got, "authorized") != "10000000" || apitest.Field(got, "issued") != "7500000" || apitest.Field(got, "fullyDiluted") != "9000000" {
		t.Error(got)
	}
	linkHolders(t, ada, id)
	built := ada.Must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK).Get(t, "setupResult")
	if failed := asList(built, "failed"); len(failed) > 0 {
		t.Fatal(failed)
	}
	home := "/v1/organization/" + apitest.Field(built, "organization")
	if all := ada.Must(t, "GET", home+"/journal", "", http.StatusOK).Body; strings.Count(all, `"origin":"onboarding"`) != strings.Count(all, `"sequence":`) {
		t.Error(all)
	}
	board := ada.Must(t, "GET", "/v1/captable/"+apitest.Field(built, "organization")+"/dashboard", "", http.StatusOK)
	totals := board.Get(t, "totals")
	if apitest.Field(totals, "outstanding") != "7500000" || apitest.Field(totals, "authorized") != "10000000" || apitest.Field(totals, "fullyDiluted") != "9000000" {
		t.Errorf("the totals are %v", totals)
	}
	profile := ada.Must(t, "GET", home, "", http.StatusOK)
	if profile.Text(t, "legalName") != "Analytical Engines Inc." || profile.Text(t, "jurisdiction") != "US-DE" {
		t.Error(profile.Body)
	}
	var holders []string
	for _, one := range ada.Must(t, "GET", home+"/shareholding", "", http.StatusOK).List(t, "data") {
		holders = append(holders, apitest.Field(one, "shares"))
	}
	if got := strings.Join(holders, " "); got != "4500000 3000000" && got != "3000000 4500000" {
		t.Error(got)
	}
	if found := ada.Must(t, "GET", "/v1/agent/onboarding/first-login", "", http.StatusOK); !strings.Contains(found.Body, `"isFirstLogin":true`) || found.Text(t, "onboardingId") != id {
		t.Error(found.Body)
	}
	ada.Must(t, "POST", "/v1/agent/onboarding/complete", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	if found := ada.Must(t, "GET", "/v1/agent/onboarding/first-login", "", http.StatusOK); !strings.Contains(found.Body, `"isFirstLogin":false`) {
		t.Error(found.Body)
	}
}

func TestRepeatedBuildCreatesNoRecordTwice(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", described)
	linkHolders(t, ada, id)
	done := make(chan string)
	for range 4 {
		other := ada.Copy()
		go func() {
			done <- other.Send(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`).Body
		}()
	}
	for range 4 {
		<-done
	}
	first := ada.Must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	home := "/v1/organization/" + apitest.Field(first.Get(t, "setupResult"), "organization")
	if got := ada.Must(t, "GET", "/v1/organization", "", http.StatusOK).List(t, "data"); len(got) != 1 {
		t.Errorf("%d organizations", len(got))
	}
	before := ada.Must(t, "GET", home+"/journal", "", http.StatusOK).Body
	if again := ada.Must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK); again.Body != first.Body {
		t.Error(again.Body)
	}
	if after := ada.Must(t, "GET", home+"/journal", "", http.StatusOK).Body; after != before {
		t.Error("the second build changed the journal")
	}
}

func TestLinkedOnboardingIsHiddenFromOthers(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, eve := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
	id := describeCompany(t, b.Anonymous(), "ada@example.com", described)
	reference := `{"onboardingId":"` + id + `"}`
	eve.Must(t, "POST", "/v1/agent/onboarding/link", reference, http.StatusForbidden)
	linkHolders(t, ada, id)
	if got := eve.Must(t, "POST", "/v1/agent/onboarding/link", reference, http.StatusConflict); !strings.Contains(got.Body, "alreadyLinked") {
		t.Error(got.Body)
	}
	for _, stranger := range []*apitest.Client{eve, b.Anonymous()} {
		for _, path := range []string{"", "analysis-status/", "questions/", "showcase/"} {
			stranger.Must(t, "GET", "/v1/agent/onboarding/"+path+id, "", http.StatusNotFound)
		}
	}
	for operation, body := range map[string]string{
		"analyze": reference, "build": reference, "setup": reference, "complete": reference,
		"clarify": `{"onboardingId":"` + id + `","questionId":"` + id + `","answer":"1"}`,
		"correct": `{"onboardingId":"` + id + `","itemId":"` + id + `","fieldPath":"/name","newValue":"x"}`,
	} {
		eve.Must(t, "POST", "/v1/agent/onboarding/"+operation, body, http.StatusNotFound)
	}
}

func TestOnboardingsAreLimited(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	for i, address := range []string{"a@example.com", "a@example.com", "a@example.com", "b@example.com", "c@example.com"} {
		describeCompany(t, b.Anonymous(), address, "A company named Company "+string(rune('A'+i))+".")
	}
	b.Anonymous().Must(t, "POST", "/v1/agent/onboarding/create", `{"email":"d@example.com","initialPrompt":"A company."}`, http.StatusTooManyRequests)
	b.Clock.Advance(2 * time.Hour)
	b.Anonymous().Must(t, "POST", "/v1/agent/onboarding/create", `{"email":"a@example.com","initialPrompt":"A company."}`, http.StatusTooManyRequests)
	describeCompany(t, b.Anonymous(), "d@example.com", "A company.")
}

func TestCorrectionsAreChecked(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", described)
	linkHolders(t, ada, id)
	item := apitest.Field(plannedItems(t, ada, id)["shareholding"][0], "itemId")
	correct := func(path, value string, status int) apitest.Answer {
		return ada.Must(t, "POST", "/v1/agent/onboarding/correct", `{"onboardingId":"`+id+`","itemId":"`+item+`","fieldPath":"`+path+`","newValue":`+value+`}`, status)
	}
	for _, wrong := range []struct{ path, value, pointer string }{
		{"/shares", `"many"`, "/shares"},
		{"/shares", `12`, "/shares"},
		{"/unknown", `"x"`, "/unknown"},
		{"/shares", `null`, "/shares"},
		{"/shares", `"9000000"`, "/shares"},
		{"/a/b", `"x"`, "/fieldPath"},
		{"shares", `"1"`, "/fieldPath"},
	} {
		if got := correct(wrong.path, wrong.value, http.StatusBadRequest); !strings.Contains(got.Body, `"pointer":"`+wrong.pointer) {
			t.Errorf("%s %s: %s", wrong.path, wrong.value, got.Body)
		}
	}
	if got := correct("/shares", `"4000000"`, http.StatusOK); apitest.Field(got.Get(t, "fields"), "shares") != "4000000" || got.Text(t, "source") != "correction" {
		t.Error(got.Body)
	}
	ada.Must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	correct("/shares", `"1"`, http.StatusConflict)
}

func TestPackageIsImportedByItsBuild(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Issue(t, f.User.Entity.String(), "1000")
	exported := f.Must(t, "GET", f.Home+"/captable?format=ocf", "", http.StatusOK).Body
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", "My company.")
	linkHolders(t, ada, id)
	body, kind := spreadsheet(t, "company.zip", exported)
	ada.Must(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, http.StatusOK, "Content-Type", kind)
	ada.Must(t, "POST", "/v1/agent/onboarding/analyze", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	built := ada.Must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK).Get(t, "setupResult")
	if failed := asList(built, "failed"); len(failed) > 0 {
		t.Fatal(failed)
	}
	imported := ada.Must(
		t, "GET",
		"/v1/organization/"+apitest.Field(built, "organization")+"/journal?origin=onboarding&type=shareholdingIssued", "", http.StatusOK,
	)
	if len(imported.List(t, "data")) != 1 {
		t.Error(imported.Body)
	}
	totals := ada.Must(t, "GET", "/v1/captable/"+apitest.Field(built, "organization")+"/dashboard", "", http.StatusOK).Get(t, "totals")
	if apitest.Field(totals, "outstanding") != "1000" {
		t.Error(totals)
	}
}

func TestSpreadsheetCompletesTheDescription(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", "Sheet Corp., a Delaware corporation, founded by Grace and Alan 50/50.")
	linkHolders(t, ada, id)
	attach := func(rows string) []string {
		body, kind := spreadsheet(t, "register.csv", "holder,security,shares\n"+rows)
		ada.Must(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, http.StatusOK, "Content-Type", kind)
		var titles []string
		for _, item := range asList(ada.Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).Get(t), "items") {
			titles = append(titles, apitest.Field(item, "title"))
		}
		return titles
	}
	attach("Charles,Common,5\n")
	want := []string{"Sheet", "Common, 10,000,000 shares", "Grace", "Alan", "Mary", "7 shares of Common for Mary"}
	got := attach("Mary,Common,7\n")
	for _, title := range want {
		if !slices.ContainsFunc(got, func(shown string) bool { return strings.HasPrefix(shown, title) }) {
			t.Errorf("%q is missing in %q", title, got)
		}
	}
	if all := strings.Join(got, "; "); strings.Contains(all, "Charles") || strings.Contains(all, "Common Stock") {
		t.Error(all)
	}
}

func asList(record any, name string) []any {
	fields, _ := record.(map[string]any)
	list, _ := fields[name].([]any)
	return list
}

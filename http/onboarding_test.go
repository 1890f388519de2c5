package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// described is a description of a company by its founder Ada, with the address ada@example.com.
const described = `Analytical Engines Inc. is a Delaware corporation with 10,000,000 authorized shares. ` +
	`Ada Lovelace (ada@example.com) holds 4,500,000 shares and Charles Babbage (charles@example.com) holds 3,000,000 shares, vesting over 4 years with a one-year cliff. ` +
	`The option pool has 1,500,000 shares. Seed Ventures invested $500,000 on a SAFE with an $8M cap.`

// describes begins an onboarding, and returns its id.
func (c *client) describes(tb testing.TB, email, prompt string) string {
	tb.Helper()
	body, err := json.Marshal(map[string]string{"email": email, "initialPrompt": prompt})
	if err != nil {
		tb.Fatal(err)
	}
	return c.must(tb, "POST", "/v1/agent/onboarding/create", string(body), http.StatusCreated).text(tb, "onboardingId")
}

// links assigns an onboarding to the client.
func (c *client) links(tb testing.TB, id string) {
	tb.Helper()
	c.must(tb, "POST", "/v1/agent/onboarding/link", `{"onboardingId":"`+id+`"}`, http.StatusOK)
}

// plan returns the items of a plan by their kinds.
func (c *client) planned(tb testing.TB, id string) map[string][]any {
	tb.Helper()
	items := map[string][]any{}
	for _, item := range c.must(tb, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).list(tb, "items") {
		items[field(item, "kind")] = append(items[field(item, "kind")], item)
	}
	return items
}

// onboards uses every operation of onboarding.
func (f *firm) onboards(tb testing.TB) {
	tb.Helper()
	ada := f.person(tb, "ada.onboards@example.com")
	id := f.anonymous().describes(tb, ada.user.Email, "Analytical Engines Inc. was founded by Ada Lovelace and Charles Babbage.")
	at, reference := "/v1/agent/onboarding/", `{"onboardingId":"`+id+`"}`
	f.anonymous().must(tb, "GET", at+id, "", http.StatusOK)
	f.anonymous().must(tb, "GET", at+"analysis-status/"+id, "", http.StatusOK)
	ada.must(tb, "GET", at+"first-login", "", http.StatusOK)
	ada.links(tb, id)
	ada.must(tb, "POST", at+"analyze", reference, http.StatusOK)
	file, kind := spreadsheet(tb, "holders.csv", "holder,shares\nCharles Babbage,1000\nAda Onboards,9000\n")
	ada.must(tb, "POST", at+"attachment/"+id, file, http.StatusOK, "Content-Type", kind)
	ada.must(tb, "POST", at+"build", reference, http.StatusConflict)
	for _, question := range ada.must(tb, "GET", at+"questions/"+id, "", http.StatusOK).list(tb, "data") {
		answer := map[string]string{"choice": "Ada Onboards", "text": "Analytical Engines"}[field(question, "kind")]
		ada.must(tb, "POST", at+"clarify", `{"onboardingId":"`+id+`","questionId":"`+field(question, "questionId")+`","answer":"`+answer+`"}`, http.StatusOK)
	}
	item := field(ada.planned(tb, id)["security"][0], "itemId")
	ada.must(tb, "POST", at+"correct", `{"onboardingId":"`+id+`","itemId":"`+item+`","fieldPath":"/name","newValue":"Class A"}`, http.StatusOK)
	added := ada.must(tb, "POST", at+"add", `{"onboardingId":"`+id+`","kind":"member","fields":{"fullName":"Mary Shelley","kind":"individual"}}`, http.StatusOK)
	ada.must(tb, "POST", at+"remove", `{"onboardingId":"`+id+`","itemId":"`+added.text(tb, "itemId")+`"}`, http.StatusOK)
	ada.must(tb, "POST", at+"build", reference, http.StatusOK)
	ada.must(tb, "POST", at+"setup", reference, http.StatusOK)
	ada.must(tb, "POST", at+"complete", reference, http.StatusOK)
}

func TestDescriptionBecomesACompany(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	id := b.anonymous().describes(t, "Ada@example.com", described)
	if got := b.anonymous().must(
		t, "GET", "/v1/agent/onboarding/"+id, "", http.StatusOK,
	); got.text(t, "status") != "analyzed" || got.text(t, "email") != "a***@example.com" {
		t.Error(got.body)
	}
	plan := b.anonymous().must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK)
	if got := plan.get(t, "totals"); field(got, "authorized") != "10000000" || field(got, "issued") != "7500000" || field(got, "fullyDiluted") != "9000000" {
		t.Error(got)
	}
	ada.links(t, id)
	built := ada.must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK).get(t, "setupResult")
	if failed := asList(built, "failed"); len(failed) > 0 {
		t.Fatal(failed)
	}
	home := "/v1/organization/" + field(built, "organization")
	if all := ada.must(t, "GET", home+"/journal", "", http.StatusOK).body; strings.Count(all, `"origin":"onboarding"`) != strings.Count(all, `"sequence":`) {
		t.Error(all)
	}
	board := ada.must(t, "GET", "/v1/captable/"+field(built, "organization")+"/dashboard", "", http.StatusOK)
	totals := board.get(t, "totals")
	if field(totals, "outstanding") != "7500000" || field(totals, "authorized") != "10000000" || field(totals, "fullyDiluted") != "9000000" {
		t.Errorf("the totals are %v", totals)
	}
	profile := ada.must(t, "GET", home, "", http.StatusOK)
	if profile.text(t, "legalName") != "Analytical Engines Inc." || profile.text(t, "jurisdiction") != "US-DE" {
		t.Error(profile.body)
	}
	var holders []string
	for _, one := range ada.must(t, "GET", home+"/shareholding", "", http.StatusOK).list(t, "data") {
		holders = append(holders, field(one, "shares"))
	}
	if got := strings.Join(holders, " "); got != "4500000 3000000" && got != "3000000 4500000" {
		t.Error(got)
	}
	if found := ada.must(t, "GET", "/v1/agent/onboarding/first-login", "", http.StatusOK); !strings.Contains(found.body, `"isFirstLogin":true`) || found.text(t, "onboardingId") != id {
		t.Error(found.body)
	}
	ada.must(t, "POST", "/v1/agent/onboarding/complete", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	if found := ada.must(t, "GET", "/v1/agent/onboarding/first-login", "", http.StatusOK); !strings.Contains(found.body, `"isFirstLogin":false`) {
		t.Error(found.body)
	}
}

func TestRepeatedBuildCreatesNoRecordTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	id := ada.describes(t, "ada@example.com", described)
	ada.links(t, id)
	done := make(chan string)
	for range 4 {
		other := ada.copy()
		go func() {
			done <- other.send(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`).body
		}()
	}
	for range 4 {
		<-done
	}
	first := ada.must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	home := "/v1/organization/" + field(first.get(t, "setupResult"), "organization")
	if got := ada.must(t, "GET", "/v1/organization", "", http.StatusOK).list(t, "data"); len(got) != 1 {
		t.Errorf("%d organizations", len(got))
	}
	before := ada.must(t, "GET", home+"/journal", "", http.StatusOK).body
	if again := ada.must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK); again.body != first.body {
		t.Error(again.body)
	}
	if after := ada.must(t, "GET", home+"/journal", "", http.StatusOK).body; after != before {
		t.Error("the second build changed the journal")
	}
}

func TestLinkedOnboardingIsHiddenFromOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, eve := b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
	id := b.anonymous().describes(t, "ada@example.com", described)
	reference := `{"onboardingId":"` + id + `"}`
	eve.must(t, "POST", "/v1/agent/onboarding/link", reference, http.StatusForbidden)
	ada.links(t, id)
	if got := eve.must(t, "POST", "/v1/agent/onboarding/link", reference, http.StatusConflict); !strings.Contains(got.body, "alreadyLinked") {
		t.Error(got.body)
	}
	for _, stranger := range []*client{eve, b.anonymous()} {
		for _, path := range []string{"", "analysis-status/", "questions/", "showcase/"} {
			stranger.must(t, "GET", "/v1/agent/onboarding/"+path+id, "", http.StatusNotFound)
		}
	}
	for operation, body := range map[string]string{
		"analyze": reference, "build": reference, "setup": reference, "complete": reference,
		"clarify": `{"onboardingId":"` + id + `","questionId":"` + id + `","answer":"1"}`,
		"correct": `{"onboardingId":"` + id + `","itemId":"` + id + `","fieldPath":"/name","newValue":"x"}`,
	} {
		eve.must(t, "POST", "/v1/agent/onboarding/"+operation, body, http.StatusNotFound)
	}
}

func TestOnboardingsAreLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, address := range []string{"a@example.com", "a@example.com", "a@example.com", "b@example.com", "c@example.com"} {
		b.anonymous().describes(t, address, "A company named Company "+string(rune('A'+i))+".")
	}
	b.anonymous().must(t, "POST", "/v1/agent/onboarding/create", `{"email":"d@example.com","initialPrompt":"A company."}`, http.StatusTooManyRequests)
	b.clock.advance(2 * time.Hour)
	b.anonymous().must(t, "POST", "/v1/agent/onboarding/create", `{"email":"a@example.com","initialPrompt":"A company."}`, http.StatusTooManyRequests)
	b.anonymous().describes(t, "d@example.com", "A company.")
}

func TestCorrectionsAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	id := ada.describes(t, "ada@example.com", described)
	ada.links(t, id)
	item := field(ada.planned(t, id)["shareholding"][0], "itemId")
	correct := func(path, value string, status int) answer {
		return ada.must(t, "POST", "/v1/agent/onboarding/correct", `{"onboardingId":"`+id+`","itemId":"`+item+`","fieldPath":"`+path+`","newValue":`+value+`}`, status)
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
		if got := correct(wrong.path, wrong.value, http.StatusBadRequest); !strings.Contains(got.body, `"pointer":"`+wrong.pointer) {
			t.Errorf("%s %s: %s", wrong.path, wrong.value, got.body)
		}
	}
	if got := correct("/shares", `"4000000"`, http.StatusOK); field(got.get(t, "fields"), "shares") != "4000000" || got.text(t, "source") != "correction" {
		t.Error(got.body)
	}
	ada.must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	correct("/shares", `"1"`, http.StatusConflict)
}

func TestPackageIsImportedByItsBuild(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.issue(t, f.user.Entity.String(), "1000")
	exported := f.must(t, "GET", f.home+"/captable?format=ocf", "", http.StatusOK).body
	ada := b.person(t, "ada@example.com")
	id := ada.describes(t, "ada@example.com", "My company.")
	ada.links(t, id)
	body, kind := spreadsheet(t, "company.zip", exported)
	ada.must(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, http.StatusOK, "Content-Type", kind)
	ada.must(t, "POST", "/v1/agent/onboarding/analyze", `{"onboardingId":"`+id+`"}`, http.StatusOK)
	built := ada.must(t, "POST", "/v1/agent/onboarding/build", `{"onboardingId":"`+id+`"}`, http.StatusOK).get(t, "setupResult")
	if failed := asList(built, "failed"); len(failed) > 0 {
		t.Fatal(failed)
	}
	imported := ada.must(
		t, "GET", "/v1/organization/"+field(built, "organization")+"/journal?origin=onboarding&type=shareholdingIssued", "", http.StatusOK,
	)
	if len(imported.list(t, "data")) != 1 {
		t.Error(imported.body)
	}
	totals := ada.must(t, "GET", "/v1/captable/"+field(built, "organization")+"/dashboard", "", http.StatusOK).get(t, "totals")
	if field(totals, "outstanding") != "1000" {
		t.Error(totals)
	}
}

func TestSpreadsheetCompletesTheDescription(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	id := ada.describes(t, "ada@example.com", "Sheet Corp., a Delaware corporation, founded by Grace and Alan 50/50.")
	ada.links(t, id)
	attach := func(rows string) []string {
		body, kind := spreadsheet(t, "register.csv", "holder,security,shares\n"+rows)
		ada.must(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, http.StatusOK, "Content-Type", kind)
		var titles []string
		for _, item := range asList(ada.must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).get(t), "items") {
			titles = append(titles, field(item, "title"))
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

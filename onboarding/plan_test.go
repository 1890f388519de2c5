package onboarding_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/fault"
	"equity/messages"
	"equity/onboarding"
	"equity/sheet"
)

func portion(part, of string) *messages.Portion { return &messages.Portion{Part: part, Of: of} }

func founder(name string) messages.PersonFacts {
	return messages.PersonFacts{Name: name, Relationship: "founder"}
}

func TestPlansOfFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim string
		facts messages.CompanyFacts
		kind  string
		want  string
	}{
		{"thirds sum to the total", messages.CompanyFacts{Shares: "10000000", Stakes: []messages.StakeFacts{
			{Holder: "Ada", Portion: portion("1", "3")}, {Holder: "Grace", Portion: portion("1", "3")}, {Holder: "Mary", Portion: portion("1", "3")},
		}}, "shareholding", "3,333,333 shares of Common Stock for Ada; 3,333,333 shares of Common Stock for Grace; 3,333,334 shares of Common Stock for Mary"},
		{"a pool is a portion of the same total", messages.CompanyFacts{Shares: "1000", Pool: &messages.PoolFacts{Portion: portion("10", "100")}, Stakes: []messages.StakeFacts{
			{Holder: "Ada", Portion: portion("90", "100")},
		}}, "plan", "2026 Equity Incentive Plan, 100 shares"},
		{"units of an LLC", messages.CompanyFacts{Type: "llc", Stakes: []messages.StakeFacts{{Holder: "Ada", Shares: "10"}}}, "security", "Membership Units, 10,000,000 shares"},
		{"authorized shares are at least the planned ones", messages.CompanyFacts{Stakes: []messages.StakeFacts{
			{Holder: "Ada", Shares: "20000000"},
		}}, "security", "Common Stock, 20,000,000 shares"},
		{
			"a class of a stake",
			messages.CompanyFacts{Stakes: []messages.StakeFacts{{Holder: "Seed Fund", Class: "Series Seed", Shares: "5"}}},
			"security", "Common Stock, 10,000,000 shares; Series Seed, 5 shares",
		},
		{
			"a class without its last word",
			messages.CompanyFacts{
				Classes: []messages.ClassFacts{{Name: "Common Stock", Kind: "common", Authorized: "100"}, {Name: "Series A Preferred Stock", Kind: "preferred", Authorized: "50"}},
				Stakes:  []messages.StakeFacts{{Holder: "Grace", Class: "common", Shares: "5"}, {Holder: "Fund", Class: "Series A", Shares: "7"}},
			},
			"security", "Common Stock, 100 shares; Series A Preferred Stock, 50 shares",
		},
		{"the user is no other member", messages.CompanyFacts{People: []messages.PersonFacts{
			{Name: "Ada", Email: "Ada@Example.com", Relationship: "founder"}, {Name: "Grace", Relationship: "advisor"},
		}}, "member", "You, founder; Grace, advisor"},
		{"equal names are one person", messages.CompanyFacts{People: []messages.PersonFacts{{Name: "Grace"}, {Name: "GRACE"}, {Name: ""}}}, "member", "Grace"},
		{"the common stock is the class of the stakes", messages.CompanyFacts{Stakes: []messages.StakeFacts{{Holder: "Grace", Class: "Common", Shares: "5"}}}, "security", "Common, 10,000,000 shares"},
		{"a holder is a person", messages.CompanyFacts{Stakes: []messages.StakeFacts{{Holder: "Grace", Shares: "5"}}}, "member", "Grace"},
		{"malformed numbers are no facts", messages.CompanyFacts{Stakes: []messages.StakeFacts{{Holder: "Ada", Shares: "many"}, {Holder: "Grace", Shares: "-5"}}}, "shareholding", ""},
		{
			"an author without a name",
			messages.CompanyFacts{People: []messages.PersonFacts{{Name: "I", Self: true}}, Stakes: []messages.StakeFacts{{Holder: "I", Shares: "7"}}},
			"shareholding", "7 shares of Common Stock for you",
		},
		{
			"a note without an amount",
			messages.CompanyFacts{Convertibles: []messages.ConvertibleFacts{{Kind: "convertibleNote", Holder: "Fund"}}},
			"convertible", "Convertible note of an open amount for Fund",
		},
		{"folders are unique", messages.CompanyFacts{Folders: []string{"Legal", "legal", "Finance"}}, "folder", "Legal; Finance"},
	} {
		if got := titles(setup(t, facts(test.facts)).analyzed(t), test.kind); got != test.want {
			t.Errorf("%s: %s", test.claim, got)
		}
	}
}

func TestPortionsOfAWholeSumToTheTotal(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	rapid.Check(t, func(r *rapid.T) {
		total := rapid.IntRange(1, 1_000_000_000).Draw(r, "total")
		parts := rapid.SliceOfN(rapid.IntRange(1, 1000), 1, 12).Draw(r, "parts")
		of := 0
		for _, part := range parts {
			of += part
		}
		given := messages.CompanyFacts{Name: "Company", Shares: strconv.Itoa(total)}
		for i, part := range parts {
			given.Stakes = append(given.Stakes, messages.StakeFacts{Holder: "Holder " + strconv.Itoa(i), Portion: portion(strconv.Itoa(part), strconv.Itoa(of))})
		}
		b.serve(t, facts(given))
		totals := onboarding.TotalsOf(b.analyzed(t))
		if totals.Issued.Cmp(exact.NewDecimal(int64(total))) != 0 {
			r.Errorf("%s shares of %d are issued", totals.Issued, total)
		}
	})
}

func TestMissingFactsAreQuestions(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{People: []messages.PersonFacts{founder("Grace Hopper"), founder("Ada Lovelace")}}))
	found := b.analyzed(t)
	if found.Status != messages.OnboardingQuestions || len(found.Questions) != 3 {
		t.Fatalf("%s %+v", found.Status, found.Questions)
	}
	if likely := found.Questions[0].Default; likely == nil || *likely != "Ada Lovelace" {
		t.Errorf("the default person is %v", likely)
	}
	_, err := b.Build(t.Context(), b.id, b.user, false, patience)
	refused(t, err, messages.ErrQuestionsOpen.Code)
	b.answer(t, "Which of these people", "ada lovelace")
	b.answer(t, "name of the company", "  Engines  ")
	found = b.answer(t, "divided", "equal shares")
	if found.Status != messages.OnboardingAnalyzed {
		t.Errorf("%s %+v", found.Status, found.Questions)
	}
	if got := titles(found, "organization") + ": " + titles(found, "shareholding"); got != "Engines: 5,000,000 shares of Common Stock for Grace Hopper; 5,000,000 shares of Common Stock for Ada Lovelace" {
		t.Error(got)
	}
	if item := shareholdingOf(t, found); item.Source != "answer" {
		t.Error(item.Source)
	}
}

func TestAnswersThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{
		Classes:      []messages.ClassFacts{{Name: "Common Stock", Kind: "common", Authorized: "100"}},
		Stakes:       []messages.StakeFacts{{Holder: "Ada", Shares: "200"}},
		People:       []messages.PersonFacts{{Name: "Ada"}, {Name: "Grace"}},
		Convertibles: []messages.ConvertibleFacts{{Kind: "safe", Holder: "Fund"}},
	}))
	found := b.analyzed(t)
	ask := func(text, answer string) error {
		for _, one := range found.Questions {
			if strings.Contains(one.Text, text) {
				_, _, err := b.Answer(t.Context(), b.id, b.user, one.ID, answer)
				return err
			}
		}
		t.Fatalf("no question %q", text)
		return nil
	}
	for _, test := range []struct{ question, answer, code string }{
		{"are authorized", "many", "invalidDecimal"},
		{"are authorized", "-1", "notPositive"},
		{"are authorized", "1.5", "notWhole"},
		{"are authorized", "1.234.567", "invalidDecimal"},
		{"are authorized", "0,125", "invalidDecimal"},
		{"are authorized", "1,5", "invalidDecimal"},
		{"amount", "1 234 567,5", "invalidDecimal"},
		{"amount", "1.234,50", "invalidDecimal"},
		{"amount", "0", "notPositive"},
		{"people", "Eve", "unknownOption"},
		{"name", " ", "required"},
		{"name", strings.Repeat("é", 201), "tooLong"},
	} {
		if err := ask(test.question, test.answer); err == nil || !strings.Contains(encoded(t, err), test.code) {
			t.Errorf("%s %q: %v", test.question, test.answer, err)
		}
	}
	for question, answer := range map[string]string{"are authorized": "1,000", "amount": "$1 000.50", "people": "None of them", "name": strings.Repeat("é", 200)} {
		must(t, ask(question, answer))
	}
	if _, _, err := b.Answer(t.Context(), b.id, b.user, "unknown", "x"); err == nil {
		t.Error("an unknown question is answered")
	}
}

// encoded returns a value as JSON.
func encoded(tb testing.TB, value any) string {
	tb.Helper()
	text, err := json.Marshal(value)
	must(tb, err)
	return string(text)
}

func TestTitleFollowsACorrection(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines", Stakes: []messages.StakeFacts{{Holder: "Grace", Shares: "200"}}, People: []messages.PersonFacts{{Name: "Ada", Self: true}}}))
	item := shareholdingOf(t, b.analyzed(t))
	corrected, err := b.Correct(t.Context(), b.id, b.user, messages.OnboardingCorrection{Item: item.ID, Path: "/shares", Value: json.RawMessage(`"1234567"`)})
	must(t, err)
	if corrected.Title != "1,234,567 shares of Common Stock for Grace" {
		t.Error(corrected.Title)
	}
}

// itemOf returns the item with the title.
func itemOf(tb testing.TB, o messages.Onboarding, title string) messages.PlanItem {
	tb.Helper()
	for _, item := range o.Items {
		if item.Title == title {
			return item
		}
	}
	tb.Fatalf("no item is titled %q", title)
	return messages.PlanItem{}
}

func TestAddedRecordIsBuiltInTheOrderOfItsKind(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines", Stakes: []messages.StakeFacts{{Holder: "Grace", Shares: "200"}}, People: []messages.PersonFacts{{Name: "Ada", Self: true}}}))
	security := itemOf(t, b.analyzed(t), "Common Stock, 10,000,000 shares")
	add := func(id, kind, fields string) messages.PlanItem {
		item, err := b.Add(t.Context(), b.id, b.user, messages.AddedItem{ID: id, Kind: kind, Fields: json.RawMessage(fields)})
		must(t, err)
		return item
	}
	mary := add("mary", "member", `{"fullName":"Mary Shelley","relationship":"boardMember"}`)
	held := add("held", "shareholding", `{"entity":"mary","security":"`+security.ID+`","shares":"1000"}`)
	safe := add("item of the SAFE", "convertible", `{"kind":"safe","entity":"mary","principal":{"amount":"50000","currency":"USD"}}`)
	if got := strings.Join([]string{mary.Title, held.Title, safe.Title}, "; "); got != "Mary Shelley, board member; 1,000 shares of Common Stock for Mary Shelley; SAFE of USD 50,000 for Mary Shelley" {
		t.Error(got)
	}
	if !strings.Contains(string(safe.Fields), `"organization":"`) {
		t.Errorf("the SAFE has no organization: %s", safe.Fields)
	}
	if built := b.built(t); len(built.Failed) > 0 {
		t.Error(built.Failed)
	}
	want := []string{"createOrganization", "createSecurity", "addMember", "addMember", "issueShareholding", "issueShareholding", "createHolding"}
	if got := b.contract.operations(); got != strings.Join(want, " ") {
		t.Error(got)
	}
}

func TestAddedRecordBeyondTheAuthorizedSharesIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines", Classes: []messages.ClassFacts{{Name: "Common Stock", Kind: "common", Authorized: "1000"}}}))
	security := itemOf(t, b.analyzed(t), "Common Stock, 1,000 shares")
	_, err := b.Add(t.Context(), b.id, b.user, messages.AddedItem{ID: "held", Kind: "shareholding", Fields: json.RawMessage(`{"security":"` + security.ID + `","shares":"1001"}`)})
	if err == nil || !strings.Contains(encoded(t, err), "/fields/shares") || !strings.Contains(encoded(t, err), "1,001 shares of Common Stock are planned, but 1,000 are authorized.") {
		t.Error(encoded(t, err))
	}
}

func TestRemovedRecordIsNotBuilt(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines", Stakes: []messages.StakeFacts{{Holder: "Grace", Shares: "200"}}, People: []messages.PersonFacts{{Name: "Ada", Self: true}}}))
	found := b.analyzed(t)
	grace, held := itemOf(t, found, "Grace"), itemOf(t, found, "200 shares of Common Stock for Grace")
	_, err := b.Remove(t.Context(), b.id, b.user, grace.ID)
	refused(t, err, fault.InUse)
	if err == nil || !strings.Contains(err.Error(), "200 shares of Common Stock for Grace") {
		t.Errorf("the refusal names no record: %v", err)
	}
	for _, item := range []messages.PlanItem{held, grace} {
		_, err = b.Remove(t.Context(), b.id, b.user, item.ID)
		must(t, err)
	}
	_, err = b.Remove(t.Context(), b.id, b.user, itemOf(t, found, "Engines").ID)
	refused(t, err, fault.Conflict)
	b.analyzed(t)
	b.built(t)
	if got := b.contract.operations(); got != "createOrganization createSecurity" {
		t.Error(got)
	}
}

func TestQuestionsAboutARemovedRecordEnd(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{
		Name: "Engines", Classes: []messages.ClassFacts{{Name: "Common Stock", Kind: "common", Authorized: "100"}},
		People: []messages.PersonFacts{{Name: "Ada", Self: true}}, Stakes: []messages.StakeFacts{{Holder: "Ada", Shares: "200"}},
		Convertibles: []messages.ConvertibleFacts{{Kind: "safe", Holder: "Fund"}},
	}))
	found := b.analyzed(t)
	if len(found.Questions) != 2 {
		t.Fatal(found.Questions)
	}
	for _, title := range []string{"SAFE of an open amount for Fund", "200 shares of Common Stock for Ada"} {
		var err error
		found, err = b.Remove(t.Context(), b.id, b.user, itemOf(t, found, title).ID)
		must(t, err)
	}
	if len(found.Questions) > 0 || found.Status != messages.OnboardingAnalyzed {
		t.Error(found.Status, found.Questions)
	}
}

func TestCorrectionsOutliveAnotherAnalysis(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines", Stakes: []messages.StakeFacts{{Holder: "Grace", Shares: "200"}}, People: []messages.PersonFacts{{Name: "Ada", Self: true}}}))
	item := shareholdingOf(t, b.analyzed(t))
	correct := messages.OnboardingCorrection{Item: item.ID, Path: "/shares", Value: json.RawMessage(`"300"`)}
	_, err := b.Correct(t.Context(), b.id, b.user, correct)
	must(t, err)
	if got := shareholdingOf(t, b.analyzed(t)); !strings.Contains(string(got.Fields), `"shares":"300"`) || got.Source != "correction" {
		t.Errorf("%+v", got)
	}
	found, err := b.Analyze(t.Context(), b.id, b.user, "Another company.", patience)
	must(t, err)
	if got := shareholdingOf(t, found); !strings.Contains(string(got.Fields), `"shares":"200"`) {
		t.Errorf("the correction of another description remains: %+v", got)
	}
}

// tableFacts returns the facts of a CSV file.
func tableFacts(t *testing.T, file string) (messages.CompanyFacts, error) {
	t.Helper()
	registry, err := sheet.NewRegistry()
	must(t, err)
	book, err := sheet.Read([]byte(file), sheet.Options{})
	must(t, err)
	return onboarding.TableFacts(registry.Tables(book, onboarding.QuestionOf(messages.Onboarding{}, exact.MustDate("2026-11-28"))))
}

func TestRowsOfASpreadsheet(t *testing.T) {
	t.Parallel()
	const heading = "Security,Holder Name,E-mail,Quantity,Issue Date,Price per share,Remark\n"
	table, err := tableFacts(t, heading+"Common,Ada,ada@example.com,\"1,000\",2026-01-31,$0.10,x\nCommon,ada,,5,,,\n")
	must(t, err)
	if want := (messages.StakeFacts{Holder: "Ada", Class: "Common", Shares: "1000", Price: "0.1", Date: "2026-01-31"}); table.Stakes[0] != want || len(table.Stakes) != 2 || len(table.People) != 1 {
		t.Errorf("%+v", table)
	}
	if len(table.Remarks) != 1 || table.Remarks[0].Code != "columnIgnored" {
		t.Errorf("%+v", table.Remarks)
	}
	_, err = tableFacts(t, heading+"Common,,,1000,2026-02-30,free,\nCommon,Ada,,-1,,5 EUR,\nCommon,Ada,,1.000,,,\n")
	for _, pointer := range []string{"/rows/2/holder", "/rows/2/issueDate", "/rows/2/pricePerShare", "/rows/3/shares", "otherCurrency", "ambiguousNumber", "1 or 1000"} {
		if err == nil || !strings.Contains(encoded(t, err), pointer) {
			t.Errorf("%s is missing in %v", pointer, err)
		}
	}
	if _, err = tableFacts(t, "Holder,Shares\n"); err == nil || !strings.Contains(encoded(t, err), "/file") {
		t.Errorf("without rows: %v", err)
	}
}

func TestTotalsAndPoolsOfASpreadsheetAreNoHolders(t *testing.T) {
	t.Parallel()
	table, err := tableFacts(t, "Shareholder,Shares,Ownership %\nA. Founder,6000,60%\nB. Founder,4000,40%\nOption pool,500,\nTotal,10500,\n")
	must(t, err)
	if len(table.Stakes) != 2 || len(table.People) != 2 || table.Pool == nil || table.Pool.Shares != "500" || len(table.Remarks) != 3 {
		t.Errorf("%+v", table)
	}
}

func TestTotalOfADescriptionIsNoHolder(t *testing.T) {
	t.Parallel()
	found := setup(t, facts(messages.CompanyFacts{
		Name:   "Engines",
		People: []messages.PersonFacts{{Name: "Ada"}, {Name: "Grand Total"}},
		Stakes: []messages.StakeFacts{{Holder: "Ada", Shares: "6"}, {Holder: "Grace", Shares: "4"}, {Holder: "Sum", Shares: "10"}, {Holder: "Total shares", Shares: "10"}},
	})).analyzed(t)
	if got := titles(found, "shareholding"); got != "6 shares of Common Stock for Ada; 4 shares of Common Stock for Grace" {
		t.Error(got)
	}
	if got := strings.Join(found.Questions[0].Options, ", "); got != "Ada, Grace, None of them" {
		t.Error(got)
	}
}

func TestQuestionsTakeNoTotalRowForAPerson(t *testing.T) {
	t.Parallel()
	table, err := tableFacts(t, "Holder,Shares,Issue Date,E-mail\nAda,6000,2024-01-15,ada.l@example.com\nGrace,4000,2024-01-15,\nTotal,9000,2024-01-15,\n")
	must(t, err)
	b := setup(t, facts(messages.CompanyFacts{Name: "Engines"}))
	b.analyzed(t)
	found, err := b.Attach(t.Context(), b.id, b.user, messages.OnboardingFile{}, table)
	must(t, err)
	if got := strings.Join(found.Questions[0].Options, ", "); got != "Ada, Grace, None of them" {
		t.Error(got)
	}
}

func TestKindsOfPersonsAreNoClasses(t *testing.T) {
	t.Parallel()
	table, err := tableFacts(t, "Name,Type,Shares\nA Person,Individual,12500\nB Fund,Institution,500\n")
	must(t, err)
	if table.Stakes[0].Class != "" || table.Stakes[1].Shares != "500" {
		t.Errorf("%+v", table)
	}
	if table, err = tableFacts(t, "Name,Type,Shares\nA,Common,1\nB,Series A,5\n"); err != nil || table.Stakes[1].Class != "Series A" {
		t.Errorf("%+v %v", table, err)
	}
	if _, err = tableFacts(t, "Name,Type,Shares\nA,Gold,1\n"); err == nil || !strings.Contains(encoded(t, err), "columnByValues") {
		t.Errorf("%v", err)
	}
}

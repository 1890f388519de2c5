package http_test

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// knownContacts is an identity provider where everybody has two contacts.
type knownContacts struct{ acceptingProvider }

func (knownContacts) Contacts(context.Context, string) ([]messages.Contact, error) {
	return []messages.Contact{{Name: "Grace", Email: "grace@example.com"}, {Name: "Charles", Email: "charles@example.com"}}, nil
}

// wholeList is a list of a caller that is answered as a whole without a limit.
type wholeList struct {
	as   *apitest.Client
	path string
}

// wholeLists returns the lists by operation, each with two or more records.
func wholeLists(t *testing.T, f *apitest.Firm) map[string]wholeList {
	t.Helper()
	own := func(path string) wholeList { return wholeList{f.Client, path} }
	onboarding := describeCompany(
		t, f.Anonymous(), "new@example.com", "Analytical Engines Inc. was founded by Ada Lovelace and Charles Babbage.",
	)
	listBelongings(t, f)
	listIntegrated(t, f)
	document := f.Home + "/document/" + listShared(t, f)
	lists := map[string]wholeList{
		"listAgentSteps": own("/v1/agent/step"), "listAgentTools": own(f.Home + "/agent/tools"),
		"listAgentConversations": own(f.Home + "/agent/conversation"), "listBillingProducts": own("/v1/billing/product"),
		"listDocumentVersions": own(document + "/version"), "listShares": own(document + "/share"),
		"listHookTokens": own(f.Home + "/hook-token"), "listWaitingClaims": {newClaimant(t, f), "/v1/invitation/waiting"},
		"listOnboardingQuestions": {f.Anonymous(), "/v1/agent/onboarding/questions/" + onboarding},
		"listSessions":            own("/v1/user/session"), "listIncentiveDocuments": own("/v1/incentive/documents"),
		"listCards":       own("/v1/card"),
		"listInvitations": own("/v1/invitation"), "listExternalContacts": {newContact(t, f), "/v1/external-contacts"},
		"listTokens": own("/v1/user/token"), "listWallets": own("/v1/entity/" + f.User.Entity.String() + "/wallet"),
		"listIntegrations": own(f.Home + "/integration"), "listRoles": own(f.Home + "/role"),
	}
	for _, room := range rooms() {
		if room.Lists == nil {
			continue
		}
		for operation, path := range room.Lists(t, f) {
			lists[operation] = own(path)
		}
	}
	return lists
}

// listBelongings creates the records of the user.
func listBelongings(t *testing.T, f *apitest.Firm) {
	t.Helper()
	f.SignInAgain(t, apitest.Password, http.StatusOK)
	for i, name := range []string{"one", "two"} {
		newProgram(t, f.Client, `"read"`)
		f.Must(t, "POST", "/v1/wallet", walletBody(f.User.Entity.String(), "ethereum", []string{onEthereum, onEthereum2}[i]), http.StatusCreated)
		f.Must(t, "POST", "/v1/invitation/send", `{"email":"`+name+`@example.com"}`, http.StatusCreated)
		const company = `{"name":"%s","website":"https://%s.example","contactEmail":"cfo@%s.example"}`
		f.Must(t, "POST", "/v1/referral/company", strings.ReplaceAll(company, "%s", name), http.StatusCreated)
	}
}

// listIntegrated creates two records of each service around the organization.
func listIntegrated(t *testing.T, f *apitest.Firm) {
	t.Helper()
	for _, name := range []string{"One", "Two"} {
		f.Must(t, "POST", f.Home+"/hook-token", `{"name":"`+name+`"}`, http.StatusCreated)
		f.Must(t, "POST", f.Home+"/role", `{"name":"`+name+`","permissions":["viewSelf"]}`, http.StatusCreated)
		proposeStep(t, f, "add a member "+name+" Agent "+strings.ToLower(name)+".agent@example.com")
	}
}

// listShared creates a document with two versions and two shares, and a plan with two documents. It returns the first document.
func listShared(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "first"), "id")
	f.PutDocument(t, f.Home, "Plan.txt", "second", "onConflict", "version")
	for _, name := range []string{"one", "two"} {
		f.Must(t, "POST", f.Home+"/document/"+id+"/share", `{"email":"`+name+`@example.com"}`, http.StatusCreated)
	}
	paper := f.StoreFile(t)
	const documents = `"documents":[{"kind":"plan","file":"%s"},{"kind":"boardApproval","file":"%s"},{"kind":"plan","file":"%s"}]`
	f.NewPlan(t, "2026 Plan", "1000", strings.ReplaceAll(documents, "%s", paper))
	return id
}

// newClaimant returns a person with waiting claims in two organizations.
func newClaimant(t *testing.T, f *apitest.Firm) *apitest.Client {
	t.Helper()
	for _, in := range []*apitest.Firm{f, f.NewFirm(t, "another@example.com")} {
		path, _ := invitedHolder(t, in, "grace@example.com")
		in.Must(t, "PATCH", path, `{"email":"moved@example.com"}`, http.StatusOK)
	}
	return f.NewPerson(t, "moved@example.com")
}

// newContact returns a person whom the identity provider knows.
func newContact(t *testing.T, f *apitest.Firm) *apitest.Client {
	t.Helper()
	c := f.Anonymous()
	c.Must(t, "POST", "/v1/user/idp-auth", `{"token":"x"}`, http.StatusOK)
	return c
}

func TestPagesOfWholeListsJoinToTheWholeList(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Provider = knownContacts{} })
	f := b.NewFirm(t, "owner@example.com")
	lists := wholeLists(t, f)
	other := f.Must(t, "GET", "/v1/user/token?limit=1", "", http.StatusOK).Text(t, "nextCursor")
	for _, item := range b.Contract.Doc.Paths.Map() {
		if item.Get == nil {
			continue
		}
		byKey := func(p *openapi3.ParameterRef) bool { return strings.HasSuffix(p.Ref, "/cursorByKey") }
		if _, known := lists[item.Get.OperationID]; !known && slices.ContainsFunc(item.Get.Parameters, byKey) {
			t.Errorf("%s is missing here", item.Get.OperationID)
		}
	}
	for operation, list := range lists {
		t.Run("the pages of "+operation+" have each record once", func(t *testing.T) {
			t.Parallel()
			as := list.as.Copy() // a client serves one test at a time
			whole := as.Must(t, "GET", list.path, "", http.StatusOK)
			want := whole.List(t, "data")
			if _, more := whole.Get(t, "nextCursor").(string); more || len(want) < 2 {
				t.Fatalf("no whole list of several records: %.500s", whole.Body)
			}
			for _, limit := range []int{1, 2, 200} {
				if got, pages := readPages(t, as, list.path, "data", limit); !reflect.DeepEqual(got, want) || len(pages) != (len(want)+limit-1)/limit {
					t.Errorf("%d pages of %d with %.2000v, want %.2000v", len(pages), limit, got, want)
				}
			}
		})
		t.Run(operation+" refuses wrong limits and cursors", func(t *testing.T) {
			t.Parallel()
			as := list.as.Copy()
			wrong := map[string]string{"limit=0": "limit", "limit=201": "limit", "limit=x": "limit", "cursor=": "cursor"}
			if operation != "listDriveFolders" { // whose cursors are those of the drive
				wrong["cursor=x"], wrong["cursor=AAAA"] = "cursor", "cursor"
				if operation != "listTokens" {
					wrong["cursor="+other] = "cursor"
				}
			}
			for query, name := range wrong {
				got := as.Must(t, "GET", list.path+"?"+query, "", http.StatusBadRequest).FieldErrors(t)
				if pointer, _, _ := strings.Cut(got, " "); pointer != "/query/"+name {
					t.Errorf("%s: %s", query, got)
				}
			}
		})
	}
}

// longLists returns the lists with pages in the store by operation, each with one record more than an answer contains.
func longLists(t *testing.T, f *apitest.Firm) map[string]string {
	t.Helper()
	steps, talks, referrals := persistence.NewSteps(f.DB), persistence.NewConversations(f.DB), persistence.NewReferrals(f.DB)
	step, err := steps.Find(t.Context(), f.User.ID, uuid.MustParse(proposeStep(t, f, "add a member Grace Hopper grace@example.com")))
	if err != nil {
		t.Fatal(err)
	}
	found, err := talks.Find(t.Context(), organization.ID(uuid.MustParse(f.ID)), f.User.ID, step.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	invited := messages.Invitation{User: f.User.ID, SentAt: f.Clock.Now()}
	for n := range api.MostListed + 1 {
		step.ID, found.ID, invited.ID, invited.Email = apitest.NewID(), apitest.NewID(), messages.InvitationID(apitest.NewID()), strconv.Itoa(n)+"@example.com"
		if n%2 == 0 { // some records have the same time
			found.UpdatedAt, invited.SentAt = found.UpdatedAt.Add(time.Second), invited.SentAt.Add(time.Second)
		}
		var stepErr, talkErr, invitedErr error
		if n > 0 { // the first ones are present
			stepErr, talkErr = steps.Add(t.Context(), step), talks.Append(t.Context(), found, true, nil)
		}
		_, _, invitedErr = referrals.Invite(
			t.Context(), messages.Once{}, invited, messages.Mail{ID: apitest.NewID(), To: invited.Email}, time.Hour,
		)
		if err := errors.Join(stepErr, talkErr, invitedErr); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{
		"listAgentSteps": "/v1/agent/step", "listAgentConversations": f.Home + "/agent/conversation", "listInvitations": "/v1/invitation",
	}
}

func TestPagesReachAllRecordsOfLongLists(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		lists := longLists(t, f)
		for _, item := range b.Contract.Doc.Paths.Map() {
			bounded := func(p *openapi3.ParameterRef) bool { return strings.HasSuffix(p.Ref, "/limitOrMost") }
			if item.Get != nil && slices.ContainsFunc(item.Get.Parameters, bounded) && lists[item.Get.OperationID] == "" {
				t.Errorf("%s is missing here", item.Get.OperationID)
			}
		}
		for operation, path := range lists {
			want, pages := readPages(t, f.Client, path, "data", api.MostListed)
			if len(want) != api.MostListed+1 || len(pages) != 2 {
				t.Errorf("%s: %d records on %d pages", operation, len(want), len(pages))
			}
			if got, _ := readPages(t, f.Client, path, "data", 7); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d records on pages of 7, or another order", operation, len(got))
			}
			ids := map[string]bool{}
			for _, one := range want {
				ids[cmp.Or(apitest.Field(one, "id"), apitest.Field(one, "stepId"))] = true
			}
			if len(ids) != len(want) {
				t.Errorf("%s: %d of %d records are different", operation, len(ids), len(want))
			}
			first := f.Must(t, "GET", path, "", http.StatusOK)
			rest := f.Must(t, "GET", path+"?cursor="+first.Text(t, "nextCursor"), "", http.StatusOK).List(t, "data")
			if got := append(first.List(t, "data"), rest...); !reflect.DeepEqual(got, want) || len(rest) != 1 {
				t.Errorf("%s without a limit: %d records, then %d", operation, len(got)-len(rest), len(rest))
			}
		}
		if got := f.Must(t, "GET", "/v1/user/data", "", http.StatusOK).List(t, "invitations"); len(got) != api.MostListed+1 {
			t.Errorf("the download has %d invitations", len(got))
		}
	})
}

// TestEveryListHasPages checks the answers with data, except for the authors, which the caller names.
func TestEveryListHasPages(t *testing.T) {
	t.Parallel()
	for path, item := range apitest.NewContract(t).Doc.Paths.Map() {
		if item.Get == nil || item.Get.Responses.Value("200") == nil {
			continue
		}
		content := item.Get.Responses.Value("200").Value.Content.Get("application/json")
		if content == nil || item.Get.OperationID == "listAuthors" || content.Schema.Value.Properties["data"] == nil {
			continue
		}
		has := func(name string) bool {
			return slices.ContainsFunc(item.Get.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == name })
		}
		if !has("limit") || !has("cursor") || content.Schema.Value.Properties["nextCursor"] == nil {
			t.Errorf("%s (%s) lacks limit, cursor or nextCursor", item.Get.OperationID, path)
		}
	}
}

func TestCursorRemainsValidWhenRecordsChange(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	tokens := []string{}
	for range 3 {
		tokens = append(tokens, newProgram(t, f.Client, `"read"`).id)
		b.Clock.Advance(time.Second)
	}
	cursor := f.Must(t, "GET", "/v1/user/token?limit=1", "", http.StatusOK).Text(t, "nextCursor")
	f.Must(t, "DELETE", "/v1/user/token/"+tokens[0], "", http.StatusNoContent)
	f.Must(t, "DELETE", "/v1/user/token/"+tokens[1], "", http.StatusNoContent)
	want := []string{tokens[2], newProgram(t, f.Client, `"read"`).id}
	got := []string{}
	for _, one := range f.Must(t, "GET", "/v1/user/token?cursor="+cursor, "", http.StatusOK).List(t, "data") {
		got = append(got, apitest.Field(one, "id"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

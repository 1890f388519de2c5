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

	"equity/actors/drive/drivetest"
	equityhttp "equity/http"
	"equity/http/api"
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
	as   *client
	path string
}

// wholeLists returns the lists by operation, each with two or more records.
func (f *firm) wholeLists(t *testing.T) map[string]wholeList {
	t.Helper()
	own := func(path string) wholeList { return wholeList{f.client, path} }
	onboarding := f.anonymous().describes(t, "new@example.com", "Analytical Engines Inc. was founded by Ada Lovelace and Charles Babbage.")
	f.belongings(t)
	f.integrated(t)
	document := f.home + "/document/" + f.shared(t)
	return map[string]wholeList{
		"listAgentSteps": own("/v1/agent/step"), "listAgentTools": own(f.home + "/agent/tools"),
		"listAgentConversations": own(f.home + "/agent/conversation"), "listBillingProducts": own("/v1/billing/product"),
		"listDocumentVersions": own(document + "/version"), "listShares": own(document + "/share"),
		"listHookTokens": own(f.home + "/hook-token"), "listWaitingClaims": {f.claimant(t), "/v1/invitation/waiting"},
		"listOnboardingQuestions": {f.anonymous(), "/v1/agent/onboarding/questions/" + onboarding},
		"listSessions":            own("/v1/user/session"), "listIncentiveDocuments": own("/v1/incentive/documents"),
		"listCards":       own("/v1/card"),
		"listInvitations": own("/v1/invitation"), "listExternalContacts": {f.contactable(t), "/v1/external-contacts"},
		"listTokens": own("/v1/user/token"), "listWallets": own("/v1/entity/" + f.user.Entity.String() + "/wallet"),
		"listWebhooks": own(f.home + "/webhook"), "listIntegrations": own(f.home + "/integration"), "listRoles": own(f.home + "/role"),
		"listDriveFolders": own(f.home + "/cloud-drive/folders"),
	}
}

// belongings creates the records of the user.
func (f *firm) belongings(t *testing.T) {
	t.Helper()
	f.signInAgain(t, password, http.StatusOK)
	for i, name := range []string{"one", "two"} {
		f.program(t, `"read"`)
		f.must(t, "POST", "/v1/wallet", walletBody(f.user.Entity.String(), "ethereum", []string{onEthereum, onEthereum2}[i]), http.StatusCreated)
		f.must(t, "POST", "/v1/invitation/send", `{"email":"`+name+`@example.com"}`, http.StatusCreated)
		const company = `{"name":"%s","website":"https://%s.example","contactEmail":"cfo@%s.example"}`
		f.must(t, "POST", "/v1/referral/company", strings.ReplaceAll(company, "%s", name), http.StatusCreated)
	}
}

// integrated creates two records of each service around the organization.
func (f *firm) integrated(t *testing.T) {
	t.Helper()
	url, _ := receiver(t, http.StatusOK)
	f.connectDrive(t)
	for _, name := range []string{"One", "Two"} {
		f.must(t, "POST", f.home+"/webhook", `{"url":"`+url+`/`+name+`","events":["role.created"]}`, http.StatusCreated)
		f.must(t, "POST", f.home+"/hook-token", `{"name":"`+name+`"}`, http.StatusCreated)
		f.must(t, "POST", f.home+"/role", `{"name":"`+name+`","permissions":["viewSelf"]}`, http.StatusCreated)
		f.drive.Folder(drivetest.Root, name)
		f.proposes(t, "add a member "+name+" Agent "+strings.ToLower(name)+".agent@example.com")
	}
}

// shared creates a document with two versions and two shares, and a plan with two documents. It returns the first document.
func (f *firm) shared(t *testing.T) string {
	t.Helper()
	id := textOf(f.put(t, f.home, "Plan.txt", "first"), "id")
	f.put(t, f.home, "Plan.txt", "second", "onConflict", "version")
	for _, name := range []string{"one", "two"} {
		f.must(t, "POST", f.home+"/document/"+id+"/share", `{"email":"`+name+`@example.com"}`, http.StatusCreated)
	}
	paper := f.filed(t)
	const documents = `"documents":[{"kind":"plan","file":"%s"},{"kind":"boardApproval","file":"%s"},{"kind":"plan","file":"%s"}]`
	f.plan(t, "2026 Plan", "1000", strings.ReplaceAll(documents, "%s", paper))
	return id
}

// claimant returns a person with waiting claims in two organizations.
func (f *firm) claimant(t *testing.T) *client {
	t.Helper()
	for _, in := range []*firm{f, f.firm(t, "another@example.com")} {
		path, _ := in.invitedHolder(t, "grace@example.com")
		in.must(t, "PATCH", path, `{"email":"moved@example.com"}`, http.StatusOK)
	}
	return f.person(t, "moved@example.com")
}

// contactable returns a person whom the identity provider knows.
func (f *firm) contactable(t *testing.T) *client {
	t.Helper()
	c := f.anonymous()
	c.must(t, "POST", "/v1/user/idp-auth", `{"token":"x"}`, http.StatusOK)
	return c
}

func TestPagesOfWholeListsJoinToTheWholeList(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Provider = knownContacts{} })
	f := b.firm(t, "owner@example.com")
	lists := f.wholeLists(t)
	other := f.must(t, "GET", "/v1/user/token?limit=1", "", http.StatusOK).text(t, "nextCursor")
	for _, item := range b.contract.doc.Paths.Map() {
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
			as := list.as.copy() // a client serves one test at a time
			whole := as.must(t, "GET", list.path, "", http.StatusOK)
			want := whole.list(t, "data")
			if _, more := whole.get(t, "nextCursor").(string); more || len(want) < 2 {
				t.Fatalf("no whole list of several records: %.500s", whole.body)
			}
			for _, limit := range []int{1, 2, 200} {
				if got, pages := as.pages(t, list.path, "data", limit); !reflect.DeepEqual(got, want) || len(pages) != (len(want)+limit-1)/limit {
					t.Errorf("%d pages of %d with %.2000v, want %.2000v", len(pages), limit, got, want)
				}
			}
		})
		t.Run(operation+" refuses wrong limits and cursors", func(t *testing.T) {
			t.Parallel()
			as := list.as.copy()
			wrong := map[string]string{"limit=0": "limit", "limit=201": "limit", "limit=x": "limit", "cursor=": "cursor"}
			if operation != "listDriveFolders" { // whose cursors are those of the drive
				wrong["cursor=x"], wrong["cursor=AAAA"] = "cursor", "cursor"
				if operation != "listTokens" {
					wrong["cursor="+other] = "cursor"
				}
			}
			for query, name := range wrong {
				got := as.must(t, "GET", list.path+"?"+query, "", http.StatusBadRequest).fieldErrors(t)
				if pointer, _, _ := strings.Cut(got, " "); pointer != "/query/"+name {
					t.Errorf("%s: %s", query, got)
				}
			}
		})
	}
}

// longLists returns the lists with pages in the store by operation, each with one record more than an answer contains.
func (f *firm) longLists(t *testing.T) map[string]string {
	t.Helper()
	steps, talks, referrals := persistence.NewSteps(f.db), persistence.NewConversations(f.db), persistence.NewReferrals(f.db)
	step, err := steps.Find(t.Context(), f.user.ID, uuid.MustParse(f.proposes(t, "add a member Grace Hopper grace@example.com")))
	if err != nil {
		t.Fatal(err)
	}
	found, err := talks.Find(t.Context(), organization.ID(uuid.MustParse(f.id)), f.user.ID, step.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	invited := messages.Invitation{User: f.user.ID, SentAt: f.clock.Now()}
	for n := range api.MostListed + 1 {
		step.ID, found.ID, invited.ID, invited.Email = newID(), newID(), messages.InvitationID(newID()), strconv.Itoa(n)+"@example.com"
		if n%2 == 0 { // some records have the same time
			found.UpdatedAt, invited.SentAt = found.UpdatedAt.Add(time.Second), invited.SentAt.Add(time.Second)
		}
		var stepErr, talkErr, invitedErr error
		if n > 0 { // the first ones are present
			stepErr, talkErr = steps.Add(t.Context(), step), talks.Append(t.Context(), found, true, nil)
		}
		_, _, invitedErr = referrals.Invite(t.Context(), messages.Once{}, invited, messages.Mail{ID: newID(), To: invited.Email}, time.Hour)
		if err := errors.Join(stepErr, talkErr, invitedErr); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{
		"listAgentSteps": "/v1/agent/step", "listAgentConversations": f.home + "/agent/conversation", "listInvitations": "/v1/invitation",
	}
}

func TestPagesReachAllRecordsOfLongLists(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		lists := f.longLists(t)
		for _, item := range b.contract.doc.Paths.Map() {
			bounded := func(p *openapi3.ParameterRef) bool { return strings.HasSuffix(p.Ref, "/limitOrMost") }
			if item.Get != nil && slices.ContainsFunc(item.Get.Parameters, bounded) && lists[item.Get.OperationID] == "" {
				t.Errorf("%s is missing here", item.Get.OperationID)
			}
		}
		for operation, path := range lists {
			want, pages := f.pages(t, path, "data", api.MostListed)
			if len(want) != api.MostListed+1 || len(pages) != 2 {
				t.Errorf("%s: %d records on %d pages", operation, len(want), len(pages))
			}
			if got, _ := f.pages(t, path, "data", 7); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %d records on pages of 7, or another order", operation, len(got))
			}
			ids := map[string]bool{}
			for _, one := range want {
				ids[cmp.Or(field(one, "id"), field(one, "stepId"))] = true
			}
			if len(ids) != len(want) {
				t.Errorf("%s: %d of %d records are different", operation, len(ids), len(want))
			}
			first := f.must(t, "GET", path, "", http.StatusOK)
			rest := f.must(t, "GET", path+"?cursor="+first.text(t, "nextCursor"), "", http.StatusOK).list(t, "data")
			if got := append(first.list(t, "data"), rest...); !reflect.DeepEqual(got, want) || len(rest) != 1 {
				t.Errorf("%s without a limit: %d records, then %d", operation, len(got)-len(rest), len(rest))
			}
		}
		if got := f.must(t, "GET", "/v1/user/data", "", http.StatusOK).list(t, "invitations"); len(got) != api.MostListed+1 {
			t.Errorf("the download has %d invitations", len(got))
		}
	})
}

// TestEveryListHasPages checks the answers with data, except for the authors, which the caller names.
func TestEveryListHasPages(t *testing.T) {
	t.Parallel()
	for path, item := range newContract(t).doc.Paths.Map() {
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	tokens := []string{}
	for range 3 {
		tokens = append(tokens, f.program(t, `"read"`).id)
		b.clock.advance(time.Second)
	}
	cursor := f.must(t, "GET", "/v1/user/token?limit=1", "", http.StatusOK).text(t, "nextCursor")
	f.must(t, "DELETE", "/v1/user/token/"+tokens[0], "", http.StatusNoContent)
	f.must(t, "DELETE", "/v1/user/token/"+tokens[1], "", http.StatusNoContent)
	want := []string{tokens[2], f.program(t, `"read"`).id}
	got := []string{}
	for _, one := range f.must(t, "GET", "/v1/user/token?cursor="+cursor, "", http.StatusOK).list(t, "data") {
		got = append(got, field(one, "id"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

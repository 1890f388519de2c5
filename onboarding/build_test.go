package onboarding_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/fault"
	"equity/messages"
)

// company has a record of every kind.
func company() messages.CompanyFacts {
	return messages.CompanyFacts{
		Name: "Engines", Type: "corporation", Currency: "USD",
		People: []messages.PersonFacts{{Name: "Ada", Self: true, Relationship: "founder"}, {Name: "Grace"}},
		Stakes: []messages.StakeFacts{{Holder: "Ada", Shares: "60"}, {Holder: "Grace", Shares: "40"}},
		Pool:   &messages.PoolFacts{Shares: "10"}, Vesting: &messages.VestingFacts{Months: 48, CliffMonths: 12},
		Convertibles: []messages.ConvertibleFacts{{Kind: "safe", Holder: "Fund", Amount: "1000", Cap: "5000"}}, Folders: []string{"Legal"},
	}
}

const allOperations = "createOrganization createSecurity createVestingSchedule amendMember addMember " +
	"addMember createPlan issueShareholding " +
	"issueShareholding createHolding createFolder"

func TestBuildReplacesReferencesByRecords(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	found := b.built(t)
	if found.Status != messages.OnboardingBuilt || len(found.Failed) > 0 {
		t.Fatalf("%s %+v", found.Status, found.Failed)
	}
	if got := b.contract.operations(); got != allOperations {
		t.Errorf("operations: %s", got)
	}
	calls := b.contract.calls
	var issued struct {
		Body struct{ Entity, Security, VestingSchedule string }
	}
	must(t, json.Unmarshal([]byte(calls[7].body), &issued))
	if issued.Body.Entity != "self" || issued.Body.Security != calls[1].id || issued.Body.VestingSchedule != calls[2].id {
		t.Errorf("the user's shares: %+v", issued)
	}
	must(t, json.Unmarshal([]byte(calls[8].body), &issued))
	if issued.Body.Entity != "entity of "+calls[4].id {
		t.Errorf("another holder's shares: %+v", issued)
	}
	for _, item := range found.Items {
		for _, one := range calls {
			if strings.Contains(one.body, item.ID) {
				t.Errorf("%s contains the id of an item: %s", one.operation, one.body)
			}
		}
	}
}

func TestBuiltOnboardingIsNotBuiltAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	b.built(t)
	b.built(t)
	if got := b.contract.operations(); got != allOperations {
		t.Errorf("operations: %s", got)
	}
	_, err := b.Analyze(t.Context(), b.id, b.user, "", patience)
	refused(t, err, messages.ErrOnboardingBuilt.Code)
}

// refusing refuses the operation.
func refusing(operation string, result messages.ToolResult) func(string) (messages.ToolResult, bool) {
	return func(called string) (messages.ToolResult, bool) { return result, called == operation }
}

func TestRefusedItemFailsItsDependents(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	body := json.RawMessage(`{"code":"invalid","error":"It is invalid.","errors":[{"pointer":"/name","message":"It is taken."}]}`)
	b.contract.refuse = refusing("createSecurity", messages.ToolResult{Status: http.StatusBadRequest, Body: body})
	found := b.built(t)
	var codes []string
	for _, failed := range found.Failed {
		codes = append(codes, failed.Code)
	}
	if got := strings.Join(codes, " "); got != "invalid"+strings.Repeat(" dependencyFailed", 3) || found.Failed[0].Message != "It is invalid. /name: It is taken." {
		t.Errorf("%+v", found.Failed)
	}
	b.contract.refuse = nil
	if found = b.built(t); len(found.Failed) > 0 || len(found.Created) != len(found.Items) {
		t.Errorf("%+v", found.Failed)
	}
	if got := len(strings.Fields(b.contract.operations())); got != len(strings.Fields(allOperations)) {
		t.Errorf("%d operations", got)
	}
}

func TestRefusedOrganizationEndsTheBuild(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	b.contract.refuse = refusing("createOrganization", messages.ToolResult{Status: http.StatusForbidden, Body: json.RawMessage(`{"code":"limit","error":"The limit is reached."}`)})
	found := b.built(t)
	if found.Status != messages.OnboardingAnalyzed || len(found.Failed) != 1 || found.Failed[0].Code != "limit" || b.contract.operations() != "" {
		t.Errorf("%s %+v", found.Status, found.Failed)
	}
}

func TestUnavailableOperationIsRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	attempts := 0
	b.contract.refuse = func(operation string) (messages.ToolResult, bool) {
		if operation == "createPlan" {
			attempts++
		}
		return messages.UnavailableResult(), operation == "createPlan" && attempts == 1
	}
	if found := b.built(t); found.Status != messages.OnboardingBuilt || len(found.Failed) > 0 || attempts != 2 {
		t.Errorf("%s %+v after %d attempts", found.Status, found.Failed, attempts)
	}
}

func TestInterruptedBuildIsResumed(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	reached := make(chan struct{}, 10)
	b.contract.refuse = func(operation string) (messages.ToolResult, bool) {
		if operation == "createPlan" {
			reached <- struct{}{}
		}
		return messages.UnavailableResult(), operation == "createPlan"
	}
	found, err := b.Build(t.Context(), b.id, b.user, false, 0)
	if err != nil || found.Status != messages.OnboardingBuilding {
		t.Fatalf("%s %v", found.Status, err)
	}
	<-reached
	_, err = b.Build(t.Context(), b.id, b.user, false, 0)
	refused(t, err, messages.ErrOnboardingBusy.Code)
	b.Close()
	b.contract.refuse = nil
	b.serve(t, facts(company()))
	must(t, b.Resume(t.Context()))
	for found.Status == messages.OnboardingBuilding {
		found, err = b.Own(t.Context(), b.id, b.user)
		must(t, err)
		<-time.After(time.Millisecond) // another goroutine builds
	}
	if found.Status != messages.OnboardingBuilt || b.contract.operations() != allOperations {
		t.Errorf("%s %s", found.Status, b.contract.operations())
	}
}

func TestBuildThatLostItsLeaseStops(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	b.analyzed(t)
	reached, proceed := make(chan struct{}), make(chan struct{})
	held := false // guarded by the mutex of the contract
	b.contract.refuse = func(operation string) (messages.ToolResult, bool) {
		if operation == "createPlan" && !held {
			held = true
			close(reached)
			b.contract.mu.Unlock() // for the other build
			<-proceed
			b.contract.mu.Lock()
		}
		return messages.ToolResult{}, false
	}
	_, err := b.Build(t.Context(), b.id, b.user, false, 0)
	must(t, err)
	<-reached
	first := b.Service
	b.advance(time.Hour) // beyond the lease
	b.serve(t, facts(company()))
	if found := b.built(t); found.Status != messages.OnboardingBuilt {
		t.Fatal(found.Status)
	}
	close(proceed)
	first.Close()
	found, err := b.Own(t.Context(), b.id, b.user)
	if err != nil || len(found.Created) != len(found.Items) || found.Status != messages.OnboardingBuilt {
		t.Errorf("%d of %d items have a record, state %s, %v", len(found.Created), len(found.Items), found.Status, err)
	}
}

func TestInterruptedAnalysisIsResumed(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	b := setup(t, reader(func(ctx context.Context) (messages.CompanyFacts, error) {
		close(begun)
		<-ctx.Done()
		return messages.CompanyFacts{}, ctx.Err()
	}))
	_, err := b.Analyze(t.Context(), b.id, b.user, "", 0)
	must(t, err)
	<-begun
	b.Close()
	must(t, b.store.Release(t.Context(), "the next server"))
	b.serve(t, facts(company()))
	must(t, b.Resume(t.Context()))
	for {
		found, err := b.Own(t.Context(), b.id, b.user)
		must(t, err)
		if found.Status == messages.OnboardingAnalyzed {
			return
		}
		<-time.After(time.Millisecond) // another goroutine analyzes
	}
}

func TestFailedAnalysisCanBeRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t, reader(func(context.Context) (messages.CompanyFacts, error) {
		return messages.CompanyFacts{}, context.DeadlineExceeded
	}))
	if found := b.analyzed(t); found.Status != messages.OnboardingFailed {
		t.Fatal(found.Status)
	}
	_, err := b.Build(t.Context(), b.id, b.user, false, patience)
	refused(t, err, messages.ErrNotAnalyzed.Code)
	b.serve(t, facts(company()))
	if found := b.analyzed(t); found.Status != messages.OnboardingAnalyzed {
		t.Error(found.Status)
	}
}

func TestOnboardingWithoutAUserExpires(t *testing.T) {
	t.Parallel()
	b := setup(t, facts(company()))
	account := messages.User{ID: b.user, Email: "ada@example.com", EmailVerifiedAt: b.now}
	unlinked := messages.Onboarding{ID: newID(), Email: "Ada@example.com", Status: messages.OnboardingCreated, ExpiresAt: b.now.Add(time.Hour)}
	_, _, err := b.store.Create(t.Context(), messages.Once{}, unlinked)
	must(t, err)
	unverified := account
	unverified.EmailVerifiedAt = time.Time{}
	_, err = b.Link(t.Context(), unlinked.ID, unverified)
	refused(t, err, fault.Forbidden)
	b.advance(time.Hour)
	_, err = b.Link(t.Context(), unlinked.ID, account)
	refused(t, err, messages.ErrOnboardingExpired.Code)
	if found, err := b.Get(t.Context(), unlinked.ID, b.user); err != nil || found.Status != messages.OnboardingExpired {
		t.Errorf("%s %v", found.Status, err)
	}
}

func TestDescriptionWithTooManyFactsIsNotAnalyzed(t *testing.T) {
	t.Parallel()
	for claim, large := range map[string]messages.CompanyFacts{
		"501 folders":    {Folders: make([]string, 501)},
		"a name of 1 MB": {Name: strings.Repeat("x", 1<<20)},
	} {
		if found := setup(t, facts(large)).analyzed(t); found.Status != messages.OnboardingFailed {
			t.Errorf("%s: %s", claim, found.Status)
		}
	}
}

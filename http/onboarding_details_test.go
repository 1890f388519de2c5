package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// shownItem is an item of a plan with its details.
type shownItem struct {
	ItemID  string
	Kind    string
	Fields  any
	Details []shownDetail
}

// shownPlan returns the items of a plan as the caller sees them.
func shownPlan(t *testing.T, c *apitest.Client, id string) []shownItem {
	t.Helper()
	var plan struct{ Items []shownItem }
	if err := json.Unmarshal([]byte(c.Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).Body), &plan); err != nil {
		t.Fatal(err)
	}
	return plan.Items
}

func (i shownItem) detail(pointer string) shownDetail {
	at := slices.IndexFunc(i.Details, func(one shownDetail) bool { return one.Pointer == pointer })
	if at < 0 {
		return shownDetail{}
	}
	return i.Details[at]
}

func TestPlanOfAnOnboardingShowsEachFieldOfItsItems(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", described)
	linkHolders(t, ada, id)
	var pointers func(at string, value any) []string
	pointers = func(at string, value any) (found []string) {
		switch value := value.(type) {
		case map[string]any:
			for name, part := range value {
				found = append(found, pointers(at+"/"+name, part)...)
			}
			return found
		case []any:
			return nil // lists have a detail for each item
		}
		return []string{at}
	}
	items := shownPlan(t, ada, id)
	for _, item := range items {
		for _, pointer := range pointers("", item.Fields) {
			if item.detail(pointer).Value == "" {
				t.Errorf("%s: %s is not shown", item.Kind, pointer)
			}
		}
	}
	for _, change := range []struct{ kind, pointer, value, mark string }{
		{"organization", "/name", "Difference Engines", ""},
		{"organization", "/currency", "EUR", ""},
		{"security", "/authorizedShares", "10000001", ""},
		{"member", "/fullName", "Eve", "recipient"},
		{"member", "/email", "eve@evil.example", "address"},
		{"shareholding", "/shares", "9", ""},
		{"shareholding", "/issueDate", "2020-01-01", ""},
		{"convertible", "/principal/amount", "9", "money"},
		{"convertible", "/valuationCap", "9", "price"},
	} {
		items := shownPlan(t, ada, id)
		at := slices.IndexFunc(items, func(one shownItem) bool { return one.Kind == change.kind && one.detail(change.pointer).Value != "" })
		if at < 0 {
			t.Errorf("no %s shows %s", change.kind, change.pointer)
			continue
		}
		before := items[at].detail(change.pointer)
		ada.Must(t, "POST", "/v1/agent/onboarding/correct",
			`{"onboardingId":"`+id+`","itemId":"`+items[at].ItemID+`","fieldPath":"`+change.pointer+`","newValue":"`+change.value+`"}`, http.StatusOK)
		if after := shownPlan(t, ada, id)[at].detail(change.pointer); after.Value == before.Value || after.Mark != change.mark {
			t.Errorf("%s of a %s is shown as %+v, before %+v; its mark is %q", change.pointer, change.kind, after, before, change.mark)
		}
	}
}

func TestPlanOfAnOnboardingNamesItsItems(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", described)
	linkHolders(t, ada, id)
	holders := []string{}
	for _, item := range shownPlan(t, ada, id) {
		if item.Kind == "shareholding" {
			holder := item.detail("/entity")
			holders = append(holders, holder.Kind+" "+holder.Name+" "+holder.Mark)
			if security := item.detail("/security"); security.Kind != "security" || security.Name == "" {
				t.Errorf("the security is shown as %+v", security)
			}
		}
	}
	slices.Sort(holders)
	if want := []string{"member Charles Babbage, founder recipient", "member you recipient"}; !slices.Equal(holders, want) {
		t.Errorf("the holders are %q, want %q", holders, want)
	}
}

func TestPlanOfAPackageShowsItsObjects(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", described)
	linkHolders(t, ada, id)
	file, kind := spreadsheet(t, "acme.ocf.zip", validPackage().zip(t))
	ada.Must(t, "POST", "/v1/agent/onboarding/attachment/"+id, file, http.StatusOK, "Content-Type", kind)
	var shown shownImport
	if err := json.Unmarshal([]byte(ada.Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).Body), &shown); err != nil {
		t.Fatal(err)
	}
	if email := shown.find("/STAKEHOLDER/ada/contact_info/emails/0/email_address"); email.Value != `"ada@private.example"` || email.Mark != "address" {
		t.Errorf("the address is shown as %+v", email)
	}
	reference := `{"onboardingId":"` + id + `"}`
	ada.Must(t, "POST", "/v1/agent/onboarding/setup", reference, http.StatusOK)
	ada.Must(t, "POST", "/v1/agent/onboarding/complete", reference, http.StatusOK)
	if left := ada.Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).Body; strings.Contains(left, "ada@private.example") {
		t.Errorf("the completed onboarding contains %s", left)
	}
}

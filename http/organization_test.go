package http_test

import (
	"net/http"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
)

func TestOrganizationIsReadAndPatched(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, guest, auditor := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "auditor@example.com")
	body := `{"name":"Engines","legalName":"Analytical Engines Inc.","currency":"USD","taxId":"12-3456789","address":{"city":"London","country":"GB"}}`
	made := owner.Must(t, "POST", "/v1/organization", body, http.StatusCreated)
	home := made.Header.Get("Location")
	owner.Join(t, home, guest, "Guest")
	owner.Join(t, home, auditor, "Auditor")
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "a member reads the organization", As: auditor, Method: "GET", Path: home, Status: 200,
			Has: []string{`"taxId":"12-3456789"`, `"roles":["Auditor"]`, `"viewCapTable"`}, Lacks: []string{`"editCapTable"`},
		},
		{
			Claim: "a guest sees no private fields", As: guest, Method: "GET", Path: home, Status: 200,
			Has: []string{`"name":"Engines"`, `"permissions":["viewSelf"]`}, Lacks: []string{"taxId", "London"},
		},
		{
			Claim: "an auditor may not patch the organization", As: auditor, Method: "PATCH", Path: home, Body: `{"name":"X"}`, Status: 403,
			Has: []string{`"code":"forbidden"`},
		},
		{Claim: "permission is checked before the body", As: auditor, Method: "PATCH", Path: home, Body: `{"x":`, Status: 403},
		{
			Claim: "a dry run shows the events of a patch", As: owner, Method: "PATCH", Path: home + "?dryRun=true", Body: `{"taxId":null}`, Status: 200,
			Has: []string{`"dryRun":true`, `"organizationChanged"`},
		},
		{Claim: "a dry run changes no field", As: owner, Method: "GET", Path: home, Status: 200, Has: []string{"taxId"}},
		{
			Claim: "a patch is merged", As: owner, Method: "PATCH", Path: home, Body: `{"taxId":null,"address":{"postalCode":"W1"}}`, Status: 200,
			Has: []string{`"city":"London"`, `"postalCode":"W1"`}, Lacks: []string{"taxId"},
		},
		{
			Claim: "the merge patch media type is accepted", As: owner, Method: "PATCH", Path: home, Body: `{"subtype":"cCorp"}`, Status: 200,
			Headers: []string{"Content-Type", "application/merge-patch+json"}, Has: []string{`"subtype":"cCorp"`},
		},
		{
			Claim: "an invalid currency is refused", As: owner, Method: "PATCH", Path: home, Body: `{"currency":"usd"}`, Status: 400,
			Has: []string{`"/currency","code":"pattern"`},
		},
		{
			Claim: "a stale patch is refused", As: owner, Method: "PATCH", Path: home, Body: `{"website":"x.example"}`, Status: 412,
			Headers: []string{"If-Match", made.Header.Get("ETag")}, Has: []string{`"code":"stale"`},
		},
		{
			Claim: "an unknown tag is stale", As: owner, Method: "PATCH", Path: home, Body: `{"website":"x.example"}`, Status: 412,
			Headers: []string{"If-Match", `"abc"`},
		},
		{
			Claim: "a malformed tag is refused", As: owner, Method: "PATCH", Path: home, Body: `{"website":"x.example"}`, Status: 400,
			Headers: []string{"If-Match", `abc`}, Has: []string{`"/header/If-Match"`},
		},
		{
			Claim: "If-Match with * accepts any version", As: owner, Method: "PATCH", Path: home, Body: `{"website":"https://a.example"}`, Status: 200,
			Headers: []string{"If-Match", `*`},
		},
	})
	current := owner.Must(t, "GET", home, "", http.StatusOK)
	tag := current.Header.Get("ETag")
	owner.Must(t, "GET", home, "", http.StatusNotModified, "If-None-Match", `"x", W/`+tag)
	guest.Must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
	owner.Must(t, "PATCH", home, `{"website":"https://b.example"}`, http.StatusOK, "If-Match", tag)
	owner.Must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
}

func TestETagOfAnOrganizationIncludesTheFeatures(t *testing.T) {
	t.Parallel()
	var features map[string]bool
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { features = s.Features })
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	tag := owner.Must(t, "GET", home, "", http.StatusOK).Header.Get("ETag")
	owner.Must(t, "GET", home, "", http.StatusNotModified, "If-None-Match", tag)
	features["chat"] = !features["chat"]
	owner.Must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
}

func TestUserListsTheirOrganizationsByName(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, other := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "other@example.com")
	for _, name := range []string{"Beta", "Alpha", "Gamma"} {
		owner.Must(t, "POST", "/v1/organization", `{"name":"`+name+`","currency":"EUR"}`, http.StatusCreated)
	}
	first := owner.Must(t, "GET", "/v1/organization?limit=2", "", http.StatusOK)
	if strings.Count(first.Body, `"id"`) != 2 {
		t.Errorf("%s", first.Body)
	}
	second := owner.Must(t, "GET", "/v1/organization?limit=2&cursor="+first.Text(t, "nextCursor"), "", http.StatusOK)
	if !strings.Contains(second.Body, "Gamma") || second.Get(t, "nextCursor") != nil {
		t.Errorf("%s", second.Body)
	}
	current := owner.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if a, b := strings.Index(current.Body, "Alpha"), strings.Index(current.Body, "Beta"); a < 0 || b < a {
		t.Errorf("not sorted by name: %s", current.Body)
	}
	if got := other.Must(t, "GET", "/v1/organization", "", http.StatusOK); got.Body != `{"data":[]}`+"\n" {
		t.Errorf("organizations of another user: %s", got.Body)
	}
}

func TestIdempotencyKeyBelongsToOneUserAndRequest(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, other := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "other@example.com")
	body := `{"name":"Engines","currency":"USD"}`
	key := []string{"Idempotency-Key", "one"}
	first := owner.Must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	again := owner.Must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	if first.Header.Get("Location") != again.Header.Get("Location") || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("created twice: %v %v", first.Header, again.Header)
	}
	reused := owner.Must(t, "POST", "/v1/organization", strings.Replace(body, "Engines", "X", 1), http.StatusConflict, key...)
	if reused.Text(t, "code") != "idempotencyKeyReused" {
		t.Errorf("%s", reused.Body)
	}
	others := other.Must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	if others.Header.Get("Location") == first.Header.Get("Location") {
		t.Error("another user's key returned the same organization")
	}
	home := first.Header.Get("Location")
	member := `{"fullName":"Charles"}`
	owner.Must(t, "POST", home+"/member", member, http.StatusConflict, key...) // the key was used for another request
	key[1] = "two"
	one := owner.Must(t, "POST", home+"/member", member, http.StatusCreated, key...)
	two := owner.Must(t, "POST", home+"/member", member, http.StatusCreated, key...)
	if one.Text(t, "id") != two.Text(t, "id") {
		t.Error("the member was added twice")
	}
	owner.Must(t, "POST", home+"/member?dryRun=true", member, http.StatusOK, key...)
	owner.Must(t, "POST", home+"/member", member, http.StatusBadRequest, "Idempotency-Key", "with blanks")
	owner.Must(t, "POST", home+"/member", member, http.StatusBadRequest, "Idempotency-Key", strings.Repeat("k", 256))
}

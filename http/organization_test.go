package http_test

import (
	"net/http"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
)

//nolint:tparallel // one scenario builds on another
func TestOrganizationIsReadAndPatched(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest, auditor := b.person(t, "owner@example.com"), b.person(t, "guest@example.com"), b.person(t, "auditor@example.com")
	body := `{"name":"Engines","legalName":"Analytical Engines Inc.","currency":"USD","taxId":"12-3456789","address":{"city":"London","country":"GB"}}`
	made := owner.must(t, "POST", "/v1/organization", body, http.StatusCreated)
	home := made.header.Get("Location")
	owner.join(t, home, guest, "Guest")
	owner.join(t, home, auditor, "Auditor")
	run(t, []scenario{
		{
			claim: "a member reads the organization", as: auditor, method: "GET", path: home, status: 200,
			has: []string{`"taxId":"12-3456789"`, `"roles":["Auditor"]`, `"viewCapTable"`}, lacks: []string{`"editCapTable"`},
		},
		{
			claim: "a guest sees no private fields", as: guest, method: "GET", path: home, status: 200,
			has: []string{`"name":"Engines"`, `"permissions":["viewSelf"]`}, lacks: []string{"taxId", "London"},
		},
		{
			claim: "an auditor may not patch the organization", as: auditor, method: "PATCH", path: home, body: `{"name":"X"}`, status: 403,
			has: []string{`"code":"forbidden"`},
		},
		{claim: "permission is checked before the body", as: auditor, method: "PATCH", path: home, body: `{"x":`, status: 403},
		{
			claim: "a dry run shows the events of a patch", as: owner, method: "PATCH", path: home + "?dryRun=true", body: `{"taxId":null}`, status: 200,
			has: []string{`"dryRun":true`, `"organizationChanged"`},
		},
		{claim: "a dry run changes no field", as: owner, method: "GET", path: home, status: 200, has: []string{"taxId"}},
		{
			claim: "a patch is merged", as: owner, method: "PATCH", path: home, body: `{"taxId":null,"address":{"postalCode":"W1"}}`, status: 200,
			has: []string{`"city":"London"`, `"postalCode":"W1"`}, lacks: []string{"taxId"},
		},
		{
			claim: "the merge patch media type is accepted", as: owner, method: "PATCH", path: home, body: `{"subtype":"cCorp"}`, status: 200,
			headers: []string{"Content-Type", "application/merge-patch+json"}, has: []string{`"subtype":"cCorp"`},
		},
		{
			claim: "an invalid currency is refused", as: owner, method: "PATCH", path: home, body: `{"currency":"usd"}`, status: 400,
			has: []string{`"/currency","code":"pattern"`},
		},
		{
			claim: "a stale patch is refused", as: owner, method: "PATCH", path: home, body: `{"website":"x.example"}`, status: 412,
			headers: []string{"If-Match", made.header.Get("ETag")}, has: []string{`"code":"stale"`},
		},
		{
			claim: "an unknown tag is stale", as: owner, method: "PATCH", path: home, body: `{"website":"x.example"}`, status: 412,
			headers: []string{"If-Match", `"abc"`},
		},
		{
			claim: "a malformed tag is refused", as: owner, method: "PATCH", path: home, body: `{"website":"x.example"}`, status: 400,
			headers: []string{"If-Match", `abc`}, has: []string{`"/header/If-Match"`},
		},
		{
			claim: "If-Match with * accepts any version", as: owner, method: "PATCH", path: home, body: `{"website":"https://a.example"}`, status: 200,
			headers: []string{"If-Match", `*`},
		},
	})
	current := owner.must(t, "GET", home, "", http.StatusOK)
	tag := current.header.Get("ETag")
	owner.must(t, "GET", home, "", http.StatusNotModified, "If-None-Match", `"x", W/`+tag)
	guest.must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
	owner.must(t, "PATCH", home, `{"website":"https://b.example"}`, http.StatusOK, "If-Match", tag)
	owner.must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
}

func TestETagOfAnOrganizationIncludesTheFeatures(t *testing.T) {
	t.Parallel()
	var features map[string]bool
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { features = s.Features })
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	tag := owner.must(t, "GET", home, "", http.StatusOK).header.Get("ETag")
	owner.must(t, "GET", home, "", http.StatusNotModified, "If-None-Match", tag)
	features[api.FeatureChat] = true
	owner.must(t, "GET", home, "", http.StatusOK, "If-None-Match", tag)
}

func TestUserListsTheirOrganizationsByName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, other := b.person(t, "owner@example.com"), b.person(t, "other@example.com")
	for _, name := range []string{"Beta", "Alpha", "Gamma"} {
		owner.must(t, "POST", "/v1/organization", `{"name":"`+name+`","currency":"EUR"}`, http.StatusCreated)
	}
	first := owner.must(t, "GET", "/v1/organization?limit=2", "", http.StatusOK)
	if strings.Count(first.body, `"id"`) != 2 {
		t.Errorf("%s", first.body)
	}
	second := owner.must(t, "GET", "/v1/organization?limit=2&cursor="+first.text(t, "nextCursor"), "", http.StatusOK)
	if !strings.Contains(second.body, "Gamma") || second.get(t, "nextCursor") != nil {
		t.Errorf("%s", second.body)
	}
	current := owner.must(t, "GET", "/v1/user/current", "", http.StatusOK)
	if a, b := strings.Index(current.body, "Alpha"), strings.Index(current.body, "Beta"); a < 0 || b < a {
		t.Errorf("not sorted by name: %s", current.body)
	}
	if got := other.must(t, "GET", "/v1/organization", "", http.StatusOK); got.body != `{"data":[]}`+"\n" {
		t.Errorf("organizations of another user: %s", got.body)
	}
}

func TestIdempotencyKeyBelongsToOneUserAndRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, other := b.person(t, "owner@example.com"), b.person(t, "other@example.com")
	body := `{"name":"Engines","currency":"USD"}`
	key := []string{"Idempotency-Key", "one"}
	first := owner.must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	again := owner.must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	if first.header.Get("Location") != again.header.Get("Location") || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("created twice: %v %v", first.header, again.header)
	}
	reused := owner.must(t, "POST", "/v1/organization", strings.Replace(body, "Engines", "X", 1), http.StatusConflict, key...)
	if reused.text(t, "code") != "idempotencyKeyReused" {
		t.Errorf("%s", reused.body)
	}
	others := other.must(t, "POST", "/v1/organization", body, http.StatusCreated, key...)
	if others.header.Get("Location") == first.header.Get("Location") {
		t.Error("another user's key returned the same organization")
	}
	home := first.header.Get("Location")
	member := `{"fullName":"Charles"}`
	owner.must(t, "POST", home+"/member", member, http.StatusConflict, key...) // the key was used for another request
	key[1] = "two"
	one := owner.must(t, "POST", home+"/member", member, http.StatusCreated, key...)
	two := owner.must(t, "POST", home+"/member", member, http.StatusCreated, key...)
	if one.text(t, "id") != two.text(t, "id") {
		t.Error("the member was added twice")
	}
	owner.must(t, "POST", home+"/member?dryRun=true", member, http.StatusOK, key...)
	owner.must(t, "POST", home+"/member", member, http.StatusBadRequest, "Idempotency-Key", "with blanks")
	owner.must(t, "POST", home+"/member", member, http.StatusBadRequest, "Idempotency-Key", strings.Repeat("k", 256))
}

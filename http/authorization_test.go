package http_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/messages"
	"equity/organization"
)

// caller is one kind of caller, with the relation to the estate.
type caller struct {
	claim string
	*client
	standing
}

// signIn starts another session of the person without a password.
func (b *bundle) signIn(tb testing.TB, c *client, as messages.SignIn) *client {
	tb.Helper()
	as.User = c.user.ID
	w := httptest.NewRecorder()
	if _, err := b.sessions.Create(w, httptest.NewRequest(http.MethodGet, "/", nil), as); err != nil {
		tb.Fatal(err)
	}
	cookie := w.Result().Cookies()[0]
	return &client{bundle: b, user: c.user, cookie: cookie.Name + "=" + cookie.Value}
}

// callers returns every kind of caller: people, and a member for each single permission.
func (e *estate) callers(tb testing.TB) []caller {
	tb.Helper()
	list := e.people(tb)
	for _, permission := range (organization.Permissions(organization.ViewSelf)<<1 - 1).Names() {
		e.must(tb, "POST", e.home+"/role", `{"name":"`+permission+`","permissions":["`+permission+`"]}`, http.StatusCreated)
		person := e.member(tb, permission, permission)
		list = append(
			list,
			caller{"a member with the permission " + permission, person, standing{signedIn: true, member: true, may: []string{permission}}},
		)
	}
	return list
}

// people returns several kinds of strangers, the holder, and a member for each built-in role.
func (e *estate) people(tb testing.TB) []caller {
	tb.Helper()
	stranger := e.person(tb, "stranger@example.com")
	ended := e.signIn(tb, stranger, messages.SignIn{})
	e.must(tb, "GET", "/v1/user/current", "", http.StatusOK)
	ended.copy().must(tb, "POST", "/v1/user/logout", "", http.StatusNoContent)
	admin := e.signIn(tb, e.person(tb, "admin@example.com"), messages.SignIn{SiteAdmin: true})
	confined := e.signIn(tb, e.client, messages.SignIn{MustChangePassword: true})
	list := []caller{
		{"an anonymous caller", e.anonymous(), standing{}},
		{"a caller with an ended session", ended, standing{}},
		{"a stranger", stranger, standing{signedIn: true}},
		{"the owner of another organization", e.firm.bundle.firm(tb, "other@example.com").client, standing{signedIn: true}},
		{"a site administrator", admin, standing{signedIn: true, siteAdmin: true}},
		{"an owner with a temporary password", confined, standing{signedIn: true, mustChange: true, member: true}},
		{"a member without roles", e.member(tb, "roleless"), standing{signedIn: true, member: true, may: []string{"viewOrganization", "viewSelf"}}},
		{"the holder", e.holder, standing{signedIn: true, member: true, may: []string{"viewSelf"}, holds: true}},
	}
	for _, role := range organization.BuiltInRoles() {
		person := e.member(tb, strings.ToLower(role.Name), role.Name)
		list = append(
			list,
			caller{"a member with the role " + role.Name, person, standing{signedIn: true, member: true, may: role.Permissions.Names()}},
		)
	}
	return list
}

// member adds a member with the given roles.
func (e *estate) member(tb testing.TB, name string, roles ...string) *client {
	tb.Helper()
	person := e.person(tb, name+"@members.example.com")
	e.join(tb, e.home, person, roles...)
	return person
}

// ordered lists the operations of the contract. Operations that may end sessions are last.
func (c *contract) ordered() []declared {
	all := c.all()
	slices.SortStableFunc(all, func(a, b declared) int {
		return cmp.Compare(strings.Index(a.permission, "session"), strings.Index(b.permission, "session"))
	})
	return all
}

// TestEveryCallerReceivesTheContractVerdict runs every operation of the contract as every kind
// of caller and compares the outcome with the permissions of the contract and the specification.
func TestEveryCallerReceivesTheContractVerdict(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.estate(t, "zenobia")
	callers := e.callers(t)
	for _, d := range b.contract.ordered() {
		if missing := d.undeclared(); missing != "" {
			t.Fatalf("%s: %s", d.id, missing)
		}
		for _, person := range callers {
			if d.permission == "public" && person.signedIn { // slow password hashing; the session is irrelevant
				continue
			}
			e.checkVerdict(t, &d, &person)
		}
	}
}

// undeclared returns what the operation must declare, so that it can run as every caller; empty if it declares all of it.
func (d *declared) undeclared() string {
	if rights()[d.permission] == nil && !slices.Contains([]string{"public", "session", "gateway"}, d.permission) {
		return "add the permissions that satisfy its x-permission " + d.permission + " to rights()"
	}
	known := append((organization.Permissions(organization.ViewSelf)<<1 - 1).Names(), "", "owner")
	if rights()[d.requires] == nil && !slices.Contains(known, d.requires) {
		return "its x-requires " + d.requires + " is no permission, no guard and not owner"
	}
	for _, p := range d.parameters {
		if p.In == openapi3.ParameterInQuery && p.Required && queryOf(p) == "" {
			return "declare an example of its required parameter " + p.Name
		}
	}
	if d.body == nil {
		return ""
	}
	for kind, media := range d.body.Content {
		if media.Example == nil {
			return "declare an example of its body of the type " + kind
		}
	}
	if !slices.ContainsFunc(bodyTypes(), func(kind string) bool { return d.body.Content[kind] != nil }) {
		return "the matrix sends bodies of the types " + strings.Join(bodyTypes(), ", ")
	}
	return ""
}

func TestOperationWithoutWhatTheMatrixNeedsIsNamed(t *testing.T) {
	t.Parallel()
	body := func(kind string, example any) *openapi3.RequestBody {
		return &openapi3.RequestBody{Content: openapi3.Content{kind: &openapi3.MediaType{Example: example}}}
	}
	text := openapi3.NewStringSchema().NewRef()
	for want, d := range map[string]declared{
		"":                                {permission: "canEditCapTable", body: body("application/json", map[string]any{})},
		"x-permission canFly to rights()": {permission: "canFly"},
		"its x-requires wings":            {permission: "session", requires: "wings"},
		"its required parameter altitude": {
			permission: "session", parameters: []*openapi3.Parameter{{Name: "altitude", In: "query", Required: true, Schema: text}},
		},
		"its body of the type text/csv":    {permission: "session", body: body("text/csv", nil)},
		"the matrix sends bodies of the t": {permission: "session", body: body("image/png", "x")},
	} {
		if got := d.undeclared(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// checkVerdict runs one operation as one caller. An operation that may end sessions uses a new session.
func (e *estate) checkVerdict(t *testing.T, d *declared, person *caller) {
	t.Helper()
	as := person.copy()
	if person.signedIn && d.permission == "session" {
		as = e.signIn(t, person.client, messages.SignIn{SiteAdmin: person.siteAdmin, MustChangePassword: person.mustChange})
	}
	got := e.wish(t, d).as(t, as)
	if want := d.verdict(&person.standing); !want.fits(d, got) {
		t.Errorf("%s at %s (%s): status %d does not fit %s: %s%s", person.claim, d.id, d.permission, got.status, want, got.body, want.hint(got))
	}
}

// fits reports whether the answer matches the verdict. An operation on records of the
// organization must succeed for a permitted caller. An operation open to every signed-in user
// may fail for another reason.
func (v verdict) fits(d *declared, got answer) bool {
	code := func(code string) bool { return strings.Contains(got.body, `"code":"`+code+`"`) }
	switch v {
	case unknown:
		return got.status == http.StatusUnauthorized && code("unauthorized")
	case forbidden:
		return got.status == http.StatusForbidden && code("forbidden")
	case hidden:
		return got.status == http.StatusNotFound && code("resourceNotFound")
	case confined:
		return got.status == http.StatusForbidden && code("mustChangePassword")
	case sessionOnly:
		return got.status == http.StatusForbidden && code("sessionRequired")
	case outOfScope:
		return got.status == http.StatusForbidden && code("scopeMissing")
	case admitted:
	}
	if d.permission == "session" || d.permission == "public" {
		return got.status != http.StatusUnauthorized && got.status < http.StatusInternalServerError && !code("mustChangePassword")
	}
	return got.status < http.StatusMultipleChoices || d.factor && got.status == http.StatusForbidden && code("secondFactorRequired")
}

// String names the verdict.
func (v verdict) String() string {
	return [...]string{"admitted", "unknown", "forbidden", "hidden", "confined", "sessionOnly", "outOfScope"}[v]
}

// hint states the declaration that a new operation requires if its answer does not depend on rights.
func (v verdict) hint(got answer) string {
	switch {
	case v == admitted && (got.status == http.StatusForbidden || got.status == http.StatusNotFound):
		return "\nIf the operation requires more than its x-permission, declare it as x-requires."
	case v == admitted:
		return "\nThe example of the contract must fit the records of estate_test.go: change the example, or add the records."
	}
	return ""
}

package http_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// caller is one kind of caller, with the relation to the estate.
type caller struct {
	claim string
	*apitest.Client
	standing
}

// signInAs starts another session of the person without a password.
func signInAs(tb testing.TB, b *apitest.Server, c *apitest.Client, as messages.SignIn) *apitest.Client {
	tb.Helper()
	as.User = c.User.ID
	w := httptest.NewRecorder()
	if _, err := b.Sessions.Create(w, httptest.NewRequest(http.MethodGet, "/", nil), as); err != nil {
		tb.Fatal(err)
	}
	cookie := w.Result().Cookies()[0]
	return &apitest.Client{Server: b, User: c.User, Cookie: cookie.Name + "=" + cookie.Value}
}

// callers returns every kind of caller: people, and a member for each single permission.
func (e *estate) callers(tb testing.TB) []caller {
	tb.Helper()
	list := e.people(tb)
	for _, permission := range (organization.Permissions(organization.ViewSelf)<<1 - 1).Names() {
		e.Must(tb, "POST", e.Home+"/role", `{"name":"`+permission+`","permissions":["`+permission+`"]}`, http.StatusCreated)
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
	stranger := e.NewPerson(tb, "stranger@example.com")
	ended := signInAs(tb, e.Server, stranger, messages.SignIn{})
	e.Must(tb, "GET", "/v1/user/current", "", http.StatusOK)
	ended.Copy().Must(tb, "POST", "/v1/user/logout", "", http.StatusNoContent)
	admin := signInAs(tb, e.Server, e.NewPerson(tb, "admin@example.com"), messages.SignIn{SiteAdmin: true})
	confined := signInAs(tb, e.Server, e.Client, messages.SignIn{MustChangePassword: true})
	list := []caller{
		{"an anonymous caller", e.Anonymous(), standing{}},
		{"a caller with an ended session", ended, standing{}},
		{"a stranger", stranger, standing{signedIn: true}},
		{"the owner of another organization", e.Firm.Server.NewFirm(tb, "other@example.com").Client, standing{signedIn: true}},
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
func (e *estate) member(tb testing.TB, name string, roles ...string) *apitest.Client {
	tb.Helper()
	person := e.NewPerson(tb, name+"@members.example.com")
	e.Join(tb, e.Home, person, roles...)
	return person
}

// orderedOperations lists the operations of the contract. Operations that may end sessions are last.
func orderedOperations(c *apitest.Contract) []declared {
	all := declaredOperations(c)
	slices.SortStableFunc(all, func(a, b declared) int {
		return cmp.Compare(strings.Index(a.permission, "session"), strings.Index(b.permission, "session"))
	})
	return all
}

// TestEveryCallerReceivesTheContractVerdict runs every operation of the contract as every kind
// of caller and compares the outcome with the permissions of the contract and the specification.
func TestEveryCallerReceivesTheContractVerdict(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	callers := e.callers(t)
	for _, d := range orderedOperations(b.Contract) {
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
	as := person.Copy()
	if person.signedIn && d.permission == "session" {
		as = signInAs(t, e.Server, person.Client, messages.SignIn{SiteAdmin: person.siteAdmin, MustChangePassword: person.mustChange})
	}
	got := e.wish(t, d).as(t, as)
	if want := d.verdict(&person.standing); !want.fits(d, got) {
		t.Errorf("%s at %s (%s): status %d does not fit %s: %s%s", person.claim, d.id, d.permission, got.Status, want, got.Body, want.hint(got))
	}
}

// fits reports whether the answer matches the verdict. An operation on records of the
// organization must succeed for a permitted caller. An operation open to every signed-in user
// may fail for another reason.
func (v verdict) fits(d *declared, got apitest.Answer) bool {
	code := func(code string) bool { return strings.Contains(got.Body, `"code":"`+code+`"`) }
	switch v {
	case unknown:
		return got.Status == http.StatusUnauthorized && code("unauthorized")
	case forbidden:
		return got.Status == http.StatusForbidden && code("forbidden")
	case hidden:
		return got.Status == http.StatusNotFound && code("resourceNotFound")
	case confined:
		return got.Status == http.StatusForbidden && code("mustChangePassword")
	case sessionOnly:
		return got.Status == http.StatusForbidden && code("sessionRequired")
	case outOfScope:
		return got.Status == http.StatusForbidden && code("scopeMissing")
	case admitted:
	}
	if d.permission == "session" || d.permission == "public" {
		return got.Status != http.StatusUnauthorized && got.Status < http.StatusInternalServerError && !code("mustChangePassword")
	}
	return got.Status < http.StatusMultipleChoices || d.factor && got.Status == http.StatusForbidden && code("secondFactorRequired")
}

// String names the verdict.
func (v verdict) String() string {
	return [...]string{"admitted", "unknown", "forbidden", "hidden", "confined", "sessionOnly", "outOfScope"}[v]
}

// hint states the declaration that a new operation requires if its answer does not depend on rights.
func (v verdict) hint(got apitest.Answer) string {
	switch {
	case v == admitted && (got.Status == http.StatusForbidden || got.Status == http.StatusNotFound):
		return "\nIf the operation requires more than its x-permission, declare it as x-requires."
	case v == admitted:
		return "\nThe example of the contract must fit the records of estate_test.go: change the example, or add the records."
	}
	return ""
}

package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"equity/http/apitest"
	"equity/organization"
)

// deputy is a program that acts for a caller.
type deputy struct {
	claim  string
	token  string
	scopes []string
	standing
}

// scopes lists the classes of operations, which are the scopes of tokens.
func scopes() []string { return []string{"read", "write", "destructive"} }

// deputy creates an API token of a caller.
func (e *estate) deputy(tb testing.TB, c *caller, scopes ...string) deputy {
	tb.Helper()
	made := newProgram(tb, c.Copy(), `"`+strings.Join(scopes, `","`)+`"`)
	return deputy{"a token for " + strings.Join(scopes, ", ") + " of " + c.claim, made.token, scopes, c.standing}
}

// deputies returns a token that reads and one of all scopes for each kind of person, and tokens that are older than the roles of their
// users.
func (e *estate) deputies(tb testing.TB) []deputy {
	tb.Helper()
	var list []deputy
	for _, c := range e.people(tb) {
		if c.signedIn && !c.mustChange {
			list = append(list, e.deputy(tb, &c, "read"), e.deputy(tb, &c, scopes()...))
		}
	}
	roles := organization.BuiltInRoles()
	guest := roles[slices.IndexFunc(roles, func(r organization.Role) bool { return r.Name == "Guest" })]
	least := standing{signedIn: true, member: true, may: guest.Permissions.Names()}
	for _, change := range [][2]string{{"Guest", "Owner"}, {"Owner", "Guest"}} {
		person := e.NewPerson(tb, change[0]+"@changed.example.com")
		member := e.Join(tb, e.Home, person, change[0])
		c := caller{"a member with the role " + change[1] + ", formerly " + change[0], person, least}
		list = append(list, e.deputy(tb, &c, scopes()...))
		e.Must(tb, "PATCH", e.Home+"/member/"+member, `{"roles":["`+change[1]+`"]}`, http.StatusOK)
	}
	return list
}

// within returns the verdict for a program with the scopes that acts for the caller.
func (d *declared) within(scopes []string, s *standing) verdict {
	switch {
	case d.permission == "public", d.permission == "gateway":
		return d.verdict(s)
	case d.agent == "":
		return sessionOnly
	case !slices.Contains(scopes, d.agent):
		return outOfScope
	}
	return d.verdict(s)
}

// TestEveryTokenReceivesTheVerdictOfItsUser runs every operation with tokens of every kind of person.
func TestEveryTokenReceivesTheVerdictOfItsUser(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	deputies, client := e.deputies(t), e.Anonymous()
	for _, d := range orderedOperations(b.Contract) {
		if d.permission == "public" { // slow password hashing; the token is irrelevant
			continue
		}
		request := e.wish(t, &d)
		for _, p := range deputies {
			got := request.as(t, client, "Authorization", "Bearer "+p.token)
			if want := d.within(p.scopes, &p.standing); !want.fits(&d, got) {
				t.Errorf("%s at %s (%s): status %d does not fit %s: %s", p.claim, d.id, d.permission, got.Status, want, got.Body)
			}
		}
	}
}

// TestEveryGrantOfOAuthReceivesTheVerdictOfItsUser calls every tool by the Model Context Protocol with grants that read, and with grants that
// also write. A tool of another class is out of their scope. A tool that changes something answers with a preview.
func TestEveryGrantOfOAuthReceivesTheVerdictOfItsUser(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	for _, person := range e.people(t) {
		if !slices.Contains([]string{"a stranger", "the holder", "a member with the role Owner", "a member with the role Guest"}, person.claim) {
			continue
		}
		for _, scopes := range [][]string{{"read"}, {"read", "write"}} {
			e.checkGrant(t, &person, scopes)
		}
	}
}

// checkGrant calls every tool with a grant of the person.
func (e *estate) checkGrant(t *testing.T, person *caller, scopes []string) {
	t.Helper()
	var fields []string
	for _, scope := range scopes[1:] {
		fields = append(fields, "scope", scope)
	}
	access, _ := newOAuthClient(t, person.Copy()).tokens(t, fields...)
	session := connectMCP(t, e.Server, access)
	for _, d := range declaredOperations(e.Contract) {
		if !d.tool || d.permission == "public" {
			continue
		}
		e.Clock.Advance(6 * time.Second) // the pace of writing tools
		called, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: d.id, Arguments: e.arguments(t, &d)})
		if err != nil {
			t.Fatalf("%s: %v", d.id, err)
		}
		text, _ := called.Content[0].(*mcp.TextContent)
		if want := d.within(scopes, &person.standing); !want.fits(&d, toolAnswer(called.IsError, text.Text)) {
			t.Errorf(
				"a grant of %s for %v at %s (%s): %t %s does not fit %s", person.claim, scopes, d.id, d.permission, called.IsError,
				text.Text, want,
			)
		}
	}
}

// toolAnswer returns the answer of an operation for the result of a tool, which has no status.
func toolAnswer(failed bool, body string) apitest.Answer {
	if !failed {
		return apitest.Answer{Status: http.StatusOK, Body: body}
	}
	var refusal struct{ Code string }
	_ = json.Unmarshal([]byte(body), &refusal)
	status := map[string]int{
		"unauthorized": http.StatusUnauthorized, "forbidden": http.StatusForbidden, "scopeMissing": http.StatusForbidden,
		"secondFactorRequired": http.StatusForbidden, "resourceNotFound": http.StatusNotFound,
	}[refusal.Code]
	return apitest.Answer{Status: max(status, http.StatusBadRequest), Body: body}
}

// TestEveryRunOfAHookReadsWithTheVerdictOfItsCreator calls every tool in runs of the operator and of a creator with each built-in role.
func TestEveryRunOfAHookReadsWithTheVerdictOfItsCreator(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	creator := e.NewPerson(t, "creator@example.com")
	member := e.Join(t, e.Home, creator, "Owner")
	token := creator.Must(t, "POST", e.Home+"/hook-token", `{"name":"CI"}`, http.StatusCreated).Text(t, "id")
	for _, role := range organization.BuiltInRoles() {
		e.Must(t, "PATCH", e.Home+"/member/"+member, `{"roles":["`+role.Name+`"]}`, http.StatusOK)
		of := standing{member: true, may: role.Permissions.Names()}
		e.checkRuns(t, token, "a creator with the role "+role.Name, of)
		if role.Name == organization.RoleAuditor {
			e.checkRuns(t, "", "the operator", of)
		}
	}
	e.Must(t, "DELETE", e.Home+"/member/"+member, "", http.StatusOK)
	e.checkRuns(t, token, "a creator who left", standing{})
}

// checkRuns calls every tool in a run of the token. Operations of users outside of the organization require a user.
func (e *estate) checkRuns(t *testing.T, token, claim string, of standing) {
	t.Helper()
	for _, d := range declaredOperations(e.Contract) {
		if !d.tool || d.permission == "public" {
			continue
		}
		arguments, err := json.Marshal(e.arguments(t, &d))
		if err != nil {
			t.Fatal(err)
		}
		e.Clock.Advance(2 * time.Second)
		status, body := readByRun(t, e.Firm, token, d.id, string(arguments))
		of.signedIn = d.permission != "session" && d.permission != "canReadSite"
		want := d.verdict(&of)
		switch {
		case !d.reads:
			want = forbidden
		case d.subject(): // a profile is read by users
			want = hidden
		}
		if !want.fits(&d, apitest.Answer{Status: status, Body: body}) {
			t.Errorf("a run of %s at %s (%s): status %d does not fit %s: %s", claim, d.id, d.permission, status, want, body)
		}
	}
}

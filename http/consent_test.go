package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

// An organization owns the data that it records about a member. It neither learns nor changes
// the person's own account data, including whether an account exists.
func TestAddingAMemberDoesNotRevealTheirAccount(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
		own := "/v1/profile/" + ada.User.Entity.String()
		ada.Must(t, "PATCH", own, `{"phone":"+1 415"}`, http.StatusOK)
		add := func(email string) apitest.Answer {
			return f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada","email":"`+email+`","roles":["Guest"]}`, http.StatusCreated)
		}
		known, unknown := add("ADA@example.com"), add("nobody@example.com")
		for _, got := range []apitest.Answer{known, unknown} {
			if _, revealed := got.Get(t, "user").(string); revealed || got.Text(t, "status") != "registered" {
				t.Errorf("the answer reveals whether the address has an account: %s", got.Body)
			}
		}
		f.Must(t, "GET", own, "", http.StatusNotFound)
		ada.SignInAgain(t, apitest.Password, http.StatusOK).Must(t, "GET", f.Home, "", http.StatusOK) // the sign-in claims the member
		if got := f.Must(t, "GET", known.Header.Get("Location"), "", http.StatusOK); got.Text(t, "status") != "joined" {
			t.Errorf("the member was not claimed: %s", got.Body)
		}
		f.Must(t, "GET", own, "", http.StatusNotFound)
		f.Must(t, "PATCH", own, `{"phone":"666"}`, http.StatusNotFound)
		as := "/v1/profile/" + known.Text(t, "entity")
		f.Must(t, "PATCH", as, `{"website":"https://ada.example"}`, http.StatusOK)
		ada.Must(t, "PATCH", as, `{"website":null}`, http.StatusOK)
		if got := ada.Must(t, "GET", own, "", http.StatusOK); !strings.Contains(got.Body, "+1 415") {
			t.Errorf("%s", got.Body)
		}
	})
}

// An entity claimed by a person belongs to that person in every organization, even after removal.
func TestClaimedEntityKeepsItsPerson(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, ada, eve := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "eve@example.com")
		member := f.Home + "/member/" + f.Join(t, f.Home, ada, "Guest")
		wallets := "/v1/entity/" + ada.Holder + "/wallet"
		ada.Must(t, "POST", "/v1/wallet", walletBody(ada.Holder, "near", "ada.near"), http.StatusCreated)
		ada.Must(t, "PATCH", "/v1/profile/"+ada.Holder, `{"phone":"+1 415"}`, http.StatusOK)
		f.Must(t, "DELETE", member, "", http.StatusOK)
		ada.Must(t, "GET", wallets, "", http.StatusOK)
		enlist := `{"fullName":"Ada","roles":["Guest"],"entity":"` + ada.Holder + `"}`
		f.Must(t, "POST", f.Home+"/member", enlist, http.StatusBadRequest)
		f.Must(t, "POST", f.NewOrganization(t)+"/member", enlist, http.StatusBadRequest)
		f.Must(t, "POST", f.NewOrganization(t)+"/member", strings.Replace(enlist, ada.Holder, f.User.Entity.String(), 1), http.StatusBadRequest)

		f.Invite(t, f.Home, "Guest", "ada@example.com")
		token := b.InvitationAnswer(t, "ada@example.com")
		f.Must(t, "GET", wallets, "", http.StatusNotFound)
		f.Must(t, "GET", "/v1/profile/"+ada.Holder, "", http.StatusNotFound)
		eve.Must(t, "POST", apitest.AcceptPath, token, http.StatusConflict)
		f.Must(t, "PATCH", member, `{"email":"eve@example.com"}`, http.StatusOK)
		f.Invite(t, f.Home, "Guest", "eve@example.com")
		token = b.InvitationAnswer(t, "eve@example.com")
		eve.Must(t, "POST", apitest.AcceptPath, token, http.StatusConflict)
		ada.Must(t, "POST", apitest.AcceptPath, token, http.StatusOK)
		f.Must(t, "GET", "/v1/profile/"+ada.Holder, "", http.StatusOK)

		f.Must(t, "DELETE", member, "", http.StatusOK)
		f.Must(t, "POST", f.Home+"/member", `{"fullName":"Eve","email":"eve@example.com","roles":["Guest"]}`, http.StatusCreated)
		eve.Must(t, "GET", "/v1/user/current", "", http.StatusOK)
		eve.Must(t, "GET", wallets, "", http.StatusNotFound)
		eve.Must(t, "GET", f.Home, "", http.StatusForbidden)
		ada.Must(t, "GET", wallets, "", http.StatusOK)
	})
}

func TestAddedMemberSeesTheOrganizationInTheirList(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
		f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada","email":"ada@example.com","roles":["Guest"]}`, http.StatusCreated)
		again := ada.SignInAgain(t, apitest.Password, http.StatusOK)
		if got := again.Must(t, "GET", "/v1/organization", "", http.StatusOK); !strings.Contains(got.Body, f.ID) {
			t.Errorf("%s", got.Body)
		}
	})
}

func TestConcurrentAdditionsOfOneAddressMakeOneMember(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		made := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada","email":"ada@example.com"}`, http.StatusCreated)
		again := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada II","email":"Ada@example.com"}`, http.StatusConflict)
		if again.Text(t, "details", "member") != made.Text(t, "id") {
			t.Errorf("%s", again.Body)
		}
		f.Must(t, "DELETE", made.Header.Get("Location"), "", http.StatusOK)
		if back := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Ada III","email":"ada@example.com"}`, http.StatusCreated); back.Text(t, "id") != made.Text(t, "id") {
			t.Errorf("%s", back.Body)
		}
		const at = 4
		invite, add := `{"emails":["bob@example.com","joe@example.com"],"roles":["Guest"]}`, `{"fullName":"Bob","email":"BOB@example.com"}`
		rows, kind := spreadsheet(t, "members.csv", "fullName,email\nZoe,zoe@example.com\nBob,bob@example.com\n")
		together := make(chan int)
		for i := range at {
			other := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Other"}`, http.StatusCreated).Header.Get("Location")
			for _, wish := range [][]string{
				{"POST", f.Home + "/member/invite", invite},
				{"POST", f.Home + "/member", add},
				{"PATCH", other, `{"email":"bob@example.com"}`},
				{"POST", "/v1/organization/member/upload?organization=" + f.ID, rows, "Content-Type", kind},
			} {
				one := f.Copy() // not in the goroutine, because the next request of f may change its cookie
				go func() {
					together <- one.Send(t, wish[0], wish[1], wish[2], append(wish[3:], "Idempotency-Key", wish[1]+string(rune('a'+i)))...).Status
				}()
			}
		}
		for range 4 * at {
			if status := <-together; status != http.StatusOK && status != http.StatusCreated && status != http.StatusConflict && status != http.StatusTooManyRequests {
				t.Errorf("%d", status)
			}
		}
		f.Must(t, "POST", f.Home+"/member/invite", invite, http.StatusOK) // without concurrent requests
		list := f.Must(t, "GET", f.Home+"/member", "", http.StatusOK).Body
		for _, email := range []string{"bob@", "joe@", "zoe@"} {
			if n := strings.Count(strings.ToLower(list), email); n != 1 {
				t.Errorf("%s has %d members: %s", email, n, list)
			}
		}
	})
}

// The address of one member cannot be entered for another member of the organization.
func TestAddressBelongsToOneMember(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f, ada := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "ada@example.com")
		joined := f.Home + "/member/" + f.Join(t, f.Home, ada, "Guest")
		f.Must(t, "PATCH", joined, `{"email":"lovelace@example.com"}`, http.StatusOK) // her account keeps its own address
		bob := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Bob","email":"bob@example.com","externalId":"b"}`, http.StatusCreated)
		gone := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Joe","email":"joe@example.com"}`, http.StatusCreated)
		f.Must(t, "DELETE", gone.Header.Get("Location"), "", http.StatusOK)
		at := bob.Header.Get("Location")
		taken := func(claim, method, path, body, member string) apitest.Scenario {
			return apitest.Scenario{Claim: claim, As: f.Client, Method: method, Path: path, Body: body, Status: 409, Has: []string{`"code":"conflict"`, `"member":"` + member}}
		}
		apitest.Run(t, []apitest.Scenario{
			taken("a change to another member's address is refused", "PATCH", joined, `{"email":"BOB@example.com"}`, bob.Text(t, "id")),
			taken("a change to the address of a member's account is refused", "PATCH", at, `{"email":"ada@example.com"}`, strings.TrimPrefix(joined, f.Home+"/member/")),
			taken("a change to the owner's address is refused", "PATCH", at, `{"email":"owner@example.com"}`, ""),
			{Claim: "a member's own address may be entered again", As: f.Client, Method: "PATCH", Path: at, Body: `{"email":"Bob@example.com"}`, Status: 200},
			{Claim: "an address may be removed", As: f.Client, Method: "PATCH", Path: joined, Body: `{"email":null}`, Status: 200},
			{Claim: "the address of a removed member is free", As: f.Client, Method: "PATCH", Path: joined, Body: `{"email":"joe@example.com"}`, Status: 200},
			taken("a removed member cannot return with a reassigned address", "POST", f.Home+"/member", `{"fullName":"Joe","entity":"`+gone.Text(t, "entity")+`"}`, strings.TrimPrefix(joined, f.Home+"/member/")),
			taken("a removed member cannot return with another member's address", "POST", f.Home+"/member", `{"fullName":"Joe","email":"bob@example.com","entity":"`+gone.Text(t, "entity")+`"}`, bob.Text(t, "id")),
			{Claim: "a removed member returns with a new address", As: f.Client, Method: "POST", Path: f.Home + "/member", Body: `{"fullName":"Joe","email":"j@example.com","entity":"` + gone.Text(t, "entity") + `"}`, Status: 201},
		})
		upload := func(file string, status int) string {
			body, kind := spreadsheet(t, "members.csv", file)
			return f.Must(t, "POST", "/v1/organization/member/upload?organization="+f.ID, body, status, "Content-Type", kind).Body
		}
		if got := upload("fullName,email,externalId\nBob,j@example.com,b\n", http.StatusBadRequest); !strings.Contains(got, `"/rows/2/email","code":"duplicate"`) {
			t.Errorf("%s", got)
		}
		if got := upload("fullName,email\nAda,ada@example.com\n", http.StatusCreated); !strings.Contains(got, `"status":"updated","id":"`+strings.TrimPrefix(joined, f.Home+"/member/")) {
			t.Errorf("%s", got)
		}
		f.Must(t, "DELETE", at, "", http.StatusOK)
		if got := upload("fullName,email\nBob,bob@example.com\n", http.StatusCreated); !strings.Contains(got, `"status":"created","id":"`+bob.Text(t, "id")) {
			t.Errorf("the removed member does not return: %s", got)
		}
	})
}

package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// An organization owns the data that it records about a member. It neither learns nor changes
// the person's own account data, including whether an account exists.
func TestAddingAMemberDoesNotRevealTheirAccount(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
		own := "/v1/profile/" + ada.user.Entity.String()
		ada.must(t, "PATCH", own, `{"phone":"+1 415"}`, http.StatusOK)
		add := func(email string) answer {
			return f.must(t, "POST", f.home+"/member", `{"fullName":"Ada","email":"`+email+`","roles":["Guest"]}`, http.StatusCreated)
		}
		known, unknown := add("ADA@example.com"), add("nobody@example.com")
		for _, got := range []answer{known, unknown} {
			if _, revealed := got.get(t, "user").(string); revealed || got.text(t, "status") != "registered" {
				t.Errorf("the answer reveals whether the address has an account: %s", got.body)
			}
		}
		f.must(t, "GET", own, "", http.StatusNotFound)
		ada.signInAgain(t, password, http.StatusOK).must(t, "GET", f.home, "", http.StatusOK) // the sign-in claims the member
		if got := f.must(t, "GET", known.header.Get("Location"), "", http.StatusOK); got.text(t, "status") != "joined" {
			t.Errorf("the member was not claimed: %s", got.body)
		}
		f.must(t, "GET", own, "", http.StatusNotFound)
		f.must(t, "PATCH", own, `{"phone":"666"}`, http.StatusNotFound)
		as := "/v1/profile/" + known.text(t, "entity")
		f.must(t, "PATCH", as, `{"website":"https://ada.example"}`, http.StatusOK)
		ada.must(t, "PATCH", as, `{"website":null}`, http.StatusOK)
		if got := ada.must(t, "GET", own, "", http.StatusOK); !strings.Contains(got.body, "+1 415") {
			t.Errorf("%s", got.body)
		}
	})
}

// An entity claimed by a person belongs to that person in every organization, even after removal.
func TestClaimedEntityKeepsItsPerson(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, ada, eve := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com"), b.person(t, "eve@example.com")
		member := f.home + "/member/" + f.join(t, f.home, ada, "Guest")
		wallets := "/v1/entity/" + ada.holder + "/wallet"
		ada.must(t, "POST", "/v1/wallet", walletBody(ada.holder, "near", "ada.near"), http.StatusCreated)
		ada.must(t, "PATCH", "/v1/profile/"+ada.holder, `{"phone":"+1 415"}`, http.StatusOK)
		f.must(t, "DELETE", member, "", http.StatusOK)
		ada.must(t, "GET", wallets, "", http.StatusOK)
		enlist := `{"fullName":"Ada","roles":["Guest"],"entity":"` + ada.holder + `"}`
		f.must(t, "POST", f.home+"/member", enlist, http.StatusBadRequest)
		f.must(t, "POST", f.company(t)+"/member", enlist, http.StatusBadRequest)
		f.must(t, "POST", f.company(t)+"/member", strings.Replace(enlist, ada.holder, f.user.Entity.String(), 1), http.StatusBadRequest)

		f.invite(t, f.home, "Guest", "ada@example.com")
		token := b.invitedBy(t, "ada@example.com")
		f.must(t, "GET", wallets, "", http.StatusNotFound)
		f.must(t, "GET", "/v1/profile/"+ada.holder, "", http.StatusNotFound)
		eve.must(t, "POST", acceptPath, token, http.StatusConflict)
		f.must(t, "PATCH", member, `{"email":"eve@example.com"}`, http.StatusOK)
		f.invite(t, f.home, "Guest", "eve@example.com")
		token = b.invitedBy(t, "eve@example.com")
		eve.must(t, "POST", acceptPath, token, http.StatusConflict)
		ada.must(t, "POST", acceptPath, token, http.StatusOK)
		f.must(t, "GET", "/v1/profile/"+ada.holder, "", http.StatusOK)

		f.must(t, "DELETE", member, "", http.StatusOK)
		f.must(t, "POST", f.home+"/member", `{"fullName":"Eve","email":"eve@example.com","roles":["Guest"]}`, http.StatusCreated)
		eve.must(t, "GET", "/v1/user/current", "", http.StatusOK)
		eve.must(t, "GET", wallets, "", http.StatusNotFound)
		eve.must(t, "GET", f.home, "", http.StatusForbidden)
		ada.must(t, "GET", wallets, "", http.StatusOK)
	})
}

func TestAddedMemberSeesTheOrganizationInTheirList(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
		f.must(t, "POST", f.home+"/member", `{"fullName":"Ada","email":"ada@example.com","roles":["Guest"]}`, http.StatusCreated)
		again := ada.signInAgain(t, password, http.StatusOK)
		if got := again.must(t, "GET", "/v1/organization", "", http.StatusOK); !strings.Contains(got.body, f.id) {
			t.Errorf("%s", got.body)
		}
	})
}

func TestConcurrentAdditionsOfOneAddressMakeOneMember(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		made := f.must(t, "POST", f.home+"/member", `{"fullName":"Ada","email":"ada@example.com"}`, http.StatusCreated)
		again := f.must(t, "POST", f.home+"/member", `{"fullName":"Ada II","email":"Ada@example.com"}`, http.StatusConflict)
		if again.text(t, "details", "member") != made.text(t, "id") {
			t.Errorf("%s", again.body)
		}
		f.must(t, "DELETE", made.header.Get("Location"), "", http.StatusOK)
		if back := f.must(t, "POST", f.home+"/member", `{"fullName":"Ada III","email":"ada@example.com"}`, http.StatusCreated); back.text(t, "id") != made.text(t, "id") {
			t.Errorf("%s", back.body)
		}
		const at = 4
		invite, add := `{"emails":["bob@example.com","joe@example.com"],"roles":["Guest"]}`, `{"fullName":"Bob","email":"BOB@example.com"}`
		rows, kind := spreadsheet(t, "members.csv", "fullName,email\nZoe,zoe@example.com\nBob,bob@example.com\n")
		together := make(chan int)
		for i := range at {
			other := f.must(t, "POST", f.home+"/member", `{"fullName":"Other"}`, http.StatusCreated).header.Get("Location")
			for _, wish := range [][]string{
				{"POST", f.home + "/member/invite", invite},
				{"POST", f.home + "/member", add},
				{"PATCH", other, `{"email":"bob@example.com"}`},
				{"POST", "/v1/organization/member/upload?organization=" + f.id, rows, "Content-Type", kind},
			} {
				one := f.copy() // not in the goroutine, because the next request of f may change its cookie
				go func() {
					together <- one.send(t, wish[0], wish[1], wish[2], append(wish[3:], "Idempotency-Key", wish[1]+string(rune('a'+i)))...).status
				}()
			}
		}
		for range 4 * at {
			if status := <-together; status != http.StatusOK && status != http.StatusCreated && status != http.StatusConflict && status != http.StatusTooManyRequests {
				t.Errorf("%d", status)
			}
		}
		f.must(t, "POST", f.home+"/member/invite", invite, http.StatusOK) // without concurrent requests
		list := f.must(t, "GET", f.home+"/member", "", http.StatusOK).body
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
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f, ada := b.firm(t, "owner@example.com"), b.person(t, "ada@example.com")
		joined := f.home + "/member/" + f.join(t, f.home, ada, "Guest")
		f.must(t, "PATCH", joined, `{"email":"lovelace@example.com"}`, http.StatusOK) // her account keeps its own address
		bob := f.must(t, "POST", f.home+"/member", `{"fullName":"Bob","email":"bob@example.com","externalId":"b"}`, http.StatusCreated)
		gone := f.must(t, "POST", f.home+"/member", `{"fullName":"Joe","email":"joe@example.com"}`, http.StatusCreated)
		f.must(t, "DELETE", gone.header.Get("Location"), "", http.StatusOK)
		at := bob.header.Get("Location")
		taken := func(claim, method, path, body, member string) scenario {
			return scenario{claim: claim, as: f.client, method: method, path: path, body: body, status: 409, has: []string{`"code":"conflict"`, `"member":"` + member}}
		}
		run(t, []scenario{
			taken("a change to another member's address is refused", "PATCH", joined, `{"email":"BOB@example.com"}`, bob.text(t, "id")),
			taken("a change to the address of a member's account is refused", "PATCH", at, `{"email":"ada@example.com"}`, strings.TrimPrefix(joined, f.home+"/member/")),
			taken("a change to the owner's address is refused", "PATCH", at, `{"email":"owner@example.com"}`, ""),
			{claim: "a member's own address may be entered again", as: f.client, method: "PATCH", path: at, body: `{"email":"Bob@example.com"}`, status: 200},
			{claim: "an address may be removed", as: f.client, method: "PATCH", path: joined, body: `{"email":null}`, status: 200},
			{claim: "the address of a removed member is free", as: f.client, method: "PATCH", path: joined, body: `{"email":"joe@example.com"}`, status: 200},
			taken("a removed member cannot return with a reassigned address", "POST", f.home+"/member", `{"fullName":"Joe","entity":"`+gone.text(t, "entity")+`"}`, strings.TrimPrefix(joined, f.home+"/member/")),
			taken("a removed member cannot return with another member's address", "POST", f.home+"/member", `{"fullName":"Joe","email":"bob@example.com","entity":"`+gone.text(t, "entity")+`"}`, bob.text(t, "id")),
			{claim: "a removed member returns with a new address", as: f.client, method: "POST", path: f.home + "/member", body: `{"fullName":"Joe","email":"j@example.com","entity":"` + gone.text(t, "entity") + `"}`, status: 201},
		})
		upload := func(file string, status int) string {
			body, kind := spreadsheet(t, "members.csv", file)
			return f.must(t, "POST", "/v1/organization/member/upload?organization="+f.id, body, status, "Content-Type", kind).body
		}
		if got := upload("fullName,email,externalId\nBob,j@example.com,b\n", http.StatusBadRequest); !strings.Contains(got, `"/rows/2/email","code":"duplicate"`) {
			t.Errorf("%s", got)
		}
		if got := upload("fullName,email\nAda,ada@example.com\n", http.StatusCreated); !strings.Contains(got, `"status":"updated","id":"`+strings.TrimPrefix(joined, f.home+"/member/")) {
			t.Errorf("%s", got)
		}
		f.must(t, "DELETE", at, "", http.StatusOK)
		if got := upload("fullName,email\nBob,bob@example.com\n", http.StatusCreated); !strings.Contains(got, `"status":"created","id":"`+bob.text(t, "id")) {
			t.Errorf("the removed member does not return: %s", got)
		}
	})
}

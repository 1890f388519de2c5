package http_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/persistence"
)

// registerReferred registers a user with the referral code and verifies the address.
func (b *bundle) registerReferred(t *testing.T, email, code string) {
	t.Helper()
	body := strings.Replace(strings.Replace(registration, "grace@example.com", email, 1), `{`, `{"referralCode":"`+code+`",`, 1)
	b.anonymous().must(t, "POST", "/v1/user", body, http.StatusCreated)
	b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, email)+`"}`, http.StatusOK)
}

func TestReferralRewardsTheReferrer(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada := b.person(t, "ada@example.com")
		own := ada.user.Entity.String()
		first := ada.must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
		code := first.text(t, "code")
		if first.text(t, "link") != "https://equity.example.com/register?code="+code || first.text(t, "credit") != "0.00" || len(first.list(t, "rewards")) != 0 {
			t.Errorf("%s", first.body)
		}
		b.registerReferred(t, "grace@example.com", strings.ToUpper(code))
		grace := &client{bundle: b}
		grace.must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, http.StatusOK)
		cards := grace.must(t, "GET", "/v1/card", "", http.StatusOK)
		if len(cards.list(t, "data")) != 1 || !strings.Contains(cards.body, `"kind":"signup","revealed":false}`) {
			t.Fatalf("%s", cards.body)
		}
		got := ada.must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
		if got.text(t, "code") != code || got.get(t, "referred") != 1.0 || got.get(t, "joined") != 1.0 || !strings.Contains(got.body, `"kind":"referral","revealed":false}`) {
			t.Errorf("%s", got.body)
		}
		card := got.list(t, "rewards")[0].(map[string]any)["id"].(string)
		shown := ada.must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK)
		summary := ada.must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusOK)
		if value := shown.text(t, "value"); summary.text(t, "balance") != value || summary.text(t, "earned") != value ||
			summary.text(t, "transferredOut") != "0.00" || !strings.Contains(summary.body, `"firstName":"Grace"`) {
			t.Errorf("summary %s after reward %s", summary.body, shown.body)
		}
		grace.must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusNotFound)
		grace.must(t, "GET", "/v1/referral/"+own, "", http.StatusNotFound)
		grace.must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusNotFound)
	})
}

func TestUnknownReferralCodeIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := strings.Replace(registration, `{`, `{"referralCode":"000000",`, 1)
	got := b.anonymous().must(t, "POST", "/v1/user", body, http.StatusBadRequest)
	if !strings.Contains(got.body, `"/referralCode","code":"unknownReference"`) {
		t.Errorf("%s", got.body)
	}
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
}

func TestRewardIsCreditedOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada := b.person(t, "ada@example.com")
		const company = `{"name":"Acme","website":"https://www.Acme.example/about","contactEmail":"cfo@acme.example","note":"Series A"}`
		card := ada.must(t, "POST", "/v1/referral/company", company, http.StatusCreated).text(t, "card")
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { ada.copy().must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK) })
		}
		all.Wait()
		cards := ada.must(t, "GET", "/v1/card", "", http.StatusOK)
		sums, err := persistence.NewCredit(b.db).Sums(t.Context(), ada.user.Entity)
		if err != nil || !strings.Contains(cards.body, `"revealed":true,"value":"`+sums.Balance().String()+`"`) {
			t.Errorf("cards %s, credited %v: %v", cards.body, sums.Balance(), err)
		}
	})
}

//nolint:tparallel // one scenario builds on another
func TestCompanyIsReferredOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, bob := b.person(t, "ada@example.com"), b.person(t, "bob@example.com")
	const path, company = "/v1/referral/company", `{"name":"Acme","website":"https://acme.example","contactEmail":"cfo@acme.example"}`
	run(t, []scenario{
		{
			claim: "every wrong field is named", as: ada, method: "POST", path: path, status: 400,
			body: `{"name":" ","website":"","contactEmail":"x","card":1}`,
			has:  []string{`"/name"`, `"/website"`, `"/contactEmail","code":"invalidEmail"`, `"/card","code":"unknownField"`},
		},
		{
			claim: "an invalid website is refused", as: ada, method: "POST", path: path, status: 400,
			body: strings.Replace(company, "https://acme.example", "javascript:alert(1)", 1), has: []string{`"/website","code":"invalidWebsite"`},
		},
		{claim: "a company is referred", as: ada, method: "POST", path: path, body: company, status: 201},
		{
			claim: "a referral of the same site by another user is refused", as: bob, method: "POST", path: path, status: 409,
			body: strings.Replace(company, "https://acme.example", "WWW.ACME.example/", 1), has: []string{`"code":"conflict"`, `"site":"acme.example"`},
		},
	})
	first := ada.must(t, "POST", path, strings.ReplaceAll(company, "acme", "b"), http.StatusCreated, "Idempotency-Key", "k")
	again := ada.must(t, "POST", path, strings.ReplaceAll(company, "acme", "b"), http.StatusCreated, "Idempotency-Key", "k")
	if first.body != again.body {
		t.Errorf("%s %s", first.body, again.body)
	}
	if cards := ada.must(t, "GET", "/v1/card", "", http.StatusOK); len(cards.list(t, "data")) != 2 {
		t.Errorf("%s", cards.body)
	}
}

func TestInvitationIsRepeatedAfterADayAndJoined(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	wish := `{"email":"grace@example.com","message":"Look <b>here</b>"}`
	made := ada.must(t, "POST", "/v1/invitation/send", wish, http.StatusCreated, "Idempotency-Key", "k")
	if again := ada.must(t, "POST", "/v1/invitation/send", wish, http.StatusCreated, "Idempotency-Key", "k"); again.body != made.body {
		t.Errorf("%s", again.body)
	}
	soon := ada.must(t, "POST", "/v1/invitation/send", wish, http.StatusConflict)
	if soon.text(t, "code") != "recentInvitation" {
		t.Errorf("%s", soon.body)
	}
	mails, err := persistence.NewOutbox(b.db).Claim(t.Context(), b.clock.Now(), time.Minute, 10)
	code := ada.must(t, "GET", "/v1/referral/"+ada.user.Entity.String(), "", http.StatusOK).text(t, "code")
	if err != nil || len(mails) != 1 || mails[0].To != "grace@example.com" || !strings.Contains(mails[0].Text, "register?code="+code) ||
		!strings.Contains(mails[0].Text, "Look <b>here</b>") || !strings.Contains(mails[0].HTML, "Look &lt;b&gt;here") {
		t.Fatalf("%+v %v", mails, err)
	}
	b.clock.advance(25 * time.Hour)
	if later := ada.must(
		t, "POST", "/v1/invitation/send", wish, http.StatusCreated,
	); later.get(t, "times") != 2.0 || later.text(t, "id") != made.text(t, "id") {
		t.Errorf("%s", later.body)
	}
	b.registerReferred(t, "grace@example.com", code)
	list := ada.must(t, "GET", "/v1/invitation", "", http.StatusOK)
	if len(list.list(t, "data")) != 1 || !strings.Contains(list.body, `"status":"joined"`) {
		t.Errorf("%s", list.body)
	}
	wrong := ada.must(t, "POST", "/v1/invitation/send", `{"email":"a@b\r\nBcc: c@example.com","subject":"x"}`, http.StatusBadRequest)
	if !strings.Contains(wrong.body, `"/email","code":"invalidEmail"`) || !strings.Contains(wrong.body, `"/subject","code":"unknownField"`) {
		t.Errorf("%s", wrong.body)
	}
}

func TestInvitationsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	b.person(t, "bob@example.com")
	for _, email := range []string{"bob@example.com", "nobody@example.com"} {
		got := ada.must(t, "POST", "/v1/invitation/send", `{"email":"`+email+`"}`, http.StatusCreated)
		if got.text(t, "status") != "sent" {
			t.Errorf("%s", got.body)
		}
	}
}

func TestWaitlistStatistics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	b.clock.advance(8 * 24 * time.Hour)
	bob := b.person(t, "bob@example.com")
	got := b.anonymous().must(t, "GET", "/v1/waitlistStats", "", http.StatusOK)
	if strings.TrimSpace(got.body) != `{"total":2,"joinedLast7Days":1}` {
		t.Errorf("%s", got.body)
	}
	if got := bob.must(t, "GET", "/v1/waitlistStats", "", http.StatusOK); got.get(t, "position") != 2.0 {
		t.Errorf("%s", got.body)
	}
}

func TestUserWithoutProviderHasNoContacts(t *testing.T) {
	t.Parallel()
	ada := setup(t).person(t, "ada@example.com")
	if got := ada.must(t, "GET", "/v1/external-contacts", "", http.StatusOK); strings.TrimSpace(got.body) != `{"data":[]}` {
		t.Errorf("%s", got.body)
	}
}

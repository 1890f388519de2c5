package http_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/http/apitest"
	"equity/persistence"
)

// registerReferred registers a user with the referral code and verifies the address.
func registerReferred(t *testing.T, b *apitest.Server, email, code string) {
	t.Helper()
	body := strings.Replace(strings.Replace(registration, "grace@example.com", email, 1), `{`, `{"referralCode":"`+code+`",`, 1)
	b.Anonymous().Must(t, "POST", "/v1/user", body, http.StatusCreated)
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, email)+`"}`, http.StatusOK)
}

func TestReferralRewardsTheReferrer(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		ada := b.NewPerson(t, "ada@example.com")
		own := ada.User.Entity.String()
		first := ada.Must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
		code := first.Text(t, "code")
		if first.Text(t, "link") != "https://equity.example.com/register?code="+code || first.Text(t, "credit") != "0.00" || len(first.List(t, "rewards")) != 0 {
			t.Errorf("%s", first.Body)
		}
		registerReferred(t, b, "grace@example.com", strings.ToUpper(code))
		grace := &apitest.Client{Server: b}
		grace.Must(t, "POST", "/v1/user/login", `{"email":"grace@example.com","password":"compilers are for people"}`, http.StatusOK)
		cards := grace.Must(t, "GET", "/v1/card", "", http.StatusOK)
		if len(cards.List(t, "data")) != 1 || !strings.Contains(cards.Body, `"kind":"signup","revealed":false}`) {
			t.Fatalf("%s", cards.Body)
		}
		got := ada.Must(t, "GET", "/v1/referral/"+own, "", http.StatusOK)
		if got.Text(t, "code") != code || got.Get(t, "referred") != 1.0 || got.Get(t, "joined") != 1.0 || !strings.Contains(got.Body, `"kind":"referral","revealed":false}`) {
			t.Errorf("%s", got.Body)
		}
		card := got.List(t, "rewards")[0].(map[string]any)["id"].(string)
		shown := ada.Must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK)
		summary := ada.Must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusOK)
		if value := shown.Text(t, "value"); summary.Text(t, "balance") != value || summary.Text(t, "earned") != value ||
			summary.Text(t, "transferredOut") != "0.00" || !strings.Contains(summary.Body, `"firstName":"Grace"`) {
			t.Errorf("summary %s after reward %s", summary.Body, shown.Body)
		}
		grace.Must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusNotFound)
		grace.Must(t, "GET", "/v1/referral/"+own, "", http.StatusNotFound)
		grace.Must(t, "GET", "/v1/organization/"+own+"/referral", "", http.StatusNotFound)
	})
}

func TestUnknownReferralCodeIsRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	body := strings.Replace(registration, `{`, `{"referralCode":"000000",`, 1)
	got := b.Anonymous().Must(t, "POST", "/v1/user", body, http.StatusBadRequest)
	if !strings.Contains(got.Body, `"/referralCode","code":"unknownReference"`) {
		t.Errorf("%s", got.Body)
	}
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
}

func TestRewardIsCreditedOnce(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		ada := b.NewPerson(t, "ada@example.com")
		const company = `{"name":"Acme","website":"https://www.Acme.example/about","contactEmail":"cfo@acme.example","note":"Series A"}`
		card := ada.Must(t, "POST", "/v1/referral/company", company, http.StatusCreated).Text(t, "card")
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { ada.Copy().Must(t, "POST", "/v1/reward", `{"rewardId":"`+card+`"}`, http.StatusOK) })
		}
		all.Wait()
		cards := ada.Must(t, "GET", "/v1/card", "", http.StatusOK)
		sums, err := persistence.NewCredit(b.DB).Sums(t.Context(), ada.User.Entity)
		if err != nil || !strings.Contains(cards.Body, `"revealed":true,"value":"`+sums.Balance().String()+`"`) {
			t.Errorf("cards %s, credited %v: %v", cards.Body, sums.Balance(), err)
		}
	})
}

func TestCompanyIsReferredOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, bob := b.NewPerson(t, "ada@example.com"), b.NewPerson(t, "bob@example.com")
	const path, company = "/v1/referral/company", `{"name":"Acme","website":"https://acme.example","contactEmail":"cfo@acme.example"}`
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "every wrong field is named", As: ada, Method: "POST", Path: path, Status: 400,
			Body: `{"name":" ","website":"","contactEmail":"x","card":1}`,
			Has:  []string{`"/name"`, `"/website"`, `"/contactEmail","code":"invalidEmail"`, `"/card","code":"unknownField"`},
		},
		{
			Claim: "an invalid website is refused", As: ada, Method: "POST", Path: path, Status: 400,
			Body: strings.Replace(company, "https://acme.example", "javascript:alert(1)", 1), Has: []string{`"/website","code":"invalidWebsite"`},
		},
		{Claim: "a company is referred", As: ada, Method: "POST", Path: path, Body: company, Status: 201},
		{
			Claim: "a referral of the same site by another user is refused", As: bob, Method: "POST", Path: path, Status: 409,
			Body: strings.Replace(company, "https://acme.example", "WWW.ACME.example/", 1), Has: []string{`"code":"conflict"`, `"site":"acme.example"`},
		},
	})
	first := ada.Must(t, "POST", path, strings.ReplaceAll(company, "acme", "b"), http.StatusCreated, "Idempotency-Key", "k")
	again := ada.Must(t, "POST", path, strings.ReplaceAll(company, "acme", "b"), http.StatusCreated, "Idempotency-Key", "k")
	if first.Body != again.Body {
		t.Errorf("%s %s", first.Body, again.Body)
	}
	if cards := ada.Must(t, "GET", "/v1/card", "", http.StatusOK); len(cards.List(t, "data")) != 2 {
		t.Errorf("%s", cards.Body)
	}
}

func TestInvitationIsRepeatedAfterADayAndJoined(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	wish := `{"email":"grace@example.com","message":"Look <b>here</b>"}`
	made := ada.Must(t, "POST", "/v1/invitation/send", wish, http.StatusCreated, "Idempotency-Key", "k")
	if again := ada.Must(t, "POST", "/v1/invitation/send", wish, http.StatusCreated, "Idempotency-Key", "k"); again.Body != made.Body {
		t.Errorf("%s", again.Body)
	}
	soon := ada.Must(t, "POST", "/v1/invitation/send", wish, http.StatusConflict)
	if soon.Text(t, "code") != "recentInvitation" {
		t.Errorf("%s", soon.Body)
	}
	mails, err := persistence.NewOutbox(b.DB).Claim(t.Context(), b.Clock.Now(), time.Minute, 10)
	code := ada.Must(t, "GET", "/v1/referral/"+ada.User.Entity.String(), "", http.StatusOK).Text(t, "code")
	if err != nil || len(mails) != 1 || mails[0].To != "grace@example.com" || !strings.Contains(mails[0].Text, "register?code="+code) ||
		!strings.Contains(mails[0].Text, "Look <b>here</b>") || !strings.Contains(mails[0].HTML, "Look &lt;b&gt;here") {
		t.Fatalf("%+v %v", mails, err)
	}
	b.Clock.Advance(25 * time.Hour)
	if later := ada.Must(
		t, "POST", "/v1/invitation/send", wish, http.StatusCreated,
	); later.Get(t, "times") != 2.0 || later.Text(t, "id") != made.Text(t, "id") {
		t.Errorf("%s", later.Body)
	}
	registerReferred(t, b, "grace@example.com", code)
	list := ada.Must(t, "GET", "/v1/invitation", "", http.StatusOK)
	if len(list.List(t, "data")) != 1 || !strings.Contains(list.Body, `"status":"joined"`) {
		t.Errorf("%s", list.Body)
	}
	wrong := ada.Must(t, "POST", "/v1/invitation/send", `{"email":"a@b\r\nBcc: c@example.com","subject":"x"}`, http.StatusBadRequest)
	if !strings.Contains(wrong.Body, `"/email","code":"invalidEmail"`) || !strings.Contains(wrong.Body, `"/subject","code":"unknownField"`) {
		t.Errorf("%s", wrong.Body)
	}
}

func TestInvitationsDoNotRevealAccounts(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	b.NewPerson(t, "bob@example.com")
	for _, email := range []string{"bob@example.com", "nobody@example.com"} {
		got := ada.Must(t, "POST", "/v1/invitation/send", `{"email":"`+email+`"}`, http.StatusCreated)
		if got.Text(t, "status") != "sent" {
			t.Errorf("%s", got.Body)
		}
	}
}

func TestWaitlistStatistics(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "ada@example.com")
	b.Clock.Advance(8 * 24 * time.Hour)
	bob := b.NewPerson(t, "bob@example.com")
	got := b.Anonymous().Must(t, "GET", "/v1/waitlistStats", "", http.StatusOK)
	if strings.TrimSpace(got.Body) != `{"total":2,"joinedLast7Days":1}` {
		t.Errorf("%s", got.Body)
	}
	if got := bob.Must(t, "GET", "/v1/waitlistStats", "", http.StatusOK); got.Get(t, "position") != 2.0 {
		t.Errorf("%s", got.Body)
	}
}

func TestUserWithoutProviderHasNoContacts(t *testing.T) {
	t.Parallel()
	ada := apitest.Setup(t).NewPerson(t, "ada@example.com")
	if got := ada.Must(t, "GET", "/v1/external-contacts", "", http.StatusOK); strings.TrimSpace(got.Body) != `{"data":[]}` {
		t.Errorf("%s", got.Body)
	}
}

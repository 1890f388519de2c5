package http_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/actors/billing/stripetest"
	equityhttp "equity/http"
	"equity/http/api"
	"equity/organization"
)

func TestOrganizationWithoutASubscriptionHasThePlanStart(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	got := f.must(t, "GET", f.home+"/subscription", "", http.StatusOK)
	if got.text(t, "plan") != "start" || got.text(t, "status") != "none" || strings.Contains(got.body, `"id"`) {
		t.Error(got.body)
	}
	if at := f.must(t, "GET", f.home, "", http.StatusOK); at.text(t, "plan") != "start" || !strings.Contains(at.body, `"billing":true`) {
		t.Error(at.body)
	}
}

func TestServerWithoutBillingHasNoPathsOfBilling(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, services *equityhttp.Services) {
		s.Features[api.FeatureBilling] = false
	})
	f := b.firm(t, "owner@example.com")
	for _, request := range [][2]string{
		{"GET", f.home + "/subscription"},
		{"POST", f.home + "/subscription"},
		{"POST", f.home + "/subscription/portal"},
		{"GET", "/v1/billing/product"},
		{"POST", "/v1/billing/webhook"},
	} {
		f.must(t, request[0], request[1], "", http.StatusNotFound)
	}
	if at := f.must(t, "GET", f.home, "", http.StatusOK); at.text(t, "plan") != "selfHosted" || !strings.Contains(at.body, `"billing":false`) {
		t.Error(at.body)
	}
}

func TestSubscriptionBeginsWithACheckout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	const body = `{"plan":"growth","coupon":"HALF","returnUrl":"https://equity.example.com/billing"}`
	first := f.must(t, "POST", f.home+"/subscription", body, http.StatusCreated, "Idempotency-Key", "k")
	again := f.must(t, "POST", f.home+"/subscription", body, http.StatusCreated, "Idempotency-Key", "k")
	if first.body != again.body || first.get(t, "checkout", "url") != "https://checkout.stripe.com/c/pay" {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	f.must(t, "POST", f.home+"/subscription", `{"plan":"scale"}`, http.StatusConflict, "Idempotency-Key", "k")
	if made := b.stripe.Requests("POST", "/v1/customers"); len(made) != 1 || made[0].Key != "customer:"+f.id {
		t.Errorf("%v", made)
	}
	form := b.stripe.Requests("POST", "/v1/checkout/sessions")[0].Form
	for name, want := range map[string]string{
		"mode": "subscription", "client_reference_id": f.id, "subscription_data[metadata][organization]": f.id,
		"success_url": "https://equity.example.com/billing", "discounts[0][coupon]": "HALF",
	} {
		if form.Get(name) != want {
			t.Errorf("%s is %q", name, form.Get(name))
		}
	}
}

func TestOrdersAreRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for body, code := range map[string]string{
		`{"plan":"start"}`:                                                          "unknownPlan",
		`{"plan":"scale","interval":"year"}`:                                        "unknownPlan",
		`{"plan":"growth","coupon":"GONE"}`:                                         "invalidCoupon",
		`{"plan":"growth","returnUrl":"https://evil.example/"}`:                     "invalidFields",
		`{"plan":"growth","returnUrl":"https://equity.example.com.evil.example/"}`:  "invalidFields",
		`{"plan":"growth","returnUrl":"https://equity.example.com@evil.example/"}`:  "invalidFields",
		`{"plan":"growth","returnUrl":"javascript:alert(1)"}`:                       "invalidFields",
		`{"plan":"growth","returnUrl":"//evil.example/"}`:                           "invalidFields",
		`{"plan":"growth","returnUrl":"https://equity.example.com\\@evil.example"}`: "invalidFields",
		`{"plan":"gold"}`: "invalidFields",
	} {
		if got := f.must(t, "POST", f.home+"/subscription", body, http.StatusBadRequest); got.text(t, "code") != code {
			t.Errorf("%s: %s", body, got.body)
		}
	}
}

func TestCustomerWithACardSubscribesAndChangesThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.must(t, "POST", f.home+"/subscription/portal", "", http.StatusOK)
	b.stripe.GiveCard("cus_000001")
	made := f.must(t, "POST", f.home+"/subscription", `{"plan":"growth"}`, http.StatusCreated)
	if made.get(t, "subscription", "status") != "active" || made.get(t, "subscription", "paymentMethod", "last4") != "4242" {
		t.Error(made.body)
	}
	if got := f.must(t, "POST", f.home+"/subscription", `{"plan":"growth"}`, http.StatusConflict); got.text(t, "code") != "alreadySubscribed" {
		t.Error(got.body)
	}
	changed := f.must(t, "POST", f.home+"/subscription", `{"plan":"scale"}`, http.StatusOK)
	if changed.get(t, "subscription", "plan") != "scale" {
		t.Error(changed.body)
	}
	at := f.home + "/subscription/" + changed.get(t, "subscription", "id").(string)
	ending := f.must(t, "DELETE", at, "", http.StatusOK)
	again := f.must(t, "DELETE", at, "", http.StatusOK)
	if ending.body != again.body || ending.get(t, "cancelAtPeriodEnd") != true {
		t.Errorf("%s, then %s", ending.body, again.body)
	}
	resumed := f.must(t, "POST", f.home+"/subscription", `{"plan":"scale"}`, http.StatusOK)
	if resumed.get(t, "subscription", "cancelAtPeriodEnd") != false {
		t.Error(resumed.body)
	}
	ended := f.must(t, "DELETE", at+"?immediately=true", "", http.StatusOK)
	if repeated := f.must(
		t, "DELETE", at+"?immediately=true", "", http.StatusOK,
	); ended.body != repeated.body || ended.text(t, "status") != "cancelled" {
		t.Errorf("%s, then %s", ended.body, repeated.body)
	}
	f.must(t, "DELETE", f.home+"/subscription/"+f.id, "", http.StatusNotFound)
}

func TestIDsOfTheProviderAppearInNoAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	theirs, _ := b.billed(t, f.client, f.home, f.id, "growth")
	b.stripe.Pay(b.stripe.Invoice(theirs, 1250), true)
	b.hear(t)
	for _, path := range []string{f.home, f.home + "/subscription", f.home + "/journal", f.home + "/integration", "/v1/billing/product"} {
		got := f.must(t, "GET", path, "", http.StatusOK)
		for _, prefix := range []string{"cus_0", "sub_0", "si_0", "in_0", "price_", "prod_"} {
			if strings.Contains(got.body, prefix) {
				t.Errorf("%s has an id with %s", path, prefix)
			}
		}
	}
	for _, secret := range []string{stripetest.Key, stripetest.Secret} {
		if strings.Contains(b.log.String(), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
}

func TestPreviewCreatesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	got := f.must(t, "POST", f.home+"/subscription/preview", `{"plan":"growth"}`, http.StatusOK)
	if got.get(t, "dueNow", "amount") != "12.5" || got.get(t, "dueAtRenewal", "amount") != "12.5" || b.stripe.Customers() != 0 {
		t.Errorf("%s, %d customers", got.body, b.stripe.Customers())
	}
	tried := f.must(t, "POST", f.home+"/subscription?dryRun=true", `{"plan":"growth"}`, http.StatusOK)
	if !strings.Contains(tried.body, "subscriptionChanged") || b.stripe.Customers() != 0 {
		t.Errorf("%s, %d customers", tried.body, b.stripe.Customers())
	}
}

func TestPlansHaveLimitsAndBands(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	got := f.must(t, "GET", "/v1/billing/product", "", http.StatusOK)
	for _, want := range []string{
		`"plan":"growth","description":"For teams","features":["Scenarios"],"limits":{"shareholders":300,"members":100}`,
		`"bands":[{"upTo":10,"unitAmount":{"amount":"10","currency":"USD"}},{"unitAmount":{"amount":"5","currency":"USD"}}]`,
	} {
		if !strings.Contains(got.body, want) {
			t.Errorf("%s is not in %s", want, got.body)
		}
	}
}

func TestDeadProviderIsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	b.stripe.Set(stripetest.Faults{Status: http.StatusInternalServerError})
	for range 8 { // the circuit breaker opens
		got := f.must(t, "POST", f.home+"/subscription", `{"plan":"growth"}`, http.StatusServiceUnavailable)
		if got.text(t, "code") != "unavailable" || !strings.Contains(got.body, "Stripe") {
			t.Fatal(got.body)
		}
	}
	f.must(t, "GET", f.home+"/subscription", "", http.StatusOK)
	if calls := len(b.stripe.Requests("GET", "/v1/products")); calls != 5 {
		t.Errorf("%d calls", calls)
	}
}

func TestEventsOfTheProviderAreCheckedAndAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stripe.Subscribe(b.stripe.AddCustomer("nobody"), "growth", 1)
	event := stripetest.Event{Body: []byte(`{"id":"evt_9","type":"invoice.paid","livemode":false,"data":{"object":{}}}`)}
	anyone := b.anonymous()
	send := func(body, header string, status int) answer {
		t.Helper()
		return anyone.must(t, "POST", "/v1/billing/webhook", body, status, "Stripe-Signature", header)
	}
	now := b.clock.Now()
	for name, header := range map[string]string{
		"another secret": event.Signed("whsec_other", now), "too old": event.Signed(stripetest.Secret, now.Add(-301*time.Second)),
		"ahead": event.Signed(stripetest.Secret, now.Add(301*time.Second)),
	} {
		if got := send(string(event.Body), header, http.StatusBadRequest); got.text(t, "code") != "invalidSignature" {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	if got := send(string(event.Body)+" ", event.Signed(stripetest.Secret, now), http.StatusBadRequest); got.text(t, "code") != "invalidSignature" {
		t.Error(got.body)
	}
	if got := send("{", event.Signed(stripetest.Secret, now), http.StatusBadRequest); got.text(t, "code") != "invalidSignature" {
		t.Error(got.body)
	}
	for _, within := range []time.Duration{-300 * time.Second, 0, 300 * time.Second} {
		if got := send(string(event.Body), event.Signed(stripetest.Secret, now.Add(within)), http.StatusOK); got.get(t, "received") != true {
			t.Error(got.body)
		}
	}
	large := stripetest.Event{Body: []byte(`{"id":"evt_10","type":"x","a":"` + strings.Repeat("a", 256<<10-33) + `"}`)}
	send(string(large.Body), large.Signed(stripetest.Secret, now), http.StatusOK)
	large.Body = append(large.Body, ' ')
	send(string(large.Body), large.Signed(stripetest.Secret, now), http.StatusRequestEntityTooLarge)
}

func TestPastDueOrganizationCannotGrowButCanExport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.limits = organization.PlanLimits{Shareholders: 2, Members: 10}
	f := b.firm(t, "owner@example.com")
	theirs, _ := b.billed(t, f.client, f.home, f.id, "growth")
	var entities []string
	for i := range 4 {
		entities = append(entities, f.must(t, "POST", f.home+"/member", `{"fullName":"Holder `+strconv.Itoa(i)+`","roles":[]}`, http.StatusCreated).text(t, "entity"))
	}
	issue := func(entity string, status int) answer {
		t.Helper()
		return f.must(t, "POST", f.home+"/shareholding", `{"entity":"`+entity+`","security":"`+f.common+`","shares":"10","issueDate":"2026-01-01"}`, status)
	}
	for _, entity := range entities[:3] { // the limits of the plan growth apply
		issue(entity, http.StatusCreated)
	}
	b.stripe.Change(theirs, map[string]any{"status": "past_due"})
	b.hear(t)
	b.untilStatus(t, f.client, f.home, "pastDue")
	for range 4 { // the session must stay in use
		b.clock.advance(testGrace / 4)
		f.must(t, "GET", f.home, "", http.StatusOK)
	}
	refused := issue(entities[3], http.StatusForbidden)
	if refused.text(t, "code") != "planLimit" || refused.get(t, "details", "limit") != "2" || refused.get(t, "details", "used") != "3" {
		t.Error(refused.body)
	}
	issue(entities[0], http.StatusCreated)
	for _, path := range []string{"/captable", "/captable?format=ocf", "/journal", "/shareholding"} {
		f.must(t, "GET", f.home+path, "", http.StatusOK)
	}
}

func TestOnlyMembersWhoReadTheSubscriptionFollowIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	manager := b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	since := "?since=" + strconv.Itoa(f.journalLength(t))
	f.must(t, "POST", f.home+"/subscription/portal", "", http.StatusOK)
	b.stripe.GiveCard("cus_000001")
	made := f.must(t, "POST", f.home+"/subscription", `{"plan":"growth"}`, http.StatusCreated)
	want := fmt.Sprintf(`"records":[{"kind":"subscription","id":%q}]`, made.get(t, "subscription", "id"))
	address, end := b.listening(t), uint64(f.journalLength(t))
	for _, reader := range []struct {
		caller  *client
		follows bool
	}{{f.client, true}, {manager, false}} {
		stream := reader.caller.follow(t, address, f.home, since)
		var received strings.Builder
		for id := uint64(0); id < end; {
			block, ok := stream.block()
			if !ok {
				t.Fatal("the stream ended")
			}
			received.WriteString(block.text)
			id = max(id, block.id)
		}
		if got := received.String(); strings.Contains(got, want) != reader.follows {
			t.Errorf("may read the subscription: %t, received %s", reader.follows, got)
		}
	}
}

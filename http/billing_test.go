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
	"equity/http/apitest"
	"equity/organization"
)

func TestOrganizationWithoutASubscriptionHasThePlanStart(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	got := f.Must(t, "GET", f.Home+"/subscription", "", http.StatusOK)
	if got.Text(t, "plan") != "start" || got.Text(t, "status") != "none" || strings.Contains(got.Body, `"id"`) {
		t.Error(got.Body)
	}
	if at := f.Must(t, "GET", f.Home, "", http.StatusOK); at.Text(t, "plan") != "start" || !strings.Contains(at.Body, `"billing":true`) {
		t.Error(at.Body)
	}
}

func TestServerWithoutBillingHasNoPathsOfBilling(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, services *equityhttp.Services) {
		s.Features[api.FeatureBilling] = false
	})
	f := b.NewFirm(t, "owner@example.com")
	for _, request := range [][2]string{
		{"GET", f.Home + "/subscription"},
		{"POST", f.Home + "/subscription"},
		{"POST", f.Home + "/subscription/portal"},
		{"GET", "/v1/billing/product"},
		{"POST", "/v1/billing/webhook"},
	} {
		f.Must(t, request[0], request[1], "", http.StatusNotFound)
	}
	if at := f.Must(t, "GET", f.Home, "", http.StatusOK); at.Text(t, "plan") != "selfHosted" || !strings.Contains(at.Body, `"billing":false`) {
		t.Error(at.Body)
	}
}

func TestSubscriptionBeginsWithACheckout(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	const body = `{"plan":"growth","coupon":"HALF","returnUrl":"https://equity.example.com/billing"}`
	first := f.Must(t, "POST", f.Home+"/subscription", body, http.StatusCreated, "Idempotency-Key", "k")
	again := f.Must(t, "POST", f.Home+"/subscription", body, http.StatusCreated, "Idempotency-Key", "k")
	if first.Body != again.Body || first.Get(t, "checkout", "url") != "https://checkout.stripe.com/c/pay" {
		t.Errorf("%s, then %s", first.Body, again.Body)
	}
	f.Must(t, "POST", f.Home+"/subscription", `{"plan":"scale"}`, http.StatusConflict, "Idempotency-Key", "k")
	if made := b.Stripe.Requests("POST", "/v1/customers"); len(made) != 1 || made[0].Key != "customer:"+f.ID {
		t.Errorf("%v", made)
	}
	form := b.Stripe.Requests("POST", "/v1/checkout/sessions")[0].Form
	for name, want := range map[string]string{
		"mode": "subscription", "client_reference_id": f.ID, "subscription_data[metadata][organization]": f.ID,
		"success_url": "https://equity.example.com/billing", "discounts[0][coupon]": "HALF",
	} {
		if form.Get(name) != want {
			t.Errorf("%s is %q", name, form.Get(name))
		}
	}
}

func TestOrdersAreRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
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
		if got := f.Must(t, "POST", f.Home+"/subscription", body, http.StatusBadRequest); got.Text(t, "code") != code {
			t.Errorf("%s: %s", body, got.Body)
		}
	}
}

func TestCustomerWithACardSubscribesAndChangesThePlan(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Must(t, "POST", f.Home+"/subscription/portal", "", http.StatusOK)
	b.Stripe.GiveCard("cus_000001")
	made := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"growth"}`, http.StatusCreated)
	if made.Get(t, "subscription", "status") != "active" || made.Get(t, "subscription", "paymentMethod", "last4") != "4242" {
		t.Error(made.Body)
	}
	if got := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"growth"}`, http.StatusConflict); got.Text(t, "code") != "alreadySubscribed" {
		t.Error(got.Body)
	}
	changed := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"scale"}`, http.StatusOK)
	if changed.Get(t, "subscription", "plan") != "scale" {
		t.Error(changed.Body)
	}
	at := f.Home + "/subscription/" + changed.Get(t, "subscription", "id").(string)
	ending := f.Must(t, "DELETE", at, "", http.StatusOK)
	again := f.Must(t, "DELETE", at, "", http.StatusOK)
	if ending.Body != again.Body || ending.Get(t, "cancelAtPeriodEnd") != true {
		t.Errorf("%s, then %s", ending.Body, again.Body)
	}
	resumed := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"scale"}`, http.StatusOK)
	if resumed.Get(t, "subscription", "cancelAtPeriodEnd") != false {
		t.Error(resumed.Body)
	}
	ended := f.Must(t, "DELETE", at+"?immediately=true", "", http.StatusOK)
	if repeated := f.Must(
		t, "DELETE", at+"?immediately=true", "", http.StatusOK,
	); ended.Body != repeated.Body || ended.Text(t, "status") != "cancelled" {
		t.Errorf("%s, then %s", ended.Body, repeated.Body)
	}
	f.Must(t, "DELETE", f.Home+"/subscription/"+f.ID, "", http.StatusNotFound)
}

func TestIDsOfTheProviderAppearInNoAnswer(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	theirs, _ := apitest.Subscribe(t, b, f.Client, f.Home, f.ID, "growth")
	b.Stripe.Pay(b.Stripe.Invoice(theirs, 1250), true)
	apitest.DeliverBillingEvents(t, b)
	for _, path := range []string{f.Home, f.Home + "/subscription", f.Home + "/journal", f.Home + "/integration", "/v1/billing/product"} {
		got := f.Must(t, "GET", path, "", http.StatusOK)
		for _, prefix := range []string{"cus_0", "sub_0", "si_0", "in_0", "price_", "prod_"} {
			if strings.Contains(got.Body, prefix) {
				t.Errorf("%s has an id with %s", path, prefix)
			}
		}
	}
	for _, secret := range []string{stripetest.Key, stripetest.Secret} {
		if strings.Contains(b.Log.String(), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
}

func TestPreviewCreatesNothing(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	got := f.Must(t, "POST", f.Home+"/subscription/preview", `{"plan":"growth"}`, http.StatusOK)
	if got.Get(t, "dueNow", "amount") != "12.5" || got.Get(t, "dueAtRenewal", "amount") != "12.5" || b.Stripe.Customers() != 0 {
		t.Errorf("%s, %d customers", got.Body, b.Stripe.Customers())
	}
	tried := f.Must(t, "POST", f.Home+"/subscription?dryRun=true", `{"plan":"growth"}`, http.StatusOK)
	if !strings.Contains(tried.Body, "subscriptionChanged") || b.Stripe.Customers() != 0 {
		t.Errorf("%s, %d customers", tried.Body, b.Stripe.Customers())
	}
}

func TestPlansHaveLimitsAndBands(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	got := f.Must(t, "GET", "/v1/billing/product", "", http.StatusOK)
	for _, want := range []string{
		`"plan":"growth","description":"For teams","features":["Scenarios"],"limits":{"shareholders":300,"members":100}`,
		`"bands":[{"upTo":10,"unitAmount":{"amount":"10","currency":"USD"}},{"unitAmount":{"amount":"5","currency":"USD"}}]`,
	} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("%s is not in %s", want, got.Body)
		}
	}
}

func TestDeadProviderIsNamed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	b.Stripe.Set(stripetest.Faults{Status: http.StatusInternalServerError})
	for range 8 { // the circuit breaker opens
		got := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"growth"}`, http.StatusServiceUnavailable)
		if got.Text(t, "code") != "unavailable" || !strings.Contains(got.Body, "Stripe") {
			t.Fatal(got.Body)
		}
	}
	f.Must(t, "GET", f.Home+"/subscription", "", http.StatusOK)
	if calls := len(b.Stripe.Requests("GET", "/v1/products")); calls != 5 {
		t.Errorf("%d calls", calls)
	}
}

func TestEventsOfTheProviderAreCheckedAndAccepted(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.Stripe.Subscribe(b.Stripe.AddCustomer("nobody"), "growth", 1)
	event := stripetest.Event{Body: []byte(`{"id":"evt_9","type":"invoice.paid","livemode":false,"data":{"object":{}}}`)}
	anyone := b.Anonymous()
	send := func(body, header string, status int) apitest.Answer {
		t.Helper()
		return anyone.Must(t, "POST", "/v1/billing/webhook", body, status, "Stripe-Signature", header)
	}
	now := b.Clock.Now()
	for name, header := range map[string]string{
		"another secret": event.Signed("whsec_other", now), "too old": event.Signed(stripetest.Secret, now.Add(-301*time.Second)),
		"ahead": event.Signed(stripetest.Secret, now.Add(301*time.Second)),
	} {
		if got := send(string(event.Body), header, http.StatusBadRequest); got.Text(t, "code") != "invalidSignature" {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
	if got := send(string(event.Body)+" ", event.Signed(stripetest.Secret, now), http.StatusBadRequest); got.Text(t, "code") != "invalidSignature" {
		t.Error(got.Body)
	}
	if got := send("{", event.Signed(stripetest.Secret, now), http.StatusBadRequest); got.Text(t, "code") != "invalidSignature" {
		t.Error(got.Body)
	}
	for _, within := range []time.Duration{-300 * time.Second, 0, 300 * time.Second} {
		if got := send(string(event.Body), event.Signed(stripetest.Secret, now.Add(within)), http.StatusOK); got.Get(t, "received") != true {
			t.Error(got.Body)
		}
	}
	large := stripetest.Event{Body: []byte(`{"id":"evt_10","type":"x","a":"` + strings.Repeat("a", 256<<10-33) + `"}`)}
	send(string(large.Body), large.Signed(stripetest.Secret, now), http.StatusOK)
	large.Body = append(large.Body, ' ')
	send(string(large.Body), large.Signed(stripetest.Secret, now), http.StatusRequestEntityTooLarge)
}

func TestPastDueOrganizationCannotGrowButCanExport(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.Limits = organization.PlanLimits{Shareholders: 2, Members: 10}
	f := b.NewFirm(t, "owner@example.com")
	theirs, _ := apitest.Subscribe(t, b, f.Client, f.Home, f.ID, "growth")
	var entities []string
	for i := range 4 {
		entities = append(entities, f.Must(t, "POST", f.Home+"/member", `{"fullName":"Holder `+strconv.Itoa(i)+`","roles":[]}`, http.StatusCreated).Text(t, "entity"))
	}
	issue := func(entity string, status int) apitest.Answer {
		t.Helper()
		return f.Must(t, "POST", f.Home+"/shareholding", `{"entity":"`+entity+`","security":"`+f.Common+`","shares":"10","issueDate":"2026-01-01"}`, status)
	}
	for _, entity := range entities[:3] { // the limits of the plan growth apply
		issue(entity, http.StatusCreated)
	}
	b.Stripe.Change(theirs, map[string]any{"status": "past_due"})
	apitest.DeliverBillingEvents(t, b)
	apitest.UntilSubscription(t, f.Client, f.Home, "pastDue")
	for range 4 { // the session must stay in use
		b.Clock.Advance(apitest.BillingGrace / 4)
		f.Must(t, "GET", f.Home, "", http.StatusOK)
	}
	refused := issue(entities[3], http.StatusForbidden)
	if refused.Text(t, "code") != "planLimit" || refused.Get(t, "details", "limit") != "2" || refused.Get(t, "details", "used") != "3" {
		t.Error(refused.Body)
	}
	issue(entities[0], http.StatusCreated)
	for _, path := range []string{"/captable", "/captable?format=ocf", "/journal", "/shareholding"} {
		f.Must(t, "GET", f.Home+path, "", http.StatusOK)
	}
}

func TestOnlyMembersWhoReadTheSubscriptionFollowIt(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	manager := b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	since := "?since=" + strconv.Itoa(f.JournalLength(t))
	f.Must(t, "POST", f.Home+"/subscription/portal", "", http.StatusOK)
	b.Stripe.GiveCard("cus_000001")
	made := f.Must(t, "POST", f.Home+"/subscription", `{"plan":"growth"}`, http.StatusCreated)
	want := fmt.Sprintf(`"records":[{"kind":"subscription","id":%q}]`, made.Get(t, "subscription", "id"))
	address, end := b.Listen(t), uint64(f.JournalLength(t))
	for _, reader := range []struct {
		caller  *apitest.Client
		follows bool
	}{{f.Client, true}, {manager, false}} {
		stream := reader.caller.Follow(t, address, f.Home, since)
		var received strings.Builder
		for id := uint64(0); id < end; {
			block, ok := stream.Block()
			if !ok {
				t.Fatal("the stream ended")
			}
			received.WriteString(block.Text)
			id = max(id, block.ID)
		}
		if got := received.String(); strings.Contains(got, want) != reader.follows {
			t.Errorf("may read the subscription: %t, received %s", reader.follows, got)
		}
	}
}

package webhook_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/features/webhook"
	"equity/features/webhook/endpoint"
	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

func TestEveryTypeOfEventHasACallback(t *testing.T) {
	t.Parallel()
	declared := slices.Sorted(maps.Keys(apitest.NewContract(t).Operation("POST", "/v1/organization/x/webhook").Callbacks))
	want := append(endpoint.EventTypes(), "journal.*", "webhook.test")
	if slices.Sort(want); !slices.Equal(declared, want) {
		t.Errorf("%v, want %v", declared, want)
	}
}

// Each delivery of a test is compared with its callback.
func TestEveryTypeOfEventIsDelivered(t *testing.T) {
	t.Parallel()
	delivered := append(documentEvents(), append(billingEvents(), "organization.created")...)
	for _, of := range occasions() {
		delivered = append(delivered, of.event)
	}
	for _, eventType := range endpoint.EventTypes() {
		if !slices.Contains(delivered, eventType) {
			t.Errorf("no test delivers %s", eventType)
		}
	}
}

// billingEvents are the types of webhook events of billing.
func billingEvents() []string {
	return []string{"subscription.created", "payment.failed", "payment.succeeded", "subscription.cancelled"}
}

func TestWebhookEventsOfBilling(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	url, received := webhooktest.Receiver(t, http.StatusOK)
	webhooktest.New(t, f.Client, f.Home, url, strings.Join(billingEvents(), `","`))
	theirs, ours := apitest.Subscribe(t, b, f.Client, f.Home, f.ID, "growth")
	invoice := b.Stripe.Invoice(theirs, 1250)
	for i, cause := range []func(){
		func() {},
		func() { b.Stripe.Pay(invoice, false) },
		func() { b.Stripe.Pay(invoice, true) },
		func() { f.Must(t, "DELETE", f.Home+"/subscription/"+ours+"?immediately=true", "", http.StatusOK) },
	} {
		cause()
		apitest.DeliverBillingEvents(t, b)
		if request := webhooktest.Next(t, received); !strings.Contains(request.Body, `"type":"`+billingEvents()[i]+`"`) {
			t.Errorf("%s, want %s", request.Body, billingEvents()[i])
		}
	}
}

// The parameters of the callbacks have the signatures of the test vector.
func TestSignaturesOfCallbacksAreThoseOfDeliveries(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	parameters := map[string]string{}
	for _, parameter := range webhooktest.Callback(apitest.NewContract(t), "role.created").Parameters {
		parameters[parameter.Value.Name], _ = parameter.Value.Schema.Value.Example.(string)
	}
	header := http.Header{}
	if err := webhook.Sign(header, []string{secret}, parameters["webhook-id"], time.Unix(1614265330, 0), []byte(body)); err != nil {
		t.Fatal(err)
	}
	for name, want := range parameters {
		if got := header.Get(name); got != want {
			t.Errorf("%s is %s, the example %s", name, got, want)
		}
	}
}

func TestSignatureOfTheContractIsThatOfDeliveries(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	header := http.Header{}
	if err := webhook.Sign(header, []string{secret}, "evt_a", time.Unix(1614265330, 0), []byte(body)); err != nil {
		t.Fatal(err)
	}
	description := apitest.NewContract(t).Operation("POST", "/v1/organization/x/webhook").Description
	for _, part := range []string{secret, body, header.Get("Service-Signature")} {
		if !strings.Contains(description, "`"+part+"`") {
			t.Errorf("the description lacks %s", part)
		}
	}
}

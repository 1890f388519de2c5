package http_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/actors/webhook"
	"equity/organization"
)

// callback returns the request that the contract declares for a type of webhook events, or nil.
func (c *contract) callback(eventType string) *openapi3.Operation {
	if strings.HasPrefix(eventType, "journal.") {
		eventType = "journal.*"
	}
	declared := c.operation("POST", "/v1/organization/x/webhook").Callbacks[eventType]
	if declared == nil {
		return nil
	}
	return declared.Value.Value("{$request.body#/url}").Post
}

// checkDelivery fails the test unless the contract declares the body and the headers of the delivery.
func (c *contract) checkDelivery(t *testing.T, request webhookRequest) {
	t.Helper()
	var got sent
	if err := json.Unmarshal([]byte(request.body), &got); err != nil {
		t.Errorf("%v: %s", err, request.body)
		return
	}
	declared := c.callback(got.Type)
	if declared == nil {
		t.Errorf("the contract has no callback for %s", got.Type)
		return
	}
	c.checkBody(t, got.Type, declared.RequestBody.Value.Content.Get("application/json").Schema, request.body)
	for _, parameter := range declared.Parameters {
		if request.header.Get(parameter.Value.Name) == "" {
			t.Errorf("%s: the header %s is missing", got.Type, parameter.Value.Name)
		}
	}
}

func TestEveryTypeOfEventHasACallback(t *testing.T) {
	t.Parallel()
	declared := slices.Sorted(maps.Keys(newContract(t).operation("POST", "/v1/organization/x/webhook").Callbacks))
	want := append(organization.WebhookEvents(), "journal.*", "webhook.test")
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
	for _, eventType := range organization.WebhookEvents() {
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	url, received := receiver(t, http.StatusOK)
	f.hook(t, f.home, url, strings.Join(billingEvents(), `","`))
	theirs, ours := b.billed(t, f.client, f.home, f.id, "growth")
	invoice := b.stripe.Invoice(theirs, 1250)
	for i, cause := range []func(){
		func() {},
		func() { b.stripe.Pay(invoice, false) },
		func() { b.stripe.Pay(invoice, true) },
		func() { f.must(t, "DELETE", f.home+"/subscription/"+ours+"?immediately=true", "", http.StatusOK) },
	} {
		cause()
		b.hear(t)
		if request := next(t, received); !strings.Contains(request.body, `"type":"`+billingEvents()[i]+`"`) {
			t.Errorf("%s, want %s", request.body, billingEvents()[i])
		}
	}
}

// The parameters of the callbacks have the signatures of the test vector.
func TestSignaturesOfCallbacksAreThoseOfDeliveries(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	parameters := map[string]string{}
	for _, parameter := range newContract(t).callback("role.created").Parameters {
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

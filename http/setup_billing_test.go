package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// billing gives the organization a subscription.
func (e *estate) billing(tb testing.TB) {
	tb.Helper()
	_, e.ids["subscription"] = apitest.Subscribe(tb, e.Server, e.Client, e.Home, e.ID, "scale")
}

// billingStory is the part of the story about billing.
func billingStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	at := f.Home + "/subscription"
	f.Must(t, "GET", "/v1/billing/product", "", http.StatusOK)
	f.Must(t, "POST", at+"/preview", `{"plan":"growth"}`, http.StatusOK)
	f.Must(t, "POST", at, `{"plan":"growth"}`, http.StatusCreated)
	f.Must(t, "POST", at+"/portal", "", http.StatusOK)
	f.Stripe.Subscribe("cus_000001", "growth", 1)
	apitest.DeliverBillingEvents(t, f.Server)
	made := apitest.UntilSubscription(t, f.Client, f.Home, "active")
	f.Must(t, "POST", at, `{"plan":"scale"}`, http.StatusOK)
	f.Must(t, "DELETE", at+"/"+made.Text(t, "id"), "", http.StatusOK)
}

package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/actors/webhook"
)

func TestSignatureOfTheContractIsThatOfDeliveries(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`
	header := http.Header{}
	if err := webhook.Sign(header, []string{secret}, "evt_a", time.Unix(1614265330, 0), []byte(body)); err != nil {
		t.Fatal(err)
	}
	description := newContract(t).operation("POST", "/v1/organization/x/webhook").Description
	for _, part := range []string{secret, body, header.Get("Service-Signature")} {
		if !strings.Contains(description, "`"+part+"`") {
			t.Errorf("the description lacks %s", part)
		}
	}
}

package http_test

import (
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
)

const diagnosticPath = "/v1/auth/diagnostic"

func TestDiagnosticDescribesTheSession(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	got := b.Anonymous().Must(t, "GET", diagnosticPath, "", 200)
	if got.Get(t, "userId") != nil || got.Get(t, "hasSession") != false || got.Get(
		t, "hasConnectSidCookie",
	) != false || got.Text(t, "sessionIdPrefix") != "" {
		t.Error(got.Body)
	}
	got = b.Anonymous().Must(t, "GET", diagnosticPath, "", 200, "Cookie", "a=b; connect.sid=forged")
	if got.Get(t, "hasSession") != false || got.Get(t, "hasConnectSidCookie") != true {
		t.Error(got.Body)
	}
	ada := b.NewPerson(t, "ada@example.com")
	got = ada.Must(t, "GET", diagnosticPath, "", 200)
	_, handle := sessionHandles(t, ada)
	if got.Text(t, "userId") != ada.User.ID.String() || got.Get(t, "hasUser") != true || !strings.HasPrefix(handle, got.Text(t, "sessionIdPrefix")) ||
		got.Get(t, "cookieMaxAge") != float64(604_800_000) || got.Get(t, "cookieSecure") != false {
		t.Error(got.Body)
	}
	if strings.Contains(ada.Cookie, got.Text(t, "sessionIdPrefix")) {
		t.Errorf("%s contains a part of the cookie", got.Body)
	}
}

func TestDiagnosticIsAbsentInProduction(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.Features[api.FeatureDiagnostic] = false
	})
	if got := b.Anonymous().Send(t, "GET", diagnosticPath, ""); got.Status != 404 {
		t.Error(got.Body)
	}
}

package http_test

import (
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
)

const diagnosticPath = "/v1/auth/diagnostic"

func TestDiagnosticDescribesTheSession(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.anonymous().must(t, "GET", diagnosticPath, "", 200)
	if got.get(t, "userId") != nil || got.get(t, "hasSession") != false || got.get(
		t, "hasConnectSidCookie",
	) != false || got.text(t, "sessionIdPrefix") != "" {
		t.Error(got.body)
	}
	got = b.anonymous().must(t, "GET", diagnosticPath, "", 200, "Cookie", "a=b; connect.sid=forged")
	if got.get(t, "hasSession") != false || got.get(t, "hasConnectSidCookie") != true {
		t.Error(got.body)
	}
	ada := b.person(t, "ada@example.com")
	got = ada.must(t, "GET", diagnosticPath, "", 200)
	_, handle := ada.handles(t)
	if got.text(t, "userId") != ada.user.ID.String() || got.get(t, "hasUser") != true || !strings.HasPrefix(handle, got.text(t, "sessionIdPrefix")) ||
		got.get(t, "cookieMaxAge") != float64(604_800_000) || got.get(t, "cookieSecure") != false {
		t.Error(got.body)
	}
	if strings.Contains(ada.cookie, got.text(t, "sessionIdPrefix")) {
		t.Errorf("%s contains a part of the cookie", got.body)
	}
}

func TestDiagnosticIsAbsentInProduction(t *testing.T) {
	t.Parallel()
	b := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) {
		s.Features = map[string]bool{
			api.FeatureDiagnostic: false, api.FeatureBilling: false, api.FeatureDrive: false, api.FeatureAgent: false,
			api.FeatureHooks: false,
		}
	})
	if got := b.anonymous().send(t, "GET", diagnosticPath, ""); got.status != 404 {
		t.Error(got.body)
	}
}

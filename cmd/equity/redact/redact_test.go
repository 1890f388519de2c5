package redact_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"equity/cmd/equity/redact"
)

func TestSecretsAreRemovedFromTexts(t *testing.T) {
	t.Parallel()
	r := redact.New([]string{"hunter2-", "hunter2-longer", "abc"})
	session := strings.Repeat("a", 43) + "." + strings.Repeat("b", 43)
	for text, want := range map[string]string{
		"the password hunter2-longer":                            "the password ********",
		"abc is too short for a secret":                          "abc is too short for a secret",
		"cookie " + session + " expired":                         "cookie ******** expired",
		"token eqt_AbC-12_x refused":                             "token eqt_******** refused",
		"whsec_C2FVsBQIhrscChlQIMV":                              "whsec_********",
		"Authorization: Bearer eyJhbGciOi.J9":                    "Authorization: Bearer ********",
		"dial postgres://equity:pa55@db:5432/x failed":           "dial postgres://equity:********@db:5432/x failed",
		"GET https://x.example/cb?state=a1&code=b2 HTTP":         "GET https://x.example/cb?state=********&code=******** HTTP",
		"organization 01890000-0000-7000-8000-000000000000 done": "organization 01890000-0000-7000-8000-000000000000 done",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestSecretsAreRemovedFromLogs(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: redact.New([]string{"hunter2-x"}).Attribute}))
	log.With("userPassword", "open sesame").WithGroup("request").Info("sign-in with hunter2-x", "cause", errors.New("wrong hunter2-x"),
		"header", []string{"hunter2-x"}, slog.Group("inner", "cookie", "value"), "status", 400, "tokens", 17)
	text := out.String()
	for _, secret := range []string{"hunter2", "open sesame", `"value"`} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %s", secret, text)
		}
	}
	if !strings.Contains(text, `"status":400`) || !strings.Contains(text, `"tokens":17`) || !strings.Contains(text, "wrong ********") {
		t.Error(text)
	}
}

package http_test

import (
	"testing"

	"equity/http/apitest"
)

func TestSecretsInLogsAreFound(t *testing.T) {
	t.Parallel()
	var s apitest.Secrets
	s.Learn(`{"email":"ada@example.com","password":"compilers","twoFactorToken":"123456"}`, "connect.sid=s%3Aabc.def",
		apitest.Answer{Body: `{"secret":"JBSWY3DPEHPK3PXP","recoveryCodes":["7h2kq-w9d4m-x0p5t"],"code":"invalidFields"}`})
	for line, found := range map[string]bool{
		`msg=request email=ada@example.com`:         false,
		`msg=request code=invalidFields`:            false,
		`msg="tried compilers"`:                     true,
		`msg=compilers2`:                            false,
		`request=00123456 token=123456`:             true,
		`request=00123456`:                          false,
		`cookie=connect.sid=s%3Aabc.def`:            true,
		`seed=JBSWY3DPEHPK3PXP`:                     true,
		`recovery=7h2kq-w9d4m-x0p5t ended=1m0s`:     true,
		`recovery=none`:                             false,
		`{"body":{"password":"compilers","x":"y"}}`: true,
	} {
		if got := len(s.In(line)) > 0; got != found {
			t.Errorf("%s: %t", line, got)
		}
	}
}

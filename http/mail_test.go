package http_test

import (
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

func TestMailSubjectHasOneLine(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.Anonymous().Must(t, "POST", "/v1/user", strings.Replace(registration, `"Grace"`, `"Grace\u2028Bcc: x"`, 1), 201)
	confirm := b.NewestMail(t, "grace@example.com")
	b.Anonymous().Must(t, "POST", "/v1/user/email/verify", `{"code":"`+mailedCode(t, b, "grace@example.com")+`"}`, 200)
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
	b.Clock.Advance(time.Hour)
	mail := b.NewestMail(t, "grace@example.com")
	if strings.ContainsAny(mail.Subject, "\r\n\u2028") || !strings.HasPrefix(mail.Text, "Hello Grace Bcc: x,\n") {
		t.Errorf("%q %q", mail.Subject, mail.Text)
	}
	if !strings.Contains(confirm.Text, "\nhttps://equity.example.com/verify?code=") ||
		!strings.Contains(confirm.HTML, `href="https://equity.example.com/verify?code=`) {
		t.Error(confirm.Text)
	}
}

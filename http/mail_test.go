package http_test

import (
	"strings"
	"testing"
	"time"
)

func TestMailSubjectHasOneLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.anonymous().must(t, "POST", "/v1/user", strings.Replace(registration, `"Grace"`, `"Grace\u2028Bcc: x"`, 1), 201)
	confirm := b.newest(t, "grace@example.com")
	b.anonymous().must(t, "POST", "/v1/user/email/verify", `{"code":"`+b.code(t, "grace@example.com")+`"}`, 200)
	b.anonymous().must(t, "POST", "/v1/user/password/reset", `{"email":"grace@example.com"}`, 200)
	b.clock.advance(time.Hour)
	mail := b.newest(t, "grace@example.com")
	if strings.ContainsAny(mail.Subject, "\r\n\u2028") || !strings.HasPrefix(mail.Text, "Hello Grace Bcc: x,\n") {
		t.Errorf("%q %q", mail.Subject, mail.Text)
	}
	if !strings.Contains(confirm.Text, "\nhttps://equity.example.com/verify?code=") ||
		!strings.Contains(confirm.HTML, `href="https://equity.example.com/verify?code=`) {
		t.Error(confirm.Text)
	}
}

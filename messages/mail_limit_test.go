package messages_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// counts is a throttle whose windows do not end.
type counts map[string]int

func (c counts) Take(_ context.Context, subject string, limit int, window time.Duration) (time.Duration, error) {
	if c[subject]++; c[subject] > limit {
		return window, nil
	}
	return 0, nil
}

// sends reports whether the mail is within the limits.
func (c counts) sends(t *testing.T, mail messages.ChosenMail) bool {
	t.Helper()
	wait, err := mail.Take(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return wait == 0
}

// mailKinds lists the kinds of mails to chosen addresses.
func mailKinds() []messages.MailKind {
	return []messages.MailKind{
		messages.MailInvitation, messages.MailAddressChange, messages.MailCode,
		messages.MailRegistration, messages.MailVerification, messages.MailReset, messages.MailSignIn,
	}
}

func TestMailsOfAllKindsShareTheLimits(t *testing.T) {
	t.Parallel()
	home := captable.ID[organization.Organization]{1}
	for claim, shared := range map[string]struct {
		most int
		mail messages.ChosenMail
	}{
		"a network":       {2000, messages.ChosenMail{Network: "192.0.2.1"}},
		"a sender":        {1000, messages.ChosenMail{Sender: "ada"}},
		"an organization": {2000, messages.ChosenMail{Organization: home}},
	} {
		throttle, sent := counts{}, 0
		send := func(kind messages.MailKind) bool {
			mail := shared.mail
			mail.Kind, mail.Recipient, mail.Cooldown = kind, strconv.Itoa(len(throttle))+"@example.com", time.Minute
			return throttle.sends(t, mail)
		}
		for _, kind := range mailKinds() {
			for range 30 {
				if !send(kind) {
					t.Fatalf("%s: mail %d (%s) is refused", claim, sent+1, kind)
				}
				sent++
			}
		}
		for ; sent < shared.most; sent++ {
			if !send(messages.MailInvitation) {
				t.Fatalf("%s: mail %d is refused", claim, sent+1)
			}
		}
		for _, kind := range mailKinds() {
			if send(kind) {
				t.Errorf("%s sends %d mails and one of the kind %s", claim, shared.most, kind)
			}
		}
	}
}

func TestMailsOfOtherKindsDoNotBlockTheMailsOfAnAccount(t *testing.T) {
	t.Parallel()
	throttle, home := counts{}, captable.ID[organization.Organization]{1}
	for _, kind := range []messages.MailKind{messages.MailInvitation, messages.MailAddressChange, messages.MailCode} {
		for range 50 {
			throttle.sends(t, messages.ChosenMail{Kind: kind, Recipient: "ada@example.com", Organization: home})
		}
	}
	for _, kind := range []messages.MailKind{messages.MailRegistration, messages.MailVerification, messages.MailReset, messages.MailSignIn} {
		if !throttle.sends(t, messages.ChosenMail{Kind: kind, Recipient: "ada@example.com", Network: "192.0.2.1", Cooldown: time.Minute}) {
			t.Errorf("a mail of the kind %s is refused", kind)
		}
		for range 50 {
			throttle.sends(t, messages.ChosenMail{Kind: kind, Recipient: "ada@example.com", Network: "198.51.100.1", Cooldown: time.Minute})
		}
	}
}

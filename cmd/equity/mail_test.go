package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"equity/persistence"
	"equity/persistence/storetest"
)

// postOffice is a mail server that refuses recipients with the prefix "nobody" and stores the mail of the others.
type postOffice struct {
	mu      sync.Mutex
	letters map[string]string
}

type counter struct {
	*postOffice
	to string
}

func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &counter{postOffice: p}, nil
}

func (c *counter) Mail(string, *smtp.MailOptions) error { return nil }

func (c *counter) Rcpt(to string, _ *smtp.RcptOptions) error {
	if c.to = to; strings.HasPrefix(to, "nobody") {
		return &smtp.SMTPError{Code: 550, Message: "no such mailbox"}
	}
	return nil
}

func (c *counter) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.letters[c.to] = string(text)
	return err
}

func (c *counter) Reset()        {}
func (c *counter) Logout() error { return nil }

// got returns the mail received for an address.
func (p *postOffice) got(to string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.letters[to]
}

// openPostOffice configures the shell's servers to use a mail server of the test.
func (s *shell) openPostOffice(t *testing.T) *postOffice {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	office := &postOffice{letters: map[string]string{}}
	server := smtp.NewServer(office)
	server.Domain = "localhost"
	go func() { _ = server.Serve(listener) }()
	storetest.Cleanup(t, func() { _ = server.Close() })
	s.variables["SMTP_HOST"], s.variables["SMTP_PORT"], _ = net.SplitHostPort(listener.Addr().String())
	s.variables["SMTP_SECURITY"] = "none"
	return office
}

// visitor is a browser session.
type visitor struct {
	*testing.T
	http.Client
	at string
}

func (v *visitor) ask(method, path, body string, want int) string {
	v.Helper()
	request, err := http.NewRequestWithContext(v.Context(), method, v.at+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := v.Do(request)
	if err != nil {
		v.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != want {
		v.Fatalf("%s %s: %d instead of %d, %v: %s", method, path, answer.StatusCode, want, err, text)
	}
	return string(text)
}

// until waits for a condition.
func until(t *testing.T, description string, reached func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", description)
		}
	}
}

// An invitation to an unknown address bounces back to the organization. Sent to another address, it
// arrives.
func TestUndeliverableInvitationBounces(t *testing.T) {
	t.Parallel()
	for store, setup := range map[string]func(*testing.T) *shell{"on files": setup, "on services": setupServices} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			office := s.openPostOffice(t)
			s.runWith(t, "correct horse battery\n", "admin", "create", "root@example.com")
			jar, _ := cookiejar.New(nil) // never fails
			v := &visitor{T: t, Client: http.Client{Jar: jar}, at: s.serve(t).url}
			v.ask("POST", "/v1/user/login", `{"email":"root@example.com","password":"correct horse battery"}`, http.StatusOK)
			made := v.ask("POST", "/v1/organization", `{"name":"Acme","currency":"USD"}`, http.StatusCreated)
			home := "/v1/organization/" + regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(made)[1]
			invite := func(email string) string {
				asked := v.ask("POST", home+"/member/invite", `{"emails":["`+email+`"],"roles":["Guest"]}`, http.StatusOK)
				return home + "/member/" + regexp.MustCompile(`"outcome":"sent","member":"([^"]+)"`).FindStringSubmatch(asked)[1]
			}
			is := func(member, status string) func() bool {
				return func() bool {
					return strings.Contains(v.ask("GET", member, "", http.StatusOK), fmt.Sprintf(`"status":%q`, status))
				}
			}
			known, unknown := invite("ada@example.com"), invite("nobody@example.com")
			until(t, "a bounce", is(unknown, "bounced"))
			until(t, "the mail to Ada", func() bool { return office.got("ada@example.com") != "" })
			if !is(known, "invited")() {
				t.Error("a delivered invitation is no longer pending")
			}
			v.ask("PATCH", unknown, `{"email":"grace@example.com"}`, http.StatusOK)
			if again := invite("grace@example.com"); again != unknown {
				t.Errorf("%s became %s", unknown, again)
			}
			until(t, "the mail to Grace", func() bool { return office.got("grace@example.com") != "" })
			letter := strings.ReplaceAll(office.got("grace@example.com"), "=\r\n", "")
			token := regexp.MustCompile(`/invitation\?token=3D([\w-]+)`).FindStringSubmatch(letter)[1]
			v.ask("POST", "/v1/invitation/read", `{"token":"`+url.QueryEscape(token)+`"}`, http.StatusOK)
		})
	}
}

// recipients returns the recipients in the outbox once no mail is pending.
func (s *shell) recipients(t *testing.T) (known string) {
	t.Helper()
	c, err := s.program("", &safeBuffer{}, &safeBuffer{}).settings(nil)
	if err == nil {
		err = withDatabase(t.Context(), c, func(db *persistence.Database) error {
			rows, err := db.Reader().QueryContext(t.Context(), `SELECT recipient, next_attempt_at IS NULL FROM outbox ORDER BY recipient`)
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			var to string
			for settled := true; err == nil && rows.Next(); {
				if err = rows.Scan(&to, &settled); !settled {
					to += " waits"
				}
				known += to + ","
			}
			return errors.Join(err, rows.Err())
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func TestRecipientsOfSentMailAreRemoved(t *testing.T) {
	t.Parallel()
	s := setup(t)
	r := s.serve(t)
	for _, email := range []string{"new@example.com", "old@example.com"} {
		wish := `{"email":"` + email + `","password":"correct horse battery","firstName":"A","lastName":"B","acceptedTerms":true}`
		if status, body := r.post(t, "/v1/user", wish); status != http.StatusCreated {
			t.Fatalf("%d %s", status, body)
		}
	}
	until(t, "two mails", func() bool { return s.recipients(t) == "new@example.com,old@example.com," })
	r.end(t)
	s.alter(t, fmt.Sprintf(`UPDATE outbox SET created_at = created_at - %d WHERE recipient = 'old@example.com'`, rememberMail.Microseconds()))
	s.serve(t)
	until(t, "a clean house", func() bool { return s.recipients(t) == "new@example.com," })
}

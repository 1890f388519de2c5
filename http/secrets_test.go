package http_test

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// secrets are what was sent and answered in a test that no log may hold: passwords,
// tokens, codes, the seeds of second factors and the identifiers of sessions.
type secrets struct {
	mutex sync.Mutex
	known map[string]bool
}

// fewestOfASecret leaves out what is too short to be told from any other text.
const fewestOfASecret = 6

func (s *secrets) add(texts ...string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, text := range texts {
		if len(text) >= fewestOfASecret {
			s.known[text] = true
		}
	}
}

// The fields whose values are secret, of requests and of answers, where code is that of
// an error.
var (
	secretSent     = regexp.MustCompile(`"(?:password|currentPassword|token|twoFactorToken|code|credential)":"([^"]+)"`)
	secretAnswered = regexp.MustCompile(`"(?:secret|password|token)":"([^"]+)"`)
	recoveryCodes  = regexp.MustCompile(`\b[0-9a-z]{5}(?:-[0-9a-z]{5}){2}\b`)
)

// learn takes the secrets out of a request and its answer.
func (s *secrets) learn(body, cookie string, got answer) {
	for _, found := range secretSent.FindAllStringSubmatch(body, -1) {
		s.add(found[1])
	}
	for _, found := range secretAnswered.FindAllStringSubmatch(got.body, -1) {
		s.add(found[1])
	}
	if strings.Contains(got.body, `"recoveryCodes"`) {
		s.add(recoveryCodes.FindAllString(got.body, -1)...)
	}
	_, value, _ := strings.Cut(cookie, "=")
	s.add(value)
}

// in gives the lines of a log that hold one of the secrets as a word of its own.
func (s *secrets) in(log string) (lines []string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for line := range strings.Lines(log) {
		for secret := range s.known {
			if holdsWord(line, secret) {
				lines = append(lines, secret+": "+line)
			}
		}
	}
	return lines
}

// holdsWord reports whether the line holds the text, and not only as a part of a longer
// word, as six digits may occur in the number of a request.
func holdsWord(line, text string) bool {
	for at := strings.Index(line, text); at >= 0; {
		end := at + len(text)
		if (at == 0 || !isWord(line[at-1])) && (end == len(line) || !isWord(line[end])) {
			return true
		}
		next := strings.Index(line[end:], text)
		if next < 0 {
			return false
		}
		at = end + next
	}
	return false
}

func isWord(b byte) bool {
	return bytes.IndexByte([]byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), b) >= 0
}

// keepsSecrets reads the whole log when the test is over: every test of the suite that
// starts a server is a test of this as well.
func (b *bundle) keepsSecrets(tb testing.TB) {
	tb.Helper()
	tb.Cleanup(func() {
		for _, line := range b.secrets.in(b.log.String()) {
			tb.Errorf("the log holds a secret: %s", line)
		}
	})
}

func TestSecretsInALogAreFound(t *testing.T) {
	t.Parallel()
	var s secrets
	s.learn(`{"email":"ada@example.com","password":"compilers","twoFactorToken":"123456"}`, "connect.sid=s%3Aabc.def",
		answer{body: `{"secret":"JBSWY3DPEHPK3PXP","recoveryCodes":["7h2kq-w9d4m-x0p5t"],"code":"invalidFields"}`})
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
		if got := len(s.in(line)) > 0; got != found {
			t.Errorf("%s: %t", line, got)
		}
	}
}

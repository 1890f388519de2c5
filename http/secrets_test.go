package http_test

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"

	"equity/persistence/storetest"
)

// secrets collects values of a test that must not be logged: passwords, tokens, codes, seeds
// of second factors and session ids.
type secrets struct {
	mutex sync.Mutex
	known map[string]bool
}

// minSecretLength is the minimum length of a secret. Shorter texts may match other text by chance.
const minSecretLength = 6

func (s *secrets) add(texts ...string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.known == nil {
		s.known = map[string]bool{}
	}
	for _, text := range texts {
		if len(text) >= minSecretLength {
			s.known[text] = true
		}
	}
}

// These expressions match secret fields of requests and answers. In answers, the field code is an
// error code.
var (
	secretSent     = regexp.MustCompile(`"(?:password|currentPassword|token|twoFactorToken|code|credential)":"([^"]+)"`)
	secretAnswered = regexp.MustCompile(`"(?:secret|password|token)":"([^"]+)"`)
	recoveryCodes  = regexp.MustCompile(`\b[0-9a-z]{5}(?:-[0-9a-z]{5}){2}\b`)
)

// learn collects the secrets of a request and its answer.
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

// in returns the log lines that contain a secret as a separate word.
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

// holdsWord reports whether the line contains the text as a separate word. Six digits, for
// example, may be a part of a request id.
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

// keepsSecrets checks the whole log at the end of every test that starts a server.
func (b *bundle) keepsSecrets(tb testing.TB) {
	tb.Helper()
	storetest.Cleanup(tb, func() {
		for _, line := range b.secrets.in(b.log.String()) {
			tb.Errorf("the log contains a secret: %s", line)
		}
	})
}

func TestSecretsInLogsAreFound(t *testing.T) {
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

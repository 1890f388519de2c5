package apitest

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"

	"equity/persistence/storetest"
)

// Secrets collects values of a test that must not be logged: passwords, tokens, codes, seeds
// of second factors and session ids.
type Secrets struct {
	mutex sync.Mutex
	known map[string]bool
}

// minSecretLength is the minimum length of a secret. Shorter texts may match other text by chance.
const minSecretLength = 6

// Add adds the texts that are long enough to be recognized.
func (s *Secrets) Add(texts ...string) {
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

// Learn collects the secrets of a request and its answer.
func (s *Secrets) Learn(body, cookie string, got Answer) {
	for _, found := range secretSent.FindAllStringSubmatch(body, -1) {
		s.Add(found[1])
	}
	for _, found := range secretAnswered.FindAllStringSubmatch(got.Body, -1) {
		s.Add(found[1])
	}
	if strings.Contains(got.Body, `"recoveryCodes"`) {
		s.Add(recoveryCodes.FindAllString(got.Body, -1)...)
	}
	_, value, _ := strings.Cut(cookie, "=")
	s.Add(value)
}

// In returns the log lines that contain a secret as a separate word.
func (s *Secrets) In(log string) (lines []string) {
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
func (b *Server) keepsSecrets(tb testing.TB) {
	tb.Helper()
	storetest.Cleanup(tb, func() {
		for _, line := range b.Secrets.In(b.Log.String()) {
			tb.Errorf("the log contains a secret: %s", line)
		}
	})
}

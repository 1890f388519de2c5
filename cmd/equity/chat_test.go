package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/actors/chat/chattest"
)

// warned waits for a line of the log.
func (r *running) warned(t *testing.T, line string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(r.log.String(), line); {
		if time.Now().After(deadline) {
			t.Fatalf("%q is missing:\n%s", line, r.log.String())
		}
		select { // polls the server
		case <-t.Context().Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestChatServerThatIsAwayAtTheStartIsOneWarning(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["CHAT_URL"], s.variables["CHAT_ADMIN_BOT_TOKEN"] = "http://127.0.0.1:1", "secret-token"
	r := s.serve(t)
	r.warned(t, "the chat server cannot be used")
	if status, body := r.get(t, r.url+"/readyz"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	r.end(t)
	if log := r.log.String(); strings.Count(log, "chat server") != 1 || strings.Contains(log, "secret-token") {
		t.Error(log)
	}
}

func TestWrongTokenOfTheChatServerIsOneWarning(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["CHAT_URL"], s.variables["CHAT_ADMIN_BOT_TOKEN"] = chattest.Open(t).URL, "secret-token"
	r := s.serve(t)
	r.warned(t, "the chat server cannot be used")
	r.end(t)
}

func TestServerWithoutChatSaysSo(t *testing.T) {
	t.Parallel()
	r := setup(t).serve(t)
	r.warned(t, "team chat is off")
	r.end(t)
}

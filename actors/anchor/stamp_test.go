package anchor_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/actors/anchor"
	"equity/actors/anchor/anchortest"
	"equity/messages"
	"equity/organization"
)

// of returns the settings of an authority.
func of(url string) anchor.Authority {
	return anchor.Authority{URL: url, Username: anchortest.Username, Password: anchortest.Password, Random: rand.Reader}
}

// answering returns the address of a server with an answer to each request.
func answering(t *testing.T, answer func(asked []byte) []byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		_, _ = w.Write(answer(asked))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestStampOfOpenSSLIsChecked(t *testing.T) {
	t.Parallel()
	office, other := anchortest.NewAuthority(t, "sha256"), anchortest.NewAuthority(t, "sha256")
	trusted, err := anchor.ReadCertificates(office.CA)
	strangers, failed := anchor.ReadCertificates(other.CA)
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	content, asker := []byte("a line\n"), of(office.URL)
	asker.Trusted = trusted
	token, err := asker.Stamp(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := anchor.Stamped(token, content, trusted); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("%v %v", at, err)
	}
	if _, err := anchor.Stamped(token, content, nil); err != nil {
		t.Errorf("without trusted certificates: %v", err)
	}
	if _, err := anchor.Stamped(token, content, strangers); err == nil {
		t.Error("a certificate of another root is trusted")
	}
	if _, err := anchor.Stamped(token, []byte("another line\n"), nil); err == nil {
		t.Error("the token fits another content")
	}
	signature := bytes.Clone(token)
	signature[len(signature)-1] ^= 1
	if _, err := anchor.Stamped(signature, content, nil); err == nil {
		t.Error("an altered signature is valid")
	}
	asker.Trusted = strangers
	if _, err := asker.Stamp(t.Context(), content); err == nil {
		t.Error("a token of another root is kept")
	}
}

func TestWrongAnswersOfAnAuthorityAreRefused(t *testing.T) {
	t.Parallel()
	office, picky := anchortest.NewAuthority(t, "sha256"), anchortest.NewAuthority(t, "sha512")
	content := []byte("a line\n")
	var first []byte
	replayed := func(asked []byte) []byte {
		if first == nil {
			first = office.Answer(t, asked)
		}
		return first
	}
	withoutCertificate := func(asked []byte) []byte {
		if i := bytes.LastIndex(asked, []byte{0x01, 0x01, 0xff}); i > 0 { // certReq
			asked = bytes.Clone(asked[:i])
			asked[1] -= 3
		}
		return office.Answer(t, asked)
	}
	replay := answering(t, replayed)
	if _, err := of(replay).Stamp(t.Context(), content); err != nil {
		t.Fatal(err)
	}
	stranger := of(office.URL)
	stranger.Password = "guessed"
	for want, asker := range map[string]anchor.Authority{
		"another nonce":  of(replay),
		"rejected":       of(picky.URL),
		"no certificate": of(answering(t, withoutCertificate)),
		"status 401":     stranger,
		"authority":      of(answering(t, func([]byte) []byte { return []byte("<html>") })),
	} {
		if token, err := asker.Stamp(t.Context(), content); err == nil || !strings.Contains(strings.ToLower(err.Error()), want) || token != nil {
			t.Errorf("%q is missing: %v", want, err)
		}
	}
}

func TestSilentAuthorityDelaysNoAnchor(t *testing.T) {
	t.Parallel()
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // afterwards, the server notices that the client leaves
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{1}, messages.AnchorSeedBytes))
	if err != nil {
		t.Fatal(err)
	}
	asker := of(silent.URL)
	asker.Time = 50 * time.Millisecond
	var log bytes.Buffer
	store := &heads{changed: []anchor.Change{{Head: messages.Head{Organization: organization.ID{1}, Sequence: 9}}}}
	path := filepath.Join(t.TempDir(), "anchors.jsonl")
	service := anchor.New(anchor.Settings{File: path, Authority: asker}, key, store, time.Now, slog.New(slog.NewTextHandler(&log, nil)))
	if err := service.Run(t.Context()); err != nil || len(store.marked) != 1 {
		t.Fatalf("%d heads are marked: %v", len(store.marked), err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(log.String(), "no time stamp") {
		t.Errorf("%v: %s\n%s", err, text, &log)
	}
}

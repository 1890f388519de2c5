package anchor_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/digitorus/timestamp"

	"equity/actors/anchor"
	"equity/messages"
	"equity/organization"
)

// heads are the changed heads of a store, and the hashes of its rows.
type heads struct {
	changed []anchor.Change
	rows    map[uint64]messages.Hash
	marked  []messages.Head
}

func (h *heads) Next(_ context.Context, after organization.ID, _ int) ([]anchor.Change, error) {
	if !after.IsZero() {
		return nil, nil
	}
	return h.changed, nil
}

func (h *heads) HashAt(_ context.Context, _ organization.ID, sequence uint64) (messages.Hash, bool, error) {
	hash, found := h.rows[sequence]
	return hash, found, nil
}

func (h *heads) Mark(_ context.Context, marked []messages.Head, _ time.Time) error {
	h.marked = append(h.marked, marked...)
	return nil
}

// authority serves time stamps.
func authority(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Time"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked, err := timestamp.ParseRequest(body)
		if user, password, _ := r.BasicAuth(); err != nil || user != "ada" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		stamp := timestamp.Timestamp{
			HashAlgorithm: asked.HashAlgorithm, HashedMessage: asked.HashedMessage, Time: time.Now(), Nonce: asked.Nonce, Policy: []int{1, 2, 3},
			AddTSACertificate: true,
		}
		answer, err := stamp.CreateResponseWithOpts(certificate, key, crypto.SHA256)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestChangedHeadsAreSignedStampedAndSent(t *testing.T) {
	t.Parallel()
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{1}, messages.AnchorSeedBytes))
	if err != nil {
		t.Fatal(err)
	}
	var posted []byte
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { posted, _ = io.ReadAll(r.Body) }))
	t.Cleanup(hook.Close)
	good, bad := organization.ID{1}, organization.ID{2}
	store := &heads{
		changed: []anchor.Change{
			{Head: messages.Head{Organization: good, Sequence: 9, Hash: messages.Hash{9}}, Signed: messages.Head{Organization: good, Sequence: 5, Hash: messages.Hash{5}}},
			{Head: messages.Head{Organization: bad, Sequence: 9, Hash: messages.Hash{9}}, Signed: messages.Head{Organization: bad, Sequence: 6, Hash: messages.Hash{66}}},
		},
		rows: map[uint64]messages.Hash{5: {5}, 6: {6}},
	}
	var log bytes.Buffer
	path, now := filepath.Join(t.TempDir(), "anchors.jsonl"), time.Unix(1_800_000_000, 0)
	service := anchor.New(anchor.Settings{File: path, Webhook: hook.URL, Authority: anchor.Authority{URL: authority(t), Username: "ada", Password: "secret"}},
		key, store, func() time.Time { return now }, slog.New(slog.NewTextHandler(&log, nil)))
	if err := service.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	lines := strings.SplitAfter(string(written), "\n")
	if err != nil || len(lines) != 3 || string(posted) != string(written) {
		t.Fatalf("%v: %q, posted %q; log %s", err, written, posted, &log)
	}
	var signed messages.Anchor
	var stamp anchor.Stamp
	if json.Unmarshal([]byte(lines[0]), &signed) != nil || json.Unmarshal([]byte(lines[1]), &stamp) != nil || !key.Public().Verifies(signed) || signed.Organization != good {
		t.Fatalf("%s", written)
	}
	if at, err := anchor.Stamped(stamp.TimeStamp, []byte(lines[0])); err != nil || time.Since(at) > time.Minute {
		t.Errorf("%v %v", at, err)
	}
	if _, err := anchor.Stamped(stamp.TimeStamp, []byte(lines[0]+" ")); err == nil {
		t.Error("the time stamp fits another content")
	}
	if len(store.marked) != 1 || store.marked[0].Organization != good || !strings.Contains(log.String(), bad.String()) {
		t.Errorf("marked %v; log %s", store.marked, &log)
	}
}

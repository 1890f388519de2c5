package scan_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/features/scan"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// scanned is a scripted scanner of files that contain their numbers.
type scanned struct {
	service       *consumertest.Service
	organizations func() *actors.Organizations
}

// Open returns the key of the event that stored the file as its content.
func (s scanned) Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error) {
	view, err := s.organizations().View(ctx, id)
	if err != nil {
		return nil, err
	}
	for file := range view.State.Documents().Files() {
		if file.SHA256 == sha256 && file.Scan == document.ScanPending {
			return io.NopCloser(strings.NewReader(messages.EventID(id, file.Version))), nil
		}
	}
	return nil, errors.New("no such file")
}

func (s scanned) Scan(ctx context.Context, content io.Reader) (string, error) {
	key, err := io.ReadAll(content)
	if err != nil {
		return "", err
	}
	err = s.service.Call(ctx, string(key))
	if errors.Is(err, consumertest.ErrPoison) {
		err = consumer.Permanent(err)
	}
	return "", err
}

func (scanned) Inform(context.Context, *messages.View, string, string, string) error { return nil }

// stored returns a command that stores a file with the content.
func stored(content string) messages.Command {
	hash := sha256.Sum256([]byte(content))
	return messages.Command{Body: organization.Room{Command: document.StoreFile{Content: document.Content{
		Name: "file.txt", MediaType: "text/plain", Size: int64(len(content)), SHA256: hex.EncodeToString(hash[:]), Scan: document.ScanPending,
	}}}}
}

func TestScanIsAConformingConsumer(t *testing.T) {
	t.Parallel()
	subject := consumertest.Subject{
		System: system.New,
		New: func(
			t *testing.T, _ consumertest.Store, service *consumertest.Service, now func() time.Time,
			organizations func() *actors.Organizations,
		) consumer.Consumer {
			t.Helper()
			s := scanned{service, organizations}
			return scan.NewConsumer(scan.Options{
				Scanner: s, Files: s, Owners: s, Organizations: consumertest.Late{Of: organizations}, Now: now,
			})
		},
		Prepare: func(t *testing.T, _ *consumertest.Service) ([]messages.Command, string) {
			t.Helper()
			return nil, "scan"
		},
		Cause: func(number int) messages.Command { return stored(strconv.Itoa(number)) },
	}
	consumertest.Engines(t, func(t *testing.T, open func(t *testing.T) consumertest.Store) {
		t.Helper()
		consumertest.Conformance(t, open, subject)
	})
}

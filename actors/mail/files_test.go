package mail_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"equity/actors/mail"
	"equity/messages"
)

// Mails hold links that sign in: only the owner of the process may read them, also in a
// folder that others could read before.
func TestMailFilesAreTheirOwners(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "mail")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	sent := messages.Mail{To: "ada@example.com", Subject: "x", Text: "x", CreatedAt: time.Unix(0, 0)}
	if err := (mail.Files{Directory: folder, From: "equity@example.com"}).Send(context.Background(), sent); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	for path, want := range map[string]os.FileMode{folder: os.ModeDir | 0o700, files[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

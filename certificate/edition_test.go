package certificate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"equity/certificate"
)

// TestEditionChangesWithTheBytes protects stored certificates. They are used in place of a rendering of the same edition.
func TestEditionChangesWithTheBytes(t *testing.T) {
	t.Parallel()
	const edition, want = "1 go1.26.8 amd64", "a3ba5ffcaa64f658b888fa25f660e719262f65d7f8f95dd3200549852eb46cb0"
	if certificate.Edition() != edition {
		t.Skipf("the digest is that of %s; this is %s", edition, certificate.Edition())
	}
	hash := sha256.New()
	for _, change := range []func(*certificate.Document){
		func(*certificate.Document) {},
		func(d *certificate.Document) { d.Kind, d.Ended = certificate.Copy, "TRANSFERRED" },
		func(d *certificate.Document) { d.Legends[0].Text = strings.Repeat("No sale without consent. ", 400) },
		func(d *certificate.Document) {
			d.Holder, d.Units, d.Signatories = "Ada · 山田太郎 · محمد · 👍", true, nil
		},
	} {
		d := sample()
		change(&d)
		content, err := shared().Render(d)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = hash.Write(content)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("the bytes of certificates changed: increase the revision in renderer.go, and update edition and digest (%s) here", got)
	}
}

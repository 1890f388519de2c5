package certificate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"strings"
	"testing"

	"equity/certificate"
)

// TestEditionChangesWithTheBytes protects stored certificates. They are used in place of a rendering of the same edition.
func TestEditionChangesWithTheBytes(t *testing.T) {
	t.Parallel()
	digests := map[string]string{"1 go1.26.8 amd64": "a3ba5ffcaa64f658b888fa25f660e719262f65d7f8f95dd3200549852eb46cb0"}
	want, known := digests[certificate.Edition()]
	if !known && runtime.GOARCH == "amd64" { // the processor of the checks; others may round differently
		t.Errorf("the edition %s has no digest", certificate.Edition())
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
	if got := hex.EncodeToString(hash.Sum(nil)); known && got != want {
		t.Errorf("the bytes of certificates changed: increase the revision in renderer.go, and add its digest (%s) here", got)
	}
}

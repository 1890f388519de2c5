package ocf_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable/ocf"
)

// FuzzRead checks that arbitrary packages cause no panic, and that an accepted package can be
// exported and imported again.
func FuzzRead(f *testing.F) {
	for _, p := range []*parcel{sound(), everything()} {
		files := p.files()
		f.Add(string(files["Manifest.ocf.json"].Data), string(files["StockClasses.ocf.json"].Data), string(files["Transactions.ocf.json"].Data))
	}
	test := sample(f, "test-company")
	seed := func(name string) string {
		content, err := fs.ReadFile(test, name)
		if err != nil {
			f.Fatal(err)
		}
		return string(content)
	}
	f.Add(seed("Manifest.ocf.json"), seed("StockClasses.ocf.json"), seed("Transactions.ocf.json"))
	f.Fuzz(func(t *testing.T, manifest, classes, transactions string) {
		files := sound().files()
		files["Manifest.ocf.json"] = &fstest.MapFile{Data: []byte(manifest)}
		files["StockClasses.ocf.json"] = &fstest.MapFile{Data: []byte(classes)}
		files["Transactions.ocf.json"] = &fstest.MapFile{Data: []byte(transactions)}
		w := setup(t)
		if findings := w.take(files); findings.Refused() {
			return
		}
		// An exported package can be imported again.
		out := w.export("2026-03-01")
		again := setup(t)
		if findings := again.take(out); findings.Refused() {
			t.Fatalf("our own export is refused: %v", findings.Refusals())
		}
	})
}

// FuzzNumeric compares the numeric parser with the pattern of the format.
func FuzzNumeric(f *testing.F) {
	for _, text := range []string{"1", "+1", "-0.5", "007", "1.", ".5", "1e5", "", "00000000000000000000000001.0000000001", "NaN"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		p := sound()
		p.transactions = []string{issue("one", "2024-01-01", "ada", "common", "1", `"quantity":`+string(value))}
		_, findings := ocf.Read(p.files())
		malformed := false
		for _, refusal := range findings.Refusals() {
			malformed = malformed || refusal.Code == "invalidNumeric" || refusal.Code == "required"
		}
		if isNumeric(text) == malformed {
			t.Errorf("%q: malformed %v", text, malformed)
		}
	})
}

// isNumeric implements the pattern of the format, limited to the supported digits.
func isNumeric(text string) bool {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	whole, places, point := strings.Cut(text, ".")
	digits := func(part string) bool { return part != "" && strings.Trim(part, "0123456789") == "" }
	return digits(whole) && (!point || digits(places) && len(places) <= 10) && len(strings.TrimLeft(whole, "0")) <= 19
}

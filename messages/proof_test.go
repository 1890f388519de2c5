package messages_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"equity/messages"
	"equity/organization"
)

// journal returns n rows of one organization.
func journal(n int) []messages.Row {
	rows := make([]messages.Row, 0, n)
	var hash messages.Hash
	at := time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)
	for i := range n {
		row := messages.Row{
			Organization: organization.ID{1}, Sequence: uint64(i) + 1, RecordedAt: at.Add(time.Duration(i) * time.Second),
			By: "system:<test>", Type: "somethingHappened",
			Payload: fmt.Appendf(nil, `{"number":"%d","text":"a < b \u003c <c>","pads": [ 1,2 ]}`, i),
		}
		if i%2 == 1 {
			row.IdempotencyKey, row.Fingerprint = "ada key & lock", "f00d"
		}
		row.Seal(hash)
		hash = row.Hash
		rows = append(rows, row)
	}
	return rows
}

// proof returns the rows as a proof.
func proof(t *testing.T, rows []messages.Row) string {
	t.Helper()
	var file bytes.Buffer
	header := messages.ProofHeader{Organization: organization.ID{1}, Name: "Ada & Söhne", Rows: uint64(len(rows))}
	header.Hash = hex.EncodeToString(make([]byte, 32))
	if len(rows) > 0 {
		last := rows[len(rows)-1]
		header.Hash = hex.EncodeToString(last.Hash[:])
	}
	writer, err := messages.NewProofWriter(&file, header)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := writer.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func TestCheckProof(t *testing.T) {
	t.Parallel()
	t.Run("a written proof is accepted, and its header is returned", func(t *testing.T) {
		t.Parallel()
		for _, n := range []int{0, 1, 2, 100} {
			rows := journal(n)
			header, err := messages.CheckProof(iotest.OneByteReader(strings.NewReader(proof(t, rows))))
			if err != nil || header.Rows != uint64(n) || header.Name != "Ada & Söhne" || header.Organization != (organization.ID{1}) {
				t.Errorf("%d rows: %+v, %v", n, header, err)
			}
		}
	})
	t.Run("two proofs of the same journal are identical", func(t *testing.T) {
		t.Parallel()
		if first, second := proof(t, journal(3)), proof(t, journal(3)); first != second {
			t.Error("two proofs of one journal differ")
		}
	})
	t.Run("a refused proof names the first invalid line", func(t *testing.T) {
		t.Parallel()
		whole := proof(t, journal(5))
		lines := strings.SplitAfter(whole, "\n")
		without := func(i int) string { return strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "") }
		change := func(i int, old, replacement string) string {
			changed := strings.Replace(lines[i], old, replacement, 1)
			if changed == lines[i] {
				t.Fatalf("line %d does not hold %q", i+1, old)
			}
			return strings.Join(lines[:i], "") + changed + strings.Join(lines[i+1:], "")
		}
		for claim, c := range map[string]struct {
			file     string
			line     uint64
			sequence uint64
			reason   string
		}{
			"an empty file":            {"", 1, 0, "empty"},
			"another file":             {"{}\n", 1, 0, "not a proof"},
			"another version":          {change(0, `"version":2`, `"version":3`), 1, 0, "version 3"},
			"a changed event":          {change(3, `"number":"2"`, `"number":"3"`), 4, 3, "altered"},
			"a changed author":         {change(3, "system:", "System:"), 4, 3, "altered"},
			"a changed time":           {change(3, "12:00:02.", "12:00:03."), 4, 3, "altered"},
			"another organization":     {change(0, "01000000-", "02000000-"), 2, 1, "altered"},
			"a row left out":           {without(3), 4, 4, "row 3 is expected"},
			"the first row left out":   {without(1), 2, 2, "row 1 is expected"},
			"the last row left out":    {without(5), 5, 0, "states 5 rows, but the file contains 4"},
			"a row twice":              {strings.Join(lines[:3], "") + lines[2] + strings.Join(lines[3:], ""), 4, 2, "row 3 is expected"},
			"an extra field":           {change(2, `"data":{`, `"note":"x","data":{`), 3, 2, "canonical encoding"},
			"a repeated field":         {change(2, `"data":{`, `"by":"x","data":{`), 3, 2, "canonical encoding"},
			"extra spaces":             {change(2, `"by":`, `"by": `), 3, 2, "canonical encoding"},
			"a short hash":             {change(2, `"hash":"`, `"hash":"","x":"`), 3, 0, "64 hex digits"},
			"a long hash":              {change(2, `"hash":"`, `"hash":"00`), 3, 2, "canonical encoding"},
			"no JSON":                  {change(2, `{`, ``), 3, 0, "not JSON"},
			"an invalid time":          {change(2, `"recordedAt":"2`, `"recordedAt":"x`), 3, 0, "recordedAt"},
			"a file cut off":           {strings.TrimSuffix(whole, "}\n"), 6, 0, "ends within"},
			"a header of another hash": {change(0, `"hash":"`, `"hash":"x`), 6, 0, "does not match the header"},
			"a chain of another author": {
				lines[0] + strings.Join(strings.SplitAfter(proof(t, journal(5)[1:]), "\n")[1:], ""), 2, 2, "row 1 is expected",
			},
		} {
			_, err := messages.CheckProof(strings.NewReader(c.file))
			var fault *messages.ProofError
			if !errors.As(err, &fault) || fault.Line != c.line || fault.Sequence != c.sequence || !strings.Contains(fault.Error(), c.reason) {
				t.Errorf("%s: %v", claim, err)
			}
		}
	})
	t.Run("a resealed chain is accepted with another final hash only", func(t *testing.T) {
		t.Parallel()
		rows := journal(4)
		rows[1].Payload = []byte(`{"number":"7"}`)
		var hash messages.Hash
		for i := range rows {
			rows[i].Seal(hash)
			hash = rows[i].Hash
		}
		forged, err := messages.CheckProof(strings.NewReader(proof(t, rows)))
		genuine, _ := messages.CheckProof(strings.NewReader(proof(t, journal(4))))
		if err != nil || forged.Hash == genuine.Hash {
			t.Errorf("%v: the final hash is the same", err)
		}
	})
	t.Run("a proof with decreasing times is refused", func(t *testing.T) {
		t.Parallel()
		rows := journal(2)
		rows[1].RecordedAt = rows[0].RecordedAt.Add(-time.Second)
		rows[1].Seal(rows[0].Hash)
		if _, err := messages.CheckProof(strings.NewReader(proof(t, rows))); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("an error of the reader is returned", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("broken")
		if _, err := messages.CheckProof(iotest.ErrReader(broken)); !errors.Is(err, broken) {
			t.Error(err)
		}
	})
}

func TestProofWriter(t *testing.T) {
	t.Parallel()
	t.Run("a number of rows that differs from the header is refused", func(t *testing.T) {
		t.Parallel()
		writer, err := messages.NewProofWriter(&bytes.Buffer{}, messages.ProofHeader{Rows: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(writer.Write(journal(1)[0]), writer.Close()); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("an event with a line break or invalid JSON is refused", func(t *testing.T) {
		t.Parallel()
		for _, payload := range []string{"{\n}", "", "{", "{}\r"} {
			writer, err := messages.NewProofWriter(&bytes.Buffer{}, messages.ProofHeader{Rows: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := writer.Write(messages.Row{Sequence: 1, Payload: []byte(payload)}); err == nil {
				t.Errorf("%q was accepted", payload)
			}
		}
	})
}

func FuzzCheckProof(f *testing.F) {
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"format":"equity-journal-proof","version":1,"rows":1}` + "\n{}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if header, err := messages.CheckProof(bytes.NewReader(file)); err == nil && header.Format == "" {
			t.Error("a proof without a format was accepted")
		}
	})
}

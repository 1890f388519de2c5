package messages_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
)

const memberAdded = `{"id":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","terms":{"kind":"individual","fullName":"Ada","title":"Chief <Engineer>","roles":[],"comments":["ill since May"]}}`

// members returns a journal in which a member is changed three times, before and after
// salts were introduced.
func members() []messages.Row {
	var rows []messages.Row
	var previous messages.Hash
	for i, salted := range []bool{false, true, true} {
		row := messages.Row{
			Organization: organization.ID{1}, Sequence: uint64(i + 1), RecordedAt: time.Unix(int64(i), 0).UTC(),
			By: "system:test", Type: "memberChanged", Payload: []byte(memberAdded),
		}
		if salted {
			next := byte(i)
			row.Salt(func() [16]byte { next++; return [16]byte{next} })
		}
		row.Seal(previous)
		previous = row.Hash
		rows = append(rows, row)
	}
	return rows
}

func redactedProof(tb testing.TB, rows []messages.Row) string {
	tb.Helper()
	var file bytes.Buffer
	last := rows[len(rows)-1]
	writer, err := messages.NewProofWriter(&file, messages.ProofHeader{
		Organization: last.Organization, Rows: last.Sequence, Hash: hex.EncodeToString(last.Hash[:]),
	})
	for i := range rows {
		if err == nil {
			err = writer.WriteRedacted(rows[i])
		}
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return file.String()
}

func TestRedactedProofOmitsPrivateFieldsAndIsValid(t *testing.T) {
	t.Parallel()
	file := redactedProof(t, members())
	for _, secret := range []string{"Engineer", "ill since", `"salt"`} {
		if strings.Contains(file, secret) {
			t.Errorf("the proof contains %s:\n%s", secret, file)
		}
	}
	header, err := messages.CheckProof(strings.NewReader(file))
	if err != nil || header.Unproven != 1 {
		t.Errorf("%+v, %v", header, err)
	}
}

func TestAlteredRedactedProofIsRefused(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(redactedProof(t, members()), "\n")
	for claim, change := range map[string][2]string{
		"another name":       {`"fullName":"Ada"`, `"fullName":"Eve"`},
		"another commitment": {`"sha256":"`, `"sha256":"0`},
		"a title":            {`"title":{`, `"title":"CEO","old":{`},
		"a false mark":       {`"previousHash"`, `"unproven":false,"previousHash"`},
	} {
		altered := lines[0] + lines[1] + strings.Replace(lines[2], change[0], change[1], 1) + lines[3]
		if _, err := messages.CheckProof(strings.NewReader(altered)); err == nil {
			t.Errorf("%s was accepted", claim)
		}
	}
}

func TestSaltedRowHasOneEncoding(t *testing.T) {
	t.Parallel()
	row := members()[1]
	if !row.Fits(row.PreviousHash) {
		t.Fatal("the sealed row does not fit")
	}
	for claim, payload := range map[string]string{
		"a changed title":  strings.Replace(string(row.Payload), "Chief", "chief", 1),
		"an extra space":   strings.Replace(string(row.Payload), `"terms":`, `"terms": `, 1),
		"a repeated field": strings.Replace(string(row.Payload), `"terms":`, `"terms":{"title":"x"},"terms":`, 1),
		"another salt":     strings.Replace(string(row.Payload), `"salt":"v2:0`, `"salt":"v2:1`, 1),
		"no salt":          memberAdded,
	} {
		altered := row
		altered.Payload = []byte(payload)
		if altered.Fits(row.PreviousHash) {
			t.Errorf("%s fits", claim)
		}
	}
}

func TestEqualFieldsHaveDifferentCommitments(t *testing.T) {
	t.Parallel()
	rows := members()
	first, _ := rows[1].Redacted()
	second, _ := rows[2].Redacted()
	if bytes.Equal(first.Payload, second.Payload) {
		t.Error("two salts have the same commitment")
	}
}

func TestPrivateFieldsOfLaterVersionsAreCommitted(t *testing.T) {
	t.Parallel()
	const added = `{"id":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","name":"Layoffs.pdf","file":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e11"}`
	row := messages.Row{Sequence: 1, Type: "documentAdded", Payload: []byte(added)}
	row.Salt(func() [16]byte { return [16]byte{1} })
	row.Seal(messages.Hash{})
	redacted, proven := row.Redacted()
	if !proven || !redacted.Fits(messages.Hash{}) || bytes.Contains(
		redacted.Payload, []byte("01926f3c"),
	) || bytes.Contains(redacted.Payload, []byte("Layoffs")) {
		t.Errorf("%v %s", proven, redacted.Payload)
	}
}

func TestRowOfTheFirstVersionLosesLaterPrivateFields(t *testing.T) {
	t.Parallel()
	const added = `{"file":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e11","id":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","name":"Layoffs.pdf","salt":"00"}`
	row := messages.Row{Sequence: 1, Type: "documentAdded", Payload: []byte(added)}
	row.Seal(messages.Hash{})
	if covered := string(row.Covered()); !strings.Contains(covered, "01926f3c") || strings.Contains(covered, "Layoffs") {
		t.Errorf("the hash of an earlier row covers %s", covered)
	}
	if redacted, proven := row.Redacted(); proven || bytes.Contains(redacted.Payload, []byte("01926f3c")) {
		t.Errorf("%v %s", proven, redacted.Payload)
	}
}

func TestEventWithoutPrivateFieldsHasNoSalt(t *testing.T) {
	t.Parallel()
	row := messages.Row{Type: "optionGranted", Payload: []byte(`{"id":"1","comments":["\"agreement\":"]}`)}
	row.Salt(func() [16]byte { return [16]byte{1} })
	if bytes.Contains(row.Payload, []byte("salt")) {
		t.Errorf("%s", row.Payload)
	}
}

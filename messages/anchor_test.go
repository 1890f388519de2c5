package messages_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"equity/messages"
)

func TestAnchorOfAnotherHeadTimeOrKeyIsRefused(t *testing.T) {
	t.Parallel()
	key, err := messages.NewAnchorKey(bytes.Repeat([]byte{7}, messages.AnchorSeedBytes))
	other, failed := messages.NewAnchorKey(bytes.Repeat([]byte{8}, messages.AnchorSeedBytes))
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	signed := key.Sign(messages.Head{Organization: [16]byte{1}, Sequence: 5, Hash: messages.Hash{9}}, time.Unix(1_800_000_000, 123_456_789))
	text, err := json.Marshal(signed)
	if err != nil {
		t.Fatal(err)
	}
	var read messages.Anchor
	if err := json.Unmarshal(text, &read); err != nil || !key.Public().Verifies(read) {
		t.Fatalf("%s is not valid: %v", text, err)
	}
	printed, err := messages.ParseAnchorKey(key.Public().String())
	if err != nil || !printed.Verifies(read) {
		t.Errorf("the printed key does not verify the anchor: %v", err)
	}
	for claim, change := range map[string]func(*messages.Anchor){
		"organization": func(a *messages.Anchor) { a.Organization[0]++ },
		"sequence":     func(a *messages.Anchor) { a.Sequence++ },
		"hash":         func(a *messages.Anchor) { a.Hash = "00" + a.Hash[2:] },
		"time":         func(a *messages.Anchor) { a.At = a.At.Add(-time.Microsecond) },
		"key":          func(a *messages.Anchor) { a.Key = other.Public().ID() },
		"signature":    func(a *messages.Anchor) { a.Signature = bytes.Repeat([]byte{1}, 64) },
	} {
		altered := read
		change(&altered)
		if key.Public().Verifies(altered) || other.Public().Verifies(altered) {
			t.Errorf("another %s is accepted", claim)
		}
	}
	for _, text := range []string{"", "ed25519:", "rsa:AAAA", "ed25519:AAAA"} {
		if _, err := messages.ParseAnchorKey(text); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
}

package messages_test

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"equity/messages"
	"equity/organization"
)

// earlier returns the snapshot as a version with the number wrote it: bound to its row, or not.
func earlier(t *testing.T, sequence uint64, version byte, bound bool) messages.Snapshot {
	t.Helper()
	table := crc32.MakeTable(crc32.Castagnoli)
	packed := organization.NewState().Snapshot()
	packed = packed[:len(packed)-crc32.Size]
	packed[0] = version
	packed = binary.BigEndian.AppendUint32(packed, crc32.Checksum(packed, table))
	snapshot := messages.Snapshot{Sequence: sequence, State: string(packed)}
	if bound {
		row := append(binary.BigEndian.AppendUint64(nil, sequence), snapshot.Hash[:]...)
		row = append(row, packed[len(packed)-crc32.Size:]...)
		snapshot.State += string(binary.BigEndian.AppendUint32(nil, crc32.Checksum(row, table)))
	}
	return snapshot
}

func TestSnapshotOfAnotherVersionIsOlder(t *testing.T) {
	t.Parallel()
	schema := organization.NewSchema()
	for what, snapshot := range map[string]messages.Snapshot{
		"bound to its row": earlier(t, 7, 29, true), "not bound": earlier(t, 7, 22, false),
	} {
		if !snapshot.Older(schema) {
			t.Errorf("%s: it is not older", what)
		}
		if _, err := snapshot.Restore(schema); !errors.Is(err, organization.ErrOtherSnapshot) {
			t.Errorf("%s: %v", what, err)
		}
	}
	own := messages.NewSnapshot(7, messages.Hash{}, organization.NewState())
	if own.Older(schema) {
		t.Error("a snapshot of this version is older")
	}
	moved := earlier(t, 7, 29, true)
	moved.Sequence = 8
	if moved.Older(schema) {
		t.Error("a snapshot of another row is older, not damaged")
	}
}

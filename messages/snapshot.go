package messages

import (
	"encoding/binary"
	"hash/crc32"

	"equity/organization"
)

// Snapshot is the encoded state of an organization after one row of its journal.
type Snapshot struct {
	// Sequence is that of the row; 0 means that no snapshot exists.
	Sequence uint64
	// Hash is that of the row; zero in snapshots of builds that did not store it.
	Hash Hash
	// State is the result of [organization.State.Snapshot] with a checksum that binds it to the row.
	State string
}

// NewSnapshot returns the snapshot of the state after the row with the sequence and the hash.
func NewSnapshot(sequence uint64, hash Hash, state *organization.State) Snapshot {
	packed := state.Snapshot()
	return Snapshot{sequence, hash, string(binary.BigEndian.AppendUint32(packed, binding(sequence, hash, packed)))}
}

// Restore returns the state. A state of another row is refused as a damaged one, with [organization.ErrOtherSnapshot].
func (s Snapshot) Restore() (*organization.State, error) {
	end := len(s.State) - crc32.Size
	if end < 0 || binary.BigEndian.Uint32([]byte(s.State[end:])) != binding(s.Sequence, s.Hash, s.State[:end]) {
		return nil, organization.ErrOtherSnapshot
	}
	return organization.Restore(s.State[:end])
}

// binding returns a checksum of the row and of the state, whose last bytes are the checksum of its others.
func binding[S string | []byte](sequence uint64, hash Hash, packed S) uint32 {
	bound := append(binary.BigEndian.AppendUint64(nil, sequence), hash[:]...)
	bound = append(bound, packed[max(len(packed)-crc32.Size, 0):]...)
	return crc32.Checksum(bound, crc32.MakeTable(crc32.Castagnoli))
}

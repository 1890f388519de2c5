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
func (s Snapshot) Restore(schema *organization.Schema) (*organization.State, error) {
	packed, ok := s.bound()
	if !ok {
		return nil, organization.ErrOtherSnapshot
	}
	return schema.Restore(packed)
}

// Older reports whether the snapshot is undamaged, and was written by another version or by a program with other rooms. Early versions did
// not bind the state to its row.
func (s Snapshot) Older(schema *organization.Schema) bool {
	packed, ok := s.bound()
	return ok && schema.Older(packed) || schema.Older(s.State)
}

// bound returns the packed state, or false if it does not belong to the row.
func (s Snapshot) bound() (packed string, ok bool) {
	end := len(s.State) - crc32.Size
	if end < 0 {
		return "", false
	}
	packed = s.State[:end]
	return packed, binary.BigEndian.Uint32([]byte(s.State[end:])) == binding(s.Sequence, s.Hash, packed)
}

// binding returns a checksum of the row and of the state, whose last bytes are the checksum of its others.
func binding[S string | []byte](sequence uint64, hash Hash, packed S) uint32 {
	bound := append(binary.BigEndian.AppendUint64(nil, sequence), hash[:]...)
	bound = append(bound, packed[max(len(packed)-crc32.Size, 0):]...)
	return crc32.Checksum(bound, crc32.MakeTable(crc32.Castagnoli))
}

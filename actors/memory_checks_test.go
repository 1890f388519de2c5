package actors_test

import (
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// stored returns a copy of the organization's rows.
func (m *memory) stored(id organization.ID) []messages.Row {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.rows[id])
}

// head returns the last durable sequence.
func (m *memory) head(id organization.ID) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return uint64(len(m.rows[id]))
}

// appends returns the number of events of each stored append.
func (m *memory) appends() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.batches)
}

// flights returns the number of appends of the organization in flight.
func (m *memory) flights(id organization.ID) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.flying[id]
}

// saved returns the sequences of the organization's snapshots.
func (m *memory) saved(id organization.ID) []uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	sequences := []uint64{}
	for _, s := range m.snapshots[id] {
		sequences = append(sequences, s.Sequence)
	}
	return sequences
}

// scanned returns the number of reads of journals.
func (m *memory) scanned() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scans
}

// replay returns the state derived from the organization's rows alone.
func (m *memory) replay(id organization.ID) *organization.State {
	m.tb.Helper()
	decoder, state := organization.NewSchema(), organization.NewState()
	for _, row := range m.stored(id) {
		event, err := decoder.Decode(row.Type, row.Payload)
		if err != nil {
			m.tb.Fatalf("sequence %d: %v", row.Sequence, err)
		}
		state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
	}
	return state
}

// verify checks the invariants of a journal: sequences without gaps,
// an unbroken hash chain, times that never decrease, and indexes that match
// the state.
func (m *memory) verify() {
	m.tb.Helper()
	m.mu.Lock()
	ids := make([]organization.ID, 0, len(m.rows))
	for id := range m.rows {
		ids = append(ids, id)
	}
	m.mu.Unlock()
	for _, id := range ids {
		before := messages.Row{}
		for _, row := range m.stored(id) {
			if row.Organization != id || row.Sequence != before.Sequence+1 || !row.Fits(before.Hash) {
				m.tb.Fatalf("row %d of %s does not fit behind row %d", row.Sequence, id, before.Sequence)
			}
			if row.RecordedAt.Before(before.RecordedAt) {
				m.tb.Errorf("row %d was recorded at %s, before row %d", row.Sequence, row.RecordedAt, before.Sequence)
			}
			before = row
		}
		m.verifyIndexes(id)
	}
}

func (m *memory) verifyIndexes(id organization.ID) {
	m.tb.Helper()
	state := m.replay(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	for member := range state.Members() {
		if holds := state.Table().Holds(member.Entity); holds != m.stakes[id][member.Entity] {
			m.tb.Errorf("%s holds shares: %v; the index says %v", member.FullName, holds, !holds)
		}
		if _, is := state.MemberBy(member.User); is != m.members[id][member.User] {
			m.tb.Errorf("%s is a member: %v; the index says %v", member.FullName, is, !is)
		}
		if m.resources[member.ID] != "member" {
			m.tb.Errorf("%s is not in the index of resources", member.FullName)
		}
	}
	for holding := range state.Table().Shareholdings() {
		if m.resources[holding.ID] != "shareholding" {
			m.tb.Errorf("%s is not in the index of resources", holding.Certificate)
		}
	}
}
